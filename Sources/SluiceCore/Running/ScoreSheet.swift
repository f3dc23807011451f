import SluiceSupport

/// The scores of a trial, shared by trials with equal scores.
package final class ScoreSheet: Hashable, Sendable {
  /// The scores, first those of the suite in order, then those of the case.
  package let scores: [Trial.NamedScore]
  /// True if a score marks the answer as unusable.
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

/// The distinct score sheets of a run.
///
/// Without explanations, which are in the run log, few sheets differ: the answers to a hundred
/// thousand cases share some dozens.
final class ScoreSheets: Sendable {
  private let sheets = Locked<[ByteKey: ScoreSheet]>([:])

  /// Returns the sheet of scores without their explanations.
  ///
  /// - Parameters:
  ///   - scores: The scores.
  ///   - key: A key that identifies the scores, apart from their explanations.
  /// - Returns: The sheet, the same instance for the same key.
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
