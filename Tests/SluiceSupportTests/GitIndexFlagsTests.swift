import Foundation
@testable import SluiceSupport
import Testing
import TestSupport

@Suite("Flags in git's index", .enabled(if: Git.isInstalled, "git is not installed"))
struct GitIndexFlagsTests {
  /// Returns the index of a repository after git commands.
  private static func index(
    _ commands: [[String]] = [],
    names: [String] = ["a", "folder/b", "folder/cc"],
    format: String = "sha1"
  ) throws -> [UInt8] {
    let folder = try ProjectFolder()
    try Git.run(["init", "--quiet", "--object-format=\(format)"], in: folder.path)
    try folder.write(Dictionary(uniqueKeysWithValues: names.map { ($0, $0) }), under: "")
    try Git.run(["add", "--all"], in: folder.path)
    for command in commands { try Git.run(command, in: folder.path) }
    return Array(try Data(contentsOf: folder.url(".git/index")))
  }

  @Test("Without marked files, no edit is hidden", arguments: 1...20)
  func unmarked(length: Int) throws {
    let name = String(repeating: "n", count: length)
    let index = try Self.index(names: ["a", name + "-1", name + "-2"])
    #expect(!GitIndexFlags.mayHideEdits(index, idBytes: 20))
  }

  @Test("Extensions, extended flags, long paths and SHA-256 are read")
  func formats() throws {
    let cached = try Self.index([["commit", "--quiet", "--message=x"], ["status"]])
    #expect(!GitIndexFlags.mayHideEdits(cached, idBytes: 20))
    let planned = try Self.index([["rm", "--cached", "--quiet", "a"], ["add", "-N", "a"]])
    #expect(planned[7] == 3)
    #expect(!GitIndexFlags.mayHideEdits(planned, idBytes: 20))
    let wide = try Self.index(format: "sha256")
    #expect(!GitIndexFlags.mayHideEdits(wide, idBytes: 32))
    let folders = Array(repeating: String(repeating: "f", count: 200), count: 19)
    let id = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"
    for length in [190, 270, 290, 300] {
      let path = folders.joined(separator: "/") + "/" + String(repeating: "x", count: length)
      let add = ["update-index", "--add", "--cacheinfo", "100644,\(id),\(path)"]
      let index = try Self.index([add])
      #expect(!GitIndexFlags.mayHideEdits(index, idBytes: 20), "\(path.utf8.count)")
    }
  }

  @Test(
    "A mark on any file is found",
    arguments: ["--skip-worktree", "--assume-unchanged"],
    ["a", "folder/b", "folder/cc"]
  )
  func marked(flag: String, name: String) throws {
    let index = try Self.index([["update-index", flag, name]])
    #expect(GitIndexFlags.mayHideEdits(index, idBytes: 20))
  }

  @Test("An index in another format may hide edits")
  func unknown() throws {
    let compressed = try Self.index([["update-index", "--index-version", "4"]])
    #expect(GitIndexFlags.mayHideEdits(compressed, idBytes: 20))
    let split = try Self.index([["update-index", "--split-index"]])
    #expect(GitIndexFlags.mayHideEdits(split, idBytes: 20))
    let index = try Self.index()
    #expect(GitIndexFlags.mayHideEdits(index, idBytes: 32))
    for count in 0..<index.count {
      #expect(GitIndexFlags.mayHideEdits(Array(index[..<count]), idBytes: 20), "\(count)")
    }
  }
}
