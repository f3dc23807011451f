import SluiceCore

/// The regression gates whose false alarms Holm's correction limits together.
public enum GateFamily: String, Hashable, Sendable, CaseIterable {
  /// The gates of one suite, so that its verdict does not depend on other suites in the call.
  case suite
  /// The gates of all suites in a call, for a change that affects all of them.
  case call
}

/// The correction for several gates (Holm 1979), as applied to one of them.
public struct Correction: Hashable, Sendable {
  /// The gates that are corrected together.
  public var family: GateFamily
  /// The number of gates in the family; gates on one metric of a backend count once.
  public var gates: Int
  /// The divisor of the level for this gate in Holm's method, from `gates` down to 1.
  public var factor: Int
  /// The one-sided p value of the gate's failure if nothing got worse.
  public var p: Double
  /// The p value after the correction; the gate can fail if it is at most
  /// ``Correction/familyLevel``.
  public var adjustedP: Double
  /// The failure that the correction withdrew, or `nil` if it did not change the gate.
  package var takenBack: TakenBack?

  /// The failure of a gate when it is decided alone.
  package struct TakenBack: Hashable, Sendable {
    package var reason: Reason
    package var explanation: String
  }

  /// The largest acceptable chance of a false alarm in a family.
  public static let familyLevel = 0.05

  /// The one-sided level at which the gate was decided.
  public var level: Double { Self.familyLevel / Double(factor) }

  /// The confidence of the two-sided interval with that level at each end.
  public var confidence: Double { 1 - 2 * level }
}

extension Decision {
  /// True when the condition fails alone, before the correction for several gates.
  public var failsAlone: Bool { verdict == .fail || correction?.takenBack != nil }

  /// The interval of the change at the corrected level of the gate.
  public var correctedInterval: Interval? {
    correction.flatMap { change?.interval(confidence: $0.confidence) }
  }
}
