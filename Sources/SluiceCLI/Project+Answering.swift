internal import Sluice

/// The backends of a live run, with the data to resume a run that ends early.
struct LiveAnswers {
  var backends: [String: any Backend]
  /// The meter, which counts the usage of the backends.
  var meter: Meter
  /// The tally, which counts the requests that are sent.
  var tally: SendingTally
  /// The id that the run logs of all suites share; `nil` if the run cannot be resumed.
  var run: String?
  /// The unfinished run to resume, or `nil` for a new run.
  var previous: UnfinishedRun?
  /// The command that resumes the run.
  var resume: String?

  /// Connects the backends of a project within a budget.
  ///
  /// - Throws: ``ExitCode/usage`` after reporting missing keys or settings.
  init(_ project: Project, _ meter: Meter, _ programs: RunningPrograms) throws {
    try project.requireAskable()
    backends = try project.connect(meter, programs, redactsAnswers: true)
    self.meter = meter
    tally = SendingTally(meter)
  }
}

extension Project {
  /// Checks that at least one backend can be called.
  ///
  /// - Throws: ``ExitCode/usage`` after listing the output files that answer instead of backends.
  fileprivate func requireAskable() throws {
    let plans = loaded.suites.map(\.plan)
    guard let first = plans.first?.outputPaths.first, plans.allSatisfy(\.hasOnlyOutputs) else {
      return
    }
    throw refusal(
      "the backend '\(first.backend)' answers from the file \(first.path), so it cannot run live",
      "run without --live, or choose a backend that sends requests: --backend NAME"
    )
  }

  /// Runs every suite of the project; see ``answer(_:live:concurrency:keepsLog:isScratch:progress:)``.
  func answerAll(
    live: LiveAnswers?,
    concurrency: Int,
    keepsLog: Bool = true,
    isScratch: Bool = false
  ) async throws -> [SuiteResult] {
    let progress = SuiteProgress(of: loaded.suites.count)
    var results: [SuiteResult] = []
    for suite in loaded.suites {
      let result = try await answer(
        suite,
        live: live,
        concurrency: concurrency,
        keepsLog: keepsLog,
        isScratch: isScratch,
        progress: progress
      )
      results.append(result)
    }
    progress.finish()
    return results
  }

  /// Runs a suite on recordings or live.
  ///
  /// It shows a progress line and reports errors in the recordings.
  ///
  /// - Parameters:
  ///   - suite: The suite.
  ///   - live: The backends that answer in a live run, or `nil` to use recordings.
  ///   - concurrency: The maximum number of threads that judge recorded answers.
  ///   - keepsLog: True to write a run log.
  ///   - isScratch: True to also use scratch answers, which are stored separately from committed
  ///     answers.
  ///   - progress: The progress display of all suites, or `nil` to show a separate line for this
  ///     suite.
  /// - Returns: The result.
  /// - Throws: ``ExitCode/interrupted`` after Ctrl-C, or an error if the run log cannot be written.
  func answer(
    _ suite: ResolvedSuite,
    live: LiveAnswers?,
    concurrency: Int,
    keepsLog: Bool = true,
    isScratch: Bool = false,
    progress: SuiteProgress? = nil
  ) async throws -> SuiteResult {
    let evaluation = Evaluation(
      suite,
      surroundings: surroundings,
      keepsLog: keepsLog,
      layers: RecordingSession.layers(isScratch: isScratch),
      committed: live == nil ? await committedRecordings(of: suite.plan) : []
    )
    let outcome: Evaluation.Outcome
    if let live {
      outcome = try await ask(evaluation, of: suite, live)
    } else {
      let line = (progress ?? SuiteProgress(of: 1)).next(suite.plan.name)
      outcome = try await evaluation.replayInterruptibly(concurrency: concurrency) { event in
        if case .advanced(let done, let total) = event { line.update(done, of: total) }
      }
      line.finish()
    }
    printDiagnostics(outcome.diagnostics)
    if let error = outcome.fileError { throw error }
    return outcome.result
  }

  /// Returns the recordings files of a suite that are in git but not in the working tree.
  private func committedRecordings(of plan: SuitePlan) async -> Set<ProjectPath> {
    let paths = plan.allBackends.map {
      RecordingFile.path(dataset: plan.datasetPath, backend: $0.name)
    }
    return await GitIndex.files(
      among: paths.filter { surroundings.files.kind(of: $0) == .missing },
      projectRoot: root
    )
  }

  /// Returns the result of a run.
  ///
  /// If only some cases were run, the result has no mixes (total costs over several suites).
  func result(_ suites: [SuiteResult], family: GateFamily) -> RunResult {
    var result = RunResult(
      suites: suites,
      mixes: overrides.filter.isEmpty ? MixResult.all(loaded.mixes, of: suites) : [],
      family: family
    )
    result.selection = choice
    return result
  }

  /// Returns a copy of the project that also lists the damaged or missing recordings files which
  /// git can restore.
  func knowingCommitted(of result: RunResult) async -> Project {
    var project = self
    let paths = Set(result.suites.flatMap(\.recordings.faults).map { ProjectPath($0.path) })
    project.overrides.committed = await GitIndex.files(among: Array(paths), projectRoot: root)
    return project
  }

  /// Returns the project and the commit to show in `report.html`, or `nil` if `report.html` is not
  /// written.
  func pageRevision(for formats: Set<ReportFormat>) async -> PageRevision? {
    guard formats.contains(.html) else { return nil }
    let name = root.split(separator: "/").last.map(String.init)
    guard
      let git = await GitRevision.read(
        projectRoot: root,
        environment: surroundings.environment
      )
    else { return PageRevision(project: name) }
    return PageRevision(
      project: name,
      branch: git.branch,
      commit: git.commit,
      isEdited: git.isEdited
    )
  }

  /// Returns the committed versions of baselines, which `report.html` shows as the history of each
  /// case.
  func baselineHistory() async -> BaselineHistory {
    await BaselineHistoryReader.read(
      loaded.suites,
      files: surroundings.files,
      projectRoot: root,
      environment: surroundings.environment
    )
  }

  /// Runs a suite live, with a progress line.
  private func ask(_ evaluation: Evaluation, of suite: ResolvedSuite, _ live: LiveAnswers)
    async throws -> Evaluation.Outcome
  {
    let name = suite.plan.name
    let line = LiveLine(name, of: suite.plan.trialCount, live.meter)
    let onEvent: @Sendable (RunEvent) -> Void = { [tally = live.tally] event in
      switch event {
      case .finished(let judged, _, _):
        tally.note(judged)
        line.update { $0.note(isLost: judged.trial.isLost, judged.statistics) }
      case .advanced: break
      case .kept(let count, let total):
        line.begin(with: count)
        Console.error(
          "\(TerminalText.visible(name)): \(TerminalLines.count(count, "answer")) kept, "
            + "\(total - count) to request\n"
        )
      }
    }
    let (backends, run) = (live.backends, live.run)
    let previous = live.previous?.logs[name]
    let (outcome, wasInterrupted) = await Interruption.guarding {
      await evaluation.live(backends, run: run, goingOnWith: previous, onEvent: onEvent)
    }
    line.finish()
    if wasInterrupted {
      Console.error(
        "sluice: interrupted; the answers received so far were saved in reports/runs/\n"
      )
      if let resume = live.resume {
        Console.error("Next: request the other answers:\n  \(TerminalText.visible(resume))\n")
      }
      throw Sluice.ExitCode.interrupted
    }
    return outcome
  }
}
