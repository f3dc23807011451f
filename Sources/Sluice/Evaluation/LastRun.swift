import SluiceReporting

/// The newest finished run of all cases of a suite, read from its run log.
package struct LastRun: Sendable {
  /// The path of the run log.
  package var path: ProjectPath
  /// The run as read from the log.
  package var run: LoggedRun
  /// The columns to consider: the columns of the current suite, or all columns of the log if it has
  /// none of the current suite's.
  private var columns: Set<Column>

  /// The maximum number of logs in which to look for the suite's columns.
  private static let most = 20

  /// Finds the newest finished run of a suite.
  ///
  /// Filtered and interrupted runs are skipped. A run with the current columns is preferred to a
  /// newer run with other columns.
  ///
  /// - Parameters:
  ///   - plan: The current suite.
  ///   - files: The project's files.
  /// - Returns: The run, or `nil` if there is none.
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

  /// The ids of the cases with a failed answer.
  package var failed: Set<String> {
    Set(trials.filter { $0.outcome == .failed }.map(\.caseID))
  }

  /// The number of cases that have a lost answer but no failed answer.
  package var lostCount: Int {
    Set(trials.filter(\.isLost).map(\.caseID)).subtracting(failed).count
  }

  /// The start of the run, to the minute, such as `2026-11-24 18:30 UTC`.
  package var moment: String {
    guard let started = run.started?.iso8601 else { return "an unknown time" }
    return "\(started.prefix(10)) \(started.dropFirst(11).prefix(5)) UTC"
  }
}
