package import SluiceStatistics

/// Returns true if two numbers agree within a tolerance.
///
/// A missing number agrees with nothing.
package func isClose(_ found: Double?, _ expected: Double, _ tolerance: Double = 1e-12) -> Bool {
  found.map { abs($0 - expected) <= tolerance } ?? false
}

/// Returns true if both ends of an interval agree within a tolerance.
package func isClose(
  _ found: Interval?,
  _ low: Double,
  _ high: Double,
  _ tolerance: Double = 1e-12
) -> Bool {
  isClose(found?.low, low, tolerance) && isClose(found?.high, high, tolerance)
}
