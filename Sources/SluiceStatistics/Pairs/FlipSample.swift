/// The flips of cases between two runs, for cases that are clustered or have repeats.
///
/// The difference of the runs is the mean change of a case. For a case with repeats, this is the
/// difference between the shares of repeats that pass. Clusters and repeats affect only the
/// uncertainty: the interval is that of Tango (1998) for an effective number of pairs. Durkalski,
/// Palesch, Lipsitz and Rust (2003, "Analysis of clustered matched-pair data") and Yang, Sun and
/// Hardin (2012, "Testing non-inferiority for clustered matched-pair binary data") correct the
/// variance of a paired difference in the same way.
package struct FlipSample: Hashable, Sendable {
  /// The flips in a cluster.
  package struct Cluster: Hashable, Sendable {
    /// The number of cases.
    package var cases = 0.0
    /// The number of cases that newly fail.
    ///
    /// A case with repeats counts as a probability: the chance that a random repeat of each side
    /// shows this flip.
    package var harmful = 0.0
    /// The number of cases that newly pass.
    package var beneficial = 0.0

    package init(cases: Double = 0.0, harmful: Double = 0.0, beneficial: Double = 0.0) {
      self.cases = cases
      self.harmful = harmful
      self.beneficial = beneficial
    }
  }

  private let clusters: [Cluster]
  private let repeats: Int
  private let effect: DesignEffect
  private let unit: Double
  private let cases: Double
  private let harmful: Double
  private let beneficial: Double

  /// Creates a sample.
  ///
  /// - Parameters:
  ///   - clusters: The clusters, at least one.
  ///   - judged: The number of judged pairs of trials, at least the number of cases.
  ///   - repeats: The largest number of repeats of a case.
  package init(_ clusters: [Cluster], judged: Double, repeats: Int) {
    self.clusters = clusters
    self.repeats = repeats
    effect = DesignEffect(sizes: clusters.map(\.cases), judged: judged)
    unit = 1 / Double(repeats * repeats)
    cases = effect.cases
    harmful = clusters.reduce(0) { $0 + $1.harmful }
    beneficial = clusters.reduce(0) { $0 + $1.beneficial }
  }

  /// The number of clusters.
  package var clusterCount: Int { clusters.count }

  /// The equivalent number of equally large clusters.
  package var effectiveClusters: Double { effect.effectiveClusters }

  /// The same flips with baseline and candidate swapped.
  var mirrored: FlipSample {
    FlipSample(
      clusters.map {
        Cluster(cases: $0.cases, harmful: $0.beneficial, beneficial: $0.harmful)
      },
      judged: effect.judged,
      repeats: repeats
    )
  }

  /// The mean difference over the cases, positive if the candidate is better.
  package var difference: Double { (beneficial - harmful) / cases }

  /// The numbers of flips in the equivalent number of independent cases.
  package struct Effective: Hashable, Sendable {
    var harmful: Double
    var beneficial: Double
    var n: Double
  }

  /// The numbers of flips in the equivalent number of independent cases.
  package var effective: Effective {
    let thinned = thinned(\.harmful, \.beneficial)
    return effective(thinned, harmful, beneficial)
  }

  /// Returns the two-sided interval of the difference.
  package func interval(confidence: Double) -> Interval {
    let tail = (1 - confidence) / 2
    let z = -NormalDistribution.quantile(tail) * effect.stretch(tail: tail)
    return Interval(
      low: lowEnd(\.harmful, \.beneficial, z),
      high: -lowEnd(\.beneficial, \.harmful, z)
    )
  }

  /// Returns the interval of a sample with the same rates and `factor` times as many cases.
  package func interval(scaledBy factor: Double, confidence: Double) -> Interval {
    let tail = (1 - confidence) / 2
    let z = -NormalDistribution.quantile(tail) * effect.stretch(tail: tail)
    let now = effective
    let (b, c, n) = (now.harmful * factor, now.beneficial * factor, now.n * factor)
    let unseen = z * z / (Double(clusters.count) * factor + z * z)
    return Interval(
      low: min(Tango.lowEnd(b, c, n, z), difference - unseen),
      high: max(-Tango.lowEnd(c, b, n, z), difference + unseen)
    )
  }

  /// Returns the one-sided p-value of a supposed true difference: the probability of a difference
  /// at most as large as the measured one.
  ///
  /// The p-value is below a level exactly if the upper end of the interval at that level lies below
  /// the supposed difference.
  package func p(at supposed: Double) -> Double {
    let thinned = thinned(\.beneficial, \.harmful)
    // Fewer beneficial flips must not make a loss less credible.
    var score = -(unseen(supposed - difference))
    for kept in thinned.amounts {
      let sample = effective(thinned, kept, harmful)
      score = max(
        score,
        Tango.score(at: max(-1, supposed), sample.beneficial, sample.harmful, sample.n)
      )
    }
    return effect.p(score)
  }

  // MARK: Bounds

  /// Returns the spread with flips of one kind as the removable amount, and the other flips as the
  /// rest.
  private func thinned(
    _ removable: (Cluster) -> Double,
    _ rest: (Cluster) -> Double
  ) -> ThinnedSpread {
    ThinnedSpread(
      clusters.map {
        ThinnedSpread.Row(size: $0.cases, rest: rest($0), removable: removable($0))
      },
      unit: unit
    )
  }

  /// Returns the lowest of the interval's lower ends for the observed number of flips against the
  /// candidate and for all smaller numbers.
  private func lowEnd(
    _ against: (Cluster) -> Double,
    _ supporting: (Cluster) -> Double,
    _ z: Double
  ) -> Double {
    let thinned = thinned(against, supporting)
    let others = clusters.reduce(0) { $0 + supporting($1) }
    // A loss that affects whole clusters may not appear in any of the observed clusters.
    let groups = Double(clusters.count)
    var lowest = (others - thinned.total) / cases - z * z / (groups + z * z)
    for kept in thinned.amounts {
      let sample = effective(thinned, kept, others)
      lowest = min(lowest, Tango.lowEnd(sample.harmful, sample.beneficial, sample.n, z))
    }
    return max(-1, lowest)
  }

  /// Returns the score of a difference if no observed cluster has a flip.
  ///
  /// The score is the distance from the supposed difference in standard deviations.
  private func unseen(_ distance: Double) -> Double {
    guard distance > 0 else { return 0 }
    guard distance < 1 else { return .infinity }
    return (distance * Double(clusters.count) / (1 - distance)).squareRoot()
  }

  private func effective(_ thinned: ThinnedSpread, _ kept: Double, _ others: Double) -> Effective {
    let mean = (others - kept) / cases
    let n = effect.effectiveTrials(
      thinned.spread(keeping: kept, mean: mean),
      variance: (others + kept) / cases - mean * mean
    )
    return Effective(harmful: kept * n / cases, beneficial: others * n / cases, n: n)
  }
}
