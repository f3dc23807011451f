/// Inference about a mean by Student's t, adapted to small samples of bounded values.
///
/// A small sample, or a sample in which most values are equal, underestimates its own spread. For
/// example, if no case changed, the interval would be a point. If the values are bounded, such a
/// sample therefore gets extra values at the bounds. Agresti and Coull (1998) add two values at
/// each end for a rate. Bonett and Price (2012) add one value at each end for a difference of
/// paired rates.
package struct MeanInference: Hashable, Sendable {
  /// The mean of the sample, including the extra values at the bounds, if there are any.
  private let estimate: ClusteredMean

  /// The size below which a sample gets extra values at the bounds.
  private static let enough = 50

  /// Creates the inference from a sample; nil if the sample contains no information about the
  /// spread of values.
  ///
  /// - Parameters:
  ///   - values: The sample, one value per case.
  ///   - clusters: The cluster number of each case; nil if the cases are independent.
  ///   - bounds: The range of possible values of single cases; nil for no bounds.
  ///   - added: The number of values to add at each bound if the sample is small, or if most of its
  ///     values are equal.
  package init?(
    _ values: [Double],
    clusters: [Int32]? = nil,
    bounds: ClosedRange<Double>?,
    added: Int = 2
  ) {
    let own = clusters.map { Self.clusters(values, $0) }
    var ends: [Double] = []
    let count = own?.count ?? values.count
    if let bounds, !values.isEmpty, count < Self.enough || Self.isMostlyTied(values) {
      ends += Array(repeating: bounds.lowerBound, count: added)
      ends += Array(repeating: bounds.upperBound, count: added)
    }
    if var own {
      // Each added value weighs as much as an average cluster, since whole clusters can differ.
      let size = Double(values.count) / Double(max(1, own.count))
      for end in ends {
        var cluster = ClusteredMean.Cluster()
        cluster.add(end, times: size)
        own.append(cluster)
      }
      guard let estimate = ClusteredMean(own), estimate.standardError != nil else { return nil }
      self.estimate = estimate
    } else {
      let sample = values + ends
      guard sample.count > 1, let estimate = ClusteredMean(sample) else { return nil }
      self.estimate = estimate
    }
  }

  private static func clusters(_ values: [Double], _ numbers: [Int32]) -> [ClusteredMean.Cluster] {
    var places: [Int32: Int] = [:]
    var clusters: [ClusteredMean.Cluster] = []
    for (value, number) in zip(values, numbers) {
      let place = places[number] ?? clusters.count
      if place == clusters.count {
        places[number] = place
        clusters.append(ClusteredMean.Cluster())
      }
      clusters[place].add(value)
    }
    return clusters
  }

  private static func isMostlyTied(_ values: [Double]) -> Bool {
    // A value shared by more than half of the cases is the median.
    let middle = OrderStatistic.value(at: values.count / 2, of: values)
    return 2 * values.count { ($0 - middle).magnitude < 1e-9 } > values.count
  }

  /// The standard error of the mean, including the added values.
  package var standardError: Double? { estimate.standardError }

  /// True if the values vary.
  ///
  /// If the values do not vary, an interval claims more certainty than the sample has.
  package var hasSpread: Bool { (estimate.standardError ?? 0) > 0 }

  /// Returns the two-sided interval.
  package func interval(_ confidence: Double) -> Interval {
    // There are at least two values.
    estimate.interval(confidence: confidence) ?? Interval(low: estimate.mean, high: estimate.mean)
  }

  /// Returns the one-sided p-value of the hypothesis that the true mean is at least a bound.
  package func pAtLeast(_ bound: Double) -> Double {
    estimate.oneSidedP(ofAtLeast: bound)
      ?? (estimate.mean == bound ? 0.5 : estimate.mean < bound ? 0 : 1)
  }
}
