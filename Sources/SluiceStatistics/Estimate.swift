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
  /// The number of cases that it rests on.
  public var n: Int
  /// The number of clusters that the cases come in; nil where each case counts by itself.
  public var clusters: Int?
  /// The standard error of the number, where one is computed.
  public var standardError: Double?
  /// Why the number is unknown, as a clause; nil when it is known.
  public var unknown: String?

  /// Creates a known estimate.
  ///
  /// - Parameters:
  ///   - value: The number.
  ///   - interval: Its 95% confidence interval.
  ///   - n: The number of cases that it rests on.
  ///   - clusters: The number of clusters that they come in; the same number counts as none.
  ///   - standardError: The standard error of the number.
  public init(
    _ value: Double,
    interval: Interval? = nil,
    n: Int,
    clusters: Int? = nil,
    standardError: Double? = nil
  ) {
    self.value = value
    self.interval = interval
    self.n = n
    self.clusters = clusters == n ? nil : clusters
    self.standardError = standardError
  }

  /// Creates an estimate that is unknown.
  ///
  /// - Parameters:
  ///   - reason: Why, as a clause.
  ///   - n: The number of cases that were measured.
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
