import SluiceReporting

/// The checks of a suite's cases for the values that its scorers and prompts need.
struct CaseChecks {
  /// The assertions of each case that has any, by the index of the case.
  private(set) var assertions: [Int: [BoundScorer]] = [:]
  /// The inputs and expectations that nothing in the suite reads.
  private(set) var unread: UnreadMembers
  /// True if at least one case lacks a value that a prompt needs.
  private(set) var hasGaps = false
  /// The indices of the cases that no scorer judges.
  private(set) var unjudged: [Int] = []
  /// The case selections of the scorers that judge only some cases, each with its scorer's index.
  private(set) var selections: [(place: Int, use: Use)] = []
  /// The keys under `expected:` and `input:` of all cases.
  ///
  /// They are collected only if a scorer refers to keys that some cases may lack.
  private(set) var expectedKeys: Set<String> = []
  private(set) var inputKeys: Set<String> = []

  /// A selection of cases, which is marked as used if any case matches it.
  struct Use {
    var selection: CaseSelection
    var isUsed = false
  }

  private let scorers: [BoundScorer]
  /// True if a scorer that is not advisory judges every case.
  private let judgesAll: Bool
  private let needsKeys: Bool
  private let readsInput: Bool
  private let hasTemplates: Bool
  /// True if an input with the name `expected` was already reported.
  private var isHidingReported = false
  private let texts: [FilledText]
  private var unheard = DiagnosticCollector()
  /// The first valid expectations, at most ``fineLimit``.
  ///
  /// A case with one of these expectations need not be checked again.
  private var fine: [CaseLine.Expected] = []
  private static let fineLimit = 16
  private let nowhere = SourceFile(path: "", bytes: [])

  init(scorers: [BoundScorer], texts: [FilledText], unread: UnreadMembers) {
    self.scorers = scorers
    readsInput = scorers.contains { !$0.traits.inputKeys.isEmpty }
    hasTemplates = scorers.contains { ($0.scorer as? Assertion)?.isTemplated ?? false }
    judgesAll = scorers.contains { !$0.isAdvisory && $0.selection == nil }
    selections = scorers.enumerated().compactMap { place, bound in
      bound.selection.map { (place, Use(selection: $0)) }
    }
    needsKeys =
      selections.contains { !$0.use.selection.expected.isEmpty }
      || scorers.contains {
        !$0.traits.mayRead.inputs.isEmpty || !$0.traits.mayRead.expected.isEmpty
      }
    self.texts = texts
    self.unread = unread
  }

  /// Stops reporting expectations that nothing reads.
  mutating func ignoreExpected() { unread.ignoreExpected() }

  /// Returns true if a case has no problems.
  ///
  /// Most cases have none, so this fast check does not compute the positions for error messages.
  mutating func isFine(_ line: CaseLine, _ index: Int) -> Bool {
    // Leave checks of the input to the slow check, which knows the positions.
    if readsInput || hasTemplates { return false }
    // With selections, the tags of a case may decide which scorers read its expectation.
    let isKnown = selections.isEmpty && fine.contains { $0 === line.expected }
    guard isKnown || isFine(line.expected, of: line.id, tags: line.tags) else { return false }
    noteJudged(tags: line.tags, line.input, line.expected.value, index, hasAssertions: false)
    // Members of an expectation that was seen before are already noted.
    if let input = line.input { note(input, line.expected.value, index, tags: line.tags) }
    if isKnown { return true }
    unread.note(line.expected.value, .expected, index)
    if fine.count < Self.fineLimit { fine.append(line.expected) }
    return true
  }

  private mutating func isFine(
    _ expected: CaseLine.Expected,
    of caseID: String,
    tags: [String]
  ) -> Bool {
    let start = SourcePosition(line: 1, column: 1)
    let expectation = Expectation(
      caseID: caseID,
      position: start,
      expected: Node(expected.value, at: start),
      file: nowhere,
      diagnostics: unheard
    )
    for bound in scorers where bound.applies(tags: tags, expected: expected.value) {
      bound.scorer.check(expectation)
    }
    if unheard.isEmpty { return true }
    unheard = DiagnosticCollector()
    return false
  }

  /// Reports errors in a case's expectation.
  ///
  /// - Parameters:
  ///   - testCase: The case.
  ///   - index: The index of the case.
  ///   - expectation: The expectation, or `nil` if it was reported as invalid.
  ///   - assertions: The case's own assertions.
  mutating func check(
    _ testCase: TestCase,
    _ index: Int,
    _ expectation: Expectation?,
    _ assertions: [BoundScorer]
  ) {
    if let expectation {
      reportHidden(expectation, assertions)
      for bound in scorers where bound.applies(to: testCase) { bound.scorer.check(expectation) }
      for bound in assertions { bound.scorer.check(expectation) }
    }
    if !assertions.isEmpty { self.assertions[index] = assertions }
    noteJudged(
      tags: testCase.tags,
      testCase.input,
      testCase.expected,
      index,
      hasAssertions: !assertions.isEmpty
    )
    note(testCase.input, testCase.expected, index, tags: testCase.tags)
    unread.note(testCase.expected, .expected, index, assertions: assertions)
  }

  /// Reports an input with the name `expected`, since this name means the expectation in
  /// assertions.
  private mutating func reportHidden(_ expectation: Expectation, _ assertions: [BoundScorer]) {
    let name = AssertionTemplate.expectedName
    guard !isHidingReported,
      let member = expectation.input?.members?.first(where: { $0.key == name }),
      hasTemplates || assertions.contains(where: \.fillsNames)
    else { return }
    isHidingReported = true
    expectation.diagnostics.error(
      "an input is named 'expected', but in assertions {{expected.…}} means the expected "
        + "output",
      in: expectation.file,
      at: member.keyPosition,
      fix: "rename the input in the cases and in the prompts"
    )
  }

  /// Notes which selections match a case, and notes the case itself if no scorer judges it.
  private mutating func noteJudged(
    tags: [String],
    _ input: JSONValue?,
    _ expected: JSONValue,
    _ index: Int,
    hasAssertions: Bool
  ) {
    if needsKeys {
      expectedKeys.formUnion(expected.object?.members.map(\.name) ?? [])
      inputKeys.formUnion(input?.object?.members.map(\.name) ?? [])
    }
    if judgesAll, selections.isEmpty { return }
    var isJudged = judgesAll || hasAssertions
    for place in selections.indices
    where selections[place].use.selection.contains(tags: tags, expected: expected) {
      selections[place].use.isUsed = true
      if !scorers[selections[place].place].isAdvisory { isJudged = true }
    }
    if !isJudged { unjudged.append(index) }
  }

  private mutating func note(
    _ input: JSONValue,
    _ expected: JSONValue,
    _ index: Int,
    tags: [String]
  ) {
    for text in texts where !hasGaps && text.applies(tags: tags, expected: expected) {
      hasGaps = !text.isFilled(by: input, expecting: expected)
    }
    unread.note(input, .input, index)
  }
}
