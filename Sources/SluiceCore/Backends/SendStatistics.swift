import SluiceSupport

/// Statistics of sending a request: its failed attempts and its time in the queue.
public struct SendStatistics: Hashable, Sendable {
  /// The failed attempts, in order.
  public var failures: [FailedAttempt]
  /// The time that the request spent in the queue, in milliseconds.
  ///
  /// It is not part of any latency.
  public var queued: Double

  /// Creates statistics.
  ///
  /// - Parameters:
  ///   - failures: The failed attempts, in order.
  ///   - queued: The time that the request spent in the queue, in milliseconds.
  public init(failures: [FailedAttempt] = [], queued: Double = 0) {
    self.failures = failures
    self.queued = queued
  }
}

/// A failed attempt that was followed by another attempt.
public struct FailedAttempt: Hashable, Sendable {
  /// The kind of error.
  public var kind: BackendError.Kind
  /// The HTTP status of the response; nil if there was no response.
  public var status: Int?
  /// The duration of the attempt, in milliseconds.
  public var took: Double
  /// The delay before the next attempt, in milliseconds.
  ///
  /// It is not part of any latency.
  public var backOff: Double

  /// Creates an attempt.
  ///
  /// - Parameters:
  ///   - kind: The kind of error.
  ///   - status: The status of the response, if any.
  ///   - took: The duration of the attempt, in milliseconds.
  ///   - backOff: The delay before the next attempt, in milliseconds.
  public init(kind: BackendError.Kind, status: Int? = nil, took: Double, backOff: Double) {
    self.kind = kind
    self.status = status
    self.took = took
    self.backOff = backOff
  }
}
