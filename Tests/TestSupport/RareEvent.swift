import SluiceSystem

/// A test of how often something happens in simulated draws, which stops once they decide.
///
/// It is the sequential test of Wald (1945, "Sequential tests of statistical hypotheses"): as sure as a
/// fixed number of draws, with several times fewer where the event is as rare as it should be.
package struct RareEvent: Sendable {
  /// By how much a draw moves the logarithm of the ratio of likelihoods.
  private let happened: Double
  private let stayedAway: Double
  /// The logarithm at which the event is too frequent; rare enough at minus it.
  private let limit: Double
  private var logarithm = 0.0

  /// Creates a test.
  ///
  /// - Parameters:
  ///   - rate: The highest rate that is fine.
  ///   - bad: The lowest rate that must be noticed.
  ///   - error: The highest probability of the wrong verdict at either rate.
  package init(upTo rate: Double, notFrom bad: Double, error: Double) {
    precondition(0 < rate && rate < bad && bad < 1 && error < 0.5)
    happened = log(bad / rate)
    stayedAway = log((1 - bad) / (1 - rate))
    limit = log((1 - error) / error)
  }

  /// True once the event is rare enough, false once it is too frequent, nil while draws are needed.
  package var verdict: Bool? {
    if logarithm <= -limit { return true }
    return logarithm >= limit ? false : nil
  }

  /// Takes a draw.
  package mutating func take(_ hasHappened: Bool) {
    logarithm += hasHappened ? happened : stayedAway
  }

  /// Draws until the test decides; returns true where the event is rare enough.
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
