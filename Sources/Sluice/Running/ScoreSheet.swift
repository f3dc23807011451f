/// The scores of a trial, which trials that were judged alike share.
final class ScoreSheet: Hashable, Sendable {
  /// The scores, in the order of the suite, then of the case.
  let scores: [Trial.NamedScore]
  /// Whether a score says that the app could not have used the answer.
  let isUnusable: Bool

  static let empty = ScoreSheet([])

  init(_ scores: [Trial.NamedScore]) {
    self.scores = scores
    isUnusable = scores.contains { $0.score.isUnusable }
  }

  static func == (left: ScoreSheet, right: ScoreSheet) -> Bool {
    left === right || left.scores == right.scores
  }

  func hash(into hasher: inout Hasher) { hasher.combine(scores) }
}

/// The score sheets of a run, each kept once.
///
/// Without explanations, which the run log has, few differ: the answers to a hundred thousand cases get
/// some dozens of sheets.
final class ScoreSheets: Sendable {
  private let sheets = Locked<[Key: ScoreSheet]>([:])

  /// What makes sheets the same, as bytes, which are compared fast.
  private struct Key: Hashable {
    var bytes: [UInt8]

    func hash(into hasher: inout Hasher) { bytes.withUnsafeBytes { hasher.combine(bytes: $0) } }
  }

  /// The sheet of scores without their explanations.
  func unexplained(_ scores: [Trial.NamedScore]) -> ScoreSheet {
    if scores.isEmpty { return .empty }
    var key = Key(bytes: [])
    key.bytes.reserveCapacity(256)
    for score in scores { score.append(explained: false, to: &key.bytes) }
    return sheets.withLock { sheets in
      if let known = sheets[key] { return known }
      let sheet = ScoreSheet(
        scores.map { named in
          var named = named
          named.score.explanation = ""
          return named
        }
      )
      sheets[key] = sheet
      return sheet
    }
  }
}
