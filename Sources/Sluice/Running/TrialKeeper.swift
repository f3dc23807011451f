/// Keeps the trials of a run small: what many have in common is kept once, and what stands in the run
/// log is not kept at all.
package final class TrialKeeper: Sendable {
  private let sheets = ScoreSheets()
  private let latest = Locked(AnswerOrigin(Provenance()))

  package init() {}

  /// What is kept of a trial: all but its explanations and its text.
  ///
  /// - Parameters:
  ///   - trial: The trial.
  ///   - place: Where the run log has what is left out.
  /// - Returns: What is kept.
  func kept(_ trial: Trial, at place: RunLogPlace) -> Trial.Facts {
    var facts = trial.facts
    share(&facts)
    facts.sheet = sheets.unexplained(facts.sheet.scores)
    facts.output?.excerpt = ""
    facts.place = place
    return facts
  }

  /// The trial with what it has in common with others.
  func shared(_ trial: Trial) -> Trial {
    var facts = trial.facts
    share(&facts)
    return Trial(facts)
  }

  private func share(_ facts: inout Trial.Facts) {
    guard let source = facts.output?.source else { return }
    // Answers of one server mostly follow one another.
    facts.output?.source = latest.withLock { latest in
      if latest != source { latest = source }
      return latest
    }
  }
}
