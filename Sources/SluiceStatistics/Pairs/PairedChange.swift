/// How a metric changed from a baseline to a candidate, case by case.
///
/// All differences are turned so that positive is better.
public struct PairedChange: Hashable, Sendable {
  /// What the difference is made of.
  public enum Basis: Hashable, Sendable {
    /// The numbers of cases that got worse and that got better; one with repeats got worse where fewer
    /// of them hold.
    case flips(harmful: Int, beneficial: Int)
    /// Contributions of cases to a number, by Student's t.
    case contributions
    /// Cases over a limit of time: how many are over it only now, and how many were only before.
    case exceedances(harmful: Int, beneficial: Int, limit: Double)
  }

  /// The metric of the baseline, on the cases that are compared.
  public var baseline: Double
  /// The metric of the candidate, on the cases that are compared.
  public var candidate: Double
  /// Candidate minus baseline, positive where the candidate is better; of exceedances their share.
  public var difference: Double
  /// The two-sided confidence interval of the difference.
  public var interval: Interval
  /// The confidence of the interval: 90% where gates decide, one-sided 5% at each end, and 95% in
  /// comparisons.
  public var confidence = PairedChange.gateConfidence
  /// The number of cases that are compared.
  public var n: Int
  /// The number of clusters that the cases come in; nil where each case counts by itself.
  public var clusters: Int?
  /// What the difference is made of.
  public var basis: Basis
  /// The probability of such a loss, had nothing got worse; one-sided.
  public var pWorse: Double
  /// The probability of such a loss, were the candidate at the margin; one-sided.
  public var pBeyondMargin: Double
  /// How much worse the candidate may be, in the unit of the difference.
  public var margin: Double
  /// Whether small numbers of the metric are the good ones, so that a rise is a loss.
  public var prefersSmall: Bool
  /// The number of equally large clusters that the clusters are worth; nil where each case counts by
  /// itself.
  package var effectiveClusters: Double?
  /// The flips by cluster; nil where each case is one trial and counts by itself.
  package var sample: FlipSample?
  /// The inference from contributions about the difference at any confidence.
  package var inference: MeanInference?

  package init(
    baseline: Double,
    candidate: Double,
    difference: Double,
    interval: Interval,
    confidence: Double = PairedChange.gateConfidence,
    n: Int,
    clusters: Int? = nil,
    basis: Basis,
    pWorse: Double,
    pBeyondMargin: Double,
    margin: Double,
    prefersSmall: Bool,
    effectiveClusters: Double? = nil,
    sample: FlipSample? = nil,
    inference: MeanInference? = nil
  ) {
    self.baseline = baseline
    self.candidate = candidate
    self.difference = difference
    self.interval = interval
    self.confidence = confidence
    self.n = n
    self.clusters = clusters
    self.basis = basis
    self.pWorse = pWorse
    self.pBeyondMargin = pBeyondMargin
    self.margin = margin
    self.prefersSmall = prefersSmall
    self.effectiveClusters = effectiveClusters
    self.sample = sample
    self.inference = inference
  }
}

extension PairedChange {
  /// The confidence at which gates decide.
  package static let gateConfidence = 0.9

  /// The two-sided p value of a change either way.
  package var p: Double {
    // The tails of clustered flips are not each other's complement.
    min(1, 2 * min(pWorse, sample?.mirrored.p(at: 0) ?? 1 - pWorse))
  }

  /// Returns the two-sided interval of the difference, made as ``PairedChange/interval`` is.
  ///
  /// - Parameter confidence: How often such an interval holds the true difference; between 0 and 1.
  /// - Returns: Both ends, positive being better.
  public func interval(confidence: Double) -> Interval {
    if let sample { return sample.interval(confidence: confidence) }
    switch basis {
    case .flips(let harmful, let beneficial), .exceedances(let harmful, let beneficial, _):
      return Tango.interval(
        harmful: harmful,
        beneficial: beneficial,
        of: n,
        confidence: confidence
      )
    case .contributions:
      guard let inference else { return interval }
      let interval = inference.interval(confidence)
      return Interval(low: min(difference, interval.low), high: max(difference, interval.high))
    }
  }

  /// Whether nothing changed at all.
  package var isNothing: Bool {
    switch basis {
    case .flips(let harmful, let beneficial): harmful == 0 && beneficial == 0
    case .exceedances, .contributions: baseline == candidate
    }
  }

  /// A change of cases that hold or do not, with the interval of Tango (1998).
  package init(
    baseline: Double,
    candidate: Double,
    flips: (harmful: Int, beneficial: Int),
    n: Int,
    basis: Basis,
    margin: Double,
    prefersSmall: Bool,
    confidence: Double = PairedChange.gateConfidence
  ) {
    func p(at difference: Double) -> Double {
      // Without a change at all nothing speaks against any supposed difference.
      NormalDistribution.cumulative(
        Tango.score(
          at: max(-1, difference),
          harmful: flips.harmful,
          beneficial: flips.beneficial,
          of: n
        )
      )
    }
    self.init(
      baseline: baseline,
      candidate: candidate,
      difference: Double(flips.beneficial - flips.harmful) / Double(n),
      interval: Tango.interval(
        harmful: flips.harmful,
        beneficial: flips.beneficial,
        of: n,
        confidence: confidence
      ),
      confidence: confidence,
      n: n,
      basis: basis,
      pWorse: p(at: 0),
      pBeyondMargin: p(at: -margin),
      margin: margin,
      prefersSmall: prefersSmall
    )
  }

  /// A change of cases that come in clusters, or have repeats.
  package init(
    baseline: Double,
    candidate: Double,
    sample: FlipSample,
    n: Int,
    basis: Basis,
    margin: Double,
    prefersSmall: Bool,
    confidence: Double = PairedChange.gateConfidence
  ) {
    self.init(
      baseline: baseline,
      candidate: candidate,
      difference: sample.difference,
      interval: sample.interval(confidence: confidence),
      confidence: confidence,
      n: n,
      clusters: sample.clusterCount < n ? sample.clusterCount : nil,
      basis: basis,
      pWorse: sample.p(at: 0),
      pBeyondMargin: sample.p(at: -margin),
      margin: margin,
      prefersSmall: prefersSmall,
      effectiveClusters: sample.clusterCount < n ? sample.effectiveClusters : nil,
      sample: sample
    )
  }
}
