/// Keeps the chance that any of a suite's gates fails by noise where that of one gate is (Holm 1979).
///
/// A suite fails when one of its regression gates does, so with several gates a loss must be more
/// credible. To pass, all of them must pass, which needs no such care. Gates on one metric are one
/// chance: to write one down many times makes no other harder to fail.
package enum Holm {
  private static let level = 0.05

  /// A metric of a column: gates on it are one question, whatever their margins.
  private struct Question: Hashable {
    var column: Int
    var metric: Metric
  }

  /// A gate that compares, with how likely its failure were by noise.
  private struct Candidate {
    var question: Question
    var gate: Int
    var p: Double
  }

  /// Takes back failures that are credible for one gate and not for the worst of all.
  package static func adjust(_ columns: inout [ColumnResult], rule: RegressionRule) {
    var candidates: [Candidate] = []
    for (column, result) in columns.enumerated() where result.isCandidate {
      for (gate, decision) in result.gates.enumerated() {
        // A waived gate fails nothing.
        guard let change = decision.change, decision.verdict != .noVerdict,
          decision.waiver == nil
        else { continue }
        candidates.append(
          Candidate(
            question: Question(column: column, metric: decision.metric),
            gate: gate,
            p: decision.reason == .identical ? 1 : rule.p(change)
          )
        )
      }
    }
    let factors = factors(candidates)
    for candidate in candidates where candidate.p * (factors[candidate.question] ?? 1) > level {
      let column = candidate.question.column
      var decision = columns[column].gates[candidate.gate]
      guard decision.verdict == .fail else { continue }
      decision.verdict = .inconclusive
      decision.reason = .notCredibleTogether
      decision.explanation =
        "credible for this gate alone, and not as the worst of \(factors.count)"
      columns[column].gates[candidate.gate] = decision
    }
  }

  /// By how much the p values of a question count more, because there are others.
  private static func factors(_ candidates: [Candidate]) -> [Question: Double] {
    var least: [Question: Double] = [:]
    var order: [Question] = []
    for candidate in candidates {
      if least[candidate.question] == nil { order.append(candidate.question) }
      least[candidate.question] = min(least[candidate.question] ?? 1, candidate.p)
    }
    let ps = order.map { least[$0] ?? 1 }
    var factors: [Question: Double] = [:]
    for (question, (p, adjusted)) in zip(order, zip(ps, MultipleTesting.holm(ps))) {
      factors[question] = p > 0 ? max(1, adjusted / p) : 1
    }
    return factors
  }
}
