import SluiceReporting

/// The comparison of runs, from their logs.
package struct RunLogComparison: Sendable {
  /// A log with its file name.
  package struct Log: Sendable {
    package var name: String
    package var run: LoggedRun

    package init(name: String, run: LoggedRun) {
      self.name = name
      self.run = run
    }
  }

  private let logs: [Log]
  /// The current suite, or `nil` if the project does not have it anymore.
  private let suite: ResolvedSuite?

  package init(_ logs: [Log], suite: ResolvedSuite?) {
    self.logs = logs
    self.suite = suite
  }

  /// Compares the columns of all logs with a reference column: the requested one, or else the first
  /// one.
  ///
  /// If there are two columns, the gates of the suite decide on the second one, the candidate.
  ///
  /// - Throws: ``SuiteComparison/Problem`` if there is only one column, or if no column has the
  ///   name of the reference.
  package func compare(_ request: SuiteComparison.Request) throws(SuiteComparison.Problem)
    -> ConfigurationComparison
  {
    let sides = try SuiteComparison.ordered(logs.flatMap(sides), by: request.reference)
    guard sides.count > 1 else {
      throw SuiteComparison.Problem(
        message: "a comparison needs two configurations; the logs contain: "
          + "\(sides.first?.name ?? "none")",
        fix: "name two logs"
      )
    }
    // Conditions that apply only to live answers are decided only if all logs are of live runs.
    let source: AnswerSource = logs.allSatisfy(\.run.isLive) ? .live : .recorded
    var comparison = SuiteComparison.compare(
      sides,
      suite: logs.first?.run.suite ?? "",
      source: source,
      repetitions: sides.flatMap(\.column.trials).map(\.repetition).max() ?? 1,
      metrics: metrics,
      margin: request.margin ?? suite.map { SuiteComparison.margin(of: $0.conditions) }
        ?? Margin.usual.size,
      pairs: request.pairs(of: sides.count)
    )
    if let suite, sides.count == 2 {
      comparison.gates = gates(sides[0], sides[1], suite, source)
      // If a log lacks answers, the verdict cannot be a pass, since the missing answers might have
      // failed.
      let isWhole = logs.allSatisfy { log in
        log.run.isComplete && (log.run.isLive || !log.run.trials.contains(where: \.isLost))
      }
      comparison.verdict = Verdict.overall(
        comparison.gates.map(\.effect) + (isWhole ? [] : [.noVerdict])
      )
    }
    comparison.filtered = filtered
    return comparison
  }

  /// The subset of cases in the first filtered log; `nil` if no log is filtered.
  private var filtered: FilteredCases? { logs.lazy.compactMap(\.run.filtered).first }

  private var metrics: SuiteMetrics { SuiteMetrics(suite?.plan.scorers ?? []) }

  private func sides(_ log: Log) -> [ConfigurationComparer.Side] {
    var columns: [Column] = []
    for trial in log.run.trials {
      let column = Column(prompt: trial.prompt, backend: trial.backend)
      if !columns.contains(column) { columns.append(column) }
    }
    return columns.map { column in
      let own = log.run.trials.filter {
        $0.prompt == column.prompt && $0.backend == column.backend
      }
      let counted = suite?.policy.counted(own) ?? own
      return ConfigurationComparer.Side(
        name: "\(column.prompt) on \(column.backend) in \(log.name)",
        column: ColumnResult(
          prompt: column.prompt,
          promptPath: "",
          backend: column.backend,
          isCandidate: true,
          trials: own,
          metrics: ColumnResult.metrics(metrics.all, of: counted),
          gates: [],
          goals: [],
          quarantine: suite?.policy.quarantine ?? [:],
          outputs: log.run.outputs[column.backend]
        ),
        counted: Pairing.Side(trials: counted, scorers: log.run.scorers)
      )
    }
  }

  /// Returns the digest of a side's prompt from its log.
  private func version(of side: ConfigurationComparer.Side) -> String? {
    logs.first { side.name.hasSuffix(" in \($0.name)") }?.run.prompts
      .first { $0.name == side.column.prompt }?.digest
  }

  private func gates(
    _ base: ConfigurationComparer.Side,
    _ candidate: ConfigurationComparer.Side,
    _ suite: ResolvedSuite,
    _ source: AnswerSource
  ) -> [Decision] {
    var pairing = Pairing(baseline: base.counted, candidate: candidate.counted)
    // A log does not say if the rows of an output file named their prompt.
    if candidate.column.outputs != nil, version(of: base) != version(of: candidate) {
      pairing.markUnattributed { _ in false }
    }
    let decider = Decider(
      candidate.counted.trials,
      against: pairing,
      source: source,
      rule: suite.policy.rule,
      filtered: filtered
    )
    var column = candidate.column
    column.gates = suite.policy.decisions(on: suite.conditions.gates, by: decider)
    var columns = [column]
    Holm.adjust(&columns, rule: suite.policy.rule)
    return columns[0].gates
  }
}
