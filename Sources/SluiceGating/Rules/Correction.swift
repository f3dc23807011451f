import SluiceCore

/// The set of regression gates that Holm's correction covers together.
public enum GateFamily: String, Hashable, Sendable, CaseIterable {
  /// The gates of one suite.
  ///
  /// The verdict of the suite then does not depend on the other suites of the run.
  case suite
  /// The gates of all suites in one run, for a change that affects all suites.
  case call
}

/// The correction for several gates (Holm 1979), as applied to one gate.
public struct Correction: Hashable, Sendable {
  /// The gates that Holm's correction covers together.
  public var family: GateFamily
  /// The number of gates in the family.
  ///
  /// Gates on the same metric and backend count as one.
  public var gates: Int
  /// The number by which Holm's method divides ``familyLevel`` for this gate, from 1 to `gates`.
  public var factor: Int
  /// The one-sided p value of the gate: the chance that noise alone gives a loss that is at least
  /// this credible.
  public var p: Double
  /// The p value after the correction.
  ///
  /// The gate can fail if this p value is at most ``Correction/familyLevel``.
  public var adjustedP: Double
  /// The failure that the correction turned into an inconclusive verdict; `nil` if there is none.
  package var takenBack: TakenBack?

  /// The reason and the explanation of a failure that the correction withdrew.
  package struct TakenBack: Hashable, Sendable {
    package var reason: Reason
    package var explanation: String
  }

  /// The largest acceptable chance that any gate of a family raises a false alarm.
  public static let familyLevel = 0.05

  /// The one-sided significance level at which the gate was decided.
  public var level: Double { Self.familyLevel / Double(factor) }

  /// The confidence, between 0 and 1, of the two-sided interval whose ends are each wrong with a
  /// chance of ``level``.
  public var confidence: Double { 1 - 2 * level }
}

extension Decision {
  /// True if the condition fails before the correction for several gates.
  public var failsAlone: Bool { verdict == .fail || correction?.takenBack != nil }

  /// The confidence interval of the change at the gate's corrected level.
  public var correctedInterval: Interval? {
    correction.flatMap { change?.interval(confidence: $0.confidence) }
  }
}
