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

  /// True where each case has to be known before an answer can be checked.
  var needsCase: Bool { get }

  /// The parts of a case that are read, beside those that templates name.
  var reads: CaseReads { get }

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

/// The parts of a case that a check may read: a case may lack each of them.
package struct CaseReads: Sendable {
  package var inputs: [String] = []
  package var expected: [String] = []
  package var readsAllInputs = false
  package var readsAllExpected = false
}

/// What a check found.
package struct Finding {
  /// Whether the answer is as asked.
  var holds: Bool
  /// How close the answer comes, from 0 to 1; nil where there is only yes and no.
  var grade: Double?
  /// True where no app could have used the answer, which then fails in both forms.
  var isUnusable = false
  /// What was found, as a clause; nil where ``AnswerCheck/came(_:isNegated:)`` tells.
  var detail: String?

  init(_ holds: Bool, grade: Double? = nil, detail: String? = nil) {
    self.holds = holds
    self.grade = grade
    self.detail = detail
  }

  /// The finding of an answer that no app could have used.
  static func unusable(_ detail: String) -> Finding {
    var finding = Finding(false, detail: detail)
    finding.isUnusable = true
    return finding
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
  var needsCase: Bool { !templates.isEmpty }
  var reads: CaseReads { CaseReads() }
  func bound(to testCase: TestCase) -> any AnswerCheck { self }
  func check(_ expectation: Expectation) {}
  func came(_ answer: Answer, isNegated: Bool) -> String { "got \(Excerpt.quoted(answer.text))" }
}
