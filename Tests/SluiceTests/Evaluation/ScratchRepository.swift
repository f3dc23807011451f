import Foundation
import TestSupport

/// A git repository in a temporary folder, which is removed with this object.
///
/// The user's own git configuration is not used.
final class ScratchRepository {
  let folder: ProjectFolder

  var path: String { folder.path }

  init() throws {
    folder = try ProjectFolder()
    try git("init", "--quiet", "--initial-branch=main", ".")
  }

  /// Runs git in the repository and returns its output without the final line feed.
  @discardableResult
  func git(_ arguments: String..., input: Data? = nil) throws -> String {
    try Git.run(arguments, in: path, input: input)
  }

  /// Writes files, commits all changes and returns the id of the commit.
  @discardableResult
  func commit(_ files: [String: String] = [:]) throws -> String {
    try folder.write(files, under: "")
    try git("add", "--all")
    try git("commit", "--quiet", "--allow-empty", "--message=change")
    return try git("rev-parse", "HEAD")
  }

  /// Commits files to a branch without writing them to the folder, which is faster.
  func commit(count: Int, to branch: String, _ file: (Int) -> (path: String, text: String)) throws {
    var stream = Data(
      """
      commit refs/heads/\(branch)
      committer Ana <ana@example.org> 1700000000 +0000
      data 0

      """.utf8
    )
    for index in 0..<count {
      let (path, text) = file(index)
      stream.append(Data("M 644 inline \(path)\ndata \(text.utf8.count)\n\(text)\n".utf8))
    }
    try git("fast-import", "--quiet", input: stream)
  }

  /// Returns the path of the file that contains a loose object, and makes the file writable.
  func objectPath(_ id: String) throws -> String {
    let path = ".git/objects/\(id.prefix(2))/\(id.dropFirst(2))"
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o644],
      ofItemAtPath: self.path + "/" + path
    )
    return path
  }

  /// Returns an environment in which a shell script replaces git.
  ///
  /// The script finds the real git as `$GIT`.
  func environment(replacingGitWith script: String) throws -> [String: String] {
    let programs = try Git.run(["--exec-path"], in: "/")
    try folder.write(
      ["git": "#!/bin/sh\nGIT='\(programs)/git'\n\(script)\n"],
      under: ".git/stand-in"
    )
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755],
      ofItemAtPath: path + "/.git/stand-in/git"
    )
    var environment = Git.environment
    environment["PATH"] = path + "/.git/stand-in:" + (environment["PATH"] ?? "")
    return environment
  }
}
