import SluiceSupport

/// The answers of a suite that were recorded since another revision.
///
/// If a change contains a prompt and new answers to it, perhaps only the author has reviewed the
/// answers.
package struct RecordedChange: Hashable, Sendable {
  /// The number of trials with a recorded answer.
  package var answers = 0
  /// The number of trials whose request has no recording in the other revision.
  package var added = 0
  /// The number of trials whose request has a different recorded answer in the other revision.
  package var again = 0
  /// The cases of the trials that ``added`` and ``again`` count, in suite order.
  package var cases: [String] = []
  /// The numbers of sets that were accepted or rejected since the other revision.
  package var sets = RecordingSummary.Sets()

  package init() {}

  /// Compares the recordings behind trials with the recordings of another revision.
  ///
  /// - Parameters:
  ///   - trials: The current trials.
  ///   - here: The current recordings, by backend.
  ///   - there: The recordings of the other revision, by backend.
  package init(
    _ trials: [Trial],
    here: [String: RecordingStore],
    there: [String: RecordingFile]
  ) {
    var seen: Set<String> = []
    for trial in trials {
      let slot = Recording.Slot(key: trial.requestKey, repetition: trial.repetition)
      guard let layer = here[trial.backend]?.layer(slot) else { continue }
      answers += 1
      if let old = there[trial.backend]?.line(slot) {
        // If a file was only migrated to a new schema, its answers are the same.
        if old == layer.file.line(slot) { continue }
        if Self.answer(there[trial.backend], slot) == Self.answer(layer.file, slot) { continue }
        again += 1
      } else {
        added += 1
      }
      if seen.insert(trial.caseID).inserted { cases.append(trial.caseID) }
    }
  }

  private static func answer(_ file: RecordingFile?, _ slot: Recording.Slot) -> RecordedAnswer? {
    (try? file?.answer(slot)).flatMap { $0 }
  }

  /// Counts the sets that were accepted or rejected since the other revision.
  package mutating func add(_ here: RecordingLedger, since there: RecordingLedger) {
    let known = Dictionary(there.sets.map { ($0.id, $0) }) { first, _ in first }
    for set in here.sets where known[set.id] != set {
      let before = known[set.id]
      if set.state != before?.state {
        sets.accepted += set.state == .accepted ? 1 : 0
        sets.rejected += set.state == .rejected ? 1 : 0
      }
      sets.askedAgain += max(0, set.askedAgain - (before?.askedAgain ?? 0))
    }
  }
}
