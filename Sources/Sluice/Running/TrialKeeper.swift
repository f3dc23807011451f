/// Keeps the trials of a run small: what many have in common is kept once, and what stands in the run
/// log is not kept at all.
package final class TrialKeeper: Sendable {
  private let sheets = ScoreSheets()
  private let latest = Locked(AnswerOrigin(Provenance()))

  package init() {}

  /// Leaves out the explanations and the text of a trial.
  ///
  /// - Parameters:
  ///   - judged: The trial.
  ///   - place: Where the run log has what is left out.
  func keep(_ judged: inout JudgedTrial, at place: RunLogPlace) {
    share(&judged.trial)
    judged.trial.sheet = sheets.unexplained(judged.trial.scores)
    judged.trial.output?.excerpt = ""
    judged.trial.place = place
    judged.variables = .null
    judged.text = nil
  }

  /// Has a trial share what it has in common with others.
  func share(_ trial: inout Trial) {
    guard let source = trial.output?.source else { return }
    // Answers of one server mostly follow one another.
    trial.output?.source = latest.withLock { latest in
      if latest != source { latest = source }
      return latest
    }
  }
}
