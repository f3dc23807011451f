import SluiceCore

/// The changes from one round of a watched run to the next.
package struct RoundChange: Hashable, Sendable {
  /// The changes of a prompt on a backend.
  package struct ColumnChange: Hashable, Sendable {
    package var suite: String
    /// The prompt and the backend; `nil` if the suite has only one prompt and one backend.
    package var name: String?
    /// The newly failing cases, in the order of the suite.
    package var failing: [String] = []
    /// The newly passing cases.
    package var passing: [String] = []
    /// The cases that had an outcome before but have none now.
    package var lost: [String] = []
    /// The cases that were added.
    package var added: [String] = []
    /// The cases that were removed.
    package var removed: [String] = []
    /// The gates and goals whose verdict changed.
    package var turned: [Turn] = []

    package var isEmpty: Bool {
      [failing, passing, lost, added, removed].allSatisfy(\.isEmpty) && turned.isEmpty
    }
  }

  /// A gate or goal whose verdict changed.
  package struct Turn: Hashable, Sendable {
    package var condition: String
    package var isGoal: Bool
    package var before: Verdict
    package var now: Verdict
  }

  /// The columns that changed, in the order of the run.
  package var columns: [ColumnChange]

  /// Compares the suites and columns that ran in both rounds.
  ///
  /// - Parameters:
  ///   - earlier: The suites of the previous round.
  ///   - later: The suites of this round.
  package init(from earlier: [SuiteResult], to later: [SuiteResult]) {
    columns = later.flatMap { suite -> [ColumnChange] in
      guard let before = earlier.first(where: { $0.name == suite.name }) else { return [] }
      return suite.columns.compactMap { column in
        // If the suite's prompt was replaced, compare the new one with the old one on this backend.
        let own = before.columns.filter { $0.backend == column.backend }
        guard
          let old = own.first(where: { $0.prompt == column.prompt })
            ?? own.first(where: { $0.isCandidate && column.isCandidate })
        else { return nil }
        let name = suite.columns.count > 1 ? "\(column.prompt) on \(column.backend)" : nil
        let change = Self.change(from: old, to: column, ColumnChange(suite: suite.name, name: name))
        return change.isEmpty ? nil : change
      }
    }
  }

  private static func change(
    from earlier: ColumnResult,
    to later: ColumnResult,
    _ column: ColumnChange
  ) -> ColumnChange {
    var change = column
    let (beforeIDs, before) = outcomes(of: earlier)
    let (ids, now) = outcomes(of: later)
    for id in ids {
      guard let old = before[id] else {
        change.added.append(id)
        continue
      }
      guard let new = now[id], new != old else { continue }
      switch new {
      case .passes: change.passing.append(id)
      case .fails: change.failing.append(id)
      case .isLost: change.lost.append(id)
      case .isUnjudged: break
      }
    }
    change.removed = beforeIDs.filter { now[$0] == nil }
    change.turned =
      turns(earlier.gates, later.gates, isGoal: false)
      + turns(earlier.goals, later.goals, isGoal: true)
    return change
  }

  private enum CaseOutcome {
    case passes, fails, isLost, isUnjudged
  }

  private static func outcomes(of column: ColumnResult) -> (
    ids: [String], outcomes: [String: CaseOutcome]
  ) {
    var ids: [String] = []
    var trials: [String: [Bool]] = [:]
    var unjudged: Set<String> = []
    for trial in column.trials {
      if trials[trial.caseID] == nil {
        ids.append(trial.caseID)
        trials[trial.caseID] = []
      }
      if let isPassed = trial.isPassed { trials[trial.caseID]?.append(isPassed) }
      if trial.outcome == .unjudged { unjudged.insert(trial.caseID) }
    }
    var outcomes = trials.mapValues { passed in
      MetricDefinition.RepetitionRule.majority.holds(passed)
        .map { $0 ? CaseOutcome.passes : .fails } ?? .isLost
    }
    for id in unjudged { outcomes[id] = .isUnjudged }
    return (ids, outcomes)
  }

  private static func turns(_ earlier: [Decision], _ later: [Decision], isGoal: Bool) -> [Turn] {
    later.compactMap { decision in
      let text = decision.condition.text
      guard let before = earlier.first(where: { $0.condition.text == text })?.effect,
        before != decision.effect
      else { return nil }
      return Turn(condition: text, isGoal: isGoal, before: before, now: decision.effect)
    }
  }
}
