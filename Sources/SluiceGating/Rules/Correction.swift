import SluiceCore

/// The regression gates whose false alarms Holm's correction holds at one level together.
public enum GateFamily: String, Hashable, Sendable, CaseIterable {
  /// Those of a suite, so that it has the same verdict alone and in a larger call.
  case suite
  /// Those of all suites of a call, for a change that touches all of them.
  case call
}

/// The correction for several gates (Holm 1979), as it was applied to one of them.
public struct Correction: Hashable, Sendable {
  /// The gates that are corrected together.
  public var family: GateFamily
  /// The number of gates in the family; gates on one metric of a backend count once.
  public var gates: Int
  /// The number by which Holm divides the level for this gate: from `gates` down to 1.
  public var factor: Int
  /// The one-sided p value of the gate's failure, had nothing got worse.
  public var p: Double
  /// The p value after the correction: the gate can fail where it is at most ``Correction/familyLevel``.
  public var adjustedP: Double
  /// The failure that the correction took back; nil where it left the gate as it was.
  package var takenBack: TakenBack?

  /// The failure of a gate by itself.
  package struct TakenBack: Hashable, Sendable {
    package var reason: Reason
    package var explanation: String
  }

  /// The chance of a false alarm at which a family is held.
  public static let familyLevel = 0.05

  /// The one-sided level at which the gate was decided.
  public var level: Double { Self.familyLevel / Double(factor) }

  /// The confidence of the two-sided interval with that level at each end.
  public var confidence: Double { 1 - 2 * level }
}

extension Decision {
  /// True when the condition fails by itself, before the correction for several gates.
  public var failsAlone: Bool { verdict == .fail || correction?.takenBack != nil }

  /// The interval of the change at the level at which the correction decided the gate.
  public var correctedInterval: Interval? {
    correction.flatMap { change?.interval(confidence: $0.confidence) }
  }
}
