/// Distribution-free intervals for a percentile: two values of the sorted sample (Hahn & Meeker
/// 1991, "Statistical intervals", section 5.2).
package enum RankInterval {
  /// Ranks of a sorted sample, counted from 1.
  package struct Ranks: Hashable, Sendable {
    /// The rank of the low end; nil if even the smallest value may lie above the percentile.
    package var low: Int?
    /// The rank of the high end; nil if even the largest value may lie below the percentile.
    package var high: Int?

    /// Creates a pair of ranks.
    ///
    /// - Parameters:
    ///   - low: The rank of the low end.
    ///   - high: The rank of the high end.
    package init(low: Int?, high: Int?) {
      self.low = low
      self.high = high
    }
  }

  /// Returns the ranks between which a percentile of a sample lies, two-sided.
  ///
  /// - Parameters:
  ///   - percent: The percentile, from 0 to 100.
  ///   - n: The number of values in the sample, at least 0.
  ///   - confidence: The minimum confidence level, between 0 and 1. Each end is wrong with at most
  ///     half of the remaining probability.
  /// - Returns: The ranks. A rank is nil if the sample is too small for that end of the interval.
  package static func ranks(of percent: Double, n: Int, confidence: Double = 0.95) -> Ranks {
    let half = (1 - confidence) / 2
    return Ranks(low: lowRank(percent, n, half), high: highRank(percent, n, half))
  }

  /// Returns the rank of the sample value that is a one-sided upper confidence bound for a
  /// percentile.
  ///
  /// - Parameters:
  ///   - percent: The percentile, from 0 to 100.
  ///   - n: The number of values in the sample, at least 0.
  ///   - confidence: The minimum confidence level, between 0 and 1.
  /// - Returns: The rank, counted from 1, or nil if the sample is too small.
  package static func upperBoundRank(of percent: Double, n: Int, confidence: Double = 0.95) -> Int?
  {
    highRank(percent, n, 1 - confidence)
  }

  /// Returns the rank of the sample value that is a one-sided lower confidence bound for a
  /// percentile.
  ///
  /// - Parameters:
  ///   - percent: The percentile, from 0 to 100.
  ///   - n: The number of values in the sample, at least 0.
  ///   - confidence: The minimum confidence level, between 0 and 1.
  /// - Returns: The rank, counted from 1, or nil if the sample is too small.
  package static func lowerBoundRank(of percent: Double, n: Int, confidence: Double = 0.95) -> Int?
  {
    lowRank(percent, n, 1 - confidence)
  }

  /// Returns the two-sided confidence interval for a percentile.
  ///
  /// - Parameters:
  ///   - percent: The percentile, from 0 to 100.
  ///   - values: The sample, in any order.
  ///   - units: The equivalent number of independent measurements, from 1 to the number of values;
  ///     nil if all values are independent. If `units` is smaller than the number of values, the
  ///     ranks for a sample of `units` values are scaled up and rounded outward.
  ///   - confidence: The minimum confidence level, between 0 and 1.
  /// - Returns: Two values of the sample, or nil if the sample is too small.
  package static func of(
    _ percent: Double,
    in values: [Double],
    units: Int? = nil,
    confidence: Double = 0.95
  ) -> Interval? {
    of(percent, sorted: values.sorted(), units: units, confidence: confidence)
  }

  /// Returns the two-sided confidence interval for a percentile of a sorted sample.
  package static func of(
    _ percent: Double,
    sorted values: [Double],
    units: Int? = nil,
    confidence: Double = 0.95
  ) -> Interval? {
    let n = units ?? values.count
    precondition(n <= values.count && n >= min(values.count, 1), "units must not outnumber values")
    let ranks = ranks(of: percent, n: n, confidence: confidence)
    guard let low = ranks.low, let high = ranks.high else { return nil }
    return Interval(
      low: values[(low - 1) * values.count / n],
      high: values[(high * values.count + n - 1) / n - 1]
    )
  }

  /// Returns the largest rank r with P(B ≤ r - 1) ≤ tail, where B counts the values below the
  /// percentile.
  private static func lowRank(_ percent: Double, _ n: Int, _ tail: Double) -> Int? {
    let (share, tail) = checked(percent, n, tail)
    var (rank, tooLarge) = (0, n + 1)
    while tooLarge - rank > 1 {
      let middle = rank + (tooLarge - rank) / 2
      if Binomial.cumulative(middle - 1, of: n, share) <= tail {
        rank = middle
      } else {
        tooLarge = middle
      }
    }
    return rank > 0 ? rank : nil
  }

  /// Returns the smallest rank s with P(B ≥ s) ≤ tail, where B counts the values below the
  /// percentile.
  private static func highRank(_ percent: Double, _ n: Int, _ tail: Double) -> Int? {
    let (share, tail) = checked(percent, n, tail)
    var (tooSmall, rank) = (0, n + 1)
    while rank - tooSmall > 1 {
      let middle = tooSmall + (rank - tooSmall) / 2
      if Binomial.atLeast(middle, of: n, share) <= tail {
        rank = middle
      } else {
        tooSmall = middle
      }
    }
    return rank <= n ? rank : nil
  }

  private static func checked(
    _ percent: Double,
    _ n: Int,
    _ tail: Double
  ) -> (share: Double, tail: Double) {
    precondition(percent >= 0 && percent <= 100, "a percentile lies between 0 and 100")
    precondition(n >= 0, "the number of values must not be negative")
    precondition(tail > 0 && tail < 1, "a confidence lies between 0 and 1")
    // A probability that differs from the level only by rounding counts as equal.
    return (percent / 100, tail * (1 + 1e-12))
  }
}
