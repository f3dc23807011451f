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
  func score(_ answer: Answer, for testCase: TestCase, hearing replies: [Reply]) -> Score
}

extension AskingScorer {
  /// The score where nobody was asked.
  package func score(_ answer: Answer, for testCase: TestCase) -> Score {
    let silence = Reply.silence(Silence(reason: "nothing was asked"))
    let count = questions(about: answer, for: testCase).count
    return score(answer, for: testCase, hearing: Array(repeating: silence, count: count))
  }
}

/// What a scorer asks.
package enum Question: Hashable, Sendable {
  /// A program, which is code and run again each time.
  case program(ProgramQuestion)
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
  /// What a program wrote on its standard output.
  case output([UInt8])
  /// Nothing that could be read.
  case silence(Silence)
}

/// Why a question has no reply.
package struct Silence: Hashable, Sendable {
  /// The reason in a phrase.
  package var reason: String
  /// Whether the question was dropped because the run was cancelled.
  package var isCancelled: Bool

  package init(reason: String, isCancelled: Bool = false) {
    self.reason = reason
    self.isCancelled = isCancelled
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
