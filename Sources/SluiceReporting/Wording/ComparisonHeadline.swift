import SluiceGating

/// The result of a comparison in a sentence or two, in the wording that all reports use.
///
/// It says which gates do not pass, which configuration is better, and what the better
/// configuration costs.
struct ComparisonHeadline {
  private let result: ComparisonResult
  private let plain: (String) -> String
  private static let shownSuites = 3

  /// True if the text is below a title that already names the only suite.
  private let hasTitle: Bool

  init(
    _ result: ComparisonResult,
    hasTitle: Bool = false,
    _ plain: @escaping (String) -> String = { $0 }
  ) {
    self.result = result
    self.hasTitle = hasTitle
    self.plain = plain
  }

  /// The sentences; empty if nothing was compared.
  var text: String {
    var sentences = result.filteredPhrase.map { ["No verdict: \(plain($0))."] } ?? []
    if result.filteredPhrase == nil, let verdict {
      sentences.append(plain(VerdictText.sentence(verdict)))
    }
    let isSingle = result.comparisons.count == 1
    let comparisons = result.inOrder.filter { isSingle || !$0.isQuiet }
    sentences += comparisons.prefix(Self.shownSuites).map { comparison in
      let answer = plain(TradeoffText(comparison).answer)
      return hasTitle || isSingle && verdict != nil
        ? answer : "\(plain(comparison.suite)): \(answer)"
    }
    let more = comparisons.count - Self.shownSuites
    if more > 0 { sentences.append("And \(TerminalLines.count(more, "more suite")).") }
    if comparisons.isEmpty, !result.comparisons.isEmpty {
      sentences.append("All answers are identical.")
    }
    return sentences.joined(separator: " ")
  }

  /// The meaning of the verdict in a phrase, such as `1 of 3 gates fails (triage)`.
  ///
  /// This is `nil` if there is no verdict, or if the verdict needs no explanation.
  var verdict: String? {
    let deciding = result.comparisons.filter { $0.verdict != nil && $0.filtered == nil }
    if deciding.isEmpty { return nil }
    let gates = deciding.flatMap(\.gates)
    func named(_ isMeant: (ConfigurationComparison) -> Bool) -> String {
      VerdictText.names(deciding.filter(isMeant).map(\.suite))
    }
    var parts: [String] = []
    switch result.verdict {
    case .fail:
      let failed = gates.count { $0.effect == .fail }
      parts.append(
        VerdictText.part(failed, gates.count, "gate") + (failed == 1 ? " fails" : " fail")
          + named { $0.gates.contains { $0.effect == .fail } }
      )
    case .inconclusive: parts += [openGates(deciding)].compactMap(\.self)
    case .pass: parts.append(VerdictText.passing(gates))
    case .noVerdict, .notEvaluated, nil:
      parts += undecided(deciding.filter { $0.verdict == .noVerdict })
    }
    if deciding.contains(where: \.changesScorersAndAnswers) {
      parts.append(
        "the change edits the scorers and the answers" + named(\.changesScorersAndAnswers)
      )
    }
    func edits(_ comparison: ConfigurationComparison) -> Bool {
      comparison.edits.contains { !comparison.changesScorersAndAnswers || $0.kind != .scorer }
    }
    if deciding.contains(where: edits) {
      let names = deciding.count > 1 ? named(edits) : ""
      parts.append("this change also edits how it is judged" + names)
    }
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }
}

extension ComparisonHeadline {
  /// Returns the reasons why comparisons have no verdict: missing answers, undecided gates, or no
  /// gates.
  private func undecided(_ comparisons: [ConfigurationComparison]) -> [String] {
    func names(_ comparisons: [ConfigurationComparison]) -> String {
      VerdictText.names(comparisons.map(\.suite))
    }
    var parts: [String] = []
    let ungated = comparisons.filter(\.gates.isEmpty)
    let lacking = comparisons.filter { comparison in
      !comparison.gates.isEmpty && comparison.configurations.contains { $0.column.lost > 0 }
    }
    let whole = comparisons.filter { comparison in
      !comparison.gates.isEmpty && comparison.configurations.allSatisfy { $0.column.lost == 0 }
    }
    if !lacking.isEmpty { parts.append("answers are missing" + names(lacking)) }
    parts += [openGates(whole)].compactMap(\.self)
    if !ungated.isEmpty { parts.append("no gates" + names(ungated)) }
    return parts
  }

  /// Returns a phrase for the undecided gates; `nil` if there are none.
  private func openGates(_ comparisons: [ConfigurationComparison]) -> String? {
    func isOpen(_ gate: Decision) -> Bool { [.inconclusive, .noVerdict].contains(gate.effect) }
    let gates = comparisons.flatMap(\.gates)
    let open = gates.count(where: isOpen)
    if open == 0 { return nil }
    let names = comparisons.filter { $0.gates.contains(where: isOpen) }.map(\.suite)
    return VerdictText.part(open, gates.count, "gate") + (gates.count == 1 ? " is" : "")
      + " undecided" + VerdictText.names(names)
  }
}

extension ComparisonResult {
  /// The indices of the comparisons in the order to show them: first the comparisons that do not
  /// pass, then the comparisons with changes, then the unchanged comparisons.
  var order: [Int] {
    let ranks = comparisons.map(Self.rank)
    return ranks.indices.sorted { (ranks[$0], $0) < (ranks[$1], $1) }
  }

  /// The comparisons in the order of ``order``.
  var inOrder: [ConfigurationComparison] { order.map { comparisons[$0] } }

  private static func rank(_ comparison: ConfigurationComparison) -> Int {
    switch comparison.verdict {
    case .fail: 0
    case .noVerdict: 1
    case .inconclusive: 2
    case .pass, .notEvaluated, nil: comparison.isQuiet ? 4 : 3
    }
  }
}

extension ConfigurationComparison {
  /// True if nothing changed: all answers are identical, and no case, scorer or gate was edited.
  ///
  /// The verdict is a pass, or there is no verdict.
  var isQuiet: Bool {
    edits.isEmpty && [.pass, nil].contains(verdict)
      && pairs.allSatisfy(\.comparison.isIdentical)
  }
}
