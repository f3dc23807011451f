import SluiceCore

/// The chance that some regression gate of a call fails although nothing got worse.
///
/// Counted are gates that can fail by noise: those with changed answers that no waiver lifts. Where
/// every answer is that of the baseline a gate passes, whatever the others do.
package struct FalseAlarms: Hashable, Sendable {
  package var family: GateFamily
  /// The suites with a gate that can fail.
  package var suites = 0
  /// Their gates that can fail.
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

  /// The chance of a false alarm, at most; of suites that are families by themselves, where they are
  /// independent.
  package var chance: Double {
    let level = Correction.familyLevel
    switch family {
    case .suite: return 1 - (0..<suites).reduce(1) { rest, _ in rest * (1 - level) }
    case .call: return gates > 0 ? level : 0
    }
  }
}
