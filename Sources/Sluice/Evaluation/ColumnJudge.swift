import SluiceReporting

/// The judge of a suite's columns, which computes the result from the trials and decides the gates
/// and goals.
package struct ColumnJudge: Sendable {
  private let suite: ResolvedSuite
  private let source: AnswerSource

  package init(_ suite: ResolvedSuite, source: AnswerSource) {
    self.suite = suite
    self.source = source
  }

  /// Returns the result of a run.
  ///
  /// - Parameters:
  ///   - trials: The trials of all columns, in the order of the suite.
  ///   - baselines: The baselines by backend.
  ///   - evidence: The source of the requests and of the baselines' answers, or `nil` if it is not
  ///     available.
  ///   - recordings: The summary of the used and the missing recordings.
  ///   - log: The run log, if it has texts that the trials in memory leave out.
  /// - Returns: The result.
  package func result(
    _ trials: [Trial],
    baselines: [String: Baseline],
    evidence: Evidence? = nil,
    recordings: RecordingSummary = RecordingSummary(),
    log: FileContents? = nil
  ) -> SuiteResult {
    let plan = suite.plan
    let candidates = Set(plan.candidates)
    let all = plan.columns
    let quality = SuiteMetrics(plan.scorers).quality
    let groupings = plan.groupings.map { (grouping: $0, names: names($0)) }
    var columns = all.map { column in
      // If there is one column, avoid copying the trials, since there may be 100,000.
      let own =
        all.count == 1
        ? trials : trials.filter { $0.prompt == column.prompt && $0.backend == column.backend }
      let counted = suite.policy.counted(own)
      let evaluator = MetricEvaluator(counted)
      let baseline = baselines[column.backend]
      let pairing = baseline.map { paired($0, counted, column) }
      let outputs = plan.outputs[column.backend]?.source
      let decider = Decider(
        evaluator,
        against: pairing,
        // Answers from an output file are not live, even in a live run.
        source: outputs == nil ? source : .recorded,
        rule: suite.policy.rule,
        filtered: plan.filtered
      )
      let comparison = pairing.map { pairing in
        RunComparison(
          with: "the baseline (\(baseline?.prompt.name ?? ""))",
          pairing,
          metrics: SuiteMetrics(plan.scorers).rates,
          margin: .usual
        )
      }
      // Report a changed request even if the answers did not change.
      let hasChanged =
        comparison?.isIdentical == false
        || pairing.map { zip($0.baseline, $0.candidate).contains { $0.request != $1.request } }
          ?? false
      var result = ColumnResult(
        prompt: column.prompt,
        promptPath: plan.prompts.first { $0.name == column.prompt }?.path.description ?? "",
        backend: column.backend,
        isCandidate: candidates.contains(column),
        trials: own,
        metrics: ColumnResult.metrics(SuiteMetrics(plan.scorers).all, by: evaluator),
        gates: suite.policy.decisions(on: suite.conditions.gates, by: decider),
        goals: suite.conditions.goals.map { decider.decide($0.condition, on: $0.metric) },
        comparison: comparison,
        quarantine: suite.policy.quarantine,
        confusions: ConfusionMatrix.all(plan.scorers, by: evaluator),
        splits: SplitResult(counted, metrics: quality),
        groups: groupings.map {
          GroupTable($0.grouping, counted, metrics: quality, names: $0.names)
        },
        evidence: evidence,
        requestChange: hasChanged
          ? evidence.flatMap { RequestChange(sinceBaselineOf: own, $0) } : nil,
        outputs: outputs
      )
      result.isAskedThroughFiles =
        plan.backends.first { $0.name == column.backend }?.isAskedThroughFiles ?? false
      // The answers of a stand-in program do not show if models can still improve.
      if plan.filtered == nil, result.provenances.allSatisfy({ $0.standIn == nil }) {
        result.headroom = Headroom(evaluator)
      }
      return result
    }
    if let rule = plan.bestOf, columns.count > 1 {
      let counted = columns.map(\.countedTrials)
      for (place, estimate) in BestOf(rule).estimates(counted).enumerated() {
        columns[place].metrics.append(estimate)
      }
    }
    Holm.adjust(&columns, rule: suite.policy.rule)
    var result = SuiteResult(
      name: plan.name,
      path: plan.path.description,
      source: source,
      caseCount: plan.cases.count,
      repetitions: plan.repetitions,
      columns: columns,
      recordings: recordings,
      prices: plan.prices.files,
      places: CasePlaces(plan),
      filtered: plan.filtered,
      log: log
    )
    result.datedPrices = plan.datedPrices(of: columns)
    return result
  }

  /// Returns a closure that returns the groups of a trial.
  ///
  /// The cases are read only once, when the closure is created, and not for each column.
  private func names(_ grouping: Grouping) -> (Trial) -> [String] {
    switch grouping {
    case .tag: return { $0.tags }
    case .split: return { [$0.split ?? SplitResult.Part.unnamed] }
    case .expectedClass: return { trial in trial.expectedClass.map { [$0] } ?? [] }
    case .expected(let key):
      let names = suite.plan.groupNames(ofExpected: key)
      return { trial in names[ExactString(trial.caseID)].map { [$0] } ?? [] }
    }
  }

  private func paired(_ baseline: Baseline, _ trials: [Trial], _ column: Column) -> Pairing {
    var earlier = suite.policy.counted(baseline.trials)
    // A filter skips cases that still exist. Restrict the baseline to the filtered cases, so that
    // the skipped ones do not count as removed.
    if suite.plan.filtered != nil {
      let asked = Set(trials.map(\.caseID))
      earlier.removeAll { !asked.contains($0.caseID) }
    }
    var pairing = Pairing(
      baseline: Pairing.Side(
        trials: earlier.map(suite.plan.repriced),
        scorers: baseline.scorers
      ),
      candidate: Pairing.Side(trials: trials, scorers: suite.plan.scorerDigests)
    )
    pairing.markUnattributed(in: suite.plan, column, since: baseline.prompt)
    return pairing
  }
}

extension SuitePlan {
  /// Returns the ages of the dated prices that the costs of columns use.
  func datedPrices(of columns: [ColumnResult]) -> [PriceAge] {
    var models: [String: String] = [:]
    for backend in backends + judges { models[backend.name] = backend.model }
    return PriceAge.all(of: columns, prices, models: models)
  }
}
