/// A range of values between two ends.
public struct Interval: Hashable, Sendable {
  /// The lower end, in the unit of the values, such as milliseconds; a rate is a share from 0 to 1.
  public var low: Double
  /// The upper end, in the same unit as ``low``.
  public var high: Double

  /// Creates an interval.
  ///
  /// - Parameters:
  ///   - low: The lower end.
  ///   - high: The upper end, at least `low`.
  public init(low: Double, high: Double) {
    self.low = low
    self.high = high
  }
}

/// A number estimated from measurements, with its sample size and uncertainty.
public struct Estimate: Hashable, Sendable {
  /// The number, in the unit of the metric, such as milliseconds; a rate is a share from 0 to 1.
  ///
  /// Nil if the number is unknown.
  public var value: Double?
  /// The 95% confidence interval in the unit of ``value``, if one was computed.
  public var interval: Interval?
  /// The number of cases that the number is computed from.
  public var n: Int
  /// The number of clusters of the cases; nil if the cases are independent.
  public var clusters: Int?
  /// The standard error in the unit of ``value``, if one was computed.
  public var standardError: Double?
  /// The reason why the number is unknown, such as "there are no answers"; nil for a known number.
  public var unknown: String?

  /// Creates a known estimate.
  ///
  /// - Parameters:
  ///   - value: The number.
  ///   - interval: The 95% confidence interval of the number.
  ///   - n: The number of cases that the number is computed from.
  ///   - clusters: The number of clusters of the cases. A value equal to `n` means that the cases
  ///     are independent.
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

  /// Creates an unknown estimate.
  ///
  /// - Parameters:
  ///   - reason: The reason, such as "there are no answers".
  ///   - n: The number of cases that were measured.
  public init(unknown reason: String, n: Int = 0) {
    unknown = reason
    self.n = n
  }

  /// Creates the estimate of a rate, with the 95% interval of Wilson (1927).
  ///
  /// If `n` is 0, the estimate is unknown.
  ///
  /// - Parameters:
  ///   - successes: The number of cases that count as successes, from 0 to `n`.
  ///   - n: The number of cases, at least 0.
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
