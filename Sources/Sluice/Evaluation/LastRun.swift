import SluiceReporting

/// The newest finished run of a whole suite, as its log tells it.
package struct LastRun: Sendable {
  /// The log.
  package var path: ProjectPath
  /// The run as the log tells it.
  package var run: LoggedRun
  /// The columns that are looked at: those of the suite as it is asked now, or all of the log where it
  /// has none of them.
  private var columns: Set<Column>

  /// The number of logs to look at, the newest first, for one with the suite's columns.
  private static let most = 20

  /// Finds the newest finished run of a suite.
  ///
  /// Runs with a filter are passed over, and so are those that were ended early. A run of the columns
  /// that are asked now comes before a newer one of others.
  ///
  /// - Parameters:
  ///   - plan: The suite as it is asked now.
  ///   - files: The project's files.
  /// - Returns: The run; nil where there is none.
  package static func newest(of plan: SuitePlan, in files: any FileSystem) -> LastRun? {
    let asked = Set(plan.columns)
    var other: LastRun?
    let names = files.names(in: RunLog.folder).filter { RunLog.suite(ofLog: $0) == plan.name }
    for name in names.reversed().prefix(most) {
      let path = RunLog.folder.resolvingChild(name)
      guard let file = try? files.open(path), file.count > 0,
        let run = try? LoggedRun(reading: file, kind: RunLog.kind),
        run.suite == plan.name, run.isComplete, run.filtered == nil
      else { continue }
      let columns = Set(run.trials.map { Column(prompt: $0.prompt, backend: $0.backend) })
      let shared = columns.intersection(asked)
      if !shared.isEmpty { return LastRun(path: path, run: run, columns: shared) }
      if other == nil { other = LastRun(path: path, run: run, columns: columns) }
    }
    return other
  }

  private var trials: some Sequence<Trial> {
    run.trials.lazy.filter { [columns] trial in
      columns.contains(Column(prompt: trial.prompt, backend: trial.backend))
    }
  }

  /// The ids of the cases of which an answer failed.
  package var failed: Set<String> {
    Set(trials.filter { $0.outcome == .failed }.map(\.caseID))
  }

  /// The number of cases without an outcome, of which none failed.
  package var lostCount: Int {
    Set(trials.filter(\.isLost).map(\.caseID)).subtracting(failed).count
  }

  /// When the run began, to the minute, such as `2026-11-24 18:30 UTC`.
  package var moment: String {
    guard let started = run.started?.iso8601 else { return "an unknown time" }
    return "\(started.prefix(10)) \(started.dropFirst(11).prefix(5)) UTC"
  }
}
