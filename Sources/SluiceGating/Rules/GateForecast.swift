package import SluiceCore

/// A forecast of the decisions that are possible on a condition, made before any request is sent.
package struct GateForecast: Sendable {
  package var condition: Condition
  package var metric: Metric
  package var basis: Basis

  package enum Basis: Sendable {
    /// A comparison with a value, without a confidence level. `halfWidth` is half the width of the
    /// estimate's 95% interval at that value.
    case estimate(cases: Int, halfWidth: Double)
    /// A claim on a rate.
    ///
    /// `most` is the maximum number of contradicting cases with which the claim passes, or `nil` if
    /// the claim cannot pass. `needed[k]` is the number of cases that the claim needs if `k` cases
    /// contradict it. `plan` has the number of cases for a good chance to pass.
    case claim(cases: Int, most: Int?, needed: [Int], plan: RateClaim.Plan?)
    /// A regression gate, with its power for several shares of cases that flip.
    case regression(
      cases: Int,
      leastCases: Int?,
      powers: [RegressionPower],
      trade: [RegressionTrade]
    )
    /// A condition on a percentile, with the number of measurements that the condition needs.
    case percentile(cases: Int, needed: Int)
    /// A condition whose decision depends on the variance of the measurements.
    case spread(cases: Int)
  }

  /// The chance that an unchanged prompt passes with a margin, for several numbers of cases and
  /// repeats.
  package struct RegressionTrade: Sendable {
    package var margin: Double
    package var options: [Option]

    /// A number of cases and of repeats per case, with the resulting chance to pass.
    package struct Option: Sendable {
      package var cases: Int
      package var repeats: Int
      /// The chance that an unchanged prompt passes, if the repeats of a case flip independently.
      package var passes: Double
    }
  }

  /// The power of a comparison if a given share of cases flip.
  package struct RegressionPower: Sendable {
    /// The share of cases that flip.
    package var discordance: Double
    /// The smallest drop that is detected with a power of 80%; `nil` if none can be detected.
    package var detectable: Double?
    /// The chance that an unchanged prompt passes.
    package var passes: Double
    /// The number of cases that raises ``passes`` to 80%; `nil` if the number is unrealistically
    /// large.
    package var casesToPass: Int?
    /// The chance that an unchanged prompt fails.
    package var falseAlarm: Double
  }
}

extension GateReach {
  private static let discordances = [0.05, 0.1, 0.2]

  /// Returns the forecast for a condition.
  ///
  /// - Parameters:
  ///   - bound: The condition.
  ///   - rule: The rule that decides regressions.
  /// - Returns: The forecast.
  package func forecast(_ bound: ResolvedConditions.Bound, rule: RegressionRule)
    -> GateForecast
  {
    GateForecast(
      condition: bound.condition,
      metric: bound.metric,
      basis: basis(bound.condition, bound.metric, rule)
    )
  }

  private func basis(
    _ condition: Condition,
    _ metric: Metric,
    _ rule: RegressionRule
  ) -> GateForecast.Basis {
    // All cases of a cluster may be alike, so count each cluster as one case.
    let n = sample(metric)?.clusters ?? caseCount(metric)
    if let needed = condition.leastSample(for: metric) {
      return .percentile(cases: n, needed: needed)
    }
    guard count(metric) != nil, n > 0 else { return .spread(cases: n) }
    switch condition.demand {
    case .comparison(_, let value, nil):
      let interval = Wilson.interval(
        rate: min(max(value, 0), 1),
        of: Double(n),
        z: NormalDistribution.criticalValue(confidence: 0.95)
      )
      return .estimate(cases: n, halfWidth: (interval.high - interval.low) / 2)
    case .comparison(let comparison, let value, let confidence?):
      let claim = ClaimRule(comparison: comparison, value: value, confidence: confidence)
      return .claim(
        cases: n,
        most: claim.mostAgainst(n: n),
        needed: (0...3).compactMap { claim.leastCases(against: $0) },
        plan: claim.plan
      )
    case .noRegression(_, isRelative: true): return .spread(cases: n)
    case .noRegression(let margin, isRelative: false):
      return .regression(
        cases: n,
        leastCases: RegressionRule.leastCases(margin: margin),
        powers: Self.discordances.map { power(n, $0, margin, rule) },
        trade: trade(n, margin)
      )
    }
  }

  /// The share of cases that flip between two runs of the same prompt, assumed for
  /// ``GateForecast/RegressionTrade``.
  package static let tradedDiscordance = 0.1

  private func trade(_ n: Int, _ margin: Double) -> [GateForecast.RegressionTrade] {
    // A suite that is larger than this does not need repeats.
    guard n > 0, 5 * n <= NonInferiority.mostCases, margin > 0 else { return [] }
    return [margin, 2 * margin].filter { $0 <= 1 }.map { margin in
      GateForecast.RegressionTrade(
        margin: margin,
        options: [(1, 1), (1, 3), (1, 5), (2, 1), (3, 1)].map { times, repeats in
          let cases = times * n
          return GateForecast.RegressionTrade.Option(
            cases: cases,
            repeats: repeats,
            passes: RegressionRule.canPass(margin: margin, n: cases)
              ? NonInferiority.chance(
                n: cases * repeats,
                discordance: Self.tradedDiscordance,
                margin: margin
              ) : 0
          )
        }
      )
    }
  }

  private func power(_ n: Int, _ discordance: Double, _ margin: Double, _ rule: RegressionRule)
    -> GateForecast.RegressionPower
  {
    let odds = rule.odds(n: n, discordance: discordance, difference: 0, margin: margin)
    return GateForecast.RegressionPower(
      discordance: discordance,
      detectable: Power.detectableDifference(
        n: n,
        discordance: discordance,
        goal: Power.Goal(sides: .one)
      ),
      passes: odds.pass,
      casesToPass: NonInferiority.casesNeeded(discordance: discordance, margin: margin),
      falseAlarm: odds.fail
    )
  }
}

extension RegressionRule {
  /// The probability of each verdict.
  package struct Odds: Hashable, Sendable {
    package var pass = 0.0
    package var fail = 0.0
    /// The probability of a failure in which the whole interval lies beyond the margin.
    package var strictFail = 0.0
    package var inconclusive = 0.0
  }

  /// Returns the exact probability of each verdict, if cases are independent.
  ///
  /// It enumerates all numbers of harmful and beneficial flips.
  ///
  /// - Parameters:
  ///   - n: The number of cases.
  ///   - discordance: The probability that a case flips at all.
  ///   - difference: The probability of a beneficial flip minus that of a harmful one.
  ///   - margin: The largest acceptable loss.
  /// - Returns: The probabilities, which add up to 1.
  package func odds(n: Int, discordance: Double, difference: Double, margin: Double) -> Odds {
    var odds = Odds()
    let flips = TrinomialEnumeration(n: n, discordance: discordance, difference: difference)
    flips.forEach { harmful, beneficial, probability in
      let change = PairedChange(
        baseline: 0,
        candidate: 0,
        flips: (harmful, beneficial),
        n: n,
        basis: .flips(harmful: harmful, beneficial: beneficial),
        margin: margin,
        prefersSmall: false
      )
      let (verdict, reason) = judge(change)
      switch verdict {
      case .pass: odds.pass += probability
      case .fail: odds.fail += probability
      default: odds.inconclusive += probability
      }
      if reason == .credibleRegression { odds.strictFail += probability }
    }
    return odds
  }
}
