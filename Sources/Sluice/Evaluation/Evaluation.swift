import SluiceReporting

/// The evaluation of a suite: a run on recordings or live, and the decisions on its conditions.
package struct Evaluation: Sendable {
  private let suite: ResolvedSuite
  private let surroundings: Surroundings
  private let keepsLog: Bool
  private let layers: [RecordingStore.Kind]
  private let committed: Set<ProjectPath>

  /// Creates an evaluation.
  ///
  /// - Parameters:
  ///   - suite: The suite.
  ///   - surroundings: The project's files, the clock and the environment.
  ///   - keepsLog: True to write a run log.
  ///   - layers: The layers of recordings to use, in order of precedence.
  ///   - committed: The recordings files that are in git although the working tree lacks them.
  package init(
    _ suite: ResolvedSuite,
    surroundings: Surroundings,
    keepsLog: Bool = true,
    layers: [RecordingStore.Kind] = [.pending, .accepted],
    committed: Set<ProjectPath> = []
  ) {
    self.suite = suite
    self.surroundings = surroundings
    self.keepsLog = keepsLog
    self.layers = layers
    self.committed = committed
  }

  /// The outcome of a run.
  package struct Outcome: Sendable {
    package var result: SuiteResult
    /// The errors in the recordings files.
    package var diagnostics: [Diagnostic]
    /// The error from writing the run log, or `nil` if it was written without error.
    package var fileError: FileError?
  }

  /// The recordings for the suite's trials, by backend.
  package var recordings: [String: RecordingStore] {
    RecordingStore.all(
      of: suite.plan,
      in: surroundings.files,
      // In CI, pending answers are not used.
      kinds: layers.filter { $0 != .pending || !surroundings.isContinuousIntegration },
      committed: committed
    )
  }

  /// True if scorers run programs.
  ///
  /// ``replay(concurrency:onEvent:)`` does not support such scorers.
  package var asksPrograms: Bool { suite.plan.scorers.contains { $0.scorer is ProgramScorer } }

  /// Calls a closure with a host for scorer programs, and ends all programs afterwards.
  private func hosting<Result: Sendable>(
    _ work: (ProgramHost) async -> Result
  ) async -> Result {
    await RunningPrograms.during { programs in
      await work(ProgramHost(suite.plan, surroundings: surroundings, programs: programs))
    }
  }

  /// Runs the suite on recordings, and runs the scorers' programs.
  package func replayAsking(
    concurrency: Int,
    onEvent: @escaping @Sendable (RunEvent) -> Void = { _ in }
  ) async -> Outcome {
    replay(await askPrograms(), concurrency: concurrency, onEvent: onEvent)
  }

  /// The recordings for a replay, with the replies that scorer programs gave.
  package struct AskedRecordings: Sendable {
    fileprivate var recordings: [String: RecordingStore]
    fileprivate var replies = ProgramReplies()
  }

  /// Runs the scorers' programs, if there are any, on all recorded answers.
  package func askPrograms() async -> AskedRecordings { await askPrograms(recordings) }

  private func askPrograms(_ recordings: [String: RecordingStore]) async -> AskedRecordings {
    var asked = AskedRecordings(recordings: recordings)
    guard asksPrograms else { return asked }
    asked.replies = await hosting { host in
      await Runner(suite.plan, host: host).askPrograms(asked.recordings, notBefore: notBefore)
    }
    return asked
  }

  /// Judges all recorded answers, and runs scorer programs to do so.
  ///
  /// The texts of all answers are kept in memory, so use this method only for suites with few cases.
  func judged() async -> (stores: [String: RecordingStore], trials: [JudgedTrial]) {
    let asked = await askPrograms()
    let runner = Runner(suite.plan, programReplies: asked.replies)
    return (
      asked.recordings,
      runner.replay(asked.recordings, notBefore: notBefore, concurrency: 1)
    )
  }

  /// Judges the available recorded answers, and runs scorer programs to do so.
  ///
  /// - Parameter concurrency: The maximum number of threads to use.
  /// - Returns: The trials with an answer in the order of the suite, and the errors in the
  ///   recordings.
  func answeredTrials(concurrency: Int) async -> (trials: [Trial], faults: [Diagnostic]) {
    let recordings = recordings
    // Skip the trials without an answer, since explaining a missing answer is slow.
    let isAnswered = Runner(suite.plan).readAnswers(
      recordings,
      notBefore: notBefore,
      concurrency: concurrency
    ) { _ in () }.map { if case .answered = $0 { true } else { false } }
    guard isAnswered.contains(true) else { return ([], recordings.faults) }
    let asked = await askPrograms(recordings)
    var trials: [Trial] = []
    Runner(suite.plan, programReplies: asked.replies).replay(
      recordings,
      notBefore: notBefore,
      concurrency: concurrency
    ) { range, judged in
      range.filter { isAnswered[$0] }.map { judged($0).trial }
    } take: {
      trials += $0
    }
    return (trials, recordings.faults)
  }

  /// Runs the suite on recordings.
  ///
  /// Scorers that need a program give no score.
  package func replay(
    concurrency: Int,
    onEvent: @escaping @Sendable (RunEvent) -> Void = { _ in }
  ) -> Outcome {
    replay(AskedRecordings(recordings: recordings), concurrency: concurrency, onEvent: onEvent)
  }

  /// The time before which a recording is too old to use; `nil` if recordings do not expire.
  private var notBefore: Timestamp? {
    suite.plan.recordings.expiresBefore(surroundings.now())
  }

  /// Runs the suite on recordings for which ``askPrograms()`` already ran the scorers' programs.
  package func replay(
    _ asked: consuming AskedRecordings,
    concurrency: Int,
    onEvent: @escaping @Sendable (RunEvent) -> Void = { _ in }
  ) -> Outcome {
    let replies = asked.replies
    var recordings = (consume asked).recordings
    var log = RunLog(suite.plan, start: surroundings.now(), mode: .replay)
    let name = keepsLog ? log.takeName(in: surroundings.files) : nil
    defer { withExtendedLifetime(name) {} }
    let run = LoggingRun(
      suite.plan,
      keepsLog ? log : nil,
      surroundings.files,
      runner: Runner(suite.plan, programReplies: replies)
    ).replay(
      recordings,
      notBefore: notBefore,
      concurrency: concurrency,
      onEvent: onEvent
    )
    let ledgers = suite.plan.allBackends.map { backend in
      RecordingLedger(
        reading: RecordingLedger.path(dataset: suite.plan.datasetPath, backend: backend.name),
        from: surroundings.files
      )
    }
    let summary = summary(run.trials, recordings, ledgers)
    let faults = recordings.faults + ledgers.flatMap(\.faults)
    // Free memory for the comparison with a baseline. A report reads only few of the texts.
    recordings = recordings.mapValues(\.withoutCachedAnswers)
    return finish(run, .recorded, recordings, summary, faults)
  }

  /// Returns a summary of the used and the missing recordings.
  private func summary(
    _ trials: [Trial],
    _ stores: [String: RecordingStore],
    _ ledgers: [RecordingLedger]
  ) -> RecordingSummary {
    var summary = RecordingSummary(trials, plan: suite.plan, stores: stores)
    let limit = suite.plan.recordings.warnsBefore(surroundings.now())
    summary.add(datesOf: trials, warningBefore: limit)
    for ledger in ledgers { summary.add(ledger) }
    return summary
  }

  /// Runs the suite on live backends.
  ///
  /// It records nothing.
  ///
  /// - Parameters:
  ///   - backends: The backends by name.
  ///   - run: The id of the run, which is the same in the logs of all suites and is used to resume
  ///     the run. Nil if the run cannot be resumed.
  ///   - previous: The suite's log of the unfinished run, or `nil` for a new run.
  ///   - onEvent: A closure that is called at the end of each trial, from several tasks.
  /// - Returns: The outcome of the run.
  package func live(
    _ backends: [String: any Backend],
    run: String? = nil,
    goingOnWith previous: ProjectPath? = nil,
    onEvent: @escaping @Sendable (RunEvent) -> Void = { _ in }
  ) async -> Outcome {
    var log = RunLog(suite.plan, start: surroundings.now(), mode: .live, run: run)
    let name = keepsLog ? log.takeName(in: surroundings.files) : nil
    defer { withExtendedLifetime(name) {} }
    let run = await hosting { host in
      await LoggingRun(
        suite.plan,
        keepsLog ? log : nil,
        surroundings.files,
        runner: Runner(suite.plan, host: host)
      ).live(
        backends,
        goingOnWith: previous.flatMap { try? surroundings.files.open($0) },
        onEvent: onEvent
      )
    }
    return finish(run, .live, nil, RecordingSummary(), [])
  }

  private func finish(
    _ run: LoggingRun.Outcome,
    _ source: AnswerSource,
    _ recordings: [String: RecordingStore]?,
    _ summary: RecordingSummary,
    _ diagnostics: [Diagnostic]
  ) -> Outcome {
    let (baselines, faults) = baselines()
    // A live run uses recordings only to show the texts of the baseline's answers.
    let stores = recordings ?? (baselines.isEmpty ? [:] : self.recordings)
    let result = ColumnJudge(suite, source: source).result(
      run.trials,
      baselines: baselines,
      evidence: Evidence(suite.plan, stores: stores, baselines: baselines),
      recordings: summary,
      log: run.log
    )
    return Outcome(
      result: result,
      diagnostics: diagnostics + faults,
      fileError: run.fileError
    )
  }

  /// Returns the committed baselines of the suite by backend, and the errors in their files.
  private func baselines() -> (found: [String: Baseline], faults: [Diagnostic]) {
    var found: [String: Baseline] = [:]
    var faults: [Diagnostic] = []
    for backend in suite.plan.backends {
      let path = Baseline.path(suite: suite.plan.name, backend: backend.name)
      guard surroundings.files.kind(of: path) == .file else { continue }
      do throws(FileError) {
        let file = try surroundings.files.open(path)
        do throws(LoggedRun.Problem) {
          var baseline = try Baseline(reading: file)
          baseline.takeLabels(of: suite.plan)
          suite.plan.reprice(&baseline.trials)
          guard baseline.suite == suite.plan.name, baseline.backend == backend.name else {
            throw LoggedRun.Problem(
              line: 1,
              message: "wrong file: a baseline of '\(baseline.suite)' on '\(baseline.backend)'"
            )
          }
          found[backend.name] = baseline
        } catch {
          faults.append(
            Diagnostic(
              path: path.description,
              position: SourcePosition(line: error.line, column: 1),
              message: error.message,
              fix: "restore the file from version control, or accept a new baseline: sluice "
                + "baseline accept \(SuiteName.short(suite.plan.path))"
            )
          )
        }
      } catch {
        faults.append(Diagnostic(path: path.description, message: error.reason))
      }
    }
    return (found, faults)
  }
}
