/// The binomial distribution: the number of successes in independent trials of equal probability.
package enum Binomial {
  /// Returns the probability of exactly `k` successes.
  ///
  /// - Parameters:
  ///   - k: The number of successes; outside 0 to `n` the probability is 0.
  ///   - n: The number of trials, at least 0.
  ///   - p: The probability of success in each trial, from 0 to 1.
  /// - Returns: The probability, from 0 to 1, by the saddle-point expansion of Loader (2000).
  package static func probability(of k: Int, in n: Int, _ p: Double) -> Double {
    check(n, p)
    guard k >= 0 && k <= n else { return 0 }
    return BinomialDensity.value(Double(k), Double(n - k), p, 1 - p)
  }

  /// Returns the probability of at most `k` successes.
  ///
  /// - Parameters:
  ///   - k: The number of successes. Below 0 the probability is 0; from `n` on it is 1.
  ///   - n: The number of trials, at least 0.
  ///   - p: The probability of success in each trial, from 0 to 1.
  /// - Returns: The probability, from 0 to 1.
  package static func cumulative(_ k: Int, of n: Int, _ p: Double) -> Double {
    check(n, p)
    if k < 0 { return 0 }
    if k >= n { return 1 }
    return BetaDistribution.tails(p, 1 - p, Double(k) + 1, Double(n - k)).upper
  }

  /// Returns the probability of at least `k` successes, to full precision even if it is small.
  ///
  /// - Parameters:
  ///   - k: The number of successes. Up to 0 the probability is 1; above `n` it is 0.
  ///   - n: The number of trials, at least 0.
  ///   - p: The probability of success in each trial, from 0 to 1.
  /// - Returns: The probability, from 0 to 1.
  package static func atLeast(_ k: Int, of n: Int, _ p: Double) -> Double {
    check(n, p)
    if k <= 0 { return 1 }
    if k > n { return 0 }
    return BetaDistribution.tails(p, 1 - p, Double(k), Double(n - k) + 1).lower
  }

  private static func check(_ n: Int, _ p: Double) {
    precondition(n >= 0 && p >= 0 && p <= 1, "a binomial needs n ≥ 0 and 0 ≤ p ≤ 1")
  }
}
