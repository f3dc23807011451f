/// The run log of a suite: one JSONL file with a header, a line for each trial and a footer.
///
/// While a live run goes on it is the journal: lines are appended and synced as trials end. When the
/// run ends it is written anew as a whole, in the order of the suite.
package struct RunLog: Sendable {
  package static let schema = 1
  /// What the first line says that the file is.
  package static let kind = "header"
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
      "schema": .number(Double(Self.schema)), "kind": .string(Self.kind),
      "version": .string(Version.current), "suite": .string(plan.name),
      "mode": .string(mode.rawValue), "started": .string(start.iso8601),
      "prompts": .array(
        plan.prompts.map { ["name": .string($0.name), "digest": .string($0.digest)] }
      ),
      "backends": .array(plan.backends.map { .string($0.name) }),
      "scorers": .array(plan.scorers.map(\.json)),
      "repetitions": .number(Double(plan.repetitions)),
      "cases": .number(Double(plan.cases.count)),
    ]
    return JSONWriter.line(header) + [0x0A]
  }

  /// The line of a trial.
  package static func line(_ judged: JudgedTrial) -> [UInt8] {
    var object = judged.trial.json
    object["variables"] = judged.variables
    object.set("text", judged.text.map(JSONValue.string))
    return JSONWriter.line(.object(object)) + [0x0A]
  }
}
