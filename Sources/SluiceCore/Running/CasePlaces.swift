import SluiceSupport

/// The source positions of a suite's cases, for links in reports.
package struct CasePlaces: Sendable {
  /// The dataset's file, relative to the project's root.
  package let path: String
  private let cases: SuitePlan.Cases
  private let repetitions: Int

  package init(_ plan: SuitePlan) {
    path = plan.datasetPath.description
    cases = plan.cases
    repetitions = plan.repetitions
  }

  /// Returns the case of a trial; nil if the trial at this index of the plan has a different case.
  ///
  /// - Parameters:
  ///   - trial: The trial.
  ///   - index: The index of the trial in its column. The trials of a column are in suite order.
  /// - Returns: The case, and its index in the suite.
  package func stored(_ trial: Trial, at index: Int) -> (place: Int, testCase: StoredCase)? {
    let place = index / repetitions
    guard cases.indices.contains(place) else { return nil }
    let stored = cases.stored(place)
    return stored.id.isIdentical(to: trial.caseID) ? (place, stored) : nil
  }

  /// Returns the line of a trial's case, from 1; nil if the line is unknown.
  ///
  /// - Parameters:
  ///   - trial: The trial.
  ///   - index: The index of the trial in its column. The trials of a column are in suite order.
  /// - Returns: The line.
  package func line(of trial: Trial, at index: Int) -> Int? {
    stored(trial, at: index)?.testCase.lineNumber
  }
}
