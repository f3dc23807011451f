/// Keeps the chance that any of a suite's gates fails by noise where that of one gate is (Holm 1979).
///
/// A suite fails when one of its regression gates does, so with several gates a loss must be more
/// credible. To pass, all of them must pass, which needs no such care.
package enum Holm {
  private static let level = 0.05

  /// Takes back failures that are credible for one gate and not for the worst of all.
  package static func adjust(_ columns: inout [ColumnResult], rule: RegressionRule) {
    var places: [(column: Int, gate: Int)] = []
    var ps: [Double] = []
    for (column, result) in columns.enumerated() where result.isCandidate {
      for (gate, decision) in result.gates.enumerated() {
        // A waived gate fails nothing.
        guard let change = decision.change, decision.verdict != .noVerdict,
          decision.waiver == nil
        else { continue }
        places.append((column, gate))
        ps.append(decision.reason == .identical ? 1 : rule.p(change))
      }
    }
    for (place, p) in zip(places, MultipleTesting.holm(ps)) where p > level {
      var decision = columns[place.column].gates[place.gate]
      guard decision.verdict == .fail else { continue }
      decision.verdict = .inconclusive
      decision.reason = .notCredibleTogether
      decision.explanation =
        "credible for this gate alone, and not as the worst of \(ps.count)"
      columns[place.column].gates[place.gate] = decision
    }
  }
}
