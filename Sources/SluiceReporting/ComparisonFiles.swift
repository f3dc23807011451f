import SluiceGating

/// `compare.json`, the complete comparison for programs; described in `docs/report-json.md`.
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
    object.set(
      "rescored",
      comparison.rescored.map { rescored in
        [
          "cases": .number(Double(rescored.cases)),
          "accuracy": rescored.accuracy.map(JSONValue.number) ?? .null,
        ]
      }
    )
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
