import SluiceGating

/// The result of a drift check as JSON, for programs; described in `docs/drift.md`.
package struct DriftJSON {
  private let result: DriftResult

  package init(_ result: DriftResult) { self.result = result }

  package var bytes: [UInt8] {
    JSONWriter.pretty([
      "schema": .number(Double(JSONReport.schema)),
      "generator": .string("sluice \(Version.current)"),
      "verdict": .string(result.verdict.rawValue),
      "sample": .number(Double(result.sample)),
      // A seed may be too large for an exact JSON number, so it is a string.
      "seed": .string(String(result.seed)),
      "margin": .number(result.margin),
      "tests": .number(Double(result.testCount)),
      "suites": .array(result.columns.map(column)),
    ])
  }

  private func column(_ column: DriftResult.Column) -> JSONValue {
    func count(_ count: Int) -> JSONValue { .number(Double(count)) }
    var object: JSONObject = [
      "suite": .string(column.suite), "prompt": .string(column.prompt),
      "backend": .string(column.backend),
      "standing": .string(column.outcome.standing.rawValue),
      "reason": .string(column.outcome.reason.rawValue),
      "explanation": .string(DriftText.explanation(column, margin: result.margin)),
      "available": count(column.available), "asked": count(column.asked),
      "lost": count(column.lost), "identical": count(column.identical),
      "different-same-outcome": count(column.reworded),
    ]
    object.set("adjusted-p", column.outcome.adjustedP.map { .number(NumberText.shownP($0)) })
    object.set("cases-needed", column.outcome.casesNeeded.map(count))
    object["accuracy"] = column.change.map { JSONReport.change($0, isTwoSided: true) } ?? .null
    object["moved"] = .array(
      column.moved.map { ["case": .string($0.caseID), "flip": .string($0.flip.rawValue)] }
    )
    func texts(_ texts: [String]) -> JSONValue { .array(texts.map(JSONValue.string)) }
    object["identities"] = .array(
      column.identities.map {
        [
          "name": .string($0.kind.rawValue), "recorded": texts($0.recorded), "now": texts($0.now),
        ]
      }
    )
    object["figures"] = .array(
      column.figures.map { figure in
        var object: JSONObject = [
          "name": .string(figure.name), "unit": .string(figure.quantity.unitName),
        ]
        let members = JSONReport.change(figure.change, isTwoSided: true).object?.members ?? []
        // These figures decide nothing, so they have no margin.
        for member in members where member.name != "margin" { object[member.name] = member.value }
        return .object(object)
      }
    )
    return .object(object)
  }
}
