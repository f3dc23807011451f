import SluiceSupport

/// The check that enough of several weighted assertions hold.
///
/// The grade is the weighted mean of the assertions' grades. If there is a threshold, only the
/// grade decides. Otherwise every assertion must hold. An assertion with weight 0 is shown, but
/// does not affect the result.
struct AssertSet: AnswerCheck {
  private struct Entry: Sendable {
    /// The name of the assertion, or its type.
    var name: String
    var assertion: Assertion
    var weight: Double
  }

  private var entries: [Entry]
  private let threshold: Double?
  let isGraded = true

  init?(_ arguments: ScorerArguments) {
    guard let reader = arguments.fields() else { return nil }
    let before = arguments.diagnostics.count
    let list = reader.required("assert")
    let thresholdNode = reader.optional("threshold")
    let threshold = reader.optionalNumber("threshold")
    reader.finish()
    if let thresholdNode, let threshold, !(0...1).contains(threshold) {
      arguments.diagnostics.error(
        "'threshold' must be between 0 and 1, not \(JSONWriter.number(threshold))",
        in: arguments.spec.file,
        at: thresholdNode.position
      )
    }
    var entries: [Entry] = []
    if let list {
      guard case .sequence(let nodes) = list.value, !nodes.isEmpty else {
        arguments.diagnostics.error(
          "'assert' must be a list with at least one assertion",
          in: arguments.spec.file,
          at: list.position,
          fix: "write, for example, 'assert: [{contains: a}, is-json]'"
        )
        return nil
      }
      entries = nodes.compactMap { Self.entry($0, arguments) }
    }
    guard arguments.diagnostics.count == before else { return nil }
    if !entries.contains(where: { $0.weight > 0 }) {
      arguments.error("an assert-set needs an assertion with a weight above 0")
      return nil
    }
    self.entries = entries
    self.threshold = threshold
  }

  private static func entry(_ node: Node, _ arguments: ScorerArguments) -> Entry? {
    let (file, diagnostics) = (arguments.spec.file, arguments.diagnostics)
    guard let spec = ScorerSpec.read(node, file: file, diagnostics: diagnostics) else { return nil }
    for (key, node) in [("extract", spec.extract), ("applies-to", spec.appliesTo)] {
      guard let node else { continue }
      diagnostics.error(
        "'\(key)' must be next to 'assert-set', because it applies to the whole set",
        in: spec.file,
        at: node.position,
        fix: "move it there"
      )
      return nil
    }
    var weight = 1.0
    if let weightNode = spec.weight {
      guard case .number(let number) = weightNode.value, number >= 0, number.isFinite else {
        diagnostics.error(
          "'weight' must be a number of at least 0",
          in: file,
          at: weightNode.position
        )
        return nil
      }
      weight = number
    }
    var inner = arguments
    inner.spec = spec
    inner.spec.weight = nil
    let name = inner.name()
    guard let scorer = ScorerCatalog.make(inner), (name == nil) == (spec.name == nil) else {
      return nil
    }
    guard let assertion = scorer as? Assertion else {
      diagnostics.error(
        "'\(spec.type)' is not an assertion, and an assert-set may contain only assertions",
        in: file,
        at: spec.position,
        fix: "move it out of the assert-set"
      )
      return nil
    }
    return Entry(name: name ?? spec.type, assertion: assertion, weight: weight)
  }

  /// The assertions that affect the result.
  ///
  /// An assertion with weight 0 does not affect anything, not even which parts are accepted in
  /// place of text.
  private var deciding: some Sequence<Assertion> {
    entries.lazy.filter { $0.weight > 0 }.map(\.assertion)
  }

  var needsUsableAnswer: Bool { deciding.allSatisfy(\.check.needsUsableAnswer) }
  var readsJSON: Bool { true }
  var wantedParts: Set<AnswerPart> { deciding.reduce(into: []) { $0.formUnion($1.wantedParts) } }
  var judgesTextAlone: Bool { entries.allSatisfy(\.assertion.check.judgesTextAlone) }
  var needsCase: Bool { entries.contains(where: \.assertion.isTemplated) }
  var reads: CaseReads {
    entries.map(\.assertion.check.reads).reduce(into: CaseReads()) { sum, reads in
      sum.inputs += reads.inputs
      sum.expected += reads.expected
      sum.readsAllInputs = sum.readsAllInputs || reads.readsAllInputs
      sum.readsAllExpected = sum.readsAllExpected || reads.readsAllExpected
    }
  }
  var templates: [AssertionTemplate.Text] { entries.flatMap(\.assertion.check.templates) }

  func bound(to testCase: TestCase) -> any AnswerCheck {
    var bound = self
    bound.entries = entries.map { entry in
      var entry = entry
      entry.assertion = entry.assertion.bound(to: testCase)
      return entry
    }
    return bound
  }

  func check(_ expectation: Expectation) {
    for entry in entries { entry.assertion.check(expectation) }
  }

  var content: JSONValue { .array(entries.map(\.assertion.check.content)) }

  var claim: String {
    let count = entries.count == 1 ? "1 assertion" : "\(entries.count) assertions"
    return threshold.map { "reach a mean grade of at least \(JSONWriter.number($0)) over \(count)" }
      ?? "meet \(count)"
  }

  func finding(_ answer: Answer) throws(Undecided) -> Finding {
    var sum = 0.0
    var weight = 0.0
    var faults: [String] = []
    var (isWhole, isUsable) = (true, true)
    for entry in entries {
      let (score, grade) = entry.assertion.graded(answer)
      switch score.outcome {
      case .unscored:
        if entry.weight > 0 { throw Undecided(reason: "\(entry.name): \(score.explanation)") }
        faults.append("\(entry.name) (weight 0): \(score.explanation)")
      case .failed:
        if entry.weight > 0 {
          isWhole = false
          isUsable = isUsable && !score.isUnusable
        }
        let note = entry.weight > 0 ? "" : " (weight 0)"
        faults.append("\(entry.name)\(note): \(score.explanation)")
      case .passed: break
      case .notApplicable: continue
      }
      sum += entry.weight * grade
      weight += entry.weight
    }
    // The weight is above 0, because a set without an applicable assertion is not checked.
    let grade = weight > 0 ? min(1, max(0, sum / weight)) : 0
    // Sums of weights are not exact in binary, so a small tolerance is needed.
    let holds = threshold.map { grade >= $0 - 1e-9 } ?? isWhole
    let shown = JSONWriter.number((grade * 1_000).rounded() / 1_000)
    let detail =
      faults.isEmpty
      ? "grade \(shown)" : "grade \(shown); \(Excerpt.list(faults, limit: 3, separator: "; "))"
    var finding = Finding(holds, grade: grade, detail: detail)
    finding.isMissing = !isUsable
    return finding
  }
}
