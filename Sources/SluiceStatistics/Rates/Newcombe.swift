/// Newcombe's intervals (1998) for the difference of two rates, which combine the Wilson intervals
/// of both rates.
package enum Newcombe {
  /// Returns the interval for the difference of two independent rates (method 10 of "Interval
  /// estimation for the difference between independent proportions").
  ///
  /// - Parameters:
  ///   - first: The numbers of successes and trials in the first group; at least one trial.
  ///   - second: The numbers of successes and trials in the second group; at least one trial.
  ///   - confidence: The confidence level, between 0 and 1.
  /// - Returns: The ends for the first rate minus the second, within -1 and 1.
  package static func independent(
    _ first: (successes: Int, n: Int),
    minus second: (successes: Int, n: Int),
    confidence: Double = 0.95
  ) -> Interval {
    combine(
      Side(first.successes, first.n, confidence),
      Side(second.successes, second.n, confidence),
      correlation: 0
    )
  }

  /// Returns the interval for the difference of two independent rates with known intervals.
  package static func independent(
    _ first: (rate: Double, interval: Interval),
    minus second: (rate: Double, interval: Interval)
  ) -> Interval {
    combine(
      Side(first.rate, first.interval),
      Side(second.rate, second.interval),
      correlation: 0
    )
  }

  /// Returns the interval for the difference of two paired rates.
  ///
  /// This is method 10 of "Improved confidence intervals for the difference between binomial
  /// proportions based on paired data". The correlation is adjusted for continuity.
  ///
  /// - Parameters:
  ///   - both: The number of cases that pass in both, at least 0.
  ///   - harmful: The number of newly failing cases, at least 0.
  ///   - beneficial: The number of newly passing cases, at least 0.
  ///   - neither: The number of cases that fail in both, at least 0.
  ///   - confidence: The confidence level, between 0 and 1.
  /// - Returns: The ends for the rate now minus the rate before, from -1 to 1; nil if there are no
  ///   cases.
  package static func paired(
    both: Int,
    harmful: Int,
    beneficial: Int,
    neither: Int,
    confidence: Double = 0.95
  ) -> Interval? {
    precondition(min(both, harmful, beneficial, neither) >= 0, "counts are not negative")
    let n = both + harmful + beneficial + neither
    guard n > 0 else { return nil }
    let (now, before) = (both + beneficial, both + harmful)
    let product = Double(now) * Double(n - now) * Double(before) * Double(n - before)
    var correlation = 0.0
    if product > 0 {
      let determinant = Double(both) * Double(neither) - Double(harmful) * Double(beneficial)
      let adjusted = determinant > 0 ? max(determinant - Double(n) / 2, 0) : determinant
      correlation = adjusted / product.squareRoot()
    }
    return combine(
      Side(now, n, confidence),
      Side(before, n, confidence),
      correlation: correlation
    )
  }

  /// A rate, and its distances to both ends of its interval.
  private struct Side {
    let rate: Double
    let below: Double
    let above: Double

    init(_ successes: Int, _ n: Int, _ confidence: Double) {
      self.init(
        Double(successes) / Double(n),
        Wilson.interval(successes: successes, of: n, confidence: confidence)
      )
    }

    init(_ rate: Double, _ interval: Interval) {
      self.rate = rate
      below = rate - interval.low
      above = interval.high - rate
    }
  }

  private static func combine(_ first: Side, _ second: Side, correlation: Double) -> Interval {
    func length(_ one: Double, _ other: Double) -> Double {
      max(0, one * one - 2 * correlation * one * other + other * other).squareRoot()
    }
    let difference = first.rate - second.rate
    return Interval(
      low: max(-1, difference - length(first.below, second.above)),
      high: min(1, difference + length(first.above, second.below))
    )
  }
}
