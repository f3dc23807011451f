import SluiceGating

/// A cache of a report's text for scores, reused by trials whose scores are written identically.
///
/// Explanations are in the run log. Trials that share a score sheet usually have the same
/// explanations, so the text for the previous one can be reused.
final class ScoreMemo {
  private var entries: [ObjectIdentifier: Entry] = [:]
  private static let most = 256

  private struct Entry {
    /// Retained so that no other sheet can reuse its address.
    var sheet: ScoreSheet
    /// The scores as written in the run log.
    var scores: [UInt8]
    var made: [UInt8]
  }

  /// Returns the bytes for the scores of a trial.
  ///
  /// - Parameters:
  ///   - trial: The trial.
  ///   - scores: Its scores as written in the run log.
  ///   - make: Returns the bytes for the explanations, one for each score of the trial.
  /// - Returns: The bytes, or `nil` if the log's scores differ from the trial's.
  func bytes(
    of trial: Trial,
    _ scores: UnsafeRawBufferPointer,
    make: ([String]) -> [UInt8]
  ) -> [UInt8]? {
    let key = ObjectIdentifier(trial.sheet)
    if let entry = entries[key], entry.scores.withUnsafeBytes({ scores.equals($0) }) {
      return entry.made
    }
    guard let explanations = RunLogReader.explanations(in: scores),
      explanations.count == trial.sheet.scores.count
    else { return nil }
    // Where scores carry numbers there may be as many sheets as trials.
    if entries.count == Self.most { entries.removeAll(keepingCapacity: true) }
    let made = make(explanations)
    entries[key] = Entry(sheet: trial.sheet, scores: Array(scores), made: made)
    return made
  }
}
