import SluiceSupport

/// How many of the requests that are sent together are done, and what came of them.
package struct SendingProgress: Hashable, Sendable {
  /// The requests that ended, with or without an answer, and those that were answered before.
  package var done: Int
  /// How many there are in all.
  package var total: Int
  /// Those that ended without an answer.
  package var lost = 0
  /// How often one was sent again after an attempt that brought no answer.
  package var sentAgain = 0

  /// Creates a progress.
  ///
  /// - Parameters:
  ///   - total: How many requests there are in all.
  ///   - done: Those that were answered before.
  package init(of total: Int, done: Int = 0) {
    self.done = done
    self.total = total
  }

  /// Notes a request that ended.
  ///
  /// - Parameters:
  ///   - isLost: Whether it brought no answer.
  ///   - effort: What it took.
  package mutating func note(isLost: Bool, _ effort: SendStatistics) {
    done += 1
    lost += isLost ? 1 : 0
    sentAgain += effort.failures.count
  }
}
