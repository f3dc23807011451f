import SluiceGating

/// The project and the revision that a page was made from.
///
/// Only HTML pages name the project and the revision.
package struct PageRevision: Hashable, Sendable {
  /// The name of the project's folder.
  package var project: String?
  /// The branch that is checked out; `nil` if there is none.
  package var branch: String?
  /// The abbreviated id of the commit; `nil` before the first commit or outside of git.
  package var commit: String?
  /// True if tracked files differ from the commit.
  package var isEdited = false

  package init(
    project: String? = nil,
    branch: String? = nil,
    commit: String? = nil,
    isEdited: Bool = false
  ) {
    self.project = project
    self.branch = branch
    self.commit = commit
    self.isEdited = isEdited
  }

  /// A phrase such as "main at 1a2b3c4, with uncommitted edits"; `nil` outside of git.
  var phrase: String? {
    guard let commit else { return nil }
    let place = branch.map { "\($0) at \(commit)" } ?? "commit \(commit)"
    return isEdited ? "\(place), with uncommitted edits" : place
  }
}
