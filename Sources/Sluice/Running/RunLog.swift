/// The run log of a suite: one JSONL file with a header, a line for each trial and a footer.
///
/// While a live run goes on it is the journal: lines are appended and synced as trials end. When the
/// run ends it is written anew as a whole, in the order of the suite.
package struct RunLog: Sendable {
  package static let schema = 1
  private let plan: SuitePlan
  private let start: Timestamp
  private let mode: Mode

  package enum Mode: String, Sendable {
    case replay, live
  }

  package init(_ plan: SuitePlan, start: Timestamp, mode: Mode) {
    self.plan = plan
    self.start = start
    self.mode = mode
  }

  package var path: ProjectPath {
    ProjectPath("reports/runs/\(plan.name)-\(start.compact).jsonl")
  }

  /// The log of a finished run.
  package func bytes(_ trials: [JudgedTrial]) -> [UInt8] {
    var bytes = header
    for trial in trials { bytes += Self.line(trial) }
    let footer: JSONValue = [
      "kind": "footer", "trials": .number(Double(trials.count)),
      "passed": .number(Double(trials.filter { $0.trial.outcome == .passed }.count)),
      "failed": .number(Double(trials.filter { $0.trial.outcome == .failed }.count)),
      "lost": .number(Double(trials.filter(\.trial.isLost).count)),
    ]
    return bytes + JSONWriter.line(footer) + [0x0A]
  }

  /// The first line.
  package var header: [UInt8] {
    let header: JSONValue = [
      "schema": .number(Double(Self.schema)), "kind": "header",
      "version": .string(Version.current), "suite": .string(plan.name),
      "mode": .string(mode.rawValue), "started": .string(start.iso8601),
      "prompts": .array(
        plan.prompts.map { ["name": .string($0.name), "digest": .string($0.digest)] }
      ),
      "backends": .array(plan.backends.map { .string($0.name) }),
      "scorers": .array(
        plan.scorers.map {
          ["name": .string($0.name), "type": .string($0.type), "digest": .string($0.digest)]
        }
      ),
      "repetitions": .number(Double(plan.repetitions)),
      "cases": .number(Double(plan.cases.count)),
    ]
    return JSONWriter.line(header) + [0x0A]
  }

  /// The line of a trial.
  package static func line(_ judged: JudgedTrial) -> [UInt8] {
    let trial = judged.trial
    var object: JSONObject = [
      "kind": "trial", "case": .string(trial.caseID), "case-digest": .string(trial.caseDigest),
      "variables": judged.variables, "tags": .array(trial.tags.map(JSONValue.string)),
      "prompt": .string(trial.prompt),
      "backend": .string(trial.backend), "repeat": .number(Double(trial.repetition)),
      "request": .string(trial.requestKey), "outcome": .string(trial.outcomeName),
    ]
    object.set("split", trial.split.map(JSONValue.string))
    object.set("cluster", trial.cluster.map(JSONValue.string))
    if case .lost(let loss) = trial.outcome { object["reason"] = .string(loss.message) }
    object["scores"] = .array(trial.scores.map(\.json))
    if let output = trial.output {
      object["response-digest"] = .string(output.digest)
      object.set("text", judged.text.map(JSONValue.string))
      object.set("finish-reason", output.finishReason.map(JSONValue.string))
      object.set("usage", output.usage.map { .object($0.json) })
      object.set("cost", output.cost.map(JSONValue.number))
      object["timings"] = .object(output.timings.json)
      object["answered-by"] = .object(output.provenance.json)
    }
    return JSONWriter.line(.object(object)) + [0x0A]
  }
}

extension Trial {
  /// The outcome in the word of run logs and reports.
  package var outcomeName: String {
    switch outcome {
    case .passed: "passed"
    case .failed: "failed"
    case .lost: "lost"
    }
  }
}

extension Trial.NamedScore {
  package var json: JSONValue {
    var object: JSONObject = [
      "scorer": .string(name), "outcome": .string(score.outcome.rawValue),
      "explanation": .string(score.explanation),
    ]
    if score.isUnusable { object["unusable"] = true }
    if !score.measurements.members.isEmpty { object["measurements"] = .object(score.measurements) }
    return .object(object)
  }
}
