/// The root of a falling function, by regula falsi with the weight of an end halved that stays (the
/// Illinois method; Dowell & Jarratt 1971).
enum FallingRoot {
  /// Returns the root between two numbers.
  ///
  /// - Parameters:
  ///   - low: A number where the function is not negative.
  ///   - high: A greater one where it is not positive.
  ///   - function: The function; each call costs as much as all else here.
  /// - Returns: A number where the function is not positive, within 1e-14 of the root in relation to it.
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
