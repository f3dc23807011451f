import SluiceGating

/// `compare.md`: a comparison, as a comment for a pull request.
package struct ComparisonMarkdown {
  /// A marker that a later comparison looks for, to update the comment instead of adding another.
  package static let marker = "<!-- sluice-compare -->"
  private let result: ComparisonResult
  /// The number of cases to show in each list.
  private var shownCases = 100

  package init(_ result: ComparisonResult) { self.result = result }

  package var bytes: [UInt8] {
    var report = self
    // If the text exceeds the maximum length of a comment, try again with fewer cases.
    for shownCases in [100, 20, 3] {
      report.shownCases = shownCases
      if report.text.utf16.count <= MarkdownReport.longestComment { break }
    }
    return Array(report.text.utf8)
  }

  private var text: String {
    let verdict = result.verdict.map { ": \($0.word)" } ?? ""
    let symbol = result.verdict.map { MarkdownReport.symbol($0) + " " } ?? ""
    var text =
      "\(Self.marker)\n\(OutputsText.markdown(result.columns))## \(symbol)Sluice compare\(verdict)\n"
    let headline = ComparisonHeadline(result, MarkdownText.plain).text
    if !headline.isEmpty { text += "\n**\(headline)**\n" }
    let comparisons = result.inOrder
    for comparison in comparisons where !comparison.isQuiet { text += section(comparison) }
    text += unchanged(comparisons.filter(\.isQuiet))
    for note in result.notes { text += "\n\(MarkdownText.plain(note))\n" }
    if let next = result.next {
      text += "\nNext, \(next.advice):\n\n```sh\n\(TerminalText.visible(next.command))\n```\n"
    }
    if let alarms = result.falseAlarms.flatMap(CorrectionText.falseAlarms) {
      text += "\n\(MarkdownText.plain(alarms))\n"
    }
    return text
  }

  /// Returns a line with the suites in which nothing changed.
  private func unchanged(_ comparisons: [ConfigurationComparison]) -> String {
    if comparisons.isEmpty { return "" }
    var names: [String] = []
    for comparison in comparisons where !names.contains(comparison.suite) {
      names.append(comparison.suite)
    }
    let most = MarkdownReport.shownSuites
    let more = names.count > most ? " and \(names.count - most) more" : ""
    let shown = names.prefix(most).map(MarkdownText.plain).joined(separator: ", ")
    return "\n\(TerminalLines.count(names.count, "suite")) unchanged, with identical answers: "
      + "\(shown)\(more).\n"
  }

  private func section(_ comparison: ConfigurationComparison) -> String {
    let symbol = comparison.verdict.map { MarkdownReport.symbol($0) + " " } ?? ""
    var text = "\n### \(symbol)\(MarkdownText.plain(comparison.suite))\n"
    if !comparison.edits.isEmpty {
      text += "\nAlso edited in this change; the comparison uses the old gates and labels:\n\n"
      for edit in comparison.edits {
        text += "- \(MarkdownText.plain(Excerpt.cut(edit.text, to: 100 + 10 * shownCases)))\n"
      }
    }
    for note in comparison.recorded.map(RecordingText.notes) ?? [] {
      text += "\n\(MarkdownText.plain(note)).\n"
    }
    if comparison.verdict != nil, let pair = comparison.pairs.last {
      text += asked(comparison, pair)?.diff ?? ""
    }
    text += MarkdownGates(comparison.gates, comparison.pairs.last?.comparison).table
    if let title = CorrectionText.title(comparison.gates) {
      text += MarkdownReport.details(title, MarkdownReport.correction(comparison.gates))
    }
    return text + table(comparison) + pairs(comparison) + groups(comparison)
      + disagreements(comparison)
  }

  private func asked(_ comparison: ConfigurationComparison, _ pair: ConfigurationComparison.Pair)
    -> RequestChangeText?
  {
    RequestChange(
      from: comparison.configurations[pair.reference].column,
      to: comparison.configurations[pair.configuration].column
    ).map(RequestChangeText.init)
  }

  /// Returns tables with the accuracy of each group, with a column for each configuration.
  private func groups(_ comparison: ConfigurationComparison) -> String {
    GroupText.compared(comparison).map { table in
      MarkdownReport.details(MarkdownText.plain(table.head[0]), table.markdown)
    }.joined()
  }

  // MARK: Configurations

  private func table(_ comparison: ConfigurationComparison) -> String {
    let figures = ConfigurationFigure.all(comparison)
    let heads =
      ["", "configuration"] + figures.map { $0.name.prefix(1).lowercased() + $0.name.dropFirst() }
    var text = "\n| \(heads.joined(separator: " | ")) |\n"
    // Markdown requires as many cells here as in the table's head.
    text += String(repeating: "| --- ", count: heads.count) + "|\n"
    for (index, configuration) in comparison.configurations.enumerated() {
      let cells =
        [
          ConfigurationComparison.letter(index),
          MarkdownText.plain(
            configuration.name
              + (comparison.models(of: configuration).map { ", model \($0)" } ?? "")
          )
            + (configuration.isOnFront == true ? " (best for its price)" : ""),
        ] + figures.map { MarkdownText.figure($0.cells[index]) }
      text += "| \(cells.joined(separator: " | ")) |\n"
    }
    for note in comparison.remarks { text += "\n\(MarkdownText.plain(note))\n" }
    return text
  }

  // MARK: Pairs

  private func pairs(_ comparison: ConfigurationComparison) -> String {
    var text = ""
    for pair in comparison.pairs {
      text += "\n**\(comparison.title(pair))**"
      if pair.comparison.isIdentical { text += ": all answers are identical" }
      if pair.changes.isEmpty {
        text += ": no case has an answer on both sides\n"
      } else {
        text += "\n\n\(changes(pair, comparison))"
      }
      for (names, what) in [
        (pair.comparison.changedCases, "changed; cannot be compared"),
        (pair.comparison.removedCases, "removed; cannot be compared"),
        (pair.comparison.addedCases, "new; cannot be compared"),
        (pair.comparison.changedScorers, "scorers changed; their metrics cannot be compared"),
        (pair.comparison.changedAdvisoryScorers, ChangeText.advisoryScorers),
      ] where !names.isEmpty {
        text += "\n\(names.count) \(what): \(list(names))\n"
      }
      if comparison.verdict == nil, let asked = asked(comparison, pair) {
        text += MarkdownReport.details(
          "Requests of \(comparison.title(pair))",
          String(asked.diff.dropFirst())
        )
      }
    }
    if !comparison.pairs.isEmpty { text += "\n\(comparison.convention).\n" }
    return text
  }

  /// Returns a table of the figures that differ, and a list of the figures that do not differ.
  private func changes(
    _ pair: ConfigurationComparison.Pair,
    _ comparison: ConfigurationComparison
  ) -> String {
    let letters = [pair.reference, pair.configuration].map(ConfigurationComparison.letter)
    let different = pair.changes.filter { !$0.change.isNothing || $0.name == "accuracy" }
    let same = pair.changes.filter { $0.change.isNothing && $0.name != "accuracy" }
    var text = ""
    if !different.isEmpty {
      text += "| figure | \(letters[0]) | \(letters[1]) | change | verdict |\n"
      text += "| --- | --- | --- | --- | --- |\n"
    }
    for judged in different {
      let (change, quantity) = (judged.change, judged.quantity)
      let standing = StandingText(judged, margin: comparison.margin)
      let size = MarkdownText.figure(ChangeText.size(change, quantity))
      text += "| \(MarkdownText.code(judged.name)) "
      text += "| \(MarkdownText.figure(NumberText.text(change.baseline, quantity))) "
      text += "| \(MarkdownText.figure(NumberText.text(change.candidate, quantity))) "
      text += "| \(size), n \(change.nText) "
      text +=
        "| \(standing.sign) \(standing.phrase), p \(MarkdownText.figure(NumberText.p(judged.adjustedP))) |\n"
    }
    if same.isEmpty { return text }
    let names = same.map { MarkdownText.code($0.name) }.joined(separator: ", ")
    return text + (different.isEmpty ? "" : "\n") + "No difference in \(names).\n"
  }

  // MARK: Cases

  private func disagreements(_ comparison: ConfigurationComparison) -> String {
    let all = comparison.disagreements
    if all.isEmpty { return "" }
    let letters = comparison.configurations.indices.map(ConfigurationComparison.letter)
    var text = "| \(letters.joined(separator: " | ")) | cases | |\n"
    text += String(repeating: "| --- ", count: letters.count + 2) + "|\n"
    for pattern in CasePattern.all(comparison) {
      text += "| \(pattern.signs.joined(separator: " | ")) | \(pattern.ids.count) "
      text += "| \(list(pattern.ids, of: "compare.json")) |\n"
    }
    let noun = TerminalLines.count(all.count, "case")
    return MarkdownReport.details("\(noun) with different outcomes", text)
  }

  private func list(_ names: [String], of file: String? = nil) -> String {
    let shown = names.prefix(shownCases).map(MarkdownText.plain).joined(separator: ", ")
    let place = file.map { ", in \($0)" } ?? ""
    return names.count > shownCases
      ? "\(shown) and \(names.count - shownCases) more\(place)" : shown
  }
}
