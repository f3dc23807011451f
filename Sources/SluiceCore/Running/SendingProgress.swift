import SluiceSupport

/// The progress of a group of requests.
package struct SendingProgress: Hashable, Sendable {
  /// The number of finished requests, with or without an answer.
  ///
  /// Requests that were answered earlier are included.
  package var done: Int
  /// The total number of requests.
  package var total: Int
  /// The number of requests that ended without an answer.
  package var lost = 0
  /// The number of retries after failed attempts.
  package var sentAgain = 0

  /// Creates the progress of a group before it starts.
  ///
  /// - Parameters:
  ///   - total: The total number of requests.
  ///   - done: The number of requests that were answered earlier.
  package init(of total: Int, done: Int = 0) {
    self.done = done
    self.total = total
  }

  /// Records a finished request.
  ///
  /// - Parameters:
  ///   - isLost: True if the request ended without an answer.
  ///   - statistics: The statistics of sending the request.
  package mutating func note(isLost: Bool, _ statistics: SendStatistics) {
    done += 1
    lost += isLost ? 1 : 0
    sentAgain += statistics.failures.count
  }
}
