import SluiceGating

/// The part of `report.md` that is about one prompt on one backend.
extension MarkdownReport {
  /// The maximum number of names in a list of cases.
  private static let shownNames = 10

  func section(_ suite: SuiteResult, _ column: ColumnResult) -> String {
    let title = "\(suite.name): \(column.prompt) on \(column.backend)"
    var text = "\n### \(Self.symbol(column.verdict)) \(MarkdownText.plain(title))\n"
    if let absent = AbsentAnswers(suite, column) {
      text += "\n\(MarkdownText.plain(Self.sentence(absent.text)))\n"
      text += misses(suite.recordings, column)
    }
    if column.hasOnlyUndecided {
      let hasPairs = column.comparison?.hasPairs ?? false
      return text + "\n" + undecided(column) + (hasPairs ? comparison(suite, column) : "")
        + lists(column)
    }
    text += comparison(suite, column)
    if let asked = column.requestChange { text += RequestChangeText(asked).diff }
    let gates = MarkdownGates(column)
    text += gates.table
    if let goals = MarkdownGates.goals(column.goals) { text += "\n\(goals)\n" }
    text += lists(column)
    if let sentence = ClusterText.sentence(column) { text += "\n\(sentence)\n" }
    if let splits = column.splits {
      for warning in SplitText.warnings(splits) { text += "\n⚠️ \(MarkdownText.plain(warning))\n" }
    }
    return text
  }

  /// Returns the figures of a column in collapsed sections.
  func figures(_ column: ColumnResult) -> String {
    var text = ""
    if let splits = column.splits {
      text += Self.details("Figures by split", SplitText.markdown(splits))
    }
    for table in column.groups {
      text += Self.details(
        MarkdownText.plain(GroupText.title(table)),
        GroupText.table(table).markdown
      )
    }
    if let title = CorrectionText.title(column.gates) {
      text += Self.details(title, Self.correction(column.gates))
    }
    for matrix in column.confusions where !matrix.isEmpty {
      let name = MarkdownText.plain(matrix.scorer)
      text += Self.details("Labels of \(name), expected and given", ConfusionText.markdown(matrix))
    }
    return text + Self.details("All figures", metrics(column))
  }

  /// Returns a line about the gates and goals of a column without any answer.
  private func undecided(_ column: ColumnResult) -> String {
    [("gates", column.gates), ("goals", column.goals)].filter { !$0.1.isEmpty }
      .map { title, decisions in
        let names = decisions.map { MarkdownText.code($0.condition.text) }.joined(separator: ", ")
        return "- \(title): \(AbsentAnswers.undecided(decisions.count)): \(names)\n"
      }.joined()
  }

  /// Returns a table of the gates that Holm's correction covers together.
  static func correction(_ gates: [Decision]) -> String {
    let heads = CorrectionText.heads
    var text = "| \(heads.joined(separator: " | ")) |\n"
    text += String(repeating: "| --- ", count: heads.count) + "|\n"
    for row in CorrectionText.rows(gates) {
      let cells = [MarkdownText.code(row.gate)] + row.cells.map(MarkdownText.plain)
      text += "| \(cells.joined(separator: " | ")) |\n"
    }
    return text
  }

  private static func sentence(_ text: String) -> String {
    text.prefix(1).uppercased() + text.dropFirst() + "."
  }

  /// Returns a sentence on the change since the baseline, and lists of everything not compared.
  private func comparison(_ suite: SuiteResult, _ column: ColumnResult) -> String {
    guard let comparison = column.comparison else { return "" }
    let reference = MarkdownText.plain(comparison.reference)
    if comparison.isIdentical {
      let added = list(comparison.addedCases, "new; cannot be compared")
      return "\nAll answers are identical to \(reference).\n" + (added.isEmpty ? "" : "\n\(added)")
    }
    let cases = TerminalLines.count(suite.caseCount, "case")
    var text = "\n\(cases) against \(reference): "
    if comparison.hasPairs {
      let (worse, better) = (comparison.count(.harmful), comparison.count(.beneficial))
      text += "\(worse) newly failing, \(better) newly passing.\n"
    } else {
      text += "no answers can be compared.\n"
    }
    let flips = ["newly failing", "newly passing"]
    let rest = ChangeText.cases(comparison).filter { !flips.contains($0.what) }
    var items = rest.map { list($0.ids, $0.what) }.joined()
    items += list(comparison.changedScorers, "changed; cannot be compared", noun: "scorer")
    items += list(comparison.changedAdvisoryScorers, ChangeText.advisoryScorers)
    if let shortened = ChangeText.shortened(comparison) { items += "- \(shortened)\n" }
    items += list(
      ChangeText.lostTags(comparison),
      "with more losses than gains, as a hint",
      noun: "tag",
      most: 3
    )
    return text + (items.isEmpty ? "" : "\n\(items)")
  }

  /// Returns the lists of quarantined cases and of flaky cases.
  private func lists(_ column: ColumnResult) -> String {
    let quarantine = column.quarantine.sorted { $0.key < $1.key }
      .map { "\($0.key) until \($0.value.until), \($0.value.reason)" }
    let flaky = column.flakyCases.map { "\($0.caseID) (\($0.passed) of \($0.of) passed)" }
    let text = list(quarantine, "in quarantine") + list(flaky, "flaky")
    return text.isEmpty ? "" : "\n\(text)"
  }

  private func list(
    _ texts: [String],
    _ what: String,
    noun: String? = nil,
    most: Int = shownNames
  ) -> String {
    if texts.isEmpty { return "" }
    let shown = texts.prefix(most).map(MarkdownText.plain).joined(separator: ", ")
    let more = texts.count > most ? " and \(texts.count - most) more" : ""
    let noun = noun.map { " \($0)\(texts.count == 1 ? "" : "s")" } ?? ""
    return "- \(texts.count)\(noun) \(what): \(shown)\(more)\n"
  }

  /// Returns a table of all metrics, with the changes since the baseline if there is a baseline.
  private func metrics(_ column: ColumnResult) -> String {
    let changes = column.comparison.map { $0.isIdentical ? [] : $0.changes } ?? []
    let hasChanges = !changes.isEmpty
    var text = "| metric | value | n |\(hasChanges ? " before | change, 90% interval |" : "")\n"
    text += "| --- | --- | --- |\(hasChanges ? " --- | --- |" : "")\n"
    for metric in column.metrics {
      text += "| \(MarkdownText.code(metric.name))\(metric.isAdvisory ? ", advisory" : "") "
      text +=
        "| \(MarkdownText.figure(NumberText.text(metric.estimate, metric.quantity))) "
        + "| \(metric.estimate.nText) |"
      if hasChanges {
        let named = changes.first { $0.name == metric.name }
        let before =
          named.map { MarkdownText.figure(NumberText.text($0.change.baseline, $0.quantity)) } ?? ""
        let size = named.map { MarkdownText.figure(ChangeText.size($0.change, $0.quantity)) } ?? ""
        text += " \(before) | \(size) |"
      }
      text += "\n"
    }
    return text
  }

  /// Returns the reasons why requests have no recording, each with the most similar recording.
  private func misses(_ summary: RecordingSummary, _ column: ColumnResult) -> String {
    summary.misses(of: column).prefix(3).map { group in
      var text = "\n\(group.count) × \(MarkdownText.plain(group.reason))"
      guard let nearest = group.nearest, let phrase = RecordingText.nearest(group) else {
        return text + "\n"
      }
      text += "; \(MarkdownText.plain(phrase)):\n\n"
      text += RequestChangeText.markdown(nearest.difference, most: 8)
      return text
        + (RecordingText.keeping(nearest).map { "\n\(MarkdownText.plain(sentence($0)))\n" } ?? "")
    }.joined()
  }

  private func sentence(_ phrase: String) -> String {
    "\(phrase.prefix(1).uppercased())\(phrase.dropFirst())."
  }

  static func details(_ summary: String, _ body: String) -> String {
    "\n<details><summary>\(summary)</summary>\n\n\(body)\n</details>\n"
  }
}
