/// What the scorers and prompts of a suite ask of its cases, checked case by case.
struct CaseChecks {
  /// The assertions of the cases that bring some, by index.
  private(set) var assertions: [Int: [BoundScorer]] = [:]
  /// What of the cases nothing reads.
  private(set) var unread: UnreadMembers
  /// Whether a case lacks something that a prompt needs.
  private(set) var hasGaps = false
  private let scorers: [any SuiteScorer]
  private let texts: [FilledText]
  private var unheard = DiagnosticCollector()
  private let nowhere = SourceFile(path: "", bytes: [])

  init(scorers: [BoundScorer], texts: [FilledText], unread: UnreadMembers) {
    self.scorers = scorers.map(\.scorer)
    self.texts = texts
    self.unread = unread
  }

  /// Whether there is nothing to report of a case.
  ///
  /// Most cases are as they should be, and where there is nothing to report, nobody asks for the place
  /// of anything.
  mutating func isFine(_ testCase: TestCase, _ index: Int) -> Bool {
    let start = SourcePosition(line: 1, column: 1)
    let expectation = Expectation(
      caseID: testCase.id,
      position: start,
      expected: Node(testCase.expected, at: start),
      file: nowhere,
      diagnostics: unheard
    )
    for scorer in scorers { scorer.check(expectation) }
    guard unheard.isEmpty else {
      unheard = DiagnosticCollector()
      return false
    }
    note(testCase, index, [])
    return true
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
      for scorer in scorers { scorer.check(expectation) }
      for bound in assertions { bound.scorer.check(expectation) }
    }
    if !assertions.isEmpty { self.assertions[index] = assertions }
    note(testCase, index, assertions)
  }

  private mutating func note(_ testCase: TestCase, _ index: Int, _ assertions: [BoundScorer]) {
    for text in texts where !hasGaps { hasGaps = !text.isFilled(by: testCase.input) }
    unread.note(testCase, index, assertions: assertions)
  }
}
