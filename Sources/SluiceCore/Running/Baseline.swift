package import SluiceSupport

/// The small committed file with which runs of a suite on a backend are compared.
///
/// It is a run log of one prompt, without texts.
package struct Baseline: Sendable {
  /// The value of `kind` in the first line of a baseline.
  package static let kind = "baseline"
  package static let folder = ProjectPath("reports/baselines")

  package static func path(suite: String, backend: String) -> ProjectPath {
    folder.resolvingChild("\(suite).\(backend).jsonl")
  }

  package var suite: String
  package var backend: String
  package var prompt: LoggedRun.PromptVersion
  package var scorers: [String: String]
  package var trials: [Trial]

  /// Reads the baseline in a file.
  ///
  /// - Throws: ``LoggedRun/Problem`` for the first error.
  package init(reading file: FileContents) throws(LoggedRun.Problem) {
    let run = try LoggedRun(reading: file, kind: Self.kind)
    guard let prompt = run.prompts.first, let backend = run.backends.first else {
      throw LoggedRun.Problem(line: 1, message: "the first line is not the header of a baseline")
    }
    suite = run.suite
    self.backend = backend
    self.prompt = prompt
    scorers = run.scorers
    trials = run.trials
  }

  /// Gives the trials the labels of their cases in a suite.
  ///
  /// A baseline does not contain the split of a case (its part of the dataset). If the split were
  /// not added here, a comparison would have to copy each trial to add it. If the tags or the
  /// cluster of a case have changed, its trials keep the labels of the baseline.
  ///
  /// Call this method only on a baseline that was just read.
  package func takeLabels(of plan: SuitePlan) {
    var labels: [String: CaseLabels] = [:]
    for planned in plan.cases where planned.stored.labels.split != nil {
      labels[planned.stored.id] = planned.stored.labels
    }
    if labels.isEmpty { return }
    for trial in trials {
      guard let now = labels[trial.caseID], trial.facts.labels != now,
        (now.tags, now.cluster) == (trial.tags, trial.cluster)
      else { continue }
      trial.take(now)
    }
  }

  /// Returns the contents of a baseline file.
  ///
  /// The lines are sorted by case, so that diffs are readable.
  ///
  /// Values that all trials share are in the first line. Explanations and texts are left out.
  package static func bytes(
    _ plan: SuitePlan,
    column: Column,
    trials: [Trial]
  ) -> [UInt8] {
    let prompt = plan.prompts.first { $0.name == column.prompt }
    let header: JSONValue = [
      "schema": .number(Double(RunLog.schema)), "kind": .string(kind), "suite": .string(plan.name),
      "prompts": [
        ["name": .string(column.prompt), "digest": .string(prompt?.digest ?? "")]
      ],
      "backends": [.string(column.backend)], "scorers": plan.scorersJSON,
      "repetitions": .number(Double(plan.repetitions)), "trials": .number(Double(trials.count)),
    ]
    let sorted = trials.sorted { ($0.caseID, $0.repetition) < ($1.caseID, $1.repetition) }
    var bytes = ByteBuffer()
    JSONWriter.append(header, to: &bytes)
    bytes.append("\n")
    var key: [UInt8] = []
    for trial in sorted {
      bytes.append(UInt8(ascii: "{"))
      compared(trial).appendMembers(to: &bytes, isAlone: false, key: &key)
      bytes.append("}\n")
    }
    return Array(bytes.units)
  }

  /// Returns the trial with only the values that a comparison needs.
  private static func compared(_ trial: Trial) -> Trial {
    var trial = trial
    for index in trial.scores.indices { trial.scores[index].score.explanation = "" }
    // The source and the date are in the recordings.
    trial.split = nil
    if let provenance = trial.output?.provenance.undated { trial.output?.provenance = provenance }
    trial.output?.provenance.host = nil
    trial.output?.timings.connect = nil
    trial.output?.timings.tls = nil
    trial.output?.timings.firstByte = nil
    trial.output?.timings.server = nil
    // Costs are computed again from token usage at current prices, except for costs that the server
    // reported.
    trial.output?.cost = nil
    if trial.output?.judging.isEmpty == false { trial.output?.judging = [] }
    return trial
  }

  /// Adds to the line of a trial the values that all trials share.
  ///
  /// In the file, only the first line contains these values.
  static func complete(_ line: inout JSONObject, prompt: String?, backend: String?) {
    line["kind"] = "trial"
    line.set("prompt", prompt.map(JSONValue.string))
    line.set("backend", backend.map(JSONValue.string))
    if line["repeat"] == nil { line["repeat"] = 1 }
  }
}
