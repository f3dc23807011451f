import SluiceSupport

/// The scores of a trial, which trials that were judged alike share.
package final class ScoreSheet: Hashable, Sendable {
  /// The scores, in the order of the suite, then of the case.
  package let scores: [Trial.NamedScore]
  /// Whether a score says that the app could not have used the answer.
  let isUnusable: Bool

  static let empty = ScoreSheet([])

  init(_ scores: [Trial.NamedScore]) {
    self.scores = scores
    isUnusable = scores.contains { $0.score.isUnusable && !$0.score.isAdvisory }
  }

  package static func == (left: ScoreSheet, right: ScoreSheet) -> Bool {
    left === right || left.scores == right.scores
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(scores) }
}

/// The score sheets of a run, each kept once.
///
/// Without explanations, which the run log has, few differ: the answers to a hundred thousand cases get
/// some dozens of sheets.
final class ScoreSheets: Sendable {
  private let sheets = Locked<[ByteKey: ScoreSheet]>([:])

  /// The sheet of scores without their explanations.
  ///
  /// - Parameters:
  ///   - scores: The scores.
  ///   - key: What tells them from others, whatever their explanations.
  /// - Returns: The sheet, which is the same for the same key.
  func unexplained(_ scores: [Trial.NamedScore], key: [UInt8]) -> ScoreSheet {
    sheets.withLock { sheets in
      if let known = sheets[ByteKey(key)] { return known }
      let sheet = ScoreSheet(
        scores.map { named in
          var named = named
          named.score.explanation = ""
          return named
        }
      )
      sheets[ByteKey(key)] = sheet
      return sheet
    }
  }
}
