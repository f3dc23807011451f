/// A rate of cases that may be clustered and may have repeats.
///
/// The rate is the mean over cases, regardless of clusters and repeats. Clusters and repeats affect
/// only the uncertainty of the rate. The bounds are those of Wilson (1927) and of Clopper and
/// Pearson (1934) for an effective number of cases, as in Korn and Graubard (1998, "Confidence
/// intervals for proportions with small expected number of positive counts estimated from survey
/// data").
package struct RateSample: Sendable {
  /// The number of cases that are counted.
  package let cases: Int
  /// The number of clusters; a case without a cluster counts as a cluster.
  package let clusters: Int
  /// The number of cases that have the counted property.
  ///
  /// A case with repeats adds the share of its repeats that have the property.
  package let holding: Double
  /// The total weight of the cases.
  ///
  /// A case weighs 1, or less if only some of its answers count.
  private let weight: Double
  /// The clusters and repeats; nil if each case is a single, independent trial.
  private let design: Design?

  /// The clusters and repeats of a sample.
  private struct Design: Sendable {
    var effect: DesignEffect
    /// The clusters, where the cases with the counted property are the removable events.
    var holding: ThinnedSpread
    /// The clusters, where the cases without the counted property are the removable events.
    var failing: ThinnedSpread
    /// The effective number of cases at the measured rate.
    var effective: Double
  }

  /// A case, or the part of it that counts.
  package struct Row: Hashable, Sendable {
    /// The index of one of the case's trials.
    package var trial: Int32
    /// The cluster number of the case.
    package var cluster: Int32
    /// The part of the case that has the counted property, from 0 to `weight`.
    package var holding: Double
    /// The weight of the case: 1, or less if only some of its answers count.
    package var weight: Double
    /// The number of the case's repeats that count.
    package var repeats: Int32

    package init(trial: Int32, cluster: Int32, holding: Double, weight: Double, repeats: Int32) {
      self.trial = trial
      self.cluster = cluster
      self.holding = holding
      self.weight = weight
      self.repeats = repeats
    }

    /// The share of the case that has the counted property.
    package var share: Double { holding / weight }
  }

  /// Creates a sample of independent cases with one trial each.
  package init(holding: Int, of cases: Int) {
    self.cases = cases
    clusters = cases
    self.holding = Double(holding)
    weight = Double(cases)
    design = nil
  }

  /// Creates a sample of cases with cluster numbers.
  package init(_ rows: [Row]) {
    cases = rows.count
    var places: [Int32: Int] = Dictionary(minimumCapacity: rows.count)
    var sums: [(size: Double, holding: Double)] = []
    sums.reserveCapacity(rows.count)
    var (holding, weight, inverse) = (0.0, 0.0, 0.0)
    var unit = 1.0
    for row in rows {
      holding += row.holding
      weight += row.weight
      inverse += row.weight * row.weight / Double(row.repeats)
      unit = min(unit, row.weight / Double(row.repeats))
      if let place = places[row.cluster] {
        sums[place].size += row.weight
        sums[place].holding += row.holding
      } else {
        places[row.cluster] = sums.count
        sums.append((row.weight, row.holding))
      }
    }
    clusters = sums.count
    self.holding = holding
    self.weight = weight
    guard unit < 1 || sums.count < rows.count else {
      design = nil
      return
    }
    let effect = DesignEffect(sizes: sums.map(\.size), judged: weight * weight / inverse)
    func thinned(_ part: (Double, Double) -> Double) -> ThinnedSpread {
      ThinnedSpread(
        sums.map {
          ThinnedSpread.Row(size: $0.size, rest: 0, removable: max(0, part($0.size, $0.holding)))
        },
        unit: unit
      )
    }
    var design = Design(
      effect: effect,
      holding: thinned { $1 },
      failing: thinned { $0 - $1 },
      effective: 0
    )
    design.effective = Self.effective(design.failing, design.failing.total, weight, effect)
    self.design = design
  }

  /// The rate; nil if there are no cases.
  package var value: Double? { weight > 0 ? min(1, holding / weight) : nil }

  /// The equivalent number of equally large clusters.
  package var effectiveClusters: Double { design?.effect.effectiveClusters ?? Double(cases) }

  /// The equivalent number of independent cases.
  package var effectiveCases: Double { design?.effective ?? Double(cases) }

  /// Returns the equivalent number of independent cases for one end of an interval.
  package func effectiveCases(tail: Double) -> Double {
    guard let design else { return Double(cases) }
    let stretch = design.effect.stretch(tail: tail)
    return design.effective / (stretch * stretch)
  }

  /// The standard error of the rate; nil if there are no cases.
  package var standardError: Double? {
    value.map { ($0 * (1 - $0) / max(effectiveCases, 1)).squareRoot() }
  }

  /// The rate as an estimate, with its 95% interval.
  package var estimate: Estimate {
    guard let value else { return Estimate(unknown: "there is nothing to count") }
    guard design != nil else { return Estimate(rate: Int(holding), of: cases) }
    return Estimate(
      value,
      interval: interval(0.95),
      n: cases,
      clusters: clusters,
      standardError: standardError
    )
  }

  /// Returns the two-sided interval of Wilson.
  package func interval(_ confidence: Double) -> Interval {
    let tail = (1 - confidence) / 2
    guard let design else {
      return Wilson.interval(successes: Int(holding), of: cases, confidence: confidence)
    }
    let z = -NormalDistribution.quantile(tail)
    let stretch = design.effect.stretch(tail: tail)
    func low(_ thinned: ThinnedSpread) -> Double {
      lowest(thinned, design.effect) { rate, effective in
        // If all cases are alike, each cluster counts as one case. No variance of clusters is
        // estimated, so nothing is stretched.
        Wilson.interval(rate: rate, of: effective, z: rate < 1 ? z * stretch : z).low
      }
    }
    return Interval(low: low(design.failing), high: 1 - low(design.holding))
  }

  /// Returns the one-sided bounds of Clopper and Pearson, each at the given confidence.
  package func bounds(confidence: Double) -> Interval {
    guard let design else {
      return Interval(
        low: ClopperPearson.lowerBound(
          successes: Int(holding),
          of: cases,
          confidence: confidence
        ),
        high: ClopperPearson.upperBound(successes: Int(holding), of: cases, confidence: confidence)
      )
    }
    let stretch = design.effect.stretch(tail: 1 - confidence)
    func low(_ thinned: ThinnedSpread) -> Double {
      lowest(thinned, design.effect) { rate, effective in
        // Repeats of a case are not new cases.
        let n = min(effective, weight) / (rate < 1 ? stretch * stretch : 1)
        return ClopperPearson.lowerBound(successes: rate * n, of: n, confidence: confidence)
      }
    }
    return Interval(low: low(design.failing), high: 1 - low(design.holding))
  }

  /// Returns the bounds of a sample with the same rate and `factor` times as many cases.
  package func bounds(confidence: Double, scaledBy factor: Double) -> Interval {
    let n = min(effectiveCases(tail: 1 - confidence), weight) * factor
    let holds = (value ?? 0) * n
    return Interval(
      low: ClopperPearson.lowerBound(successes: holds, of: n, confidence: confidence),
      high: 1 - ClopperPearson.lowerBound(successes: n - holds, of: n, confidence: confidence)
    )
  }

  /// Returns the lowest of the bounds for the observed number of failures and for all smaller
  /// numbers.
  private func lowest(
    _ thinned: ThinnedSpread,
    _ effect: DesignEffect,
    _ bound: (_ rate: Double, _ effective: Double) -> Double
  ) -> Double {
    var lowest = 1.0
    for amount in thinned.amounts {
      let effective = Self.effective(thinned, amount, weight, effect)
      lowest = min(lowest, bound(max(0, 1 - amount / weight), effective))
    }
    return max(0, lowest)
  }

  private static func effective(
    _ thinned: ThinnedSpread,
    _ amount: Double,
    _ weight: Double,
    _ effect: DesignEffect
  ) -> Double {
    let share = amount / weight
    return effect.effectiveTrials(
      thinned.spread(keeping: amount, mean: -share),
      variance: share * (1 - share)
    )
  }
}
