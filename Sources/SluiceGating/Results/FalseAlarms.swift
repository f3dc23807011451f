import SluiceCore

/// The chance that at least one regression gate fails although nothing got worse.
///
/// Only gates that noise can fail count: those whose answers changed and that have no waiver. A
/// gate always passes when every answer is identical to the baseline.
package struct FalseAlarms: Hashable, Sendable {
  package var family: GateFamily
  /// The number of suites with a gate that can fail.
  package var suites = 0
  /// The number of gates in them that can fail.
  package var gates = 0

  /// Counts the gates of suites that were decided.
  ///
  /// - Parameters:
  ///   - suites: The columns of each suite.
  ///   - family: The gates that were corrected together.
  package init(_ suites: [[ColumnResult]], family: GateFamily) {
    self.family = family
    for columns in suites {
      let count = columns.lazy.flatMap(\.gates)
        .count { $0.correction != nil && $0.reason != .identical }
      gates += count
      if count > 0 { self.suites += 1 }
    }
  }

  /// An upper bound on the chance of a false alarm.
  ///
  /// If each suite is a family of its own, the bound assumes that suites are independent.
  package var chance: Double {
    let level = Correction.familyLevel
    switch family {
    case .suite: return 1 - (0..<suites).reduce(1) { rest, _ in rest * (1 - level) }
    case .call: return gates > 0 ? level : 0
    }
  }
}
