import SluiceGating

/// The agreement between columns of answers, for a terminal that is 80 characters wide.
package struct TerminalAgreement {
  private let result: ColumnAgreement
  private let style: TerminalStyle
  private let shown: Int
  /// The number of cases listed for each reason.
  private static let shownCases = 5
  /// The maximum length of a value in a list of several.
  private static let longestValue = 300

  /// Creates the text.
  ///
  /// - Parameters:
  ///   - result: The agreement.
  ///   - style: The colors of the terminal.
  ///   - shown: The maximum number of listed cases on which columns differ.
  package init(_ result: ColumnAgreement, style: TerminalStyle, shown: Int = 10) {
    self.result = result
    self.style = style
    self.shown = shown
  }

  package var text: String {
    var lines = OutputsText.terminal(
      sources: result.columns.compactMap { column in column.outputs.map { (column.backend, $0) } },
      style
    )
    lines += head
    for pair in result.pairs {
      lines.append("")
      lines.append("  \(style.bold("\(letter(pair.first)) and \(letter(pair.second))"))")
      lines += pair.figures.flatMap(figure)
    }
    lines += ["", "  \(style.bold(result.columns.count > 2 ? "all columns" : "both columns"))"]
    lines += result.figures.flatMap(figure)
    lines += [""] + TerminalLines.wrap(convention, indent: 2).map(style.dim)
    lines += disagreements
    return TerminalLines.text(lines)
  }

  private func letter(_ index: Int) -> String { ConfigurationComparison.letter(index) }

  private var head: [String] {
    let noun = result.hasRepeats ? "trial" : "case"
    let detail = "\(result.columns.count) columns · \(TerminalLines.count(result.units, noun))"
    let name = TerminalText.cut(TerminalLines.opening(result.suite), to: 40)
    var lines = ["\(style.bold(name))  \(style.dim(detail))"]
    lines += TerminalLines.wrap(
      TerminalText.visible("compared: \(result.part), \(result.scale.name) scale"),
      indent: 2
    ).map(style.dim)
    for (index, column) in result.columns.enumerated() {
      let title = TerminalText.cut(TerminalText.visible(column.name), to: TerminalLines.width - 5)
      lines.append("  \(style.bold(letter(index)))  \(title)")
      for lack in result.lacks[index] { lines += self.lack(lack) }
    }
    return lines
  }

  private func lack(_ lack: ColumnAgreement.Lack) -> [String] {
    var names = lack.cases.prefix(Self.shownCases).joined(separator: ", ")
    if lack.cases.count > Self.shownCases {
      names += " and \(lack.cases.count - Self.shownCases) more"
    }
    let what = lack.isMissing ? "missing" : "unusable"
    let text = "\(lack.cases.count) \(what) (\(Excerpt.cut(lack.reason, to: 160))): \(names)"
    return TerminalLines.wrap(TerminalText.visible(text), indent: 5).map(style.warning)
  }

  private func figure(_ figure: ColumnResult.NamedEstimate) -> [String] {
    [TerminalLines.metric(figure, style)]
      + (figure.estimate.missingInterval.map {
        TerminalLines.wrap("no interval: \($0)", indent: TerminalLines.nameWidth + 2).map(style.dim)
      } ?? [])
  }

  private var convention: String {
    "Values with 95% intervals. They do not show which column is right: columns that make the "
      + "same mistakes agree."
  }

  private var disagreements: [String] {
    let all = result.disagreements
    let noun = result.hasRepeats ? "trial" : "case"
    if all.isEmpty { return ["", "  no \(noun) with different values"] }
    let count = "\(all.count) of \(TerminalLines.count(result.units, noun))"
    let more = all.count > shown ? ", the first \(shown)" : ""
    var lines = ["", "  \(style.dim("\(count) with different values\(more):"))"]
    for entry in all.prefix(shown) {
      let id = entry.repetition == 1 ? entry.caseID : "\(entry.caseID) (repeat \(entry.repetition))"
      lines.append(TerminalText.cut("    \(TerminalText.visible(id))", to: TerminalLines.width))
      for (index, value) in entry.values.enumerated() {
        let words = value.map { $0.isEmpty ? "(empty)" : Excerpt.line($0, to: Self.longestValue) }
        let text = TerminalText.visible(words ?? "no value")
        let wrapped = TerminalLines.wrap(text, indent: 9)
        lines += wrapped.enumerated().map { place, line in
          place == 0 ? "      \(letter(index))  " + String(line.dropFirst(9)) : line
        }
      }
    }
    return lines
  }
}

/// The agreement between columns of answers as JSON, for programs.
package struct AgreementJSON {
  private let results: [ColumnAgreement]
  private let shown: Int
  /// The version of the format.
  ///
  /// It increases when a member is removed or changes its meaning.
  package static let schema = 1

  package init(_ results: [ColumnAgreement], shown: Int) {
    self.results = results
    self.shown = shown
  }

  package var bytes: [UInt8] {
    var object: JSONObject = [
      "schema": .number(Double(Self.schema)), "generator": .string("sluice \(Version.current)"),
      "agreements": .array(results.map(agreement)),
    ]
    if results.flatMap(\.columns).contains(where: { $0.outputs != nil }) {
      object = JSONObject(
        [(name: "notice", value: .string(OutputsText.notice))] + object.members
      )
    }
    return JSONWriter.pretty(.object(object))
  }

  private func agreement(_ result: ColumnAgreement) -> JSONValue {
    [
      "suite": .string(result.suite), "part": .string(result.part),
      "scale": .string(result.scale.name), "units": .number(Double(result.units)),
      "columns": .array(
        result.columns.indices.map { index in
          var object: JSONObject = [
            "name": .string(result.columns[index].name),
            "backend": .string(result.columns[index].backend),
          ]
          object.set("outputs", result.columns[index].outputs?.json)
          object["lacks"] = .array(
            result.lacks[index].map { lack in
              [
                "kind": .string(lack.isMissing ? "missing" : "unusable"),
                "reason": .string(lack.reason), "count": .number(Double(lack.cases.count)),
                "cases": .array(lack.cases.prefix(shown).map(JSONValue.string)),
              ]
            }
          )
          return .object(object)
        }
      ),
      "pairs": .array(
        result.pairs.map { pair in
          [
            "first": .number(Double(pair.first)), "second": .number(Double(pair.second)),
            "figures": .array(pair.figures.map(figure)),
          ]
        }
      ),
      "figures": .array(result.figures.map(figure)),
      "disagreements": [
        "count": .number(Double(result.disagreements.count)),
        "cases": .array(
          result.disagreements.prefix(shown).map { entry in
            [
              "case": .string(entry.caseID), "repeat": .number(Double(entry.repetition)),
              "values": .array(entry.values.map { $0.map(JSONValue.string) ?? .null }),
            ]
          }
        ),
      ],
    ]
  }

  private func figure(_ figure: ColumnResult.NamedEstimate) -> JSONValue {
    var object = JSONReport.metric(figure).object ?? [:]
    object.set("no-interval", figure.estimate.missingInterval.map(JSONValue.string))
    return .object(object)
  }
}

extension Estimate {
  /// The reason why a known measure of agreement has no interval; `nil` if the measure has an
  /// interval or is unknown.
  var missingInterval: String? {
    guard let value, interval == nil else { return nil }
    if value == 1 {
      return "all values agree, so there is no estimate of how often they would disagree"
    }
    let fewest = RaterAgreement.fewestClusters
    if clusters ?? n < fewest {
      return "fewer than \(fewest) \(clusters == nil ? "cases" : "clusters of cases")"
    }
    return "too few values differ for an interval"
  }
}
