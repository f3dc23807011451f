package import SluiceSupport

/// A scorer that needs replies from a judge or a program.
///
/// The scorer returns questions, and reads the replies.
///
/// The run asks the questions. The replies come from a recording, a live backend or a program. The
/// scorer itself stays a pure function.
package protocol AskingScorer: SuiteScorer {
  /// Returns the questions about an answer, in order; empty if the scorer needs no replies.
  func questions(about answer: Answer, for testCase: TestCase) -> [Question]

  /// Returns the score of an answer.
  ///
  /// - Parameters:
  ///   - answer: The model's answer.
  ///   - testCase: The case of the answer.
  ///   - replies: The replies to the scorer's questions about the answer, in order, one for each
  ///     question.
  /// - Returns: The score.
  func score(_ answer: Answer, for testCase: TestCase, inquiry replies: [Reply]) -> Score
}

extension AskingScorer {
  /// Returns the score if there are no replies.
  package func score(_ answer: Answer, for testCase: TestCase) -> Score {
    let missing = Reply.missing(MissingReply(reason: "the judge was not asked"))
    let count = questions(about: answer, for: testCase).count
    return score(answer, for: testCase, inquiry: Array(repeating: missing, count: count))
  }
}

/// A question of a scorer.
package enum Question: Hashable, Sendable {
  /// A request to a judge.
  ///
  /// Its verdict is recorded.
  case model(ModelQuestion)
  /// A call of a program.
  ///
  /// The program runs again each time.
  case program(ProgramQuestion)
}

/// A request to a judge, with the information that helps to explain a missing verdict.
package struct ModelQuestion: Hashable, Sendable {
  package var request: ModelRequest
  /// The name of the judge's prompt.
  package var prompt: String
  /// The instructions that the suite gives to the judge, which do not depend on the answer.
  package var templates: JSONValue
  /// The texts to judge, and the input of the case.
  package var judged: JSONValue

  /// Returns the question as a request that can be recorded.
  ///
  /// The same answer to a case always gets the same verdict, so the number of the repetition is
  /// always 1.
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

/// A text that is sent to the standard input of a program.
package struct ProgramQuestion: Hashable, Sendable {
  package var program: ScoringProgram
  package var input: [UInt8]

  /// The digest that identifies the question.
  package var digest: Digest {
    let program = "\(program.endpoint.fingerprint.digest) \(program.folder)\n"
    return SHA256.digest(Array(program.utf8) + input)
  }
}

/// The reply to a question.
package enum Reply: Hashable, Sendable {
  /// The answer that a judge gave.
  case answer(ModelResponse)
  /// The standard output of a program.
  case output([UInt8])
  /// There is no reply.
  case missing(MissingReply)
}

/// The reason why a question has no reply.
package struct MissingReply: Hashable, Sendable {
  /// The reason, as a phrase.
  package var reason: String
  /// True if the question was not asked because the run was cancelled.
  package var isCancelled: Bool
  /// The reason why the reply is not recorded; nil if the reply is missing for another reason.
  package var miss: RecordingMiss?

  package init(reason: String, isCancelled: Bool = false) {
    self.reason = reason
    self.isCancelled = isCancelled
  }

  /// Creates the missing reply of a judge whose verdict is not recorded.
  package init(_ miss: RecordingMiss) {
    self.init(reason: miss.verdictMessage)
    self.miss = miss
  }
}

extension RecordingMiss {
  /// The reason why a verdict is not recorded, as a phrase such as "no recorded verdict: answer
  /// changed (user message)".
  package var verdictMessage: String {
    switch reason {
    case .newCase: return "no recorded verdict: the answer was never judged"
    case .usedUp: return "no recorded verdict: too few repeats (1 recorded, another one needed)"
    case .expired(let day): return "expired verdict: recorded \(day)"
    case .unusable(let message), .lostPart(let message): return "unusable verdict: \(message)"
    case .damaged(let path, let line): return "damaged verdict: \(path):\(line)"
    case .noRow: return message
    case .fileMissing(let path): return "no recorded verdict: \(path) is missing"
    case .changed(let change):
      // If the texts to judge have changed, the answer has changed. Changed inputs would belong to
      // another case.
      let kinds = change.kinds.map { $0 == .testCase ? "answer" : $0.rawValue }
      let what = kinds.isEmpty ? "the request" : kinds.joined(separator: " and ")
      let parts = change.parts.isEmpty ? "" : " (\(change.parts.joined(separator: ", ")))"
      return "no recorded verdict: \(what) changed\(parts)"
    }
  }
}

/// The program of a scorer, with its settings from the suite.
package struct ScoringProgram: Hashable, Sendable {
  package var endpoint: ProgramEndpoint
  /// The working directory, which is the folder of the suite's file.
  package var folder: ProjectPath
  /// The maximum time for one answer.
  package var timeout: Duration
  /// The maximum number of concurrent processes.
  package var maximumInFlight: Int
}
