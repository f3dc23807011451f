/// The root of a decreasing function.
///
/// The method is regula falsi with the Illinois modification (Dowell & Jarratt 1971): if a step
/// does not move one end of the range, the weight of that end is halved.
enum FallingRoot {
  /// Returns the root between two numbers.
  ///
  /// - Parameters:
  ///   - low: A number at which the function is not negative.
  ///   - high: A greater number, at which the function is not positive.
  ///   - function: The decreasing function.
  /// - Returns: A number at which the function is not positive; its relative distance from the root
  ///   is at most 1e-14.
  static func between(
    _ low: Double,
    _ high: Double,
    _ function: (Double) -> Double
  ) -> Double {
    var (low, high) = (low, high)
    var (below, above) = (function(low), function(high))
    if below <= 0 { return low }
    for _ in 0..<200 {
      if high - low <= 1e-14 * abs(high) || above == 0 { break }
      let middle = high - above * (high - low) / (above - below)
      guard middle > low, middle < high else { break }
      let value = function(middle)
      if value > 0 {
        (low, below) = (middle, value)
        above /= 2
      } else {
        (high, above) = (middle, value)
        below /= 2
      }
    }
    return high
  }
}
