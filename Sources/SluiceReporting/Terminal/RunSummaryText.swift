import SluiceGating

/// What a run came to in a sentence or two, for whoever reads no further.
struct RunSummaryText {
  private let result: RunResult
  /// Makes names, numbers and sentences fit for where the text goes.
  private let plain: (String) -> String
  /// Makes fit what is shown as it is written in files.
  private let code: (String) -> String
  private static let shownGates = 3
  private static let shownChanges = 10
  private static let longestName = 100

  init(
    _ result: RunResult,
    _ plain: @escaping (String) -> String = { $0 },
    _ code: @escaping (String) -> String = { $0 }
  ) {
    self.result = result
    self.plain = plain
    self.code = code
  }

  /// The columns that decide, with their suites.
  private var columns: [(suite: SuiteResult, column: ColumnResult)] {
    result.suites.flatMap { suite in
      suite.columns.filter(\.isCandidate).map { (suite, $0) }
    }
  }

  /// What a column is called among others: the suite, and the backend where that says more.
  static func title(_ suite: SuiteResult, _ column: ColumnResult, _ plain: (String) -> String)
    -> String
  {
    let name = plain(Excerpt.cut(suite.name, to: longestName))
    // Two backends have gates of the same words.
    guard suite.columns.count(where: \.isCandidate) > 1 else { return name }
    return "\(name) on \(plain(Excerpt.cut(column.backend, to: longestName)))"
  }

  // MARK: The verdict

  /// Why the verdict is what it is.
  var reason: String {
    typealias Gate = (title: String, gate: Decision, isUnanswered: Bool)
    let gates = columns.flatMap { suite, column -> [Gate] in
      let title = Self.title(suite, column, plain)
      return column.gates.map { (title, $0, column.hasOnlyUndecided) }
    }
    let suites = TerminalLines.count(result.suites.count, "suite")
    if result.suites.isEmpty {
      let nothing = result.selection.map(SelectionText.nothing).map(plain)
      return nothing.map { "\($0.prefix(1).uppercased())\($0.dropFirst())." } ?? "No suite ran."
    }
    let failed = gates.filter { $0.gate.effect == .fail }
    let open = gates.filter { [.inconclusive, .noVerdict].contains($0.gate.effect) }
    var parts: [String] = []
    if let filtered = result.filteredPhrase {
      parts.append("No gate was decided: \(plain(filtered)).")
    }
    if !failed.isEmpty {
      let verb = failed.count == 1 ? "fails" : "fail"
      let all = TerminalLines.count(gates.count, "gate")
      parts.append("\(failed.count) of \(all) \(verb): \(list(failed)).")
    }
    if let missing { parts.append(missing) }
    if !open.isEmpty {
      let verb = open.count == 1 ? "is" : "are"
      let named = open.filter { !$0.isUnanswered }
      // Why gates are open whose cases have no answer at all was just said.
      let others = open.count - named.count
      let why =
        if others == 0 {
          ": \(list(named))"
        } else if named.isEmpty {
          " for want of answers"
        } else {
          ": \(others) for want of answers; \(list(named))"
        }
      parts.append("\(TerminalLines.count(open.count, "gate")) \(verb) not decided\(why).")
    }
    if !parts.isEmpty { return parts.joined(separator: " ") }
    if gates.isEmpty { return "There are no gates in \(suites)." }
    let all = gates.count == 1 ? "The one gate holds" : "All \(gates.count) gates hold"
    let waived = gates.count { $0.gate.effect != $0.gate.verdict }
    let live = gates.count { $0.gate.isLeftToLiveRuns }
    var notes: [String] = []
    if waived > 0 { notes.append("\(waived) of them waived") }
    if live > 0 { notes.append("\(live) of them on live answers alone, not decided here") }
    return "\(all) in \(suites)\(notes.isEmpty ? "" : ", " + notes.joined(separator: ", "))."
  }

  /// For how many cases of which suites no answers are recorded; nil where all are.
  var missing: String? {
    let all = result.suites.flatMap { suite in
      suite.columns.filter(\.hasMisses).compactMap { column -> (name: String, text: String)? in
        guard let absent = AbsentAnswers(suite, column) else { return nil }
        let name = plain(Excerpt.cut(suite.name, to: Self.longestName))
        let other = suite.columns.count == 1 ? "" : "\(column.prompt) on \(column.backend)"
        let title = other.isEmpty ? name : "\(name), \(plain(other))"
        return (title, plain(absent.explained))
      }
    }
    if all.isEmpty { return nil }
    let shown = all.prefix(Self.shownGates).map { "\($0.name): \($0.text)" }
    let more = all.count > Self.shownGates ? "; and \(all.count - Self.shownGates) more" : ""
    return shown.joined(separator: "; ") + more + "."
  }

  private func list(_ gates: [(title: String, gate: Decision, isUnanswered: Bool)]) -> String {
    let shown = gates.prefix(Self.shownGates).map { title, gate, _ in
      "\(title) \(code(gate.condition.text)) (\(plain(Self.figure(gate))))"
    }
    let more = gates.count > Self.shownGates ? " and \(gates.count - Self.shownGates) more" : ""
    return shown.joined(separator: "; ") + more
  }

  /// The number that a gate was decided on; its reason where there is none.
  private static func figure(_ gate: Decision) -> String {
    if let change = gate.change {
      let quantity = gate.metric.quantity
      let sides = [change.baseline, change.candidate].map { NumberText.text($0, quantity) }
      return sides.joined(separator: " → ")
    }
    return gate.estimate.value == nil ? gate.explanation : gate.valueText
  }

  // MARK: Changes

  /// What changed since the baselines, and whether that is real; nil where there are none.
  var change: String? {
    let compared = columns.filter { $0.column.comparison != nil }
    if compared.isEmpty { return nil }
    let different = compared.filter { $0.column.comparison?.isIdentical == false }
    // Where nothing was answered there is nothing to set side by side.
    let apart = different.filter { $0.column.comparison?.hasPairs == false }
    let changed = different.filter { $0.column.comparison?.hasPairs == true }
    let others = columns.count - compared.count
    var rest = others == 0 ? "" : " \(others) of \(columns.count) have no baseline."
    if apart.count == compared.count {
      return "No answer can be compared with the baseline.\(rest)"
    }
    if !apart.isEmpty {
      let names = apart.prefix(Self.shownGates).map { Self.title($0.suite, $0.column, plain) }
      let more = apart.count - names.count
      rest =
        " No answer of \(names.joined(separator: ", "))\(more > 0 ? " and \(more) more" : "") "
        + "can be compared.\(rest)"
    }
    if changed.isEmpty {
      let every = apart.isEmpty ? "Every answer" : "Every other answer"
      return "\(every) is that of the baseline.\(rest)"
    }
    func count(_ flip: OutcomeFlip) -> Int {
      changed.reduce(0) { $0 + ($1.column.comparison?.count(flip) ?? 0) }
    }
    let (worse, better) = (count(.harmful), count(.beneficial))
    var text = "Since the baseline: "
    if worse + better == 0 {
      text += "answers changed, and no case newly fails or passes."
    } else {
      text += "\(TerminalLines.count(worse, "case")) newly failing, \(better) newly passing."
    }
    // A 90% interval on one side of 0 is what gates call credible; see docs/gates.md.
    let losses = credible(changed) { $0.interval.high < 0 }
    let gains = credible(changed) { $0.interval.low > 0 }
    if !losses.isEmpty { text += " The loss is credible: \(losses)." }
    if losses.isEmpty, worse > 0 { text += " No loss is credible." }
    if !gains.isEmpty { text += " The gain is credible: \(gains)." }
    return text + rest
  }

  /// The first change of each column that a condition holds for, with its figures.
  private func credible(
    _ columns: [(suite: SuiteResult, column: ColumnResult)],
    where isMeant: (PairedChange) -> Bool
  ) -> String {
    let all = columns.compactMap { suite, column -> String? in
      let first = column.comparison?.changes.first { isMeant($0.change) }
      return first.map { named in
        let figures = ChangeText.difference(named.change, named.quantity)
        return "\(Self.title(suite, column, plain)) \(code(named.name)) \(plain(figures))"
      }
    }
    let more = all.count > Self.shownChanges ? "; and \(all.count - Self.shownChanges) more" : ""
    return all.prefix(Self.shownChanges).joined(separator: "; ") + more
  }
}
