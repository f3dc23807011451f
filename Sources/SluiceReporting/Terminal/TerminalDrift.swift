import SluiceGating

/// The result of a drift check, for a terminal that is 80 characters wide.
package struct TerminalDrift {
  private let result: DriftResult
  private let call: Call
  private let style: TerminalStyle
  private static let nameWidth = 26
  private static let shownFigures = 7

  /// The command line of the drift check, from which further commands are made.
  package struct Call {
    /// The suites as named on the command line, each preceded by a space.
    package var suites: String
    /// The options other than the sample size and the margin, each preceded by a space.
    package var options: String
    /// The maximum number of changed cases to show in full for each suite, or `nil` for all.
    package var limit: Int?

    package init(suites: String = "", options: String = "", limit: Int? = nil) {
      self.suites = suites
      self.options = options
      self.limit = limit
    }
  }

  package init(_ result: DriftResult, _ call: Call, style: TerminalStyle) {
    self.result = result
    self.call = call
    self.style = style
  }

  package var text: String {
    TerminalLines.text(result.columns.flatMap { block($0) + [""] } + ending)
  }

  // MARK: Suites

  private func block(_ column: DriftResult.Column) -> [String] {
    [head(column)] + score(column) + identities(column) + figures(column) + cases(column)
  }

  private func head(_ column: DriftResult.Column) -> String {
    let word = DriftText.word(column).uppercased()
    let detail =
      "\(TerminalText.visible("\(column.prompt) on \(column.backend)")) · \(column.asked) of "
      + "\(column.available) requests sent again"
    let room = TerminalLines.width - word.count - 4
    let name = TerminalText.cut(TerminalLines.opening(column.suite), to: 30)
    let cut = TerminalText.cut(detail, to: max(8, room - TerminalText.width(of: name)))
    let used = TerminalText.width(of: name) + 2 + TerminalText.width(of: cut) + word.count
    let space = String(repeating: " ", count: max(1, TerminalLines.width - used))
    return style.bold(name) + "  " + style.dim(cut) + space
      + style.verdict(word, column.outcome.standing)
  }

  private func score(_ column: DriftResult.Column) -> [String] {
    let explanation = DriftText.explanation(column, margin: result.margin)
    guard let change = column.change else { return TerminalLines.wrap(explanation, indent: 2) }
    var lines = TerminalLines.wrap(
      "accuracy \(ChangeText.difference(change, .rate)): \(explanation)",
      indent: 2
    )
    var counts = [ChangeText.flips(change)].compactMap(\.self)
    if let p = column.outcome.adjustedP, !change.isNothing { counts.append("p \(NumberText.p(p))") }
    if column.identical > 0 { counts.append("\(column.identical) identical") }
    if column.reworded > 0 {
      counts.append("\(column.reworded) different with the same outcome")
    }
    if column.lost > 0 { counts.append("\(column.lost) lost") }
    lines += TerminalLines.wrap(counts.joined(separator: " · "), indent: 2)
    return lines
  }

  private func identities(_ column: DriftResult.Column) -> [String] {
    column.identities.flatMap { change in
      TerminalLines.wrap(DriftText.identity(change), indent: 2).map(style.warning)
    }
  }

  private func figures(_ column: DriftResult.Column) -> [String] {
    let changed = column.figures.filter { !$0.change.isNothing }
    if changed.isEmpty { return [] }
    let lines = changed.prefix(Self.shownFigures).flatMap { figure in
      let name = TerminalText.cut(TerminalLines.opening(figure.name), to: Self.nameWidth)
      let text = ChangeText.difference(figure.change, figure.quantity)
      return ["    \(TerminalText.pad(name, to: Self.nameWidth))  \(text)"]
    }
    let more = changed.count - Self.shownFigures
    return [style.dim("  for information only:")] + lines
      + (more > 0 ? ["    and \(more) more; --output json shows all"] : [])
  }

  private func cases(_ column: DriftResult.Column) -> [String] {
    let shown = column.moved.prefix(call.limit ?? column.moved.count)
    var lines: [String] = []
    for moved in shown {
      let fault = (moved.flip == .harmful ? moved.after : moved.before).faults.first
      let word = moved.flip == .harmful ? "passed → failed" : "failed → passed"
      let why = fault.map { ", \($0.scorer): \($0.explanation)" } ?? ""
      lines += [""] + TerminalLines.wrap("\(moved.caseID): \(word)\(why)", indent: 2)
      lines += DifferenceLines(style).shown(
        ResponseDifference.textLines(moved.before.output?.words, moved.after.output?.words)
      )
    }
    let rest = column.moved.dropFirst(shown.count).map(\.caseID)
    if !rest.isEmpty {
      let names = rest.prefix(20).joined(separator: ", ")
      let more = rest.count > 20 ? " and \(rest.count - 20) more" : ""
      lines += [""]
      lines += TerminalLines.wrap("also moved: \(names)\(more); --limit 0 shows all", indent: 2)
    }
    return lines
  }

  // MARK: The whole

  private var ending: [String] {
    var lines: [String] = []
    if result.testCount > 1 {
      lines += TerminalLines.wrap(
        "95% intervals, two-sided p, corrected for \(result.testCount) tests (Holm's method)",
        indent: 0
      ).map(style.dim)
    } else if result.testCount == 1 {
      lines.append(style.dim("95% intervals, two-sided p"))
    }
    let verdict = result.verdict
    lines.append(style.verdict("Verdict: \(Self.words(verdict))", verdict))
    if let next {
      lines.append("Next: \(next.advice):")
      lines.append("  \(TerminalText.visible(next.command))")
    }
    return lines
  }

  private static func words(_ verdict: Verdict) -> String {
    switch verdict {
    case .pass: "no score moved"
    case .fail: "scores moved"
    case .inconclusive: "undecided"
    case .noVerdict, .notEvaluated: "no verdict"
    }
  }

  private var next: (advice: String, command: String)? {
    func names(_ suites: [String]) -> String {
      suites.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        .map { " " + ShellText.quoted($0) }.joined()
    }
    func suites(_ reason: DriftRule.Reason) -> [String] {
      result.columns.filter { $0.outcome.reason == reason }.map(\.suite)
    }
    switch result.verdict {
    case .fail:
      let moved = result.columns.filter { $0.outcome.standing == .moved }.map(\.suite)
      return (
        "read the answers that moved; if today's are right, record them again",
        "sluice record\(names(moved)) --all"
      )
    case .noVerdict where !suites(.notRecorded).isEmpty:
      return ("record answers to compare with", "sluice record\(names(suites(.notRecorded)))")
    case .noVerdict: return ("send the requests again later", command(sample: result.sample))
    case .inconclusive: return undecided
    case .pass, .notEvaluated: return nil
    }
  }

  /// The next step if columns are undecided for lack of cases or because of lost answers.
  private var undecided: (advice: String, command: String)? {
    let open = result.columns.filter { $0.outcome.reason == .tooFew }
    if open.isEmpty {
      return result.columns.contains { $0.outcome.reason == .lostAnswers }
        ? ("send the requests again", command(sample: result.sample)) : nil
    }
    let needed = open.map { column -> Int? in
      guard let change = column.change, let needed = column.outcome.casesNeeded else { return nil }
      // The sample also contains cases that no scorer passes or fails, so it must be larger in
      // proportion.
      return Int((Double(needed) * Double(column.asked) / Double(change.n)).rounded(.up))
    }
    let isPossible = zip(open, needed).allSatisfy { column, needed in
      needed.map { $0 <= column.available } ?? false
    }
    if isPossible, let most = needed.compactMap(\.self).max() {
      return ("request more answers", command(sample: most))
    }
    let widest = open.compactMap(DriftText.openMove).max() ?? result.margin
    let margin = min(100, Int((widest * 100).rounded(.down)) + 1)
    return (
      "add cases and record them, or use a wider margin",
      command(sample: result.sample, margin: margin)
    )
  }

  private func command(sample: Int, margin: Int? = nil) -> String {
    let points = margin.map(Double.init) ?? result.margin * 100
    let isUsual = margin == nil && result.margin == DriftRule.usual.margin
    let option = isUsual ? "" : " --margin \(JSONWriter.number(points))"
    return "sluice recordings diff\(call.suites) --sample \(sample)\(option)\(call.options)"
  }
}

extension TerminalStyle {
  fileprivate func verdict(_ text: String, _ standing: DriftRule.Standing) -> String {
    switch standing {
    case .moved: verdict(text, .fail)
    case .still: verdict(text, .pass)
    case .undecided: verdict(text, .inconclusive)
    case .unknown: verdict(text, .noVerdict)
    }
  }
}

extension Trial.Output {
  /// The text of the answer, or of the refusal if the answer has no text.
  fileprivate var words: String { excerpt.isEmpty ? refusal ?? "" : excerpt }
}
