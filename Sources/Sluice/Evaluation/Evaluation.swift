import SluiceReporting

/// Runs a suite and decides its conditions: the stages from requests to decisions, put together.
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
  ///   - surroundings: Where recordings are read and the run log is written.
  ///   - keepsLog: Whether a run log is written.
  ///   - layers: The recordings that may answer, those that count first.
  ///   - committed: Files of recordings that git has, whether they are there or not.
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

  /// What a run left behind.
  package struct Outcome: Sendable {
    package var result: SuiteResult
    /// What is wrong with the recordings files.
    package var diagnostics: [Diagnostic]
    /// Why the run log could not be written, if so.
    package var fileError: FileError?
  }

  /// The recordings that the suite's trials may be answered from, by backend.
  package var recordings: [String: RecordingStore] {
    RecordingStore.all(
      of: suite.plan,
      in: surroundings.files,
      // Continuous integration judges no set that waits to be accepted.
      kinds: layers.filter { $0 != .pending || !surroundings.isContinuousIntegration },
      committed: committed
    )
  }

  /// Whether scorers ask programs, which ``replay(concurrency:onEvent:)`` has no time to wait for.
  package var asksPrograms: Bool { suite.plan.scorers.contains { $0.scorer is ProgramScorer } }

  /// Runs work with a host of the programs that scorers ask, all of which end with it.
  private func hosting<Result: Sendable>(
    _ work: (ProgramHost) async -> Result
  ) async -> Result {
    await RunningPrograms.during { programs in
      await work(ProgramHost(suite.plan, surroundings: surroundings, programs: programs))
    }
  }

  /// Runs on recordings, and has the programs of scorers run.
  package func replayAsking(
    concurrency: Int,
    onEvent: @escaping @Sendable (RunEvent) -> Void = { _ in }
  ) async -> Outcome {
    replay(await askPrograms(), concurrency: concurrency, onEvent: onEvent)
  }

  /// The recordings that a replay answers from, with what programs of scorers said of them.
  package struct AskedRecordings: Sendable {
    fileprivate var recordings: [String: RecordingStore]
    fileprivate var replies = ProgramReplies()
  }

  /// Has the programs of scorers run on all recorded answers, where there are any.
  package func askPrograms() async -> AskedRecordings { await askPrograms(recordings) }

  private func askPrograms(_ recordings: [String: RecordingStore]) async -> AskedRecordings {
    var asked = AskedRecordings(recordings: recordings)
    guard asksPrograms else { return asked }
    asked.replies = await hosting { host in
      await Runner(suite.plan, host: host).askPrograms(asked.recordings, notBefore: notBefore)
    }
    return asked
  }

  /// Judges all recorded answers and keeps their texts, for few cases; programs of scorers run.
  func judged() async -> (stores: [String: RecordingStore], trials: [JudgedTrial]) {
    let asked = await askPrograms()
    let runner = Runner(suite.plan, programReplies: asked.replies)
    return (
      asked.recordings,
      runner.replay(asked.recordings, notBefore: notBefore, concurrency: 1)
    )
  }

  /// Judges the recorded answers that there are; programs of scorers run.
  ///
  /// - Parameter concurrency: The number of threads that may work at once.
  /// - Returns: The trials with an answer in the order of the suite, and the faults of the recordings.
  func answeredTrials(concurrency: Int) async -> (trials: [Trial], faults: [Diagnostic]) {
    let recordings = recordings
    // An answer that is missing would be explained, which takes longer than all others together.
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

  /// Runs on recordings; scorers that ask programs then score nothing.
  package func replay(
    concurrency: Int,
    onEvent: @escaping @Sendable (RunEvent) -> Void = { _ in }
  ) -> Outcome {
    replay(AskedRecordings(recordings: recordings), concurrency: concurrency, onEvent: onEvent)
  }

  /// Before when a recording is too old to answer; nil when none is.
  private var notBefore: Timestamp? {
    suite.plan.recordings.expiresBefore(surroundings.now())
  }

  /// Runs on recordings about which programs were asked before.
  package func replay(
    _ asked: AskedRecordings,
    concurrency: Int,
    onEvent: @escaping @Sendable (RunEvent) -> Void = { _ in }
  ) -> Outcome {
    let recordings = asked.recordings
    var log = RunLog(suite.plan, start: surroundings.now(), mode: .replay)
    let name = keepsLog ? log.takeName(in: surroundings.files) : nil
    defer { withExtendedLifetime(name) {} }
    let run = LoggingRun(
      suite.plan,
      keepsLog ? log : nil,
      surroundings.files,
      runner: Runner(suite.plan, programReplies: asked.replies)
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
    return finish(
      run,
      .recorded,
      recordings,
      summary(run.trials, recordings, ledgers),
      recordings.faults + ledgers.flatMap(\.faults)
    )
  }

  /// What there is to say about the recordings that answered, or did not.
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

  /// Runs against live backends and records nothing.
  ///
  /// - Parameters:
  ///   - backends: The backends by name.
  ///   - run: What the logs of the call have in common, by which it is gone on with; nil where it
  ///     never will be.
  ///   - previous: The log of the suite in the call that is gone on with.
  ///   - onEvent: Told of each trial as it ends; called from several tasks.
  /// - Returns: What the run left behind.
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
    // Live, only the texts of the baseline's answers are looked for there.
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

  /// The committed baselines of the suite, by backend, and what is wrong with their files.
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
          suite.plan.reprice(&baseline.trials)
          guard baseline.suite == suite.plan.name, baseline.backend == backend.name else {
            throw LoggedRun.Problem(
              line: 1,
              message: "a baseline of '\(baseline.suite)' on '\(baseline.backend)'"
            )
          }
          found[backend.name] = baseline
        } catch {
          faults.append(
            Diagnostic(
              path: path.description,
              position: SourcePosition(line: error.line, column: 1),
              message: error.message,
              fix: "restore the file from version control, or accept a baseline anew: "
                + "sluice baseline accept \(SuiteName.short(suite.plan.path))"
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
