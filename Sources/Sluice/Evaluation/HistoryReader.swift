import SluiceReporting

/// Reads what is kept of runs, and the baselines of the past, into a history.
package struct HistoryReader {
  private let suites: [ResolvedSuite]
  private let files: any FileSystem
  private let limit: Int
  private let diagnostics = DiagnosticCollector()

  /// Creates a reader.
  ///
  /// - Parameters:
  ///   - suites: The suites whose history is meant.
  ///   - files: The project's files.
  ///   - limit: How many runs are read of a suite, the newest, and how many points each line has.
  package init(_ suites: [ResolvedSuite], files: any FileSystem, limit: Int) {
    self.suites = suites
    self.files = files
    self.limit = limit
  }

  /// What the names of a suite's baselines look like.
  package static func pattern(of suite: String) -> String { "\(suite).*.jsonl" }

  /// Reads the run logs and puts them together with baselines.
  ///
  /// - Parameter baselines: The versions of the suites' baselines, the newest first.
  /// - Returns: The history, and what could not be read and is left out, as warnings.
  package func read(_ baselines: [GitHistory.Version]) -> (
    history: History, diagnostics: [Diagnostic]
  ) {
    let logs = files.names(in: RunLog.folder).filter { $0.hasSuffix(".jsonl") }
    reportStrangers(among: logs)
    let lines = suites.flatMap { suite -> [History.Line] in
      var measured = Measured(suite)
      for log in newest(logs, of: suite.plan.name) { add(log, to: &measured) }
      // The oldest first, which matters where commits are of one second.
      for version in baselines.reversed() { add(version, to: &measured) }
      return measured.lines(limit: limit)
    }
    return (History(lines: lines), diagnostics.diagnostics)
  }

  // MARK: Run logs

  /// The newest logs of a suite by their names, which end in when they began, and one that tells
  /// whether there are older ones.
  private func newest(_ logs: [String], of suite: String) -> [String] {
    Array(logs.filter { RunLog.suite(ofLog: $0) == suite }.suffix(limit + 1))
  }

  /// Warns of files that no run left there; logs of suites that are not asked about are no strangers.
  private func reportStrangers(among logs: [String]) {
    let strangers = logs.filter { RunLog.suite(ofLog: $0) == nil }
    for name in strangers.prefix(3) {
      warn(RunLog.folder.resolvingChild(name), nil, "not named like a run log")
    }
    if strangers.count > 3 {
      warn(RunLog.folder, nil, "\(strangers.count - 3) more files are not named like run logs")
    }
  }

  private func add(_ name: String, to measured: inout Measured) {
    let path = RunLog.folder.resolvingChild(name)
    do throws(FileError) {
      let file = try files.open(path)
      // To be locked makes a file, which a run that was refused leaves empty.
      if file.count == 0 { return }
      do throws(LoggedRun.Problem) {
        let run = try LoggedRun(reading: file, kind: RunLog.kind)
        guard run.suite == measured.suite.plan.name else {
          throw LoggedRun.Problem(line: 1, message: "the log of a run of '\(run.suite)'")
        }
        guard let started = run.started else {
          throw LoggedRun.Problem(line: 1, message: "the log does not say when the run began")
        }
        // A part of a run says nothing of the whole, which another log has if it was gone on with.
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
      return warn(version.path, nil, "the repository cannot give it as of the commit \(commit)")
    }
    do throws(LoggedRun.Problem) {
      let run = try LoggedRun(reading: bytes, kind: Baseline.kind)
      // A suite may be named like the start of another one.
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
        message: "\(message); it is left out"
      )
    )
  }
}

/// What was measured of a suite.
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
        // The last prompt of a suite is the one that its gates decide about. One that is tried says
        // how it does itself, not how the suite goes.
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
    // At today's prices throughout: a new price is no change of the prompt.
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
        // What forbids a regression is about two sides, and a point is one.
        entry.shown.gates.filter { gate in
          if case .noRegression = gate.demand { return false }
          return decider.decide(gate, on: entry.metric).verdict == .fail
        }
      }
    )
  }

  /// The lines, the candidates on the suite's own backends first.
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
