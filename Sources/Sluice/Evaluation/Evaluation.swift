/// Runs a suite and decides its conditions: the stages from requests to decisions, put together.
package struct Evaluation: Sendable {
  private let suite: ResolvedSuite
  private let surroundings: Surroundings
  private let keepsLog: Bool
  private let layers: [RecordingStore.Kind]

  /// Creates an evaluation.
  ///
  /// - Parameters:
  ///   - suite: The suite.
  ///   - surroundings: Where recordings are read and the run log is written.
  ///   - keepsLog: Whether a run log is written.
  ///   - layers: The recordings that may answer, those that count first.
  package init(
    _ suite: ResolvedSuite,
    surroundings: Surroundings,
    keepsLog: Bool = true,
    layers: [RecordingStore.Kind] = [.pending, .accepted]
  ) {
    self.suite = suite
    self.surroundings = surroundings
    self.keepsLog = keepsLog
    self.layers = layers
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
  package func recordings(_ diagnostics: DiagnosticCollector) -> [String: RecordingStore] {
    RecordingStore.all(
      of: suite.plan,
      in: surroundings.files,
      kinds: layers,
      diagnostics: diagnostics
    )
  }

  /// Runs on recordings.
  package func replay(
    concurrency: Int,
    onEvent: @escaping @Sendable (RunEvent) -> Void = { _ in }
  ) -> Outcome {
    let diagnostics = DiagnosticCollector()
    let recordings = recordings(diagnostics)
    let log = RunLog(suite.plan, start: surroundings.now(), mode: .replay)
    let trials = Runner(suite.plan).replay(
      recordings,
      notBefore: suite.plan.recordings.expiresBefore(surroundings.now()),
      concurrency: concurrency,
      onEvent: onEvent
    )
    var summary = RecordingSummary(trials.map(\.trial), plan: suite.plan, stores: recordings)
    summary.add(
      datesOf: trials.map(\.trial),
      warningBefore: suite.plan.recordings.warnsBefore(surroundings.now())
    )
    for backend in suite.plan.backends {
      let path = RecordingLedger.path(dataset: suite.plan.datasetPath, backend: backend.name)
      summary.add(
        RecordingLedger(reading: path, from: surroundings.files, diagnostics: diagnostics)
      )
    }
    var outcome = finish(trials, log, .recorded, diagnostics.diagnostics)
    outcome.result.recordings = summary
    return outcome
  }

  /// Runs against live backends and records nothing.
  package func live(
    _ backends: [String: any Backend],
    onEvent: @escaping @Sendable (RunEvent) -> Void = { _ in }
  ) async -> Outcome {
    let log = RunLog(suite.plan, start: surroundings.now(), mode: .live)
    let files = surroundings.files
    let journal = Locked<FileError?>(nil)
    @Sendable func keep(_ bytes: [UInt8]) {
      journal.withLock { failure in
        guard keepsLog, failure == nil else { return }
        do throws(FileError) {
          try files.append(bytes, to: log.path)
        } catch {
          failure = error
        }
      }
    }
    keep(log.header)
    let trials = await Runner(suite.plan).live(backends) { event in
      if case .finished(let trial, _, _) = event { keep(RunLog.line(trial)) }
      onEvent(event)
    }
    var outcome = finish(trials, log, .live, [])
    outcome.fileError = outcome.fileError ?? journal.withLock { $0 }
    return outcome
  }

  private func finish(
    _ trials: [JudgedTrial],
    _ log: RunLog,
    _ source: AnswerSource,
    _ diagnostics: [Diagnostic]
  ) -> Outcome {
    var fileError: FileError?
    if keepsLog {
      do throws(FileError) {
        try surroundings.files.write(log.bytes(trials), to: log.path)
      } catch {
        fileError = error
      }
    }
    let (baselines, faults) = baselines()
    let decided = trials.map(\.trial)
    return Outcome(
      result: ColumnJudge(suite, source: source).result(decided, baselines: baselines),
      diagnostics: diagnostics + faults,
      fileError: fileError
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
        let bytes = try surroundings.files.read(path)
        do throws(LoggedRun.Problem) {
          let baseline = try Baseline(reading: bytes)
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
