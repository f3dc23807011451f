import SluiceGating

/// The missing answers of a column, in the wording that all reports use.
struct AbsentAnswers {
  /// The number of trials without a recorded answer.
  private let unrecorded: Int
  /// The number of trials without an answer, for any reason.
  private let lost: Int
  private let asked: Int
  private let noun: String
  /// The reason why answers are not recorded, such as "no recording: new case"; `nil` if there are
  /// several reasons.
  private let reason: String?
  /// The output file that lacks rows for the trials; `nil` if the answers can be recorded.
  private let path: String?

  /// Counts the missing answers of a column, or returns `nil` if no answer is missing.
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

  /// True if there are no answers at all.
  var isAll: Bool { lost == asked }

  /// True if all missing answers have no recording, or no row in the file of outputs.
  var isUnrecorded: Bool { unrecorded == lost }

  /// A phrase such as "no recorded answers for 3 of 40 cases".
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

  /// The reason why answers are not recorded, such as "new case"; `nil` if there are several
  /// reasons.
  var explanation: String? {
    guard let reason, path == nil else { return nil }
    let said = "no recording: "
    return reason.hasPrefix(said) ? String(reason.dropFirst(said.count)) : reason
  }

  /// The phrase, followed by the reason if all answers are missing for one reason: "…: new case".
  var explained: String { text + (explanation.map { ": \($0)" } ?? "") }

  /// Returns a phrase such as "none of 4 can be decided without answers".
  static func undecided(_ count: Int) -> String {
    (count == 1 ? "cannot" : "none of \(count) can") + " be decided without answers"
  }
}

extension RecordingSummary {
  /// Returns the requests of a column that have no recording, grouped by reason.
  func misses(of column: ColumnResult) -> [MissGroup] {
    misses.filter { $0.prompt == column.prompt && $0.backend == column.backend }
  }
}

extension ColumnResult {
  /// True if no condition can be decided, because there are no answers.
  var hasOnlyUndecided: Bool {
    !trials.isEmpty && lost == trials.count
      && (gates + goals).allSatisfy {
        $0.verdict == .notEvaluated || $0.verdict == .noVerdict && $0.estimate.value == nil
      }
  }
}
