/// The branch and commit that are checked out in a working tree.
package struct GitRevision: Hashable, Sendable {
  /// The branch; nil where none is checked out.
  package var branch: String?
  /// The first seven digits of the commit's id.
  package var commit: String
  /// True when tracked files differ from the commit.
  package var isEdited: Bool

  /// Reads the output of `git status --porcelain=v2 --branch -z`; nil before the first commit.
  ///
  /// - Parameter status: The entries, each with a zero behind it.
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
  ///   - environment: The variables that git sees; nil for those of the process.
  /// - Returns: The revision; nil outside of a repository, without git, and before the first commit.
  package static func read(
    projectRoot: String,
    environment: [String: String]? = nil
  ) async -> GitRevision? {
    do throws(GitError) {
      let git = try await GitSnapshot.git(at: "HEAD", from: projectRoot, environment)
      let answer = try await git.run([
        "status", "--porcelain=v2", "--branch", "--untracked-files=no", "-z",
      ])
      return answer.isSuccess ? GitRevision(status: answer.bytes) : nil
    } catch {
      return nil
    }
  }
}

extension String {
  /// Returns the text behind a prefix; nil where it does not begin so.
  fileprivate func dropping(_ prefix: String) -> String? {
    hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
  }
}
