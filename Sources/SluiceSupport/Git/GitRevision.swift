/// The checked-out branch and commit of a working tree.
package struct GitRevision: Hashable, Sendable {
  /// The branch; nil if HEAD is detached.
  package var branch: String?
  /// The first seven digits of the commit's id.
  package var commit: String
  /// True if tracked files differ from the commit.
  package var isEdited: Bool

  /// Reads the output of `git status --porcelain=v2 --branch -z`; nil before the first commit.
  ///
  /// - Parameter status: The entries, each followed by a zero byte.
  init?(status: [UInt8]) {
    var branch: String?
    var commit: String?
    var isEdited = false
    for entry in status.split(separator: 0) {
      let line = String(decoding: entry, as: UTF8.self)
      if let id = line.dropping("# branch.oid ") {
        commit = id.utf8.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit } ? id : nil
      } else if let name = line.dropping("# branch.head ") {
        branch = name == "(detached)" ? nil : name
      } else if !line.hasPrefix("# ") {
        isEdited = true
      }
    }
    guard let commit else { return nil }
    self.branch = branch
    self.commit = String(commit.prefix(7))
    self.isEdited = isEdited
  }

  /// Reads the revision of a project's working tree.
  ///
  /// - Parameters:
  ///   - projectRoot: The absolute path of the project's folder.
  ///   - environment: The environment of git; nil for the environment of this process.
  /// - Returns: The revision; nil if there is no repository, no git, or no commit yet.
  package static func read(
    projectRoot: String,
    environment: [String: String]? = nil
  ) async -> GitRevision? {
    let arguments = [
      "status", "--porcelain=v2", "--branch", "--untracked-files=no", "-z",
      // Otherwise git would start a git for the files of each submodule.
      "--ignore-submodules=dirty",
    ]
    let first = try? await GitCommand(folder: projectRoot, variables: environment).run(arguments)
    if let first, first.isSuccess { return GitRevision(status: first.bytes) }
    // Only variables may locate the repository.
    let found = try? await GitSnapshot.locate("HEAD", from: projectRoot, environment)
    guard let answer = try? await found?.git.run(arguments), answer.isSuccess else { return nil }
    return GitRevision(status: answer.bytes)
  }
}

extension String {
  /// Returns the text after a prefix; nil if the text does not begin with it.
  fileprivate func dropping(_ prefix: String) -> String? {
    hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
  }
}
