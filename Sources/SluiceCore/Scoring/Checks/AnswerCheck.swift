import SluiceSupport

/// What a single assertion asks of an answer.
///
/// Whether the opposite is meant is decided by ``Assertion``, once for all checks.
package protocol AnswerCheck: Sendable {
  /// What is asked, to stand after "expected the answer to".
  var claim: String { get }

  /// Whether an answer that no app could use fails without being asked.
  var needsUsableAnswer: Bool { get }

  /// The parts that an answer may have in place of text, since the check asks for them.
  var wantedParts: Set<AnswerPart> { get }

  /// Whether it is about the text alone, not about how the answer came.
  var judgesTextAlone: Bool { get }

  /// Whether answers are told apart by degrees: findings have a ``Finding/grade`` then.
  var isGraded: Bool { get }

  /// What was read from other files and decides findings.
  var content: JSONValue { get }

  /// The templates that each case fills before anything is checked; none for most.
  var templates: [AssertionTemplate.Text] { get }

  /// The check with its templates filled by a case.
  func bound(to testCase: TestCase) -> any AnswerCheck

  /// Reports what is wrong with the values that a case fills in.
  func check(_ expectation: Expectation)

  /// Checks an answer.
  ///
  /// - Parameter answer: The answer.
  /// - Returns: What was found.
  /// - Throws: ``Undecided`` where neither can be said.
  func finding(_ answer: Answer) throws(Undecided) -> Finding

  /// What came, where it is not what was asked for, as a clause.
  ///
  /// It is asked for failed answers alone, whose finding has no detail.
  ///
  /// - Parameters:
  ///   - answer: The answer.
  ///   - isNegated: Whether the opposite was asked for.
  /// - Returns: The clause.
  func came(_ answer: Answer, isNegated: Bool) -> String
}

/// What a check found.
package struct Finding {
  /// Whether the answer is as asked.
  var holds: Bool
  /// How close the answer comes, from 0 to 1; nil where there is only yes and no.
  var grade: Double?
  /// What was found, as a clause; nil where ``AnswerCheck/came(_:isNegated:)`` tells.
  var detail: String?

  init(_ holds: Bool, grade: Double? = nil, detail: String? = nil) {
    self.holds = holds
    self.grade = grade
    self.detail = detail
  }
}

/// Why a check can neither say that an answer is as asked nor that it is not.
package struct Undecided: Error {
  var reason: String
}

extension AnswerCheck {
  var needsUsableAnswer: Bool { true }
  var wantedParts: Set<AnswerPart> { [] }
  var judgesTextAlone: Bool { true }
  var isGraded: Bool { false }
  var content: JSONValue { .null }
  var templates: [AssertionTemplate.Text] { [] }
  func bound(to testCase: TestCase) -> any AnswerCheck { self }
  func check(_ expectation: Expectation) {}
  func came(_ answer: Answer, isNegated: Bool) -> String { "got \(Excerpt.quoted(answer.text))" }
}
