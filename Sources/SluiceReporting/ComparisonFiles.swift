import SluiceGating

/// `compare.json`, which holds a comparison whole, for programs; described in `docs/report-json.md`.
package struct ComparisonJSON {
  private let result: ComparisonResult

  package init(_ result: ComparisonResult) { self.result = result }

  package var bytes: [UInt8] {
    var object: JSONObject = [
      "schema": .number(Double(JSONReport.schema)),
      "generator": .string("sluice \(Version.current)"),
      "verdict": result.verdict.map { .string($0.rawValue) } ?? .null,
    ]
    object.set("false-alarms", result.falseAlarms.map(JSONReport.falseAlarms))
    object["notes"] = .array(result.notes.map(JSONValue.string))
    object["comparisons"] = .array(result.comparisons.map(comparison))
    return JSONWriter.pretty(.object(OutputsText.noted(object, result.columns)))
  }

  private func comparison(_ comparison: ConfigurationComparison) -> JSONValue {
    var object: JSONObject = [
      "suite": .string(comparison.suite), "answers": .string(comparison.source.rawValue),
      "verdict": comparison.verdict.map { .string($0.rawValue) } ?? .null,
      "cases": .number(Double(comparison.caseCount)),
      "repetitions": .number(Double(comparison.repetitions)),
      "margin": .number(comparison.margin),
      "edits": .array(
        comparison.edits.map { ["kind": .string($0.kind.rawValue), "text": .string($0.text)] }
      ),
      "recorded-in-this-change": comparison.recorded.map(JSONReport.recorded) ?? .null,
      "configurations": .array(comparison.configurations.map(configuration)),
      "pairs": .array(
        comparison.pairs.map { pair in
          [
            "configuration": .number(Double(pair.configuration)),
            "reference": .number(Double(pair.reference)),
            "changes": .array(pair.changes.map(judged)),
            "comparison": JSONReport.comparison(pair.comparison, isTwoSided: true),
          ]
        }
      ),
      "gates": .array(comparison.gates.map(JSONReport.decision)),
      "disagreements": .array(
        comparison.disagreements.map { entry in
          [
            "case": .string(entry.caseID),
            "outcomes": .array(
              entry.outcomes.map { outcome in
                switch outcome {
                case .passed: "passed"
                case .failed: "failed"
                case .unjudged: "unjudged"
                case .lost: "lost"
                case nil: .null
                }
              }
            ),
          ]
        }
      ),
    ]
    object.set("filter", comparison.filtered?.json)
    return .object(object)
  }

  private func configuration(_ configuration: ConfigurationComparison.Configuration) -> JSONValue {
    let column = configuration.column
    var cost: JSONObject = [:]
    JSONReport.add(configuration.costPerRightAnswer, to: &cost)
    var object: JSONObject = [
      "name": .string(configuration.name), "prompt": .string(column.prompt),
      "prompt-path": .string(column.promptPath), "backend": .string(column.backend),
      "answered-by": .array(column.provenances.map { .object($0.json) }),
      "trials": .object(JSONReport.counts(column)),
      "on-front": configuration.isOnFront.map(JSONValue.bool) ?? .null,
      "cost-per-right-answer": .object(cost),
      "metrics": .array(column.metrics.map(JSONReport.metric)),
    ]
    object.set("outputs", column.outputs?.json)
    if !column.groups.isEmpty { object["groups"] = .array(column.groups.map(\.json)) }
    return .object(object)
  }

  private func judged(_ judged: ConfigurationComparison.Judged) -> JSONValue {
    var object: JSONObject = [
      "name": .string(judged.name), "unit": .string(judged.quantity.unitName),
      "standing": .string(judged.standing.rawValue),
      "adjusted-p": .number(NumberText.shownP(judged.adjustedP)),
    ]
    for member in JSONReport.change(judged.change, isTwoSided: true).object?.members ?? [] {
      object[member.name] = member.value
    }
    return .object(object)
  }
}

/// `compare.md`: a comparison as a comment on a pull request.
package struct ComparisonMarkdown {
  /// Marks the comment, so that a later comparison can update it in place.
  package static let marker = "<!-- sluice-compare -->"
  private let result: ComparisonResult
  /// How many cases of a list are shown.
  private var shownCases = 100

  package init(_ result: ComparisonResult) { self.result = result }

  package var bytes: [UInt8] {
    var report = self
    // Fewer cases where all would be longer than a comment may be.
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
    let summary = ComparisonSummaryText(result, MarkdownText.plain, MarkdownText.code)
    if !summary.reason.isEmpty { text += "\n\(summary.reason)\n" }
    if let alarms = result.falseAlarms.flatMap(CorrectionText.falseAlarms) {
      text += "\n\(MarkdownText.plain(alarms))\n"
    }
    let comparisons = summary.order.map { result.comparisons[$0] }
    let quiet = comparisons.filter(\.isQuiet)
    let isFolded = quiet.count > 1
    for comparison in comparisons where !(isFolded && comparison.isQuiet) {
      text += section(comparison)
    }
    if isFolded {
      let title = "\(quiet.count) suites: every answer is the same"
      text += "\n<details><summary>\(title)</summary>\n\(quiet.map(section).joined())\n</details>\n"
    }
    for note in result.notes { text += "\n\(MarkdownText.plain(note))\n" }
    if let next = result.next {
      text += "\nNext, \(next.advice):\n\n```sh\n\(TerminalText.visible(next.command))\n```\n"
    }
    return text
  }

  private func section(_ comparison: ConfigurationComparison) -> String {
    let symbol = comparison.verdict.map { MarkdownReport.symbol($0) + " " } ?? ""
    var text = "\n### \(symbol)\(MarkdownText.plain(comparison.suite))\n"
    if !comparison.edits.isEmpty {
      text += "\nEdited in this change; gates and labels are the old ones:\n\n"
      for edit in comparison.edits {
        text += "- \(MarkdownText.plain(Excerpt.cut(edit.text, to: 100 + 10 * shownCases)))\n"
      }
    }
    for note in comparison.recorded.map(RecordingText.notes) ?? [] {
      text += "\n\(MarkdownText.plain(note)).\n"
    }
    if !comparison.gates.isEmpty {
      text += "\n| gate | |\n| --- | --- |\n"
      for gate in comparison.gates {
        let waiver = gate.effect == gate.verdict ? "" : "; waived"
        text +=
          "| \(MarkdownText.code(gate.condition.text)) | \(MarkdownReport.symbol(gate.verdict)) "
        text += "\(MarkdownText.plain(gate.outcomeText(isGoal: false)))\(waiver) |\n"
      }
      text += drawings(comparison.gates)
      if let title = CorrectionText.title(comparison.gates) {
        let table = MarkdownReport.correction(comparison.gates)
        text += "\n<details><summary>\(title)</summary>\n\n\(table)\n</details>\n"
      }
    }
    return text + table(comparison) + pairs(comparison) + groups(comparison)
      + disagreements(comparison)
  }

  /// The accuracy of each group, a column for each configuration.
  private func groups(_ comparison: ConfigurationComparison) -> String {
    GroupText.compared(comparison).map { table in
      "\n<details><summary>\(MarkdownText.plain(table.head[0]))</summary>\n\n"
        + table.markdown + "\n</details>\n"
    }.joined()
  }

  private func drawings(_ gates: [Decision]) -> String {
    let lines = gates.filter(\.isDrawn).compactMap { gate in
      gate.change.map { "\(ChangeText.drawing($0))  \(TerminalText.visible(gate.condition.text))" }
    }
    if lines.isEmpty { return "" }
    return "\n```text\n\(lines.joined(separator: "\n"))\n\(ChangeText.legend)\n```\n"
  }

  private func table(_ comparison: ConfigurationComparison) -> String {
    let flags = comparison.falsePositives
    var text = "\n| | configuration | accuracy | "
    if flags != nil { text += "false positives | " }
    text += "p50 | p95 | tokens a call | cost a call | cost a right answer | front |\n"
    // With more or fewer cells than the head it would be no table.
    text += String(repeating: "| --- ", count: flags == nil ? 9 : 10) + "|\n"
    for (index, configuration) in comparison.configurations.enumerated() {
      func cell(_ name: String, _ quantity: Quantity) -> String {
        let estimate = comparison.estimate(name, of: configuration)
        guard let estimate, let value = estimate.value else { return "unknown" }
        let interval = estimate.interval.map { " \(NumberText.text($0, quantity))" } ?? ""
        return NumberText.text(value, quantity) + interval
      }
      var cells = [
        ConfigurationComparison.letter(index), MarkdownText.plain(configuration.name),
        cell("accuracy", .rate),
      ]
      if let flags { cells.append(cell(flags, .rate)) }
      cells += [
        cell("p50(latency)", .time), cell("p95(latency)", .time), cell("mean(tokens)", .count),
        cell("mean(cost)", .money),
        configuration.costPerRightAnswer.value.map { NumberText.text($0, .money) } ?? "unknown",
        configuration.isOnFront.map { $0 ? "yes" : "no" } ?? "unknown",
      ]
      text += "| \(cells.joined(separator: " | ")) |\n"
    }
    for note in comparison.remarks { text += "\n\(MarkdownText.plain(note))\n" }
    return text
  }

  private func pairs(_ comparison: ConfigurationComparison) -> String {
    var text = "\n\(comparison.convention)\n"
    let pHead = comparison.pairs.count > 1 ? "two-sided p (Holm)" : "two-sided p"
    for pair in comparison.pairs {
      text += "\n**\(comparison.title(pair))**"
      if pair.comparison.isIdentical { text += ": every answer is the same" }
      text +=
        pair.changes.isEmpty
        ? ": nothing that both answered can be compared\n"
        : "\n\n| metric | change [95%] | n | | \(pHead) |\n| --- | --- | --- | --- | --- |\n"
      for judged in pair.changes {
        text += "| \(MarkdownText.code(judged.name)) "
        text += "| \(ChangeText.difference(judged.change, judged.quantity)) "
        text += "| \(judged.change.nText) | \(judged.standing.phrase) "
        text += "| \(NumberText.p(judged.adjustedP)) |\n"
      }
      for (names, what) in [
        (pair.comparison.changedCases, "changed, not compared"),
        (pair.comparison.removedCases, "gone, not compared"),
        (pair.comparison.addedCases, "new, not compared"),
        (pair.comparison.changedScorers, "scorers changed, their metrics not compared"),
        (pair.comparison.changedAdvisoryScorers, ChangeText.advisoryScorers),
      ] where !names.isEmpty {
        text += "\n\(names.count) \(what): \(list(names))\n"
      }
    }
    return text
  }

  private func disagreements(_ comparison: ConfigurationComparison) -> String {
    let all = comparison.disagreements
    if all.isEmpty { return "" }
    let noun = all.count == 1 ? "1 case" : "\(all.count) cases"
    var text = "\n<details><summary>\(noun) decided differently</summary>\n\n| case "
    for index in comparison.configurations.indices {
      text += "| \(ConfigurationComparison.letter(index)) "
    }
    text += "|\n" + String(repeating: "| --- ", count: comparison.configurations.count + 1) + "|\n"
    for entry in all.prefix(shownCases) {
      text += "| \(MarkdownText.plain(entry.caseID)) "
      for outcome in entry.outcomes {
        switch outcome {
        case .passed: text += "| ✓ "
        case .failed: text += "| ✗ "
        case .unjudged, .lost, nil: text += "| ? "
        }
      }
      text += "|\n"
    }
    if all.count > shownCases {
      text += "\nand \(all.count - shownCases) more, in compare.json\n"
    }
    return text + "\n</details>\n"
  }

  private func list(_ names: [String]) -> String {
    let shown = names.prefix(shownCases).map(MarkdownText.plain).joined(separator: ", ")
    return names.count > shownCases
      ? "\(shown) and \(names.count - shownCases) more" : shown
  }
}
