import SluiceGating

/// The wording about drift in all reports.
enum DriftText {
  /// Returns the result for a column's scores in a word.
  static func word(_ column: DriftResult.Column) -> String {
    switch column.outcome.standing {
    case .moved: "moved"
    case .still: "unchanged"
    case .undecided: "undecided"
    case .unknown: "no verdict"
    }
  }

  /// Returns a clause that explains why a column's scores count as moved, unchanged, undecided or
  /// without a verdict.
  static func explanation(_ column: DriftResult.Column, margin: Double) -> String {
    switch column.outcome.reason {
    case .credible: return "the move is credible"
    case .credibleWithinMargin:
      return "the move is credible, but smaller than the margin of \(NumberText.points(margin))"
    case .identical:
      let text = "every answer is identical to its recording"
      guard column.asked < column.available, let open = openMove(column), open >= margin else {
        return text
      }
      return "\(text); for the \(column.available - column.asked) requests not sent, a move of "
        + "up to \(NumberText.points(open)) is not ruled out"
    case .withinMargin: return "a move beyond \(NumberText.points(margin)) is ruled out"
    case .tooFew:
      let open =
        openMove(column).map { "a move of up to \(NumberText.points($0)) is not ruled out; " }
        ?? ""
      guard let change = column.change, let needed = column.outcome.casesNeeded else {
        return "\(open)20 times as many cases would still be undecided"
      }
      return "\(open)about \(TerminalLines.count(needed - change.n, "more case")) needed"
    case .lostAnswers:
      return "\(TerminalLines.count(column.lost, "lost answer")) could change the outcome"
    case .tooFewClusters:
      return "the cases are in too few clusters; the equivalent of 8 clusters "
        + "of equal size is needed"
    case .unjudged: return "no scorer passes or fails answers, so there is nothing to test"
    case .notRecorded: return "there are no recordings whose requests could be sent again"
    case .noAnswers:
      return "none of \(TerminalLines.count(column.asked, "answer")) arrived"
    }
  }

  /// Returns the largest gain or loss that is not ruled out, whichever is larger, or `nil` if there
  /// are no scores.
  static func openMove(_ column: DriftResult.Column) -> Double? {
    column.change.map { max(abs($0.interval.low), abs($0.interval.high)) }
  }

  /// Returns a name that a server reports, such as the model's name, as recorded and as it is now.
  static func identity(_ change: DriftResult.IdentityChange) -> String {
    func names(_ names: [String]) -> String {
      names.isEmpty ? "none" : names.joined(separator: ", ")
    }
    return "\(change.kind.rawValue): \(names(change.recorded)) → \(names(change.now))"
  }
}
