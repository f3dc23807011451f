import SluiceGating

/// `history.json`, the complete history for programs; described in `docs/history.md`.
package struct HistoryJSON {
  private let history: History

  package init(_ history: History) { self.history = history }

  package var bytes: [UInt8] {
    JSONWriter.pretty([
      "schema": .number(Double(JSONReport.schema)),
      "generator": .string("sluice \(Version.current)"),
      "lines": .array(history.lines.map(line)),
    ])
  }

  private func line(_ line: History.Line) -> JSONValue {
    [
      "suite": .string(line.suite), "backend": .string(line.backend),
      "prompt": line.prompt.map(JSONValue.string) ?? .null, "tried": .bool(line.isTried),
      "metrics": .array(
        line.metrics.map { metric in
          [
            "name": .string(metric.name), "unit": .string(metric.quantity.unitName),
            "gates": .array(metric.gates.map { .string($0.text) }),
          ]
        }
      ),
      "older": .bool(line.hasOlder),
      "points": .array(line.points.map { point($0, line.metrics) }),
    ]
  }

  private func point(_ point: History.Point, _ metrics: [History.Metric]) -> JSONValue {
    var object: JSONObject = ["date": .string(point.date.iso8601)]
    if point.count > 1 {
      object["last-date"] = .string(point.lastDate.iso8601)
      object["count"] = .number(Double(point.count))
    }
    switch point.source {
    case .run(let log, let isLive):
      object["answers"] = .string((isLive ? AnswerSource.live : .recorded).rawValue)
      object["log"] = .string(log.description)
    case .baseline(let commit): object["commit"] = .string(commit)
    }
    object["prompt"] = [
      "name": .string(point.prompt.name), "digest": .string(point.prompt.digest),
    ]
    object["models"] = .array(point.models.map(JSONValue.string))
    object["cases"] = .number(Double(point.cases))
    object["lost"] = .number(Double(point.lost))
    object["changes"] = .array(point.changes.map(change))
    object["metrics"] = .array(
      zip(metrics, point.estimates).enumerated().map { index, entry in
        var object: JSONObject = ["name": .string(entry.0.name)]
        JSONReport.add(entry.1, to: &object)
        let missed = point.missed(index).map { JSONValue.string($0.text) }
        if !missed.isEmpty { object["missed"] = .array(missed) }
        return .object(object)
      }
    )
    return .object(object)
  }

  private func change(_ change: History.Change) -> JSONValue {
    func texts(_ texts: [String]) -> JSONValue { .array(texts.map(JSONValue.string)) }
    func number(_ number: Int) -> JSONValue { .number(Double(number)) }
    return switch change {
    case .prompt(let from, let to):
      ["kind": "prompt", "from": .string(from), "to": .string(to)]
    case .models(let from, let to): ["kind": "models", "from": texts(from), "to": texts(to)]
    case .dataset(let added, let removed, let changed):
      [
        "kind": "dataset", "added": number(added), "removed": number(removed),
        "changed": number(changed),
      ]
    case .scorers(let names): ["kind": "scorers", "names": texts(names)]
    case .repetitions(let from, let to):
      ["kind": "repetitions", "from": number(from), "to": number(to)]
    }
  }
}
