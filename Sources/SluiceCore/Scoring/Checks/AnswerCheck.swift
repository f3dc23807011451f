import SluiceSupport

/// A single check of an answer.
///
/// ``Assertion`` adds negation to all checks.
package protocol AnswerCheck: Sendable {
  /// The claim of the check, as a phrase that follows "expected the answer to".
  var claim: String { get }

  /// True if an unusable answer fails without being checked.
  var needsUsableAnswer: Bool { get }

  /// True if the check reads the JSON of the answer, of which null is a value.
  var readsJSON: Bool { get }

  /// The parts that the check accepts in place of text, such as tool calls.
  var wantedParts: Set<AnswerPart> { get }

  /// True if the check reads only the text of an answer.
  ///
  /// False if it also reads other parts of the response.
  var judgesTextAlone: Bool { get }

  /// True if the findings have a ``Finding/grade``.
  var isGraded: Bool { get }

  /// The contents of other files that affect the findings.
  var content: JSONValue { get }

  /// The templates that each case fills in before its answer is checked; empty for most checks.
  var templates: [AssertionTemplate.Text] { get }

  /// True if the check needs the case, in addition to the answer.
  var needsCase: Bool { get }

  /// The parts of a case that the check reads, in addition to those that templates name.
  var reads: CaseReads { get }

  /// Returns the check with its templates filled in from a case.
  func bound(to testCase: TestCase) -> any AnswerCheck

  /// Reports errors in the values that a case fills into the check.
  func check(_ expectation: Expectation)

  /// Checks an answer.
  ///
  /// - Parameter answer: The answer.
  /// - Returns: The finding.
  /// - Throws: ``Undecided`` if the check cannot decide.
  func finding(_ answer: Answer) throws(Undecided) -> Finding

  /// Returns a clause that describes an answer that failed the check.
  ///
  /// The clause is used if the finding has no detail.
  ///
  /// - Parameters:
  ///   - answer: The answer.
  ///   - isNegated: True if the check is negated.
  /// - Returns: The clause.
  func came(_ answer: Answer, isNegated: Bool) -> String
}

/// The parts of a case that a check reads if the case has them.
package struct CaseReads: Sendable {
  package var inputs: [String] = []
  package var expected: [String] = []
  package var readsAllInputs = false
  package var readsAllExpected = false
}

/// The finding of a check.
package struct Finding {
  /// True if the answer satisfies the check.
  var holds: Bool
  /// The degree of agreement, from 0 to 1; nil if the check is binary.
  var grade: Double?
  /// True if the answer is unusable, so that it fails even if the check is negated.
  var isUnusable = false
  /// True if the answer lacks the part that is checked, so that it fails even if the check is
  /// negated.
  var isMissing = false
  /// The finding as a clause.
  ///
  /// If nil, ``AnswerCheck/came(_:isNegated:)`` describes the answer.
  var detail: String?

  init(_ holds: Bool, grade: Double? = nil, detail: String? = nil) {
    self.holds = holds
    self.grade = grade
    self.detail = detail
  }

  /// Returns the finding for an answer without the part that is checked.
  static func missing(_ detail: String) -> Finding {
    var finding = Finding(false, detail: detail)
    finding.isMissing = true
    return finding
  }

  /// Returns the finding for an unusable answer.
  static func unusable(_ detail: String) -> Finding {
    var finding = Finding(false, detail: detail)
    finding.isUnusable = true
    return finding
  }
}

/// The reason why a check cannot decide.
package struct Undecided: Error {
  var reason: String
}

extension AnswerCheck {
  var needsUsableAnswer: Bool { true }
  var readsJSON: Bool { false }
  var wantedParts: Set<AnswerPart> { [] }
  var judgesTextAlone: Bool { true }
  var isGraded: Bool { false }
  var content: JSONValue { .null }
  var templates: [AssertionTemplate.Text] { [] }
  var needsCase: Bool { !templates.isEmpty }
  var reads: CaseReads { CaseReads() }
  func bound(to testCase: TestCase) -> any AnswerCheck { self }
  func check(_ expectation: Expectation) {}
  func came(_ answer: Answer, isNegated: Bool) -> String { "got \(Excerpt.quoted(answer.text))" }
}
