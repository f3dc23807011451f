package import SluiceGating

/// The health of a suite, with the suspect cases in a form that reports show.
package struct SuiteHealthReport: Sendable {
  package var health: SuiteHealth
  package var suspects: [SuspectCase]

  /// A case whose label may be wrong, with its question and its label.
  package struct SuspectCase: Sendable {
    package var suspect: SuiteHealth.Suspect
    /// The case without its answers.
    package var view: CaseView

    package init(suspect: SuiteHealth.Suspect, view: CaseView) {
      self.suspect = suspect
      self.view = view
    }
  }

  package init(health: SuiteHealth, suspects: [SuspectCase] = []) {
    self.health = health
    self.suspects = suspects
  }

  /// Returns the answers to a suspect case, each with the column that it is from.
  func answers(to suspect: SuiteHealth.Suspect) -> [(column: SuiteHealth.Column, text: String)] {
    let models = suspect.models.isEmpty ? [] : health.realColumns.filter(\.isOwn)
    let people = suspect.isByPeople ? health.ratings : []
    return (models + people).compactMap { column in
      column.failures[suspect.testCase].map { (column, $0.text) }
    }
  }
}
