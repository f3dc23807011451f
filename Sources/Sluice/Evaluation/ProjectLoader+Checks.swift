/// What can be told once a suite, its prompts and its cases are read.
extension ProjectLoader {
  /// What was found while the cases of a suite were checked.
  struct CheckedCases {
    /// The assertions of the cases that bring some, by index.
    var assertions: [Int: [BoundScorer]] = [:]
    var unread: UnreadMembers
    /// Whether a case lacks something that a prompt needs.
    var hasGaps = false
  }

  /// Reports what is wrong with what cases expect, makes the assertions of their own, and notes what
  /// is to be reported of them later.
  ///
  /// Each case is read once. Most are as they should be, and where there is nothing to report, nobody
  /// asks for the place of anything.
  func check(_ dataset: Dataset, scorers: [BoundScorer], prompts: [Prompt]) -> CheckedCases {
    func check(_ spec: CaseSpec, _ scorers: [BoundScorer], _ diagnostics: DiagnosticCollector) {
      if spec.isExpectedWrong { return }
      let expectation = Expectation(spec: spec, file: dataset.file, diagnostics: diagnostics)
      for scorer in scorers { scorer.scorer.check(expectation) }
    }
    var checked = CheckedCases(unread: UnreadMembers(prompts: prompts, scorers: scorers))
    let withAssertions = Set(dataset.casesWithAssertions)
    var unheard = DiagnosticCollector()
    for (index, stored) in dataset.cases.enumerated() {
      let testCase = stored.testCase
      let hasAssertions = !withAssertions.isEmpty && withAssertions.contains(index)
      if dataset.isOnDisk { check(CaseSpec(withoutPlaces: testCase), scorers, unheard) }
      if !dataset.isOnDisk || hasAssertions || !unheard.isEmpty {
        let spec = dataset.spec(index)
        let bound = BoundScorer.bind(spec.assertions, prefix: "assert.", files: files)
        if !bound.isEmpty { checked.assertions[index] = bound }
        check(spec, scorers + bound, diagnostics)
        unheard = DiagnosticCollector()
      }
      for prompt in prompts where !checked.hasGaps {
        checked.hasGaps = !prompt.messages.allSatisfy {
          $0.template.isFilled(by: testCase.input)
        }
      }
      checked.unread.note(testCase, index, assertions: checked.assertions[index] ?? [])
    }
    return checked
  }

  /// Reports each variable that cases lack: at the cases, or once in the prompt when all lack it.
  func reportGaps(of prompt: Prompt, in dataset: Dataset) {
    for message in prompt.messages {
      var names: [String] = []
      var gaps: [String: [Gap]] = [:]
      var count = 0
      for (index, stored) in dataset.cases.enumerated() {
        // Of a case that was not read right, nothing more is said.
        let spec = dataset.spec(index)
        if spec.input == nil { continue }
        count += 1
        for problem in message.template.problems(filling: spec.testCase.input) {
          if gaps[problem.message] == nil { names.append(problem.message) }
          gaps[problem.message, default: []].append(
            Gap(id: stored.id, position: spec.position, problem: problem)
          )
        }
      }
      for name in names {
        let found = gaps[name] ?? []
        if found.count == count, count > 1, let file = files.read(prompt.path) {
          let first = found.min { $0.problem.offset < $1.problem.offset } ?? found[0]
          diagnostics.error(
            "no case of \(dataset.file.path) has '\(name)'",
            in: file,
            at: message.position.position(of: first.problem.offset),
            fix: first.problem.fix.map { "did you mean '\($0)'?" }
              ?? "give it a value under 'input' of the cases, or take it out of the prompt"
          )
          continue
        }
        for gap in found {
          let place = message.position.position(of: gap.problem.offset)
          diagnostics.error(
            "the case '\(gap.id)' lacks '\(name)', which "
              + "\(prompt.path):\(place.line):\(place.column) needs",
            in: dataset.file,
            at: gap.position,
            fix: gap.problem.fix.map { "did you mean '\(name)' where '\($0)' stands?" }
              ?? "give it a value under 'input', or take it out of the prompt"
          )
        }
      }
    }
  }

  /// A name that a case does not supply.
  private struct Gap {
    var id: String
    var position: SourcePosition
    var problem: Template.Problem
  }

  /// Warns of gates and goals that so few cases could not pass, whatever is answered.
  func warnOfUnattainable(_ suite: ResolvedSuite, _ file: SourceFile) {
    let conditions =
      (suite.conditions.gates.map { ($0, true) } + suite.conditions.goals.map { ($0, false) })
      .filter { GateReach.matters(for: $0.0.condition, on: $0.0.metric) }
    if conditions.isEmpty { return }
    let reach = GateReach(suite.plan, policy: suite.policy)
    for (bound, isGate) in conditions {
      // Goals are about figures of the product, which a suite for a first try need not carry.
      if !isGate, !MetricEvaluator.isRate(bound.metric) { continue }
      guard let fault = reach.fault(bound.condition, on: bound.metric) else { continue }
      diagnostics.warning(fault.message, in: file, at: bound.position, fix: fault.fix)
    }
  }

  /// Warns once of each input and each expectation that nothing of the suite reads.
  func warnOfUnread(_ unread: UnreadMembers, in dataset: Dataset) {
    for member in unread.found {
      let spec = dataset.spec(member.caseIndex)
      let parent = member.part == .input ? spec.input : spec.expected
      guard let node = parent?.members?.first(where: { $0.key.isIdentical(to: member.key) }) else {
        continue
      }
      switch member.part {
      case .input:
        diagnostics.warning(
          "no prompt of the suite uses the input '\(member.key)'",
          in: dataset.file,
          at: node.keyPosition,
          fix: "use it in a prompt as {{\(member.key)}}, or take it out"
        )
      case .expected:
        let missing = Set(member.known).subtracting((parent?.members ?? []).map(\.key)).sorted()
        diagnostics.warning(
          "no scorer of the suite reads 'expected.\(member.key)'",
          in: dataset.file,
          at: node.keyPosition,
          fix: NearestName.of(member.key, among: missing).map { "did you mean '\($0)'?" }
            ?? "name it in a scorer's arguments, or take it out"
        )
      }
    }
  }
}
