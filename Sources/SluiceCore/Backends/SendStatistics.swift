import SluiceSupport

/// What it took to get an answer, beside the exchange that brought it.
public struct SendStatistics: Hashable, Sendable {
  /// The attempts that brought none, in their order.
  public var failures: [FailedAttempt]
  /// How long requests waited for a free place, in milliseconds; it is part of no latency.
  public var queued: Double

  /// Creates an effort.
  ///
  /// - Parameters:
  ///   - failures: The attempts that brought no answer, in their order.
  ///   - queued: How long requests waited for a free place, in milliseconds.
  public init(failures: [FailedAttempt] = [], queued: Double = 0) {
    self.failures = failures
    self.queued = queued
  }
}

/// An attempt to get an answer that brought none, after which another one was made.
public struct FailedAttempt: Hashable, Sendable {
  /// The kind of trouble.
  public var kind: BackendError.Kind
  /// The status of the response, if there was one.
  public var status: Int?
  /// How long the attempt took, in milliseconds.
  public var took: Double
  /// How long the next attempt was put off, in milliseconds; it is part of no latency.
  public var backOff: Double

  /// Creates an attempt.
  ///
  /// - Parameters:
  ///   - kind: The kind of trouble.
  ///   - status: The status of the response, if there was one.
  ///   - took: How long the attempt took, in milliseconds.
  ///   - backOff: How long the next attempt was put off, in milliseconds.
  public init(kind: BackendError.Kind, status: Int? = nil, took: Double, backOff: Double) {
    self.kind = kind
    self.status = status
    self.took = took
    self.backOff = backOff
  }
}
