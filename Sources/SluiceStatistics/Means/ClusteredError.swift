/// Standard errors of a mean of clustered values, such as questions about one document.
///
/// Values within a cluster tend to be alike. The sample therefore contains less information than an
/// equal number of independent values.
package struct ClusteredError: Hashable, Sendable {
  /// The mean of all values.
  package let mean: Double
  /// The number of clusters.
  package let clusters: Int
  /// The standard error that ignores clusters; nil for a single value.
  ///
  /// It is the standard deviation, with n - 1 in the denominator, divided by the root of n.
  package let independent: Double?
  /// The sandwich estimate without correction (Liang & Zeger 1986).
  ///
  /// Each cluster contributes the square of the sum of its residuals. The estimate is the root of
  /// the total of these squares, divided by n. With one cluster, it is 0 and has no meaning.
  package let cr0: Double
  /// The sandwich estimate times the root of G / (G - 1) for G clusters, as in the evaluation
  /// framework Inspect; nil for one cluster.
  package let cr1: Double?
  /// The standard error of Miller (2024, "Adding error bars to evals"); nil for a single value.
  ///
  /// It is the root of a sum of two terms: the square of ``independent``, and the products of
  /// different residuals within clusters, divided by n². With one cluster, it has no meaning.
  package let crossTerms: Double?

  /// Computes the standard errors of a mean; nil if there are no values.
  ///
  /// - Parameters:
  ///   - values: The values; for paired comparisons, the differences.
  ///   - clusters: The cluster of each value.
  package init?<Cluster: Hashable>(_ values: [Double], clusters: [Cluster]) {
    precondition(values.count == clusters.count, "each value belongs to a cluster")
    guard let estimate = MeanEstimate(values) else { return nil }
    let mean = estimate.mean
    let n = Double(values.count)
    var places: [Cluster: Int] = [:]
    var sums: [Double] = []
    var squares = 0.0
    for (value, cluster) in zip(values, clusters) {
      let residual = value - mean
      squares += residual * residual
      if let place = places[cluster] {
        sums[place] += residual
      } else {
        places[cluster] = sums.count
        sums.append(residual)
      }
    }
    let count = Double(sums.count)
    let variance = sums.count > 1 ? sums.reduce(0) { $0 + $1 * $1 } / (n * n) : 0
    self.mean = mean
    self.clusters = sums.count
    independent = estimate.standardError
    cr0 = variance.squareRoot()
    cr1 = sums.count > 1 ? (variance * count / (count - 1)).squareRoot() : nil
    // The cross terms lack the squares. With the squares, the result nearly equals the sandwich
    // estimate.
    crossTerms =
      n > 1 ? (variance + squares / (n * n * (n - 1))).squareRoot() : nil
  }
}
