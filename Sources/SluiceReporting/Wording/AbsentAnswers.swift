import SluiceGating

/// The answers that a column lacks, in the words that all reports share.
struct AbsentAnswers {
  /// How many trials have no recorded answer.
  private let unrecorded: Int
  /// How many trials have no answer, for that reason or another.
  private let lost: Int
  private let asked: Int
  private let noun: String
  /// What the recordings tell, such as "no recording: new case"; nil where they tell several things.
  private let reason: String?
  /// The file that has no rows for them; nil where they could be recorded.
  private let path: String?

  /// Counts the answers that a column lacks; nil where it lacks none.
  ///
  /// - Parameters:
  ///   - suite: The suite.
  ///   - column: One of its columns.
  init?(_ suite: SuiteResult, _ column: ColumnResult) {
    guard column.lost > 0 else { return nil }
    lost = column.lost
    path = column.outputs?.path
    asked = column.trials.count
    noun = suite.repetitions > 1 ? "trial" : "case"
    unrecorded = column.hasMisses ? column.trials.count(where: \.isMiss) : 0
    let reasons = Set(suite.recordings.misses(of: column).map(\.reason))
    reason = reasons.count == 1 && unrecorded == lost ? reasons.first : nil
  }

  /// Whether nothing at all was answered, so that there is nothing to judge.
  var isAll: Bool { lost == asked }

  /// Whether recording would bring all of the answers.
  var isUnrecorded: Bool { unrecorded == lost }

  /// Of how many cases the answers are not there: "no recorded answers for 3 of 40 cases".
  var text: String {
    let of = "\(lost) of \(TerminalLines.count(asked, noun))"
    if let path {
      return isUnrecorded
        ? "no rows in \(path) for \(of)"
        : "no answers for \(of)"
          + (unrecorded == 0 ? "" : ", \(unrecorded) of them without a row in \(path)")
    }
    if isUnrecorded { return "no recorded answers for \(of)" }
    return "no answers for \(of)" + (unrecorded == 0 ? "" : ", \(unrecorded) of them not recorded")
  }

  /// The reason that the recordings tell, such as "new case"; nil where they tell several things.
  var explanation: String? {
    guard let reason, path == nil else { return nil }
    let said = "no recording: "
    return reason.hasPrefix(said) ? String(reason.dropFirst(said.count)) : reason
  }

  /// What became of conditions where nothing was answered: "none of 4 can be decided without answers".
  static func undecided(_ count: Int) -> String {
    (count == 1 ? "cannot" : "none of \(count) can") + " be decided without answers"
  }
}

extension RecordingSummary {
  /// Why requests of a column have no recording.
  func misses(of column: ColumnResult) -> [MissGroup] {
    misses.filter { $0.prompt == column.prompt && $0.backend == column.backend }
  }
}

extension ColumnResult {
  /// Whether nothing is known of any condition because nothing was answered, so that there is no use
  /// in going through them one by one.
  var hasOnlyUndecided: Bool {
    !trials.isEmpty && lost == trials.count
      && (gates + goals).allSatisfy {
        $0.verdict == .notEvaluated || $0.verdict == .noVerdict && $0.estimate.value == nil
      }
  }
}
