package import SluiceCore

/// What a condition can decide with the cases that a suite has, before anything is asked.
package struct GateForecast: Sendable {
  package var condition: Condition
  package var metric: Metric
  package var basis: Basis

  package enum Basis: Sendable {
    /// An estimate is compared: half the width of its 95% interval at the threshold.
    case estimate(cases: Int, halfWidth: Double)
    /// A claim on a rate: how many cases against it still let it pass, nil for none; how many cases it
    /// takes, by how many speak against it; and how many for a good chance to earn it.
    case claim(cases: Int, most: Int?, needed: [Int], plan: RateClaim.Plan?)
    /// A comparison with the baseline, by how many of its cases flip.
    case regression(
      cases: Int,
      leastCases: Int?,
      powers: [RegressionPower],
      trade: [RegressionTrade]
    )
    /// A percentile: how many measurements it takes.
    case percentile(cases: Int, needed: Int)
    /// What it can decide rests on how much the numbers vary.
    case spread(cases: Int)
  }

  /// The chance that an unchanged prompt passes with a margin, by cases and repeats.
  package struct RegressionTrade: Sendable {
    package var margin: Double
    package var options: [Option]

    /// A number of cases, each asked a number of times.
    package struct Option: Sendable {
      package var cases: Int
      package var repeats: Int
      /// The chance to pass where all flips are noise that repeats show.
      package var passes: Double
    }
  }

  /// What a comparison can tell where so many cases flip.
  package struct RegressionPower: Sendable {
    /// The share of cases that flip.
    package var discordance: Double
    /// The smallest drop that is found four times of five; nil where none is.
    package var detectable: Double?
    /// The chance that an unchanged prompt passes.
    package var passes: Double
    /// How many cases make that chance four in five; nil for more than one would count.
    package var casesToPass: Int?
    /// The chance that an unchanged prompt fails.
    package var falseAlarm: Double
  }
}

extension GateReach {
  private static let discordances = [0.05, 0.1, 0.2]

  /// What a condition can decide.
  ///
  /// - Parameters:
  ///   - bound: The condition.
  ///   - rule: How regressions are decided.
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
    // The cases of a cluster may all be alike, so no more than the clusters is counted on.
    let n = sample(metric)?.clusters ?? caseCount(metric)
    if let needed = condition.leastSample(for: metric) {
      return .percentile(cases: n, needed: needed)
    }
    guard count(metric) != nil, n > 0 else { return .spread(cases: n) }
    switch condition.demand {
    case .comparison(_, let value, nil):
      let holding = Int((value * Double(n)).rounded())
      let interval = Wilson.interval(successes: min(max(holding, 0), n), of: n)
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

  /// The share of cases that flip between two runs of one prompt, for which cases, repeats and margins
  /// are set against each other.
  package static let tradedDiscordance = 0.1

  private func trade(_ n: Int, _ margin: Double) -> [GateForecast.RegressionTrade] {
    // A suite that is so large has no need of repeats.
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
  /// How likely each verdict is.
  package struct Odds: Hashable, Sendable {
    package var pass = 0.0
    package var fail = 0.0
    /// The part of the failures in which the whole interval lies beyond the margin.
    package var strictFail = 0.0
    package var inconclusive = 0.0
  }

  /// How likely each verdict is, exactly, by enumerating all flips of independent cases.
  ///
  /// - Parameters:
  ///   - n: How many cases there are.
  ///   - discordance: The probability that a case flips at all.
  ///   - difference: The probability of a flip for the better minus that of one for the worse.
  ///   - margin: How much worse the candidate may be.
  /// - Returns: The probabilities; they add up to 1.
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
