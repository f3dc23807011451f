/// What n counts where cases belong to clusters, in the words that all reports share.
enum ClusterText {
  /// How many cases there are and as how many they count; nil where each counts by itself.
  static func counts(_ column: ColumnResult) -> (cases: Int, counted: Int)? {
    let trials = column.countedTrials
    guard trials.contains(where: { $0.cluster != nil }) else { return nil }
    let cases = Set(trials.map(\.caseID)).count
    let counted = Set(trials.map { CountingUnit.Key($0) }).count
    return cases == counted ? nil : (cases, counted)
  }

  /// Why n is smaller than the number of cases, in a sentence; nil where it is not.
  static func sentence(_ column: ColumnResult) -> String? {
    counts(column).map { cases, counted in
      "The \(cases.withThousands) cases count as \(counted.withThousands): those of one cluster, "
        + "which vary one situation, count once, and n is how many count."
    }
  }
}
