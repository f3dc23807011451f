/// What a sample says about a mean, by Student's t, made fit for small samples of bounded values.
///
/// A small sample, or one in which most values are the same, knows too little of its own spread: where
/// no case changed, the interval would be a point. For values between bounds such a sample therefore
/// gets values at the bounds added, as Agresti and Coull (1998) do for a rate (two at each end) and
/// Bonett and Price (2012) for a difference of paired rates (one at each end).
struct MeanInference {
  /// The sample's own mean.
  let mean: Double
  /// The mean of the sample with what was added.
  private let centre: Double
  private let standardError: Double
  private let degreesOfFreedom: Double

  /// From this size on a sample of varied values is left as it is.
  private static let enough = 50

  /// What to do about a sample for values between bounds.
  init?(_ values: [Double], bounds: ClosedRange<Double>?, added: Int = 2) {
    guard values.count > 1 || bounds != nil, !values.isEmpty else { return nil }
    mean = values.reduce(0, +) / Double(values.count)
    var sample = values
    if let bounds, values.count < Self.enough || Self.isMostlyTied(values) {
      sample += Array(repeating: bounds.lowerBound, count: added)
      sample += Array(repeating: bounds.upperBound, count: added)
    }
    let n = Double(sample.count)
    let centre = sample.reduce(0, +) / n
    let squares = sample.reduce(0) { $0 + ($1 - centre) * ($1 - centre) }
    self.centre = centre
    standardError = (squares / (n - 1) / n).squareRoot()
    degreesOfFreedom = n - 1
  }

  private static func isMostlyTied(_ values: [Double]) -> Bool {
    let sorted = values.sorted()
    // A value that more than half of them share lies in the middle.
    let middle = sorted[sorted.count / 2]
    return 2 * sorted.count { ($0 - middle).magnitude < 1e-9 } > sorted.count
  }

  /// The two-sided interval.
  func interval(_ confidence: Double) -> Interval {
    let half =
      StudentT.quantile(0.5 + confidence / 2, degreesOfFreedom: degreesOfFreedom) * standardError
    return Interval(low: centre - half, high: centre + half)
  }

  /// The probability of a mean as low as this, were the true one at least a bound.
  func pAtLeast(_ bound: Double) -> Double {
    guard standardError > 0 else { return centre == bound ? 0.5 : centre < bound ? 0 : 1 }
    return StudentT.cumulative(
      (centre - bound) / standardError,
      degreesOfFreedom: degreesOfFreedom
    )
  }
}
