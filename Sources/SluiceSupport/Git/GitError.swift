/// The reason why the files of a git revision are not available.
package enum GitError: Error, Hashable, CustomStringConvertible {
  /// `git` was not found in `PATH`.
  case notInstalled
  /// The folder is not in a git working tree.
  case notARepository(folder: String)
  /// Git refuses a repository that belongs to another user.
  case unsafeRepository(folder: String)
  /// The revision does not name a commit of the repository.
  ///
  /// `known` lists the repository's branches, tags and remote branches, so that the nearest name
  /// can be suggested.
  case unknownRevision(String, known: [String], isShallow: Bool)
  /// Several branches and tags have the name, for example a tag `origin/main`.
  case ambiguousRevision(String)
  /// The commit does not contain the project's folder, whose path is relative to the repository's
  /// top.
  case projectAbsent(revision: String, folder: String)
  /// The current commit and the revision have no common ancestor.
  case noCommonCommit(revision: String, isShallow: Bool)
  /// Git failed; the reason is the first line of its error message.
  case failed(command: String, reason: String)

  /// The problem, in one line.
  package var message: String {
    switch self {
    case .notInstalled: "git was not found in the folders of PATH"
    case .notARepository(let folder): "'\(folder)' is not in a git repository"
    case .unsafeRepository(let folder):
      "git refuses to read '\(folder)', because the repository belongs to another user"
    case .unknownRevision(let revision, _, let isShallow):
      "the repository has no commit '\(revision)'"
        + (isShallow ? "; the clone is shallow and lacks older commits" : "")
    case .ambiguousRevision(let revision):
      "the repository has several branches or tags with the name '\(revision)'"
    case .projectAbsent(let revision, let folder):
      "there is no folder '\(folder)' in revision '\(revision)'"
    case .noCommonCommit(let revision, let isShallow):
      "the current commit and '\(revision)' have no common ancestor"
        + (isShallow ? "; the clone is shallow and lacks older commits" : "")
    case .failed(let command, let reason): "git \(command) failed: \(reason)"
    }
  }

  /// The fix, if there is one.
  ///
  /// For an unknown revision in a full clone, there is a fix only if a branch of `origin` has the
  /// same name. Otherwise the caller suggests the nearest of the `known` names.
  package var fix: String? {
    switch self {
    case .notInstalled: "install git, or add its folder to PATH"
    case .notARepository:
      "run sluice in a clone of the project; a copy without .git has no revisions"
    case .unsafeRepository(let folder):
      "if you trust the repository: git config --global --add safe.directory '\(folder)'"
    case .unknownRevision(let revision, let known, let isShallow):
      if known.contains("origin/\(revision)") {
        "did you mean 'origin/\(revision)'?"
      } else if isShallow {
        Self.fetching(revision)
      } else {
        nil
      }
    case .ambiguousRevision(let revision):
      "write the id of the commit, or the full name, such as 'refs/remotes/\(revision)'"
    case .projectAbsent: "choose a revision that contains the project"
    case .noCommonCommit(_, let isShallow):
      isShallow
        ? "fetch the whole history: git fetch --unshallow"
        : "name a branch that the current branch started from"
    case .failed: nil
    }
  }

  package var description: String { message }

  /// Returns the command that fetches the revision into a shallow clone.
  private static func fetching(_ revision: String) -> String {
    let isPlain = revision.unicodeScalars.allSatisfy {
      ("a"..."z").contains($0) || ("A"..."Z").contains($0) || ("0"..."9").contains($0)
        || "/._-".unicodeScalars.contains($0)
    }
    let isHexadecimal = revision.allSatisfy(\.isHexDigit) && revision.count >= 7
    // Git can fetch only a full id, not an abbreviated one. It cannot fetch a revision that is
    // relative to another commit, such as HEAD~1.
    let isWholeID = isHexadecimal && [40, 64].contains(revision.count)
    guard isPlain, !revision.hasPrefix("-"), revision != "HEAD", !isHexadecimal || isWholeID else {
      return "fetch the whole history: git fetch --unshallow"
    }
    if isWholeID { return "fetch it: git fetch --depth=1 origin \(revision)" }
    // Without a destination, the fetched commit would have no name except FETCH_HEAD.
    let remote = "origin/"
    return revision.hasPrefix(remote)
      ? "fetch it: git fetch --depth=1 origin "
        + "\(revision.dropFirst(remote.count)):refs/remotes/\(revision)"
      : "fetch it: git fetch --depth=1 origin \(revision):\(revision)"
  }
}
