/// What can be told once a suite, its prompts and its cases are read.
extension ProjectLoader {
  /// Reports each variable that cases lack: at the cases, or once in the prompt when all lack it.
  func checkVariables(of prompt: Prompt, in dataset: Dataset) {
    let cases = dataset.cases.filter { $0.input != nil }
    for message in prompt.messages {
      var names: [String] = []
      var gaps: [String: [(spec: CaseSpec, problem: Template.Problem)]] = [:]
      for spec in cases {
        for problem in message.template.problems(filling: spec.testCase.input) {
          if gaps[problem.message] == nil { names.append(problem.message) }
          gaps[problem.message, default: []].append((spec, problem))
        }
      }
      for name in names {
        let found = gaps[name] ?? []
        if found.count == cases.count, cases.count > 1, let file = files.read(prompt.path) {
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
        for (spec, problem) in found {
          let place = message.position.position(of: problem.offset)
          diagnostics.error(
            "the case '\(spec.testCase.id)' lacks '\(name)', which "
              + "\(prompt.path):\(place.line):\(place.column) needs",
            in: dataset.file,
            at: spec.position,
            fix: problem.fix.map { "did you mean '\(name)' where '\($0)' stands?" }
              ?? "give it a value under 'input', or take it out of the prompt"
          )
        }
      }
    }
  }

  /// Warns of gates and goals that so few cases could not pass, whatever is answered.
  func warnOfUnattainable(_ suite: ResolvedSuite, _ file: SourceFile) {
    let reach = GateReach(suite.plan, policy: suite.policy)
    let conditions =
      suite.conditions.gates.map { ($0, true) } + suite.conditions.goals.map { ($0, false) }
    for (bound, isGate) in conditions {
      // Goals are about figures of the product, which a suite for a first try need not carry.
      if !isGate, !MetricEvaluator.isRate(bound.metric) { continue }
      guard let fault = reach.fault(bound.condition, on: bound.metric) else { continue }
      diagnostics.warning(fault.message, in: file, at: bound.position, fix: fault.fix)
    }
  }

  /// Warns once of each input and each expectation that nothing of the suite reads.
  func warnOfUnread(_ dataset: Dataset, _ plan: SuitePlan) {
    let inputs = plan.prompts.reduce(into: Set<String>()) { $0.formUnion($1.inputs) }
    let expected = Set(plan.scorers.flatMap(\.scorer.expectedKeys))
    var seen: Set<String> = []
    for (spec, planned) in zip(dataset.cases, plan.cases) {
      for member in spec.input?.members ?? [] where !inputs.contains(member.key) {
        if !seen.insert("input.\(member.key)").inserted { continue }
        diagnostics.warning(
          "no prompt of the suite uses the input '\(member.key)'",
          in: dataset.file,
          at: member.keyPosition,
          fix: "use it in a prompt as {{\(member.key)}}, or take it out"
        )
      }
      let known = expected.union(planned.assertions.flatMap(\.scorer.expectedKeys))
      let missing = known.subtracting((spec.expected.members ?? []).map(\.key)).sorted()
      for member in spec.expected.members ?? [] where !known.contains(member.key) {
        if !seen.insert("expected.\(member.key)").inserted { continue }
        diagnostics.warning(
          "no scorer of the suite reads 'expected.\(member.key)'",
          in: dataset.file,
          at: member.keyPosition,
          fix: NearestName.of(member.key, among: missing).map { "did you mean '\($0)'?" }
            ?? "name it in a scorer's arguments, or take it out"
        )
      }
    }
  }
}
