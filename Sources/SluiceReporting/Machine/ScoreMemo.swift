import SluiceGating

/// What a report makes of the scores of trials, made once for those whose scores are written alike.
///
/// Explanations stand in the run log. Trials that share a sheet of scores mostly have the same ones, so what
/// was made of the one before can be taken again.
final class ScoreMemo {
  private var entries: [ObjectIdentifier: Entry] = [:]
  private static let most = 256

  private struct Entry {
    /// Held, so that no other sheet can take its place in memory.
    var sheet: ScoreSheet
    /// The scores as the run log has them.
    var scores: [UInt8]
    var made: [UInt8]
  }

  /// The bytes that stand for the scores of a trial.
  ///
  /// - Parameters:
  ///   - trial: The trial.
  ///   - scores: Its scores as the run log has them.
  ///   - make: Makes the bytes of the explanations, one for each score of the trial.
  /// - Returns: The bytes; nil where the log has other scores than the trial.
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
