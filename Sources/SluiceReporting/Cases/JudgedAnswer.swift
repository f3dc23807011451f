import SluiceGating

/// A pending answer with its question, its expectation, and the scores before and now.
package struct JudgedAnswer: Sendable {
  package var question: [CaseView.Field]
  /// The expectation, or `nil` if no suite makes the request any more.
  package var expected: [CaseView.Field]?
  /// The new answer with its scores, or `nil` if no suite makes the request any more.
  package var now: Trial?
  /// The accepted answer with its scores, or `nil` if there is none.
  package var before: Trial?

  package init(
    question: [CaseView.Field],
    expected: [CaseView.Field]? = nil,
    now: Trial? = nil,
    before: Trial? = nil
  ) {
    self.question = question
    self.expected = expected
    self.now = now
    self.before = before
  }

  /// A change of the outcome.
  package enum Turn: Int, Comparable, Sendable {
    case failing, passing, none

    package static func < (left: Turn, right: Turn) -> Bool { left.rawValue < right.rawValue }
  }

  package var turn: Turn {
    switch (before?.isPassed, now?.isPassed) {
    case (true?, false?): .failing
    case (false?, true?): .passing
    default: .none
    }
  }
}
