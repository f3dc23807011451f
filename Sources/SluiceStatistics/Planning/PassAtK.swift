/// Estimates for k runs of one case, if the k runs are drawn without replacement from a larger
/// number of runs.
///
/// The estimate of pass@k is that of Chen, Tworek and others (2021), "Evaluating large language
/// models trained on code".
package enum PassAtK {
  /// Returns pass@k: the probability that at least one of k runs passes, if they are drawn without
  /// replacement.
  ///
  /// - Parameters:
  ///   - k: The number of runs drawn, at least 0.
  ///   - passes: The number of runs of the case that passed, from 0 to `n`.
  ///   - n: The number of runs.
  /// - Returns: `1 - C(n - passes, k) / C(n, k)`, or nil if `k` exceeds `n`.
  package static func any(_ k: Int, passes: Int, of n: Int) -> Double? {
    all(k, passes: n - passes, of: n).map { 1 - $0 }
  }

  /// Returns pass^k: the probability that all of k runs pass, if they are drawn without
  /// replacement.
  ///
  /// - Parameters:
  ///   - k: The number of runs drawn, at least 0.
  ///   - passes: The number of runs of the case that passed, from 0 to `n`.
  ///   - n: The number of runs.
  /// - Returns: `C(passes, k) / C(n, k)`, or nil if `k` exceeds `n`.
  package static func all(_ k: Int, passes: Int, of n: Int) -> Double? {
    precondition(k >= 0 && passes >= 0 && passes <= n, "runs need 0 ≤ k and 0 ≤ passes ≤ n")
    guard k <= n else { return nil }
    guard k <= passes else { return 0 }
    // Two products are equal: C(c, k) / C(n, k) = C(n - k, n - c) / C(n, c). This computes the one
    // with fewer factors.
    let (factors, top) = k <= n - passes ? (k, passes) : (n - passes, n - k)
    return (0..<factors).reduce(1) { $0 * Double(top - $1) / Double(n - $1) }
  }

  /// Returns the probability that one of two different runs of a case passes and the other fails.
  ///
  /// - Parameters:
  ///   - passes: The number of runs of the case that passed, from 0 to `n`.
  ///   - n: The number of runs.
  /// - Returns: `2c (n - c) / (n (n - 1))` for c passes, or nil for fewer than two runs.
  package static func flipRate(passes: Int, of n: Int) -> Double? {
    precondition(passes >= 0 && passes <= n, "runs need 0 ≤ passes ≤ n")
    guard n > 1 else { return nil }
    let (passes, n) = (Double(passes), Double(n))
    return 2 * passes * (n - passes) / (n * (n - 1))
  }
}
