import SluiceCore

/// The chance that at least one regression gate fails although nothing got worse.
///
/// Only gates that can fail by noise count. A gate cannot fail if it has a waiver, or if all
/// answers are identical to the baseline.
package struct FalseAlarms: Hashable, Sendable {
  package var family: GateFamily
  /// The number of suites with a gate that can fail by noise.
  package var suites = 0
  /// The number of gates that can fail by noise.
  package var gates = 0

  /// Counts the gates and suites that can fail by noise.
  ///
  /// - Parameters:
  ///   - suites: The columns of each suite.
  ///   - family: The set of gates that Holm's correction covers together: those of a suite or of the
  ///     run.
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
  /// If gates are corrected within each suite, the bound assumes that the suites are independent.
  package var chance: Double {
    let level = Correction.familyLevel
    switch family {
    case .suite: return 1 - (0..<suites).reduce(1) { rest, _ in rest * (1 - level) }
    case .call: return gates > 0 ? level : 0
    }
  }
}
