import SluiceReporting

/// The reader of a suite's history, from run logs and committed baselines.
package struct HistoryReader {
  private let suites: [ResolvedSuite]
  private let files: any FileSystem
  private let limit: Int
  private let diagnostics = DiagnosticCollector()

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - suites: The suites to read.
  ///   - files: The project's files.
  ///   - limit: The maximum number of runs to read for each suite, newest first. It is also the
  ///     maximum number of points in a line of the history.
  package init(_ suites: [ResolvedSuite], files: any FileSystem, limit: Int) {
    self.suites = suites
    self.files = files
    self.limit = limit
  }

  /// Returns the file name pattern for the baselines of a suite.
  package static func pattern(of suite: String) -> String { "\(suite).*.jsonl" }

  /// Reads the run logs and combines them with baselines.
  ///
  /// - Parameter baselines: The versions of the suites' baselines, newest first.
  /// - Returns: The history, and warnings about files that were left out.
  package func read(_ baselines: [GitHistory.Version]) -> (
    history: History, diagnostics: [Diagnostic]
  ) {
    let logs = files.names(in: RunLog.folder).filter { $0.hasSuffix(".jsonl") }
    reportStrangers(among: logs)
    let lines = suites.flatMap { suite -> [History.Line] in
      var measured = Measured(suite)
      for log in newest(logs, of: suite.plan.name) { add(log, to: &measured) }
      // Add the oldest version first, so that commits of the same second stay in order.
      for version in baselines.reversed() { add(version, to: &measured) }
      return measured.lines(limit: limit)
    }
    return (History(lines: lines), diagnostics.diagnostics)
  }

  // MARK: Run logs

  /// Returns the newest logs of a suite, in the order of the start times in their names.
  ///
  /// If the suite has more logs than the limit, the result has one log more than the limit. So the
  /// caller can see that there are more.
  private func newest(_ logs: [String], of suite: String) -> [String] {
    Array(logs.filter { RunLog.suite(ofLog: $0) == suite }.suffix(limit + 1))
  }

  /// Warns about files that are not run logs.
  ///
  /// Run logs of other suites are ignored without a warning.
  private func reportStrangers(among logs: [String]) {
    let strangers = logs.filter { RunLog.suite(ofLog: $0) == nil }
    for name in strangers.prefix(3) {
      warn(RunLog.folder.resolvingChild(name), nil, "the file name is not the name of a run log")
    }
    if strangers.count > 3 {
      warn(
        RunLog.folder,
        nil,
        "\(strangers.count - 3) more files do not have the name of a run log"
      )
    }
  }

  private func add(_ name: String, to measured: inout Measured) {
    let path = RunLog.folder.resolvingChild(name)
    do throws(FileError) {
      let file = try files.open(path)
      // Skip empty logs. Locking creates the file, which stays empty if the run is refused.
      if file.count == 0 { return }
      do throws(LoggedRun.Problem) {
        let run = try LoggedRun(reading: file, kind: RunLog.kind)
        guard run.suite == measured.suite.plan.name else {
          throw LoggedRun.Problem(line: 1, message: "the log is of another suite, '\(run.suite)'")
        }
        guard let started = run.started else {
          throw LoggedRun.Problem(
            line: 1,
            message: "the log does not contain the start time of the run"
          )
        }
        // Skip unfinished and filtered runs. If a run was resumed, a later log is complete.
        if run.isComplete, run.filtered == nil {
          measured.add(run, from: .run(log: path, isLive: run.isLive), at: started)
        }
      } catch {
        warn(path, error.line, error.message)
      }
    } catch {
      warn(path, nil, "cannot be read: \(error.reason)")
    }
  }

  // MARK: Baselines

  private func add(_ version: GitHistory.Version, to measured: inout Measured) {
    let plan = measured.suite.plan
    guard version.path.name.hasPrefix("\(plan.name).") else { return }
    let commit = version.commit.prefix(8)
    guard let bytes = version.bytes else {
      return warn(version.path, nil, "git cannot read the file at the commit \(commit)")
    }
    do throws(LoggedRun.Problem) {
      let run = try LoggedRun(reading: bytes, kind: Baseline.kind)
      // The file may belong to a suite whose name begins with this suite's name.
      if run.suite == plan.name {
        measured.add(run, from: .baseline(commit: version.commit), at: version.date)
      }
    } catch {
      warn(version.path, error.line, "in the commit \(commit): \(error.message)")
    }
  }

  private func warn(_ path: ProjectPath, _ line: Int?, _ message: String) {
    diagnostics.report(
      Diagnostic(
        .warning,
        path: path.description,
        position: line.map { SourcePosition(line: $0, column: 1) },
        message: "\(message); the file is not used"
      )
    )
  }
}

/// The measurements of a suite.
private struct Measured {
  private struct Series: Hashable {
    var backend: String
    var prompt: String?
  }

  let suite: ResolvedSuite
  private let metrics: [(shown: History.Metric, metric: Metric)]
  private var columns: [Series] = []
  private var measurements: [Series: [History.Measurement]] = [:]

  init(_ suite: ResolvedSuite) {
    self.suite = suite
    var metrics = [(History.Metric(name: "accuracy", quantity: .rate), Metric(.accuracy))]
    for gate in suite.conditions.gates {
      let name = gate.condition.reference.description
      if let known = metrics.firstIndex(where: { $0.0.name == name }) {
        metrics[known].0.gates.append(gate.condition)
      } else {
        let shown = History.Metric(
          name: name,
          quantity: gate.metric.quantity,
          gates: [gate.condition]
        )
        metrics.append((shown, gate.metric))
      }
    }
    self.metrics = metrics.map { (shown: $0.0, metric: $0.1) }
  }

  /// Adds each column of a run.
  mutating func add(_ run: LoggedRun, from source: History.Source, at date: Timestamp) {
    var trials: [String: [String: [Trial]]] = [:]
    for trial in run.trials {
      trials[trial.backend, default: [:]][trial.prompt, default: []] += [trial]
    }
    let candidate = run.prompts.last { !run.tried.contains($0.name) }
    for backend in run.backends {
      for prompt in run.prompts {
        guard let own = trials[backend]?[prompt.name] else { continue }
        // The suite's candidate is its last prompt. Other prompts have separate lines.
        let isCandidate = prompt == candidate
        let column = Series(backend: backend, prompt: isCandidate ? nil : prompt.name)
        if measurements[column] == nil { columns.append(column) }
        measurements[column, default: []].append(
          measurement(of: own, run, prompt, source, date)
        )
      }
    }
  }

  private func measurement(
    of trials: [Trial],
    _ run: LoggedRun,
    _ prompt: LoggedRun.PromptVersion,
    _ source: History.Source,
    _ date: Timestamp
  ) -> History.Measurement {
    // Use the current prices for all points, since a new price is not a change of the prompt.
    let evaluator = MetricEvaluator(suite.policy.counted(trials).map(suite.plan.repriced))
    let decider = Decider(evaluator, source: source.isLive ? .live : .recorded)
    return History.Measurement(
      source: source,
      date: date,
      prompt: prompt,
      models: Set(trials.compactMap { $0.output?.provenance.model }).sorted(),
      estimates: metrics.map { evaluator.estimate($0.metric) },
      cases: Dictionary(trials.map { ($0.caseID, $0.caseDigest) }) { first, _ in first },
      scorers: run.scorers,
      repetitions: trials.map(\.repetition).max() ?? 1,
      lost: trials.count(where: \.isLost),
      isTried: run.tried.contains(prompt.name),
      missed: metrics.map { entry in
        // Leave out regression gates, since they compare two runs, and a point is only one run.
        entry.shown.gates.filter { gate in
          if case .noRegression = gate.demand { return false }
          return decider.decide(gate, on: entry.metric).verdict == .fail
        }
      }
    )
  }

  /// Returns the lines of the history.
  ///
  /// The lines of candidates on the suite's own backends come first.
  func lines(limit: Int) -> [History.Line] {
    let own = suite.plan.backends.map(\.name)
    func order(_ column: Series) -> (Int, Int, String, String) {
      (
        column.prompt == nil ? 0 : 1, own.firstIndex(of: column.backend) ?? own.count,
        column.backend, column.prompt ?? ""
      )
    }
    return columns.sorted { order($0) < order($1) }.map { column in
      History.Line(
        suite: suite.plan.name,
        backend: column.backend,
        prompt: column.prompt,
        metrics: metrics.map(\.shown),
        measurements: measurements[column] ?? [],
        limit: limit
      )
    }
  }
}
