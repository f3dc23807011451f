import SluiceGating

/// The suites that `--affected` chose and skipped.
package struct SuiteSelection: Hashable, Sendable {
  /// A suite by its name and file.
  package struct Suite: Hashable, Sendable {
    package var name: String
    package var path: ProjectPath

    package init(name: String, path: ProjectPath) { (self.name, self.path) = (name, path) }
  }

  /// A reason to run a suite.
  package enum Reason: Hashable, Sendable {
    /// A file that it reads differs from the other revision.
    case file(ProjectPath, GitChanges.Change)
    /// Answers or verdicts that it needs are not recorded.
    case missingRecordings(Int)
  }

  /// A suite that is run, with every reason.
  package struct Chosen: Hashable, Sendable {
    package var suite: Suite
    package var reasons: [Reason]

    package init(suite: Suite, reasons: [Reason]) { (self.suite, self.reasons) = (suite, reasons) }
  }

  /// The other revision, as the caller named it.
  package var revision: String
  package var chosen: [Chosen]
  /// The suites that no change touches.
  package var skipped: [Suite]
  /// The suite files that exist in the other revision but not in this folder.
  package var removed: [ProjectPath]

  package init(
    since revision: String,
    chosen: [Chosen] = [],
    skipped: [Suite] = [],
    removed: [ProjectPath] = []
  ) {
    self.revision = revision
    self.chosen = chosen
    self.skipped = skipped
    self.removed = removed
  }

  /// True when no suite has to run, which passes without a trial.
  package var isEmpty: Bool { chosen.isEmpty }
}
