import SluiceSystem

/// A test of the rate of an event in simulated draws, which stops as soon as the draws decide.
///
/// This is the sequential test of Wald (1945, "Sequential tests of statistical hypotheses"). It is
/// as reliable as a fixed number of draws, and needs several times fewer if the event is rare
/// enough.
package struct RareEvent: Sendable {
  /// The change of the log likelihood ratio after a draw with the event.
  ///
  /// The next property is the change after a draw without it.
  private let happened: Double
  private let stayedAway: Double
  /// The log likelihood ratio at which the event is too frequent.
  ///
  /// At the negative of this value, the event is rare enough.
  private let limit: Double
  private var logarithm = 0.0

  /// Creates a test.
  ///
  /// - Parameters:
  ///   - rate: The highest acceptable rate.
  ///   - bad: The lowest rate that must be detected.
  ///   - error: The highest probability of the wrong verdict at either rate.
  package init(upTo rate: Double, notFrom bad: Double, error: Double) {
    precondition(0 < rate && rate < bad && bad < 1 && error < 0.5)
    happened = log(bad / rate)
    stayedAway = log((1 - bad) / (1 - rate))
    limit = log((1 - error) / error)
  }

  /// True if the event is rare enough, false if it is too frequent, and `nil` while more draws are
  /// needed.
  package var verdict: Bool? {
    if logarithm <= -limit { return true }
    return logarithm >= limit ? false : nil
  }

  /// Adds a draw.
  package mutating func take(_ hasHappened: Bool) {
    logarithm += hasHappened ? happened : stayedAway
  }

  /// Draws until the test decides, and returns true if the event is rare enough.
  package static func isRare(
    upTo rate: Double,
    notFrom bad: Double,
    error: Double,
    _ draw: () throws -> Bool
  ) rethrows -> Bool {
    var test = RareEvent(upTo: rate, notFrom: bad, error: error)
    while true {
      if let verdict = test.verdict { return verdict }
      test.take(try draw())
    }
  }
}
