import SluiceCore

/// Holm's correction (Holm 1979).
///
/// With the correction, the chance that noise makes one or more gates of a family fail is at most
/// 5%, as for a single gate.
///
/// A suite fails if any of its regression gates fails. So with several gates, each gate needs
/// stronger evidence of a loss before it fails. A pass needs no correction, since all gates must
/// pass. Gates on the same metric count as one, so a repeated gate does not weaken the others.
package enum Holm {
  /// A metric of a column.
  ///
  /// All gates on one metric of a column test the same hypothesis, whatever their margins are.
  private struct Question: Hashable {
    var column: Int
    var metric: Metric
  }

  /// The correction of a hypothesis; `p` is the smallest p value of the gates that test it.
  fileprivate struct Step {
    var p: Double
    /// The factor for the p value: the number of hypotheses from this one on, in ascending order of
    /// p.
    var multiplier = 1
    /// The divisor of the significance level.
    ///
    /// The smallest p value has the largest divisor, and each larger p value has a divisor that is
    /// smaller by 1. After the first hypothesis that is not rejected, the divisor stays the same.
    var divisor = 1
    var adjusted = 1.0
  }

  /// Withdraws failures that are significant for a single gate, but not after the correction for
  /// all gates of the suite.
  package static func adjust(_ columns: inout [ColumnResult], rule: RegressionRule) {
    for column in columns.indices where columns[column].isCandidate {
      for (gate, decision) in columns[column].gates.enumerated() {
        // A waived gate, or a gate with too few clusters, cannot make the suite fail.
        guard let change = decision.change, decision.verdict != .noVerdict,
          decision.waiver == nil, decision.reason != .tooFewClusters
        else { continue }
        let p = decision.reason == .identical ? 1 : rule.p(change)
        columns[column].gates[gate].correction = Correction(
          family: .suite,
          gates: 1,
          factor: 1,
          p: p,
          adjustedP: p
        )
      }
    }
    adjust(&columns, as: .suite)
  }

  /// Corrects the gates of several suites again, as one family, after ``adjust(_:rule:)`` corrected
  /// each suite.
  ///
  /// - Parameters:
  ///   - columns: The columns of all suites in the family.
  ///   - family: The kind of family.
  package static func adjust(_ columns: inout [ColumnResult], as family: GateFamily) {
    let steps = steps(columns)
    for column in columns.indices {
      for (gate, decision) in columns[column].gates.enumerated() {
        let question = Question(column: column, metric: decision.metric)
        guard let step = steps[question], decision.correction != nil else { continue }
        columns[column].gates[gate].correct(by: step, of: steps.count, family)
      }
    }
  }

  private static func steps(_ columns: [ColumnResult]) -> [Question: Step] {
    var least: [Question: Double] = [:]
    var order: [Question] = []
    for (column, result) in columns.enumerated() {
      for decision in result.gates {
        guard let p = decision.correction?.p else { continue }
        let question = Question(column: column, metric: decision.metric)
        if least[question] == nil { order.append(question) }
        least[question] = min(least[question] ?? 1, p)
      }
    }
    let ps = order.map { least[$0] ?? 1 }
    var steps: [Question: Step] = [:]
    var last = Step(p: 0, multiplier: 0, divisor: 0, adjusted: 0)
    for (rank, index) in ps.indices.sorted(by: { (ps[$0], $0) < (ps[$1], $1) }).enumerated() {
      let remaining = ps.count - rank
      // After the first hypothesis that is not rejected, Holm's method rejects no other, so its
      // level applies to the rest.
      let hasStopped = last.p * Double(last.divisor) > Correction.familyLevel
      last = Step(
        p: ps[index],
        multiplier: remaining,
        divisor: hasStopped ? last.divisor : remaining,
        adjusted: max(last.adjusted, min(1, Double(remaining) * ps[index]))
      )
      steps[order[index]] = last
    }
    return steps
  }
}

extension Decision {
  /// Applies the correction of the family to the gate's own decision.
  fileprivate mutating func correct(by step: Holm.Step, of gates: Int, _ family: GateFamily) {
    guard var correction else { return }
    if let failure = correction.takenBack {
      (verdict, reason, explanation) = (.fail, failure.reason, failure.explanation)
    }
    correction.takenBack = nil
    correction.family = family
    correction.gates = gates
    correction.factor = step.divisor
    correction.adjustedP = max(step.adjusted, min(1, Double(step.multiplier) * correction.p))
    if verdict == .fail, step.divisor > 1, correction.p > correction.level {
      correction.takenBack = .init(reason: reason, explanation: explanation)
      verdict = .inconclusive
      reason = .notCredibleTogether
      explanation = "fails alone; not when corrected for \(correction.familyText)"
    }
    self.correction = correction
  }
}

extension Correction {
  /// A phrase with the number of gates in the family, such as `3 gates`.
  package var familyText: String {
    switch family {
    case .suite: gates == 1 ? "1 gate" : "\(gates) gates"
    case .call: gates == 1 ? "the one gate of the run" : "the \(gates) gates of the run"
    }
  }
}
