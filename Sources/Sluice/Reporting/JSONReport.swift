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
    var object: JSONObject = [
      "name": .string(suite.name), "path": .string(suite.path),
      "verdict": .string(suite.verdict.rawValue), "answers": .string(suite.source.rawValue),
      "cases": .number(Double(suite.caseCount)),
      "repetitions": .number(Double(suite.repetitions)),
    ]
    object.set("recordings", Self.recordings(suite.recordings))
    object["columns"] = .array(suite.columns.map(column))
    return .object(object)
  }

  private func column(_ column: ColumnResult) -> JSONValue {
    var object: JSONObject = [
      "prompt": .string(column.prompt), "prompt-path": .string(column.promptPath),
      "backend": .string(column.backend), "candidate": .bool(column.isCandidate),
      "verdict": .string(column.verdict.rawValue),
      "answered-by": .array(column.provenances.map { .object($0.json) }),
      "trials": [
        "passed": .number(Double(column.passed)), "failed": .number(Double(column.failed)),
        "lost": .number(Double(column.lost)),
      ],
      "metrics": .array(
        column.metrics.map(Self.metric)
      ),
      "gates": .array(column.gates.map(Self.decision)),
      "goals": .array(column.goals.map(Self.decision)),
    ]
    object.set("comparison", column.comparison.map(Self.comparison))
    if !column.flakyCases.isEmpty {
      object["flaky-cases"] = .array(
        column.flakyCases.map {
          [
            "case": .string($0.caseID), "passed": .number(Double($0.passed)),
            "of": .number(Double($0.of)),
          ]
        }
      )
    }
    if !column.quarantine.isEmpty {
      object["quarantine"] = .object(
        JSONObject(
          column.quarantine.sorted { $0.key < $1.key }.map {
            (name: $0.key, value: Self.exemption($0.value))
          }
        )
      )
    }
    object["results"] = .array(column.trials.map(trial))
    return .object(object)
  }

  /// A metric with its estimate.
  static func metric(_ metric: ColumnResult.NamedEstimate) -> JSONValue {
    var object: JSONObject = [
      "name": .string(metric.name), "unit": .string(metric.quantity.unitName),
    ]
    add(metric.estimate, to: &object)
    return .object(object)
  }

  /// A condition with what it came to.
  static func decision(_ decision: Decision) -> JSONValue {
    var object: JSONObject = [
      "condition": .string(decision.condition.text), "verdict": .string(decision.verdict.rawValue),
      "reason": .string(decision.reason.rawValue), "explanation": .string(decision.explanation),
      "unit": .string(decision.metric.quantity.unitName),
    ]
    if case .comparison(_, let bound, let confidence) = decision.condition.demand {
      object["bound"] = .number(bound)
      object.set("confidence", confidence.map(JSONValue.number))
    }
    add(decision.estimate, to: &object)
    object.set(
      "claim-bounds",
      decision.bounds.map { [Self.finite($0.low), Self.finite($0.high)] }
    )
    object.set("change", decision.change.map(Self.change))
    object.set("cases-needed", decision.casesNeeded.map { .number(Double($0)) })
    object.set("waiver", decision.waiver.map(Self.exemption))
    return .object(object)
  }

  /// A number that may be infinite, which JSON does not know.
  private static func finite(_ value: Double) -> JSONValue {
    value.isFinite ? .number(value) : .null
  }

  private static func exemption(_ exemption: Exemption) -> JSONValue {
    ["reason": .string(exemption.reason), "until": .string(exemption.until)]
  }

  /// How a metric changed.
  static func change(_ change: PairedChange) -> JSONValue {
    var object: JSONObject = [
      "baseline": .number(change.baseline), "candidate": .number(change.candidate),
      "difference": .number(change.difference),
      "interval": [.number(change.interval.low), .number(change.interval.high)],
      "confidence": 0.9, "margin": .number(change.margin), "n": .number(Double(change.n)),
      "prefers-small": .bool(change.prefersSmall), "p-worse": .number(change.pWorse),
    ]
    switch change.basis {
    case .flips(let harmful, let beneficial):
      object["harmful"] = .number(Double(harmful))
      object["beneficial"] = .number(Double(beneficial))
    case .exceedances(let harmful, let beneficial, let limit):
      object["harmful"] = .number(Double(harmful))
      object["beneficial"] = .number(Double(beneficial))
      object["limit"] = .number(limit)
    case .contributions: break
    }
    return .object(object)
  }

  /// How the cases of a column changed from what it is compared with.
  static func comparison(_ comparison: RunComparison) -> JSONValue {
    func texts(_ texts: [String]) -> JSONValue { .array(texts.map(JSONValue.string)) }
    return [
      "reference": .string(comparison.reference), "identical": .bool(comparison.isIdentical),
      "changed-cases": texts(comparison.changedCases),
      "added-cases": texts(comparison.addedCases),
      "removed-cases": texts(comparison.removedCases),
      "resliced-cases": texts(comparison.reslicedCases),
      "changed-scorers": texts(comparison.changedScorers),
      "shortened-to": comparison.shortenedTo.map { .number(Double($0)) } ?? .null,
      "flips": .array(
        comparison.flips.map { ["case": .string($0.caseID), "flip": .string($0.flip.rawValue)] }
      ),
      "changes": .array(
        comparison.changes.map { named in
          var object: JSONObject = [
            "name": .string(named.name), "unit": .string(named.quantity.unitName),
          ]
          for member in change(named.change).object?.members ?? [] where member.name != "margin" {
            object[member.name] = member.value
          }
          return .object(object)
        }
      ),
      "slices": .array(
        comparison.slices.map {
          [
            "tag": .string($0.tag), "n": .number(Double($0.n)),
            "harmful": .number(Double($0.harmful)), "beneficial": .number(Double($0.beneficial)),
            "adjusted-p": .number($0.adjustedP),
          ]
        }
      ),
    ]
  }

  /// Adds the members of an estimate.
  static func add(_ estimate: Estimate, to object: inout JSONObject) {
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
