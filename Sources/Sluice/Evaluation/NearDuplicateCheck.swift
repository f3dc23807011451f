import SluiceReporting

/// The pairs of nearly identical cases in a dataset that are not in the same cluster.
package struct NearDuplicateCheck: Sendable {
  /// The dataset's file.
  package var path: String
  /// The number of cases.
  package var caseCount: Int
  /// The near-duplicates; `nil` if the dataset is too large to check.
  package var found: NearDuplicates?

  /// The maximum number of near-duplicates that are listed one by one.
  private static let shownLimit = 20

  /// Finds near-duplicates in a dataset and warns about them.
  init(_ dataset: Dataset, diagnostics: DiagnosticCollector) {
    path = dataset.file.path
    caseCount = dataset.cases.count
    found = NearDuplicates(dataset.cases)
    let pairs = found?.pairs ?? []
    for pair in pairs.prefix(Self.shownLimit) {
      let (earlier, later) = (dataset.cases[pair.earlier], dataset.cases[pair.later])
      let similarity = NumberText.fixed(pair.similarity, decimals: 2)
      diagnostics.warning(
        "the input of '\(later.id)' is nearly the same as the input of '\(earlier.id)' on line "
          + "\(dataset.spec(pair.earlier).position.line) (similarity \(similarity))",
        in: dataset.file,
        at: dataset.spec(pair.later).position,
        fix: Self.fix(earlier, later)
      )
    }
    if pairs.count > Self.shownLimit {
      let next = dataset.spec(pairs[Self.shownLimit].later)
      diagnostics.warning(
        "\(pairs.count - Self.shownLimit) more cases, from this one on, are nearly the same as "
          + "an earlier case",
        in: dataset.file,
        at: next.position,
        fix: "give the same cluster to cases that vary one situation, or remove the duplicates"
      )
    }
  }

  private static func fix(_ earlier: StoredCase, _ later: StoredCase) -> String {
    let way =
      switch (earlier.labels.cluster, later.labels.cluster) {
      case (nil, nil): "give both cases the same 'cluster: NAME'"
      case (let cluster?, nil): "add 'cluster: \(cluster)' to '\(later.id)'"
      case (nil, let cluster?): "add 'cluster: \(cluster)' to '\(earlier.id)'"
      case (.some, .some): "give both cases the same cluster"
      }
    return "\(way), so that intervals account for their similarity, or remove one of the two"
  }
}
