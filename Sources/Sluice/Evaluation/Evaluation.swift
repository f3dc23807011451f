/// Runs a suite and decides its conditions: the stages from requests to decisions, put together.
package struct Evaluation: Sendable {
  private let suite: ResolvedSuite
  private let surroundings: Surroundings
  private let keepsLog: Bool

  /// Creates an evaluation.
  ///
  /// - Parameters:
  ///   - suite: The suite.
  ///   - surroundings: Where recordings are read and the run log is written.
  ///   - keepsLog: Whether a run log is written.
  package init(_ suite: ResolvedSuite, surroundings: Surroundings, keepsLog: Bool = true) {
    self.suite = suite
    self.surroundings = surroundings
    self.keepsLog = keepsLog
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
  package func recordings(_ diagnostics: DiagnosticCollector) -> [String: RecordingFile] {
    var recordings: [String: RecordingFile] = [:]
    for backend in suite.plan.backends {
      recordings[backend.name] = RecordingFile(
        reading: RecordingFile.path(dataset: suite.plan.datasetPath, backend: backend.name),
        from: surroundings.files,
        diagnostics: diagnostics
      )
    }
    return recordings
  }

  /// Runs on recordings.
  package func replay(
    concurrency: Int,
    onEvent: @escaping @Sendable (RunEvent) -> Void = { _ in }
  ) -> Outcome {
    let diagnostics = DiagnosticCollector()
    let recordings = recordings(diagnostics)
    let log = RunLog(suite.plan, start: surroundings.now(), mode: .replay)
    let trials = Runner(suite.plan).replay(recordings, concurrency: concurrency, onEvent: onEvent)
    return finish(trials, log, .recorded, diagnostics.diagnostics)
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
    return Outcome(
      result: decide(trials.map(\.trial), source),
      diagnostics: diagnostics,
      fileError: fileError
    )
  }

  // MARK: Deciding

  private func decide(_ trials: [Trial], _ source: AnswerSource) -> SuiteResult {
    let plan = suite.plan
    let candidates = Set(plan.candidates)
    let columns = plan.columns.map { column in
      let own = trials.filter { $0.prompt == column.prompt && $0.backend == column.backend }
      let decider = Decider(own)
      return ColumnResult(
        prompt: column.prompt,
        promptPath: plan.prompts.first { $0.name == column.prompt }?.path.description ?? "",
        backend: column.backend,
        isCandidate: candidates.contains(column),
        trials: own,
        metrics: metrics(own),
        gates: suite.conditions.gates.map { decider.decide($0.condition, on: $0.metric) },
        goals: suite.conditions.goals.map { decider.decide($0.condition, on: $0.metric) }
      )
    }
    return SuiteResult(
      name: plan.name,
      path: plan.path.description,
      source: source,
      caseCount: plan.cases.count,
      repetitions: plan.repetitions,
      columns: columns
    )
  }

  /// The metrics that every report shows, in the order of interest.
  private func metrics(_ trials: [Trial]) -> [ColumnResult.NamedEstimate] {
    let evaluator = MetricEvaluator(trials)
    func named(_ name: String, _ metric: Metric) -> ColumnResult.NamedEstimate {
      .init(name: name, quantity: metric.quantity, estimate: evaluator.estimate(metric))
    }
    var metrics = [
      named("accuracy", Metric(.accuracy)), named("unusable-rate", Metric(.unusableRate)),
    ]
    for scorer in suite.plan.scorers {
      for metric in scorer.scorer.metrics {
        let kind = Metric.Kind.scorer(scorer.name, metric.formula)
        metrics.append(named("\(scorer.name).\(metric.name)", Metric(kind)))
        guard case .perClass = metric.formula else { continue }
        for label in scorer.scorer.classes {
          let name = "\(scorer.name).\(metric.name)[class=\(label)]"
          metrics.append(named(name, Metric(kind, classLabel: label)))
        }
      }
      metrics.append(
        named("\(scorer.name).pass-rate", Metric(.passRate(scorer: scorer.name)))
      )
    }
    let aggregates: [(Series, [MetricReference.Aggregate])] = [
      (.latency, [.percentile(50), .percentile(95)]), (.tokens, [.mean]), (.inputTokens, [.mean]),
      (.outputTokens, [.mean]), (.cost, [.mean, .sum]),
    ]
    for (series, kinds) in aggregates {
      for aggregate in kinds {
        let reference = MetricReference(aggregate: aggregate, name: series.rawValue)
        metrics.append(named(reference.description, Metric(.series(series, aggregate))))
      }
    }
    return metrics
  }
}
