import SluiceSupport

/// Where the cases of a suite stand, for reports that lead to them.
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

  /// The case of a trial; nil where the plan has another one at its place.
  ///
  /// - Parameters:
  ///   - trial: The trial.
  ///   - index: Its place among the trials of its column, which are in the order of the suite.
  /// - Returns: The case, and which one of the suite it is.
  package func stored(_ trial: Trial, at index: Int) -> (place: Int, testCase: StoredCase)? {
    let place = index / repetitions
    guard cases.indices.contains(place) else { return nil }
    let stored = cases.stored(place)
    return stored.id.isIdentical(to: trial.caseID) ? (place, stored) : nil
  }

  /// The line of the case of a trial, from 1; nil where it is not known.
  ///
  /// - Parameters:
  ///   - trial: The trial.
  ///   - index: Its place among the trials of its column, which are in the order of the suite.
  /// - Returns: The line.
  package func line(of trial: Trial, at index: Int) -> Int? {
    stored(trial, at: index)?.testCase.lineNumber
  }
}
