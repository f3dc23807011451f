/// A range of values.
public struct Interval: Hashable, Sendable {
  /// The lower end.
  public var low: Double
  /// The upper end.
  public var high: Double

  /// Creates an interval.
  ///
  /// - Parameters:
  ///   - low: The lower end.
  ///   - high: The upper end.
  public init(low: Double, high: Double) {
    self.low = low
    self.high = high
  }
}

/// A number made of measurements, with what it rests on.
public struct Estimate: Hashable, Sendable {
  /// The number; nil when it is unknown.
  public var value: Double?
  /// Its 95% confidence interval, where one is computed.
  public var interval: Interval?
  /// On how many measurements it rests: cases for rates, trials for sums and percentiles.
  public var n: Int
  /// Why the number is unknown, as a clause; nil when it is known.
  public var unknown: String?

  /// Creates a known estimate.
  ///
  /// - Parameters:
  ///   - value: The number.
  ///   - interval: Its 95% confidence interval.
  ///   - n: On how many measurements it rests.
  public init(_ value: Double, interval: Interval? = nil, n: Int) {
    self.value = value
    self.interval = interval
    self.n = n
  }

  /// Creates an estimate that is unknown.
  ///
  /// - Parameters:
  ///   - reason: Why, as a clause.
  ///   - n: How many measurements there are.
  public init(unknown reason: String, n: Int = 0) {
    unknown = reason
    self.n = n
  }

  /// Creates the estimate of a rate, with the interval of Wilson (1927).
  ///
  /// - Parameters:
  ///   - successes: How often it held.
  ///   - n: Of how many.
  public init(rate successes: Int, of n: Int) {
    guard n > 0 else {
      self.init(unknown: "there is nothing to count")
      return
    }
    self.init(
      Double(successes) / Double(n),
      interval: Wilson.interval(successes: successes, of: n),
      n: n
    )
  }
}
