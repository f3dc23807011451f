import SluiceCore

extension PairedChange {
  /// Returns the change expected with more cases, if further cases change at the same rate.
  ///
  /// - Parameter count: The number of cases.
  /// - Returns: The change with an interval for `count` cases at the same confidence. The p values
  ///   are not updated.
  func enlarged(to count: Int) -> PairedChange {
    let factor = Double(count) / Double(n)
    var larger = self
    switch basis {
    case .contributions:
      let shrunk = (1 / factor).squareRoot()
      larger.interval = Interval(
        low: difference - (difference - interval.low) * shrunk,
        high: difference + (interval.high - difference) * shrunk
      )
    case .flips, .exceedances:
      if let sample {
        larger.interval = sample.interval(scaledBy: factor, confidence: confidence)
        return larger
      }
      guard let (harmful, beneficial) = flipCounts else { return larger }
      func scaled(_ count: Int) -> Int { Int((Double(count) * factor).rounded()) }
      larger.difference = Double(scaled(beneficial) - scaled(harmful)) / Double(count)
      larger.interval = Tango.interval(
        harmful: scaled(harmful),
        beneficial: scaled(beneficial),
        of: count,
        confidence: confidence
      )
    }
    return larger
  }

  private var flipCounts: (harmful: Int, beneficial: Int)? {
    switch basis {
    case .flips(let harmful, let beneficial), .exceedances(let harmful, let beneficial, _):
      (harmful, beneficial)
    case .contributions: nil
    }
  }
}
