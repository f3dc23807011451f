/// McNemar's tests (1947) on pairs of outcomes, which compare the numbers of flips in the two
/// directions.
package enum McNemar {
  /// Returns the exact two-sided p-value.
  ///
  /// - Parameters:
  ///   - b: The number of pairs that flipped one way, at least 0.
  ///   - c: The number of pairs that flipped the other way, at least 0.
  /// - Returns: `2 · P(X ≤ min(b, c))`, at most 1, where X counts heads in b + c tosses of a fair
  ///   coin; 1 when nothing flipped.
  package static func exact(_ b: Int, _ c: Int) -> Double {
    check(b, c)
    return min(1, 2 * Binomial.cumulative(min(b, c), of: b + c, 0.5))
  }

  /// Returns the two-sided mid-p-value (Fagerland, Lydersen & Laake 2013).
  ///
  /// - Parameters:
  ///   - b: The number of pairs that flipped one way, at least 0.
  ///   - c: The number of pairs that flipped the other way, at least 0.
  /// - Returns: The exact p-value minus the probability of the observed flips; 1 if both directions
  ///   have equally many flips.
  package static func midP(_ b: Int, _ c: Int) -> Double {
    check(b, c)
    // The p-value is 1 by symmetry. (Fagerland et al. subtract half the observed probability here
    // too, which makes the result less than twice the one-sided mid-p-value.)
    if b == c { return 1 }
    let seen = Binomial.probability(of: min(b, c), in: b + c, 0.5)
    return min(1, 2 * Binomial.cumulative(min(b, c), of: b + c, 0.5) - seen)
  }

  /// Returns the exact one-sided p-value for an excess of flips for the worse.
  ///
  /// - Parameters:
  ///   - worse: The number of pairs that became worse, at least 0.
  ///   - better: The number of pairs that became better, at least 0.
  /// - Returns: `P(X ≥ worse)`, where X counts heads in `worse + better` tosses of a fair coin; 1
  ///   when nothing flipped.
  package static func oneSided(worse: Int, better: Int) -> Double {
    check(worse, better)
    return Binomial.atLeast(worse, of: worse + better, 0.5)
  }

  /// Returns the one-sided mid-p-value for an excess of flips for the worse.
  ///
  /// - Parameters:
  ///   - worse: The number of pairs that became worse, at least 0.
  ///   - better: The number of pairs that became better, at least 0.
  /// - Returns: The exact p-value minus half the probability of the observed flips; one half when
  ///   nothing flipped.
  package static func oneSidedMidP(worse: Int, better: Int) -> Double {
    oneSided(worse: worse, better: better)
      - Binomial.probability(of: worse, in: worse + better, 0.5) / 2
  }

  private static func check(_ b: Int, _ c: Int) {
    precondition(b >= 0 && c >= 0, "counts are not negative")
  }
}
