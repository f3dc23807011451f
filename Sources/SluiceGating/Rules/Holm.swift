import SluiceCore

/// Limits the chance that any gate of a family fails by noise to that of a single gate (Holm 1979).
///
/// A suite fails when one of its regression gates does, so several gates require more credible
/// losses. A pass needs no correction, since all gates must pass. Gates on the same metric count as
/// one, so repeating a gate does not make the others harder to fail.
package enum Holm {
  /// A metric of a column; all gates on it test one hypothesis, whatever their margins.
  private struct Question: Hashable {
    var column: Int
    var metric: Metric
  }

  /// The smallest p value of a hypothesis, with its correction.
  fileprivate struct Step {
    var p: Double
    /// The factor for the p value: the number of hypotheses with no smaller p value.
    var multiplier = 1
    /// The divisor of the level, which stays fixed from the first p value above its level.
    var divisor = 1
    var adjusted = 1.0
  }

  /// Withdraws failures that are credible for a single gate but not for a suite's family of gates.
  package static func adjust(_ columns: inout [ColumnResult], rule: RegressionRule) {
    for column in columns.indices where columns[column].isCandidate {
      for (gate, decision) in columns[column].gates.enumerated() {
        // A waived gate, or one with too few clusters, cannot fail the suite.
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

  /// Corrects gates again, over one family, after ``adjust(_:rule:)`` corrected them suite by
  /// suite.
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
      // The first hypothesis that is not rejected ends the procedure and fixes the level for the
      // rest.
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
      explanation = "would fail alone; not after Holm's correction for \(correction.familyText)"
    }
    self.correction = correction
  }
}

extension Correction {
  /// A description of the family with the number of its gates.
  package var familyText: String {
    switch family {
    case .suite: gates == 1 ? "1 gate" : "\(gates) gates"
    case .call: gates == 1 ? "the one gate of the call" : "the \(gates) gates of the call"
    }
  }
}
