import SluiceCore
import SluiceStatistics

/// The metric `best-of`: the share of cases on which each column scores highest.
///
/// A column is a prompt on a backend.
package struct BestOf: Sendable {
  private let rule: BestOfRule

  package init(_ rule: BestOfRule) { self.rule = rule }

  /// The name that reports use.
  package static let metric = "best-of.win-rate"

  /// Returns the share of cases that each column wins, in the order of the columns.
  ///
  /// If several columns tie for the best score, each gets an equal part of the case.
  ///
  /// - Parameter columns: For each column, the trials outside quarantine.
  /// - Returns: The shares among the cases that were judged in every column.
  package func estimates(_ columns: [[Trial]]) -> [ColumnResult.NamedEstimate] {
    let scores = columns.map(scores)
    var rows = columns.map { _ in [RateSample.Row]() }
    var clusters: [ExactString: Int32] = [:]
    var places: Set<ExactString> = []
    for (place, trial) in (columns.first ?? []).enumerated() {
      let id = ExactString(trial.caseID)
      guard places.insert(id).inserted else { continue }
      let values = scores.compactMap { $0[id] }
      guard values.count == columns.count, let best = values.max() else { continue }
      let isBest = values.map { best - $0 <= 1e-9 }
      let share = 1 / Double(isBest.count { $0 })
      let name = trial.cluster.map { "c\($0)" } ?? "i\(trial.caseID)"
      let cluster = clusters[ExactString(name)] ?? Int32(clusters.count)
      clusters[ExactString(name)] = cluster
      for column in columns.indices {
        rows[column].append(
          RateSample.Row(
            trial: Int32(place),
            cluster: cluster,
            holding: isBest[column] ? share : 0,
            weight: 1,
            // In a tie of k columns, each wins 1/k of the case, as if 1 of k repeats passed.
            repeats: Int32(isBest.count { $0 })
          )
        )
      }
    }
    return rows.map { rows in
      ColumnResult.NamedEstimate(
        name: Self.metric,
        quantity: .rate,
        isAdvisory: true,
        estimate: rows.isEmpty
          ? Estimate(unknown: "no case was judged in every column") : RateSample(rows).estimate
      )
    }
  }

  /// Returns the score of each case: the mean over its judged repeats.
  private func scores(_ trials: [Trial]) -> [ExactString: Double] {
    var sums: [ExactString: (sum: Double, count: Double)] = [:]
    for trial in trials {
      guard let score = score(trial) else { continue }
      let sum = sums[ExactString(trial.caseID)] ?? (0, 0)
      sums[ExactString(trial.caseID)] = (sum.sum + score, sum.count + 1)
    }
    return sums.mapValues { $0.sum / $0.count }
  }

  private func score(_ trial: Trial) -> Double? {
    if trial.isLost { return nil }
    let sign = rule.prefersSmall ? -1.0 : 1
    if let name = rule.scorer {
      return trial.scores.first { $0.name == name }
        .flatMap { grade($0.score, ofMeasures: true) }.map { sign * $0 }
    }
    let grades = trial.scores.filter { !$0.score.isAdvisory }
      .compactMap { grade($0.score, ofMeasures: false) }
    return grades.isEmpty ? nil : sign * grades.reduce(0, +) / Double(grades.count)
  }

  /// Returns the value of a score: its grade if it has one, otherwise 1 for a pass and 0 for a
  /// failure.
  ///
  /// Measures have different scales, so a measure counts as a grade only if `best-of` names its
  /// scorer.
  private func grade(_ score: Score, ofMeasures: Bool) -> Double? {
    switch score.outcome {
    case .notApplicable, .unscored: return nil
    case .passed, .failed: break
    }
    for name in ofMeasures ? ["score", "value"] : ["score"] {
      if let number = score.measurements[name]?.number { return number }
    }
    return score.outcome == .passed ? 1 : 0
  }
}
