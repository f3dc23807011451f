import SluiceSupport

/// Which of a suite's answers were recorded between another revision and here.
///
/// What a change records itself is no evidence that anyone else has seen.
package struct RecordedChange: Hashable, Sendable {
  /// How many trials a recording answers.
  package var answers = 0
  /// How many of them have no recording in the other revision.
  package var added = 0
  /// How many have another answer there to the same request.
  package var again = 0
  /// The cases of both, in the order of the suite.
  package var cases: [String] = []
  /// The sets that the ledger here has and the one there has not.
  package var sets = RecordingSummary.Sets()

  package init() {}

  /// Compares the recordings that answered trials with those of another revision.
  ///
  /// - Parameters:
  ///   - trials: The trials here.
  ///   - here: The recordings here, by backend.
  ///   - there: Those of the other revision.
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
        // A file that was only migrated holds the same answers.
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

  /// Counts the sets that one ledger has and another has not.
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
