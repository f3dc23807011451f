import SluiceReporting

/// What the scorers and prompts of a suite ask of its cases, checked case by case.
struct CaseChecks {
  /// The assertions of the cases that bring some, by index.
  private(set) var assertions: [Int: [BoundScorer]] = [:]
  /// What of the cases nothing reads.
  private(set) var unread: UnreadMembers
  /// Whether a case lacks something that a prompt needs.
  private(set) var hasGaps = false
  private let scorers: [any SuiteScorer]
  private let readsInput: Bool
  private let hasTemplates: Bool
  /// True when an input that hides what cases expect was reported.
  private var isHidingReported = false
  private let texts: [FilledText]
  private var unheard = DiagnosticCollector()
  /// The first expectations that were found to be fine: cases that share one need not be asked again.
  private var fine: [CaseLine.Expected] = []
  private static let fineLimit = 16
  private let nowhere = SourceFile(path: "", bytes: [])

  init(scorers: [BoundScorer], texts: [FilledText], unread: UnreadMembers) {
    self.scorers = scorers.map(\.scorer)
    readsInput = self.scorers.contains { !$0.traits.inputKeys.isEmpty }
    hasTemplates = self.scorers.contains { ($0 as? Assertion)?.isTemplated ?? false }
    self.texts = texts
    self.unread = unread
  }

  /// Whether there is nothing to report of a case.
  ///
  /// Most cases are as they should be, and where there is nothing to report, nobody asks for the place
  /// of anything.
  mutating func isFine(_ line: CaseLine, _ index: Int) -> Bool {
    // What the inputs hold is checked where their places are known.
    if readsInput || hasTemplates { return false }
    let isKnown = fine.contains { $0 === line.expected }
    guard isKnown || isFine(line.expected, of: line.id) else { return false }
    // Of one that is known there is nothing to note that was not noted before.
    if let input = line.input { note(input, line.expected.value, index) }
    if isKnown { return true }
    unread.note(line.expected.value, .expected, index)
    if fine.count < Self.fineLimit { fine.append(line.expected) }
    return true
  }

  private mutating func isFine(_ expected: CaseLine.Expected, of caseID: String) -> Bool {
    let start = SourcePosition(line: 1, column: 1)
    let expectation = Expectation(
      caseID: caseID,
      position: start,
      expected: Node(expected.value, at: start),
      file: nowhere,
      diagnostics: unheard
    )
    for scorer in scorers { scorer.check(expectation) }
    if unheard.isEmpty { return true }
    unheard = DiagnosticCollector()
    return false
  }

  /// Reports what is wrong with what a case expects.
  ///
  /// - Parameters:
  ///   - testCase: The case.
  ///   - index: Its place among the cases.
  ///   - expectation: What it expects; nil where that was reported as wrong as a whole.
  ///   - assertions: The assertions of its own.
  mutating func check(
    _ testCase: TestCase,
    _ index: Int,
    _ expectation: Expectation?,
    _ assertions: [BoundScorer]
  ) {
    if let expectation {
      reportHidden(expectation, assertions)
      for scorer in scorers { scorer.check(expectation) }
      for bound in assertions { bound.scorer.check(expectation) }
    }
    if !assertions.isEmpty { self.assertions[index] = assertions }
    note(testCase.input, testCase.expected, index)
    unread.note(testCase.expected, .expected, index, assertions: assertions)
  }

  /// Reports an input under the name that means what the case expects.
  private mutating func reportHidden(_ expectation: Expectation, _ assertions: [BoundScorer]) {
    let name = AssertionTemplate.expectedName
    guard !isHidingReported,
      let member = expectation.input?.members?.first(where: { $0.key == name }),
      hasTemplates || assertions.contains(where: \.fillsNames)
    else { return }
    isHidingReported = true
    expectation.diagnostics.error(
      "an input is called 'expected', which in assertions names what the case expects",
      in: expectation.file,
      at: member.keyPosition,
      fix: "rename the input, here and in the prompts"
    )
  }

  private mutating func note(_ input: JSONValue, _ expected: JSONValue, _ index: Int) {
    for text in texts where !hasGaps { hasGaps = !text.isFilled(by: input, expecting: expected) }
    unread.note(input, .input, index)
  }
}
