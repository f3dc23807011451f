import SluiceReporting

/// The checks that need a suite together with its prompts and cases.
extension ProjectLoader {
  /// Reports errors in the cases' expectations, and creates the cases' assertions.
  ///
  /// - Parameters:
  ///   - dataset: The cases.
  ///   - extract: The suite's `extract:`, for assertions without an `extract:`.
  ///   - checks: The checks on the cases.
  ///   - texts: The templates that the cases fill.
  ///   - graders: The check that runs the scorers on the cases' known outputs, or `nil` if the
  ///     scorers have errors.
  func check(
    _ dataset: Dataset,
    extracting extract: Node?,
    by checks: inout CaseChecks,
    _ texts: [FilledText],
    _ graders: inout GraderCheck?
  ) {
    var made = BoundScorer.Made()
    let rendered = Set(texts.filter { !$0.isAssertion }.flatMap(\.template.inputs))
    var warned: Set<SourcePosition> = []
    for index in dataset.casesToCheck {
      let spec = dataset.spec(index)
      for member in spec.input?.members ?? [] where rendered.contains(member.key) {
        // Cases share the numbers of defaults.
        for node in member.value.respelled where warned.insert(node.position).inserted {
          warnOfSpelling(node, in: dataset.file)
        }
      }
      // If a case has known outputs, collect its errors first, so that the scorers do not report
      // the same errors again.
      let heard = spec.knownOutputs.isEmpty ? diagnostics : DiagnosticCollector()
      let assertions = BoundScorer.bind(
        spec.assertions.map { $0.extracting(extract) },
        of: spec.testCase,
        files: spec.knownOutputs.isEmpty ? files : files.reporting(to: heard),
        ownScorers: ownScorers,
        &made
      )
      let expectation = Expectation(spec: spec, file: dataset.file, diagnostics: heard)
      checks.check(spec.testCase, index, spec.isExpectedWrong ? nil : expectation, assertions)
      if spec.knownOutputs.isEmpty { continue }
      diagnostics.add(heard)
      if heard.hasErrors || spec.isExpectedWrong { continue }
      graders?.check(spec, assertions: assertions, in: dataset.file)
    }
  }

  private func warnOfSpelling(_ node: Node, in file: SourceFile) {
    let spelling = Excerpt.cut(node.spelling ?? "")
    diagnostics.warning(
      "in prompts, the number \(spelling) becomes \(Excerpt.cut(node.json.requestText))",
      in: file,
      at: node.position,
      fix: "quote it: \"\(spelling)\""
    )
  }

  /// Warns about cases that no scorer judges and that have no assertions.
  func warnOfUnjudged(_ spec: SuiteSpec, _ dataset: Dataset, _ checks: CaseChecks) {
    let count = dataset.cases.count
    if count > 0, spec.scorers.isEmpty, spec.gates.isEmpty, checks.unjudged.count < count {
      SuiteReader.warnOfNoGates(spec.file, diagnostics)
    }
    guard let first = checks.unjudged.first else { return }
    let isAll = checks.unjudged.count == count
    if isAll, spec.scorers.isEmpty {
      return diagnostics.warning(
        "the suite has no scorers, so its answers are shown but not judged",
        in: spec.file,
        at: spec.scorersPosition,
        fix: "add 'scorers:' with, for example, '- contains: …', or add an 'assert' to each case"
      )
    }
    let id = dataset.cases[first].id
    diagnostics.warning(
      "cases that no scorer judges: \(isAll ? "all" : "\(checks.unjudged.count)") of \(count), "
        + "such as '\(id)'",
      in: spec.file,
      at: spec.scorersPosition,
      fix: spec.scorers.isEmpty
        ? "add 'scorers:' with, for example, '- contains: …', or add an 'assert' to each case"
        : "add a scorer without 'applies-to', or add an 'assert' to these cases"
    )
  }

  /// Reports tags and keys under `applies-to` that no case has.
  func reportIdleSelections(_ scorers: [ScorerSpec], _ checks: CaseChecks, _ dataset: Dataset) {
    for (place, use) in checks.selections {
      guard let node = scorers[place].appliesTo else { continue }
      let before = diagnostics.count
      func report(_ texts: [String], _ key: String, among known: Set<String>, _ what: String) {
        for text in texts where !known.contains(text) {
          diagnostics.error(
            "no case of \(dataset.file.path) has \(what) '\(text)'",
            in: scorers[place].file,
            at: node[key]?.position ?? node.position,
            fix: NearestName.suggestion(for: text, among: known.sorted())
          )
        }
      }
      report(use.selection.tags, "tag", among: dataset.tags, "the tag")
      report(use.selection.expected, "expected", among: checks.expectedKeys, "an expected")
      if diagnostics.count == before, !use.isUsed {
        diagnostics.error(
          "no case of \(dataset.file.path) has both tags",
          in: scorers[place].file,
          at: node.position,
          fix: "remove one of the two"
        )
      }
    }
  }

  /// Reports names that an expression reads although no case has them.
  func reportIdleKeys(
    _ spec: SuiteSpec,
    _ bound: [BoundScorer],
    _ checks: CaseChecks,
    _ dataset: Dataset
  ) {
    for (spec, bound) in zip(spec.scorers, bound) {
      let reads = bound.traits.mayRead
      for (part, keys, known) in [
        ("input", reads.inputs, checks.inputKeys),
        ("expected", reads.expected, checks.expectedKeys),
      ] {
        for key in keys where !known.contains(key) {
          diagnostics.error(
            "no case of \(dataset.file.path) has '\(part).\(key)'",
            in: spec.file,
            at: spec.arguments.position,
            fix: NearestName.of(key, among: known.sorted()).map { "did you mean '\(part).\($0)'?" }
              ?? "name a key under '\(part):' of the cases"
          )
        }
      }
    }
  }

  /// Reports groupings under `by:` that match no case or that create too many groups.
  func reportWideGroupings(_ spec: SuiteSpec, _ plan: SuitePlan, _ scorers: [BoundScorer]) {
    for (grouping, position) in spec.groupings {
      func report(_ message: String, fix: String) {
        diagnostics.error(message, in: spec.file, at: position, fix: fix)
      }
      switch grouping {
      case .tag:
        if plan.cases.indices.allSatisfy({ plan.cases[$0].stored.labels.tags.isEmpty }) {
          report("no case has a tag", fix: "add 'tags:' to the cases, or remove 'tag' from 'by'")
        }
      case .split:
        if plan.cases.indices.allSatisfy({ plan.cases[$0].stored.labels.split == nil }) {
          report(
            "no case has a split",
            fix: "add 'split:' to the cases, or remove 'split' from 'by'"
          )
        }
      case .expectedClass:
        let hasClasses = scorers.contains {
          !$0.traits.classes.isEmpty || $0.scorer is FlagsScorer
        }
        if !hasClasses {
          report(
            "no scorer of the suite has classes",
            fix: "write 'expected.KEY', or add the scorer 'classification' or 'flags'"
          )
        }
      case .expected(let key):
        let names = plan.groupNames(ofExpected: key)
        let count = Set(names.values).count
        if count == 0 {
          report("no case has 'expected.\(key)'", fix: "name a key under 'expected:' of the cases")
        } else if count > Grouping.maximumValues {
          report(
            "'expected.\(key)' has \(count.withThousands) different values, more than "
              + "\(Grouping.maximumValues)",
            fix: "group by a key with fewer values or by a tag"
          )
        }
      }
    }
  }

  /// Reports variables that cases lack.
  ///
  /// A missing variable is reported at each case, or once at the template if all cases lack it.
  func reportGaps(of texts: [FilledText], in dataset: Dataset) {
    for text in texts {
      reportUnusableLists(of: text, in: dataset)
      var names: [String] = []
      var gaps: [String: [Gap]] = [:]
      var count = 0
      for (index, stored) in dataset.cases.enumerated() {
        // Skip cases that could not be read, which were already reported.
        let spec = dataset.spec(index)
        if spec.input == nil { continue }
        let testCase = spec.testCase
        if !text.applies(tags: testCase.tags, expected: testCase.expected) { continue }
        count += 1
        for problem in text.problems(filling: testCase.input, expecting: testCase.expected) {
          if gaps[problem.message] == nil { names.append(problem.message) }
          gaps[problem.message, default: []].append(
            Gap(id: stored.id, index: index, position: spec.position, problem: problem)
          )
        }
      }
      for name in names {
        let found = gaps[name] ?? []
        if found.count == count, count > 1, let file = files.read(text.path) {
          let first = found.min { $0.problem.offset < $1.problem.offset } ?? found[0]
          diagnostics.error(
            "no case of \(dataset.file.path) has '\(name)'",
            in: file,
            at: text.position.position(of: first.problem.offset),
            fix: first.problem.fix.map { "did you mean '\($0)'?" }
              ?? "give it a value under '\(Self.part(name))' of the cases, or remove it from "
              + text.owner
          )
          continue
        }
        for gap in found {
          if reportComment(inPlaceOf: name, of: gap.index, in: dataset) { continue }
          let place = text.position.position(of: gap.problem.offset)
          diagnostics.error(
            "the case '\(gap.id)' has no '\(name)', which is used at "
              + "\(text.path):\(place.line):\(place.column)",
            in: dataset.file,
            at: gap.position,
            fix: gap.problem.fix.map { "did you mean '\(name)' instead of '\($0)'?" }
              ?? "give it a value under '\(Self.part(name))', or remove it from \(text.owner)"
          )
        }
      }
    }
  }

  /// Reports values that cannot be used as a list of messages.
  ///
  /// A value is reported at its case. If no case has a valid value, there is one report at the
  /// template.
  private func reportUnusableLists(of text: FilledText, in dataset: Dataset) {
    guard let list = text.list else { return }
    var found: [(index: Int, fault: MessageList.Fault)] = []
    var count = 0
    for index in dataset.cases.indices {
      let spec = dataset.spec(index)
      if spec.input == nil { continue }
      count += 1
      let testCase = spec.testCase
      let fault = text.listFault(filling: testCase.input, expecting: testCase.expected)
      if let fault { found.append((index, fault)) }
    }
    let start = text.position.position(of: 0)
    if found.count == count, count > 1, found.allSatisfy({ $0.fault.part != .entry }),
      let file = files.read(text.path)
    {
      diagnostics.error(
        "no case of \(dataset.file.path) has a list of messages under '\(list.name)'",
        in: file,
        at: start,
        fix: found.allSatisfy { $0.fault.part == .text }
          ? "write '\(list.textForm)'" : "make it a list such as [{\"user\": \"…\"}] in each case"
      )
      return
    }
    let isCSV = ProjectPath(dataset.file.path).pathExtension == "csv"
    for (index, fault) in found {
      diagnostics.error(
        "the case '\(dataset.cases[index].id)', used at "
          + "\(text.path):\(start.line):\(start.column): \(fault.message)",
        in: dataset.file,
        at: dataset.spec(index).position,
        fix: isCSV ? "write the cases as YAML or JSONL, in which an input can be a list" : fault.fix
      )
    }
  }

  /// Returns the part of a case (input or expectation) that must define a name of a template.
  private static func part(_ name: String) -> String {
    let expected = AssertionTemplate.expectedName
    return name.hasPrefix("\(expected).") ? expected : "input"
  }

  /// Reports a value that is missing because its text begins with '#' and so is a YAML comment.
  ///
  /// - Returns: True if there is such a value.
  private func reportComment(inPlaceOf name: String, of index: Int, in dataset: Dataset) -> Bool {
    guard let member = dataset.spec(index).input?.members?.first(where: { $0.key == name }),
      case .null = member.value.value,
      let line = dataset.file.line(member.keyPosition.line), line.contains(": #"),
      let fixed = QuotedLine.quoted(line, before: line.unicodeScalars.count)
    else { return false }
    diagnostics.error(
      "'\(name)' has no value: text that begins with '#' is a comment",
      in: dataset.file,
      at: member.keyPosition,
      fix: "write \(fixed)"
    )
    return true
  }

  /// A name that a case does not supply.
  private struct Gap {
    var id: String
    var index: Int
    var position: SourcePosition
    var problem: Template.Problem
  }

  /// Reports gates on accuracy if no scorer can make a trial fail.
  func reportIdleAccuracy(
    _ conditions: ResolvedConditions,
    _ scorers: [BoundScorer],
    _ hasNoAssertions: Bool,
    _ file: SourceFile
  ) {
    guard hasNoAssertions, !scorers.isEmpty, scorers.allSatisfy(\.isAdvisory) else {
      return
    }
    for gate in conditions.gates where gate.metric.kind == .accuracy {
      diagnostics.error(
        "every scorer of the suite is advisory, so wrong answers cannot lower 'accuracy'",
        in: file,
        at: gate.position,
        fix: "add a scorer that is not advisory, such as 'contains' or 'json-schema'"
      )
    }
  }

  /// Warns about gates and goals that cannot be met with so few cases, whatever the answers are.
  func warnOfUnattainable(_ suite: ResolvedSuite, _ file: SourceFile) {
    let reach = GateReach(suite.plan, policy: suite.policy)
    let conditions =
      suite.conditions.gates.map { ($0, true) } + suite.conditions.goals.map { ($0, false) }
    for (bound, isGate) in conditions {
      // Do not warn about other goals: a small first suite may be unable to reach them yet.
      if !isGate, !MetricEvaluator.isRate(bound.metric) { continue }
      guard let fault = reach.fault(bound.condition, on: bound.metric) else { continue }
      diagnostics.warning(fault.message, in: file, at: bound.position, fix: fault.fix)
    }
  }

  /// Warns about each input and each expectation that nothing in the suite reads.
  func warnOfUnread(_ unread: UnreadMembers, in dataset: Dataset, _ prompts: [Prompt]) {
    // Keep the parsed case, since several unread members may be in the same case.
    var reading: (index: Int, part: UnreadMembers.Part, members: CaseMembers)?
    var tagged = 0
    for member in unread.found {
      if reading?.index != member.caseIndex || reading?.part != member.part {
        let spec = dataset.spec(member.caseIndex)
        let parent = member.part == .input ? spec.input : spec.expected
        reading = (member.caseIndex, member.part, CaseMembers(parent?.members ?? []))
      }
      guard let members = reading?.members,
        let position = members.positions[ExactString(member.key)]
      else { continue }
      switch member.part {
      case .input:
        tagged += 1
        if tagged <= DiagnosticText.shownOfAKind, warnOfForeignTag(of: member.key, in: prompts) {
          continue
        }
        diagnostics.warning(
          "no prompt of the suite uses the input '\(member.key)'",
          in: dataset.file,
          at: position,
          fix: "use it in a prompt as {{\(member.key)}}, or remove it"
        )
      case .expected:
        let missing = member.known.filter { members.positions[ExactString($0)] == nil }
        diagnostics.warning(
          "no scorer of the suite uses 'expected.\(member.key)'",
          in: dataset.file,
          at: position,
          fix: NearestName.of(member.key, among: missing).map { "did you mean '\($0)'?" }
            ?? "name it in a scorer's arguments, or remove it"
        )
      }
    }
  }
}

/// The positions of the members in a part of a case.
private struct CaseMembers {
  private(set) var positions: [ExactString: SourcePosition] = [:]

  init(_ members: [Node.Member]) {
    for member in members.reversed() { positions[ExactString(member.key)] = member.keyPosition }
  }
}
