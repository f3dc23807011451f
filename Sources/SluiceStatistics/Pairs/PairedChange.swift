/// The change of a metric from a baseline to a candidate, case by case.
///
/// In all differences, a positive number means that the candidate is better.
public struct PairedChange: Hashable, Sendable {
  /// The kind of data from which the difference is computed.
  public enum Basis: Hashable, Sendable {
    /// A change between two pass rates, with the numbers of cases that got worse and better.
    ///
    /// A case with repeats got worse if fewer of its repeats pass.
    case flips(harmful: Int, beneficial: Int)
    /// A change computed from the contributions of single cases, with an interval by Student's t.
    case contributions
    /// A change of a percentile, with the numbers of cases that exceed `limit` only in the candidate
    /// (`harmful`) and only in the baseline (`beneficial`).
    case exceedances(harmful: Int, beneficial: Int, limit: Double)
  }

  /// The value of the metric for the baseline, on the compared cases.
  public var baseline: Double
  /// The value of the metric for the candidate, on the compared cases.
  public var candidate: Double
  /// The difference between candidate and baseline, positive if the candidate is better.
  ///
  /// For ``Basis/exceedances(harmful:beneficial:limit:)``, this is the difference of the shares of
  /// cases that exceed the limit.
  public var difference: Double
  /// The two-sided confidence interval of the difference, in the unit of the difference.
  public var interval: Interval
  /// The confidence level of the interval: 0.9 for gates (one-sided 5% at each end), and 0.95 for
  /// comparisons.
  public var confidence = PairedChange.gateConfidence
  /// The number of compared cases.
  public var n: Int
  /// The number of clusters of the cases; nil if the cases are independent.
  public var clusters: Int?
  /// The kind of data from which the difference is computed.
  public var basis: Basis
  /// The one-sided p value: the probability of a loss at least as large as the measured one if the
  /// true difference is 0.
  public var pWorse: Double
  /// The one-sided p value for the margin: the probability of a loss at least as large as the
  /// measured one if the true loss is equal to the margin.
  public var pBeyondMargin: Double
  /// The tolerated loss, at least 0, in the unit of the difference.
  public var margin: Double
  /// True if smaller values of the metric are better, so that a rise is a loss.
  public var prefersSmall: Bool
  /// The equivalent number of equally large clusters; nil if the cases are independent.
  package var effectiveClusters: Double?
  /// The flips by cluster; nil if each case is a single, independent trial.
  package var sample: FlipSample?
  /// The inference from contributions, which gives the interval at any confidence; nil for flips.
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
  /// The confidence level at which gates decide.
  package static let gateConfidence = 0.9

  /// The two-sided p-value of a change in either direction.
  package var p: Double {
    // The two tail probabilities of clustered flips do not add up to 1.
    min(1, 2 * min(pWorse, sample?.mirrored.p(at: 0) ?? 1 - pWorse))
  }

  /// Returns the two-sided interval of the difference, computed like ``PairedChange/interval``.
  ///
  /// - Parameter confidence: The confidence level, between 0 and 1.
  /// - Returns: Both ends; positive is better.
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

  /// True if nothing changed.
  ///
  /// For ``Basis/flips(harmful:beneficial:)``, no case flipped. Otherwise, both values of the
  /// metric are equal.
  package var isNothing: Bool {
    switch basis {
    case .flips(let harmful, let beneficial): harmful == 0 && beneficial == 0
    case .exceedances, .contributions: baseline == candidate
    }
  }

  /// Creates a change of cases that pass or fail, with the interval of Tango (1998).
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

  /// Creates a change of cases that are clustered or have repeats.
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
