import SluiceGating

/// A pending answer with its question and expectation, and with the accepted answer to the same
/// request.
package struct JudgedAnswer: Sendable {
  package var question: [CaseView.Field]
  /// The expectation; `nil` if no suite sends the request anymore.
  package var expected: [CaseView.Field]?
  /// The pending answer with its scores; `nil` if no suite sends the request anymore.
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

  /// The change from the outcome of the accepted answer to the outcome of the pending answer.
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
