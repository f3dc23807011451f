/// `report.json`, which holds everything, for programs.
///
/// Its form is described in `docs/report-json.md`.
package struct JSONReport {
  /// The version of the form; it grows when a member changes its meaning or goes.
  package static let schema = 1
  private let result: RunResult

  package init(_ result: RunResult) { self.result = result }

  package var bytes: [UInt8] {
    JSONWriter.pretty([
      "schema": .number(Double(Self.schema)),
      "generator": .string("sluice \(Version.current)"),
      "verdict": .string(result.verdict.rawValue),
      "suites": .array(result.suites.map(suite)),
    ])
  }

  private func suite(_ suite: SuiteResult) -> JSONValue {
    [
      "name": .string(suite.name), "path": .string(suite.path),
      "verdict": .string(suite.verdict.rawValue), "answers": .string(suite.source.rawValue),
      "cases": .number(Double(suite.caseCount)),
      "repetitions": .number(Double(suite.repetitions)),
      "columns": .array(suite.columns.map(column)),
    ]
  }

  private func column(_ column: ColumnResult) -> JSONValue {
    [
      "prompt": .string(column.prompt), "prompt-path": .string(column.promptPath),
      "backend": .string(column.backend), "candidate": .bool(column.isCandidate),
      "verdict": .string(column.verdict.rawValue),
      "answered-by": .array(column.provenances.map { .object($0.json) }),
      "trials": [
        "passed": .number(Double(column.passed)), "failed": .number(Double(column.failed)),
        "lost": .number(Double(column.lost)),
      ],
      "metrics": .array(
        column.metrics.map { metric in
          var object: JSONObject = [
            "name": .string(metric.name), "unit": .string(metric.quantity.unitName),
          ]
          add(metric.estimate, to: &object)
          return .object(object)
        }
      ),
      "gates": .array(column.gates.map(decision)),
      "goals": .array(column.goals.map(decision)),
      "results": .array(column.trials.map(trial)),
    ]
  }

  private func decision(_ decision: Decision) -> JSONValue {
    var object: JSONObject = [
      "condition": .string(decision.condition.text), "verdict": .string(decision.verdict.rawValue),
      "reason": .string(decision.reason), "explanation": .string(decision.explanation),
      "unit": .string(decision.metric.quantity.unitName),
    ]
    if case .comparison(_, let bound, _) = decision.condition.demand {
      object["bound"] = .number(bound)
    }
    add(decision.estimate, to: &object)
    return .object(object)
  }

  private func add(_ estimate: Estimate, to object: inout JSONObject) {
    object["value"] = estimate.value.map(JSONValue.number) ?? .null
    object.set("interval", estimate.interval.map { [.number($0.low), .number($0.high)] })
    object["n"] = .number(Double(estimate.n))
    object.set("unknown", estimate.unknown.map(JSONValue.string))
  }

  private func trial(_ trial: Trial) -> JSONValue {
    var object: JSONObject = [
      "case": .string(trial.caseID), "repeat": .number(Double(trial.repetition)),
      "tags": .array(trial.tags.map(JSONValue.string)), "outcome": .string(trial.outcomeName),
      "unusable": .bool(trial.isUnusable), "request": .string(trial.requestKey),
    ]
    object.set("split", trial.split.map(JSONValue.string))
    object.set("cluster", trial.cluster.map(JSONValue.string))
    if case .lost(let loss) = trial.outcome {
      object["reason"] = .string(loss.message)
    } else {
      object["scores"] = .array(trial.scores.map(\.json))
    }
    if let output = trial.output {
      object["text"] = .string(output.excerpt)
      if output.isCut { object["text-cut"] = true }
      object["text-digest"] = .string(output.digest)
      object.set("finish-reason", output.finishReason.map(JSONValue.string))
      object.set("usage", output.usage.map { .object($0.json) })
      object["cost"] = output.cost.map(JSONValue.number) ?? .null
      object["timings"] = .object(output.timings.json)
    }
    return .object(object)
  }
}

extension Quantity {
  /// The unit of numbers in files.
  package var unitName: String {
    switch self {
    case .rate: "share"
    case .time: "ms"
    case .money: "usd"
    case .count: "count"
    }
  }
}
