import SluiceSupport

/// The scores of a trial.
///
/// Trials with equal scores share one sheet.
package final class ScoreSheet: Hashable, Sendable {
  /// The scores of the suite's scorers, in order, followed by the scores of the case's assertions.
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

/// The score sheets of a run.
///
/// Equal sheets are stored once.
///
/// Explanations are in the run log. Without explanations, few sheets differ: the answers to a
/// hundred thousand cases share some dozens of sheets.
final class ScoreSheets: Sendable {
  private let sheets = Locked<[ByteKey: ScoreSheet]>([:])

  /// Returns the sheet for some scores, without their explanations.
  ///
  /// - Parameters:
  ///   - scores: The scores.
  ///   - key: A key. Two trials have the same key if their scores are equal, except for
  ///     explanations.
  /// - Returns: The sheet, which is the same instance for equal keys.
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
