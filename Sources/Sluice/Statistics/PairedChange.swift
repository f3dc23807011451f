/// How a metric changed from a baseline to a candidate, case by case.
///
/// All differences are turned so that positive is better.
public struct PairedChange: Hashable, Sendable {
  /// What the difference is made of.
  public enum Basis: Hashable, Sendable {
    /// Cases that hold or do not: how many got worse and how many got better.
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
  /// How many cases, or clusters of cases, are compared.
  public var n: Int
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
}

extension PairedChange {
  /// The confidence at which gates decide.
  static let gateConfidence = 0.9

  /// The two-sided p value of a change either way.
  package var p: Double { min(1, 2 * min(pWorse, 1 - pWorse)) }

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
}
