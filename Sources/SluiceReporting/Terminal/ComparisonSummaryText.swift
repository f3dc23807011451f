import SluiceGating

/// What a comparison came to in a sentence or two, for whoever reads no further.
struct ComparisonSummaryText {
  private let result: ComparisonResult
  /// Makes names, numbers and sentences fit for where the text goes.
  private let plain: (String) -> String
  /// Makes fit what is shown as it is written in files.
  private let code: (String) -> String
  private static let toldSuites = 3

  init(
    _ result: ComparisonResult,
    _ plain: @escaping (String) -> String = { $0 },
    _ code: @escaping (String) -> String = { $0 }
  ) {
    self.result = result
    self.plain = plain
    self.code = code
  }

  /// The places of the comparisons in the order in which a reader wants them: what stands in the way,
  /// what changed, what is the same.
  var order: [Int] {
    let ranks = result.comparisons.map(Self.rank)
    return ranks.indices.sorted { (ranks[$0], $0) < (ranks[$1], $1) }
  }

  private static func rank(_ comparison: ConfigurationComparison) -> Int {
    switch comparison.verdict {
    case .fail: 0
    case .noVerdict: 1
    case .inconclusive: 2
    case .pass, .notEvaluated, nil: comparison.isQuiet ? 4 : 3
    }
  }

  /// What came out, in sentences; empty where nothing was compared.
  var reason: String {
    let comparisons = order.map { result.comparisons[$0] }
    let open = comparisons.filter { ![.pass, .notEvaluated, nil].contains($0.verdict) }
    let passed = comparisons.filter { $0.verdict == .pass }
    var sentences: [String] = []
    // Suites whose gates hold are not told one by one beside one whose gates do not.
    let told = open.isEmpty && passed.count < 2 ? comparisons : open
    sentences += told.prefix(Self.toldSuites).map { "\(plain($0.suite)): \(outcome($0))." }
    let more = told.count - Self.toldSuites
    if more > 0 { sentences.append("And \(TerminalLines.count(more, "more suite")).") }
    if passed.count > 1 || !open.isEmpty && !passed.isEmpty {
      let suites = TerminalLines.count(passed.count, "suite")
      sentences.append(
        open.isEmpty
          ? "Every gate of \(suites) holds." : "\(suites) \(passed.count == 1 ? "passes" : "pass")."
      )
    }
    let edited = comparisons.filter { !$0.edits.isEmpty && $0.verdict != nil }
    if !edited.isEmpty {
      let names = edited.prefix(Self.toldSuites).map { plain($0.suite) }.joined(separator: ", ")
      let rest = edited.count > Self.toldSuites ? " and \(edited.count - Self.toldSuites) more" : ""
      sentences.append("This change also edits what judges it, in \(names)\(rest).")
    }
    return sentences.joined(separator: " ")
  }

  /// Why the verdict is what it is, in a phrase: `1 of 3 gates fails (triage)`.
  var brief: String {
    let deciding = result.comparisons.filter { $0.verdict != nil }
    let gates = deciding.flatMap(\.gates)
    func named(_ isMeant: (ConfigurationComparison) -> Bool) -> String {
      let all = deciding.filter(isMeant).map(\.suite)
      let names = all.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
      let more = names.count - Self.toldSuites
      return names.isEmpty
        ? ""
        : " (\(names.prefix(Self.toldSuites).joined(separator: ", "))"
          + (more > 0 ? " and \(more) more)" : ")")
    }
    func part(_ count: Int) -> String {
      count == 1 && gates.count == 1
        ? "the one gate" : "\(count) of \(TerminalLines.count(gates.count, "gate"))"
    }
    let edited = deciding.contains { !$0.edits.isEmpty }
    let edits = edited ? "; this change also edits what judges it" : ""
    switch result.verdict {
    case .fail:
      let failed = gates.count { $0.effect == .fail }
      return part(failed) + (failed == 1 ? " fails" : " fail") + named { $0.verdict == .fail }
        + edits
    case .inconclusive:
      let open = gates.count { [.inconclusive, .noVerdict].contains($0.effect) }
      return part(open) + " undecided" + named { $0.verdict == .inconclusive } + edits
    case .pass: return VerdictLine.holding(gates) + edits
    case .noVerdict, .notEvaluated, nil:
      let names = named { $0.verdict == .noVerdict }
      if names.isEmpty { return "" }
      return (gates.isEmpty ? "no gates" : "answers are missing") + names + edits
    }
  }

  private func outcome(_ comparison: ConfigurationComparison) -> String {
    if let filtered = comparison.filtered { return "no verdict, as \(plain(filtered.phrase))" }
    if comparison.verdict != nil {
      let failed = comparison.gates.filter { $0.effect == .fail }
      let open = comparison.gates.filter { [.inconclusive, .noVerdict].contains($0.effect) }
      if failed.isEmpty, open.isEmpty {
        if comparison.verdict != .noVerdict { return "every gate holds" }
        return comparison.gates.isEmpty
          ? "no verdict without gates" : "no verdict, since answers are missing"
      }
      let (gates, verb) = failed.isEmpty ? (open, "is not decided") : (failed, "fails")
      return gates.map { gate in
        "\(code(gate.condition.text)) \(verb) (\(plain(gate.outcomeText(isGoal: false))))"
      }.joined(separator: "; ")
    }
    let names = comparison.configurations.map { plain($0.name) }
    let judged = comparison.pairs.compactMap { pair -> String? in
      guard let accuracy = pair.changes.first(where: { $0.name == "accuracy" }) else { return nil }
      let relation =
        switch accuracy.standing {
        case .worse: "is worse in accuracy than"
        case .better: "is better in accuracy than"
        case .asGood: "is as good in accuracy as"
        case .same: "is the same in accuracy as"
        case .undecided: "is not told apart in accuracy from"
        }
      let numbers = plain(ChangeText.difference(accuracy.change, .rate))
      return "\(names[pair.configuration]) \(relation) \(names[pair.reference]) (\(numbers))"
    }
    return judged.isEmpty
      ? "nothing that both answered can be compared" : judged.joined(separator: "; ")
  }
}

extension ConfigurationComparison {
  /// Whether nothing changed: every answer is the same, nothing was edited of what judges it, and
  /// nothing stands in the way.
  var isQuiet: Bool {
    edits.isEmpty && [.pass, nil].contains(verdict)
      && pairs.allSatisfy(\.comparison.isIdentical)
  }
}
