/// Keeps the trials of a run small: what many have in common is kept once, and what stands in the run
/// log is not kept at all.
package final class TrialKeeper: Sendable {
  private let sheets = ScoreSheets()
  private let latest = Locked(AnswerOrigin(Provenance()))

  package init() {}

  /// The trial without its explanations and its text.
  ///
  /// - Parameters:
  ///   - trial: The trial.
  ///   - place: Where the run log has what is left out.
  func kept(_ trial: Trial, at place: RunLogPlace) -> Trial {
    var trial = shared(trial)
    trial.sheet = sheets.unexplained(trial.scores)
    trial.output?.excerpt = ""
    trial.place = place
    return trial
  }

  /// The trial with what it has in common with others.
  func shared(_ trial: Trial) -> Trial {
    guard let source = trial.output?.source else { return trial }
    var trial = trial
    // Answers of one server mostly follow one another.
    trial.output?.source = latest.withLock { latest in
      if latest != source { latest = source }
      return latest
    }
    return trial
  }
}
