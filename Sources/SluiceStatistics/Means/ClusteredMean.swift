/// The mean of cases that may be clustered, with its standard error and degrees of freedom.
///
/// The variance is the variance of independent values times the design effect (``DesignEffect``).
/// If each cluster has only one case, this is Student's variance of a sample mean.
struct ClusteredMean: Hashable, Sendable {
  /// The mean of the values.
  let mean: Double
  /// The standard error of the mean; nil for a single value or a single cluster.
  let standardError: Double?
  /// The degrees of freedom of the standard error.
  let degreesOfFreedom: Double

  /// Creates the mean of values without clusters; nil for an empty sample.
  init?(_ values: [Double]) {
    guard let estimate = MeanEstimate(values) else { return nil }
    mean = estimate.mean
    standardError = estimate.standardError
    degreesOfFreedom = Double(max(1, values.count - 1))
  }

  /// A cluster of values.
  struct Cluster: Hashable, Sendable {
    /// The number of values; fractional if a value was added with a fractional weight.
    package var count = 0.0
    /// The sum of the values.
    package var sum = 0.0
    /// The sum of the squares of the values.
    var squares = 0.0

    /// Adds a value `count` times; the count may be fractional.
    package mutating func add(_ value: Double, times count: Double = 1) {
      self.count += count
      sum += count * value
      squares += count * value * value
    }
  }

  /// Creates the mean of the values in clusters; nil if there are no values.
  init?(_ clusters: [Cluster]) {
    let count = clusters.reduce(0) { $0 + $1.count }
    guard count > 0 else { return nil }
    let mean = clusters.reduce(0) { $0 + $1.sum } / count
    self.mean = mean
    let effect = DesignEffect(sizes: clusters.map(\.count), judged: count)
    degreesOfFreedom = effect.degreesOfFreedom
    guard count > 1, clusters.count > 1 else {
      standardError = nil
      return
    }
    let raw = clusters.reduce(0) { $0 + $1.squares }
    let squares = raw - count * mean * mean
    // Equal values have no spread, despite the rounding of their sums.
    guard squares > 1e-12 * raw else {
      standardError = 0
      return
    }
    let deviation = (squares / count).squareRoot()
    var spread = DesignEffect.Spread()
    for cluster in clusters {
      let residual = (cluster.sum - mean * cluster.count) / deviation
      spread.add(residual, size: cluster.count, of: count)
    }
    let effective = effect.effectiveTrials(spread, variance: 1)
    standardError = deviation * (count / (count - 1) / effective).squareRoot()
  }

  /// Returns Student's two-sided interval.
  func interval(confidence: Double) -> Interval? {
    standardError.map { standardError in
      let half =
        -StudentT.quantile((1 - confidence) / 2, degreesOfFreedom: degreesOfFreedom) * standardError
      return Interval(low: mean - half, high: mean + half)
    }
  }

  /// Returns the one-sided p-value of the hypothesis that the true mean is at least a bound; nil if
  /// the values have no spread.
  func oneSidedP(ofAtLeast bound: Double) -> Double? {
    guard let standardError, standardError > 0 else { return nil }
    return StudentT.cumulative(
      (mean - bound) / standardError,
      degreesOfFreedom: degreesOfFreedom
    )
  }
}
