import SluiceGating

/// The number of cases behind a figure, in the wording that all reports use.
enum ClusterText {
  /// Formats the number of cases, followed by the number of clusters if the two numbers differ:
  /// `259 in 156 clusters`.
  static func n(_ cases: Int, _ clusters: Int?) -> String {
    guard let clusters, clusters != cases else { return "\(cases)" }
    return "\(cases) in \(clusters) cluster\(clusters == 1 ? "" : "s")"
  }

  /// Returns the numbers of cases and clusters of a column, or `nil` if the column has no clusters.
  static func counts(_ column: ColumnResult) -> (cases: Int, clusters: Int)? {
    let trials = column.countedTrials
    guard trials.contains(where: { $0.cluster != nil }) else { return nil }
    var cases: Set<String> = []
    var (clusters, alone) = (Set<String>(), 0)
    for trial in trials where cases.insert(trial.caseID).inserted {
      if let cluster = trial.cluster { clusters.insert(cluster) } else { alone += 1 }
    }
    let count = clusters.count + alone
    return cases.count == count ? nil : (cases.count, count)
  }

  /// Returns a sentence on how clusters affect the figures, or `nil` if there are no clusters.
  static func sentence(_ column: ColumnResult) -> String? {
    counts(column).map { cases, clusters in
      "The \(cases.withThousands) cases come in \(clusters.withThousands) clusters, each of which "
        + "varies one situation. Figures are means over cases; intervals and gates take into "
        + "account that cases of a cluster are alike."
    }
  }
}

extension Estimate {
  /// The number of cases, followed by the number of clusters if the two numbers differ.
  var nText: String { ClusterText.n(n, clusters) }
}

extension PairedChange {
  /// The number of cases, followed by the number of clusters if the two numbers differ.
  var nText: String { ClusterText.n(n, clusters) }
}
