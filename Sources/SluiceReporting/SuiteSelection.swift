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
    /// A file that the suite reads differs between the working copy and the named revision.
    case file(ProjectPath, GitChanges.Change)
    /// Answers or verdicts that the suite needs are not recorded; the value is their number.
    case missingRecordings(Int)
  }

  /// A chosen suite, with all reasons to run it.
  package struct Chosen: Hashable, Sendable {
    package var suite: Suite
    package var reasons: [Reason]

    package init(suite: Suite, reasons: [Reason]) { (self.suite, self.reasons) = (suite, reasons) }
  }

  /// The revision to compare with, as named on the command line.
  package var revision: String
  package var chosen: [Chosen]
  /// The suites that no change affects.
  package var skipped: [Suite]
  /// The suite files that exist in ``revision`` but not in the working copy.
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

  /// True if no suite is affected, so that the command passes without a trial.
  package var isEmpty: Bool { chosen.isEmpty }
}
