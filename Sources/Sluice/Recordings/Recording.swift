/// A recorded exchange: a line of a recordings file.
package struct Recording: Hashable, Sendable {
  package static let schema = 1

  package var identity: RequestIdentity
  /// Which of several answers to the same request it is, from 1.
  package var repetition: Int
  package var exchange: Exchange
  package var hints: Hints

  /// What helps to explain a miss; no part of the key.
  package struct Hints: Hashable, Sendable {
    package var suite: String
    package var testCase: String
    package var prompt: String
    /// The digest of the prompt's file, templates unfilled.
    package var promptDigest: String

    package init(suite: String, testCase: String, prompt: String, promptDigest: String) {
      self.suite = suite
      self.testCase = testCase
      self.prompt = prompt
      self.promptDigest = promptDigest
    }
  }

  package init(
    identity: RequestIdentity,
    repetition: Int,
    exchange: Exchange,
    hints: Hints
  ) {
    self.identity = identity
    self.repetition = repetition
    self.exchange = exchange
    self.hints = hints
  }
}
