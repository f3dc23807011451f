import SluiceCore

/// The cost and the tokens of a mix of calls, computed from the measured calls of each suite.
package struct MixResult: Hashable, Sendable {
  /// The mix.
  package var mix: Mix
  /// The backend that is assumed for suites with several backends; `nil` if each suite of the mix
  /// has only one.
  package var backend: String?
  /// The estimates of the cost, the tokens and the requests.
  package var figures: [ColumnResult.NamedEstimate]
  /// The goals with their verdicts.
  package var goals: [Decision]

  package init(
    mix: Mix,
    backend: String? = nil,
    figures: [ColumnResult.NamedEstimate],
    goals: [Decision]
  ) {
    self.mix = mix
    self.backend = backend
    self.figures = figures
    self.goals = goals
  }

  /// Computes the results of mixes.
  ///
  /// A mix is left out if any of its suites did not run.
  ///
  /// The cost of a call is that of the suite's candidate. If suites use several backends, there is
  /// one result for each backend.
  ///
  /// - Parameters:
  ///   - mixes: The mixes.
  ///   - suites: The suites that ran.
  /// - Returns: The results, in the order of the mixes.
  package static func all(_ mixes: [Mix], of suites: [SuiteResult]) -> [MixResult] {
    mixes.flatMap { mix -> [MixResult] in
      let parts = mix.calls.compactMap { call in
        suites.first { $0.name == call.suite }.map {
          Part(call: call, candidates: $0.columns.filter(\.isCandidate))
        }
      }
      if parts.count < mix.calls.count { return [] }
      var backends: [String] = []
      for column in parts.map(\.candidates).filter({ $0.count > 1 }).joined()
      where !backends.contains(column.backend) { backends.append(column.backend) }
      let through: [String?] = backends.isEmpty ? [nil] : backends
      return through.map { MixResult(mix, parts, on: $0) }
    }
  }

  /// The calls of a suite, with the columns that measure the cost of a call.
  private struct Part {
    var call: Mix.Call
    var candidates: [ColumnResult]

    /// Returns the column of the candidate on a backend.
    ///
    /// If there is only one such column, returns it for every backend.
    func column(_ backend: String?) -> ColumnResult? {
      candidates.count == 1 ? candidates.first : candidates.first { $0.backend == backend }
    }
  }

  private init(_ mix: Mix, _ parts: [Part], on backend: String?) {
    self.mix = mix
    self.backend = backend
    let columns = parts.map { $0.column(backend) }
    let evaluators = columns.map { $0.map { MetricEvaluator($0.countedTrials) } }
    let lost = columns.reduce(0) { $0 + ($1?.counted.lost ?? 0) }
    var estimates: [Mix.Figure: Estimate] = [:]
    figures = []
    for figure in Mix.Figure.allCases {
      guard let series = figure.series else {
        estimates[figure] = Estimate(Double(mix.requestCount), n: mix.requestCount)
        continue
      }
      let estimate = Self.estimate(series, parts, evaluators, backend)
      estimates[figure] = estimate
      figures.append(
        .init(name: figure.rawValue, quantity: figure.quantity, estimate: estimate)
      )
    }
    goals = mix.goals.compactMap { goal in
      guard let figure = Mix.Figure(rawValue: goal.reference.name),
        let estimate = estimates[figure]
      else { return nil }
      return Self.decide(goal, figure, estimate, lost: figure.series == nil ? 0 : lost)
    }
  }

  // MARK: Estimates

  private static func estimate(
    _ series: Series,
    _ parts: [Part],
    _ evaluators: [MetricEvaluator?],
    _ backend: String?
  ) -> Estimate {
    var terms: [SumOfMeans.Term] = []
    var n = 0
    var gaps: [(reason: String, suites: [String])] = []
    func lacks(_ suite: String, _ reason: String) {
      let place = gaps.firstIndex { $0.reason == reason }
      if let place { gaps[place].suites.append(suite) } else { gaps.append((reason, [suite])) }
    }
    for (part, evaluator) in zip(parts, evaluators) {
      guard let evaluator else {
        lacks(part.call.suite, "not run on \(backend ?? "it")")
        continue
      }
      let sums = evaluator.sums(Metric(.series(series, .mean)))
      let estimate = sums.estimate
      guard let mean = estimate.value else {
        lacks(part.call.suite, estimate.unknown ?? "nothing was measured")
        continue
      }
      terms.append(
        SumOfMeans.Term(
          factor: Double(part.call.count),
          mean: mean,
          // Repeats of a case are correlated, so the standard error uses one contribution per case
          // or cluster.
          standardError: MeanEstimate(sums.contributions.map(\.value))?.standardError,
          n: sums.count
        )
      )
      n += estimate.n
    }
    if !gaps.isEmpty {
      let reasons = gaps.map { "\($0.reason) (\($0.suites.joined(separator: ", ")))" }
      return Estimate(unknown: reasons.joined(separator: "; "), n: n)
    }
    let sum = SumOfMeans(terms)
    return Estimate(sum.value, interval: sum.interval(), n: n)
  }

  private static func decide(
    _ goal: Condition,
    _ figure: Mix.Figure,
    _ estimate: Estimate,
    lost: Int
  ) -> Decision {
    var decision = Decision(
      condition: goal,
      // Reports use the metric only to look up the unit.
      metric: Metric(.series(figure.series ?? .tokens, .sum)),
      estimate: estimate,
      verdict: .noVerdict,
      reason: .unknown,
      explanation: "unknown: \(estimate.unknown ?? "not measured")"
    )
    guard let value = estimate.value, case .comparison(let comparison, let bound, _) = goal.demand
    else { return decision }
    let holds = comparison.holds(value, bound)
    (decision.verdict, decision.reason, decision.explanation) =
      lost > 0
      ? (.noVerdict, .lostTrials, Decider.couldChange(lost: lost))
      : holds ? (.pass, .met, "met") : (.fail, .notMet, "not met")
    return decision
  }
}
