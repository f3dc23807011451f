package import SluiceSupport

/// A scorer that has to ask something outside of the process: it says what, and reads the replies.
///
/// Who asks is the business of a run: a recording, a live backend or a program may reply. The scorer
/// itself stays a pure function.
package protocol AskingScorer: SuiteScorer {
  /// What is to be asked about an answer, in order; nothing where the scorer can judge by itself.
  func questions(about answer: Answer, for testCase: TestCase) -> [Question]

  /// The score of an answer.
  ///
  /// - Parameters:
  ///   - answer: What the model answered.
  ///   - testCase: The case that it answered.
  ///   - replies: What came of the scorer's questions about the answer, one for each, in order.
  /// - Returns: What the scorer found.
  func score(_ answer: Answer, for testCase: TestCase, inquiry replies: [Reply]) -> Score
}

extension AskingScorer {
  /// The score where nobody was asked.
  package func score(_ answer: Answer, for testCase: TestCase) -> Score {
    let silence = Reply.silence(MissingReply(reason: "nothing was asked"))
    let count = questions(about: answer, for: testCase).count
    return score(answer, for: testCase, inquiry: Array(repeating: silence, count: count))
  }
}

/// What a scorer asks.
package enum Question: Hashable, Sendable {
  /// A judge, whose verdicts are recorded.
  case model(ModelQuestion)
  /// A program, which is code and run again each time.
  case program(ProgramQuestion)
}

/// A request to a judge, with what explains why no verdict is recorded.
package struct ModelQuestion: Hashable, Sendable {
  package var request: ModelRequest
  /// The name of the judge's prompt.
  package var prompt: String
  /// What the suite says to the judge, whatever is judged.
  package var templates: JSONValue
  /// What is judged, with the case's input.
  package var judged: JSONValue

  /// The question as a request that can be recorded.
  ///
  /// The same answer to a case always gets the same verdict, so there is no second repetition.
  package func recorded(suite: String, testCase: String) -> (
    key: String, slot: Recording.Slot, hints: Recording.Hints
  ) {
    let key = RequestIdentity.key(of: request)
    let hints = Recording.Hints(
      suite: suite,
      testCase: testCase,
      inputDigest: RequestIdentity.digest(judged),
      prompt: prompt,
      templateDigest: RequestIdentity.digest(templates)
    )
    return (key, Recording.Slot(key: key, repetition: 1), hints)
  }
}

/// A text for a program on its standard input.
package struct ProgramQuestion: Hashable, Sendable {
  package var program: ScoringProgram
  package var input: [UInt8]

  /// What tells it from other questions.
  package var digest: Digest {
    let program = "\(program.endpoint.fingerprint.digest) \(program.folder)\n"
    return SHA256.digest(Array(program.utf8) + input)
  }
}

/// What came of a question.
package enum Reply: Hashable, Sendable {
  /// What a judge answered.
  case answer(ModelResponse)
  /// What a program wrote on its standard output.
  case output([UInt8])
  /// Nothing that could be read.
  case silence(MissingReply)
}

/// Why a question has no reply.
package struct MissingReply: Hashable, Sendable {
  /// The reason in a phrase.
  package var reason: String
  /// Whether the question was dropped because the run was cancelled.
  package var isCancelled: Bool
  /// Why no recording has the reply, where that is the reason.
  package var miss: RecordingMiss?

  package init(reason: String, isCancelled: Bool = false) {
    self.reason = reason
    self.isCancelled = isCancelled
  }

  /// The silence of a judge whose verdict is not recorded.
  package init(_ miss: RecordingMiss) {
    self.init(reason: miss.verdictMessage)
    self.miss = miss
  }
}

extension RecordingMiss {
  /// The miss of a verdict in a phrase, such as "no recorded verdict: answer changed (user message)".
  package var verdictMessage: String {
    switch reason {
    case .newCase: return "no recorded verdict: never judged"
    case .usedUp: return "no recorded verdict: recorded once, asked once more"
    case .expired(let day): return "expired verdict: recorded \(day)"
    case .unusable(let message), .lostPart(let message): return "unusable verdict: \(message)"
    case .damaged(let path, let line): return "damaged verdict: \(path):\(line)"
    case .noRow: return message
    case .fileMissing(let path): return "no recorded verdict: \(path) is missing"
    case .changed(let change):
      // What differs in what was judged is the answer: with another input it would be another one.
      let kinds = change.kinds.map { $0 == .testCase ? "answer" : $0.rawValue }
      let what = kinds.isEmpty ? "the request" : kinds.joined(separator: " and ")
      let parts = change.parts.isEmpty ? "" : " (\(change.parts.joined(separator: ", ")))"
      return "no recorded verdict: \(what) changed\(parts)"
    }
  }
}

/// A program that scores, as a suite names it.
package struct ScoringProgram: Hashable, Sendable {
  package var endpoint: ProgramEndpoint
  /// The folder that it works in: that of the suite's file, which its paths are relative to.
  package var folder: ProjectPath
  /// How long it may take for an answer.
  package var timeout: Duration
  /// How many of it may run at once.
  package var maximumInFlight: Int
}
