import SluiceGating

/// A cache of the texts that a report writes for the scores of trials.
///
/// Trials with the same ``ScoreSheet`` have equal scores, and usually the same explanations in the
/// run log. If the explanations are the same, the text of the previous trial is used again.
final class ScoreMemo {
  private var entries: [ObjectIdentifier: Entry] = [:]
  private static let most = 256

  private struct Entry {
    /// The sheet.
    ///
    /// It is retained, so that no other sheet can get the same address.
    var sheet: ScoreSheet
    /// The scores as written in the run log.
    var scores: [UInt8]
    var made: [UInt8]
  }

  /// Returns the bytes for the scores of a trial.
  ///
  /// - Parameters:
  ///   - trial: The trial.
  ///   - scores: The trial's scores as written in the run log.
  ///   - make: A closure that makes the bytes from the explanations of the trial's scores.
  /// - Returns: The bytes, or `nil` if the scores in the log are not those of the trial.
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
    // If scores contain numbers, each trial may have a different sheet, so limit the size.
    if entries.count == Self.most { entries.removeAll(keepingCapacity: true) }
    let made = make(explanations)
    entries[key] = Entry(sheet: trial.sheet, scores: Array(scores), made: made)
    return made
  }
}
