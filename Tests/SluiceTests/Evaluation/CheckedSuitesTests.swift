import Foundation
import SampleProjects
@testable import Sluice
@testable import SluiceSupport
import Testing
import TestSupport

@Suite("Suites that --affected has checked before", .enabled(if: Git.isInstalled, "git is missing"))
struct CheckedSuitesTests {
  private let repository: ScratchRepository
  private let files: DiskFileSystem

  init() throws {
    repository = try AffectedSuitesTests.project()
    files = try #require(DiskFileSystem(root: repository.path + "/evals"))
  }

  /// Chooses suites, and returns the names of those that were loaded for it.
  private func loaded(
    _ suites: [String] = [],
    environment: [String: String] = [:],
    now: Timestamp = .now,
    start: Timestamp = Timestamp(seconds: Timestamp.now.seconds + 1)
  ) async throws -> [String] {
    let tracked = ReadTrackingFileSystem(files)
    let surroundings = Surroundings(files: tracked, environment: environment, now: { now })
    let choice = try await AffectedSuitesTests.choose(
      suites,
      surroundings,
      start: start,
      files.root
    )
    #expect(choice != nil)
    return tracked.listing.entries.compactMap { path, entry in
      guard case .contents = entry, path.name == "cases.yaml" else { return nil }
      return path.folder.name
    }.sorted()
  }

  /// The folders of all datasets; two suites share the last one.
  private static let all = ["action-items", "category", "clarity", "tone", "triage"]

  @Test("A suite is loaded again only if one of its files has changed")
  func unchanged() async throws {
    #expect(try await loaded() == Self.all)
    #expect(try await loaded() == [])
    try repository.append("evals/prompts/tone/v1.yaml")
    #expect(try await loaded() == ["tone"])
    // The suite is loaded to run, but the choice remembers the edit.
    #expect(try await loaded() == [])
    try repository.append("evals/prompts/tone/v1.yaml")
    #expect(try await loaded() == ["tone"])
    try repository.append("evals/sluice.yaml")
    #expect(try await loaded() == Self.all)
  }

  @Test("A choice among some suites keeps the others in memory")
  func selection() async throws {
    #expect(try await loaded() == Self.all)
    try repository.append("evals/prompts/tone/v1.yaml")
    #expect(try await loaded(["tone"]) == ["tone"])
    #expect(try await loaded() == [])
  }

  @Test("A file that changed in the second of the choice may change unnoticed: nothing is kept")
  func racy() async throws {
    #expect(try await loaded(start: Timestamp(seconds: 0)) == Self.all)
    #expect(try await loaded(start: Timestamp(seconds: 0)) == Self.all)
  }

  @Test("A damaged memory is ignored", arguments: ["", "{", "[]", "{\"key\": 1}"])
  func damaged(text: String) async throws {
    #expect(try await loaded() == Self.all)
    try repository.folder.write([AffectedSuitesTests.memory: text], under: "")
    #expect(try await loaded() == Self.all)
    #expect(try await loaded() == [])
  }

  @Test("On another day, all suites are loaded again")
  func anotherDay() async throws {
    let now = Timestamp.now
    let tomorrow = Timestamp(seconds: now.seconds + 86_400)
    #expect(try await loaded(now: now) == Self.all)
    #expect(try await loaded(now: tomorrow) == Self.all)
    #expect(try await loaded(now: tomorrow) == [])
  }

  @Test("CI has a memory of its own, because pending recordings do not count there")
  func continuousIntegration() async throws {
    let inCI = ["CI": "true"]
    #expect(try await loaded() == Self.all)
    #expect(try await loaded(environment: inCI) == Self.all)
    #expect(try await loaded(environment: inCI) == [])
    try repository.append("evals/prompts/tone/v1.yaml")
    #expect(try await loaded(environment: inCI) == ["tone"])
  }

  @Test("A memory that a branch contains is ignored, so a branch cannot hide its edits")
  func forged() async throws {
    #expect(try await loaded() == Self.all)
    // With this memory, no suite would be loaded.
    let memory = try repository.folder.text(AffectedSuitesTests.memory)
    try repository.git("clean", "--quiet", "-d", "--force", "-x")
    try FileManager.default.removeItem(atPath: repository.path + "/.git/sluice")
    for folder in ["evals/reports/latest/", "evals/", "", "evals/sluice/", "sluice/evals/"] {
      for name in [".checked-suites.json", "checked-suites.json"] {
        try repository.folder.write([folder + name: memory], under: "")
      }
    }
    try repository.git("add", "--all", "--force")
    try repository.commit()
    #expect(try await loaded() == Self.all)
  }

  @Test("The memory is not in the working tree, and every working tree has its own")
  func workingTrees() async throws {
    #expect(try await loaded() == Self.all)
    #expect(try repository.git("status", "--porcelain", "--ignored") == "")
    let other = try ProjectFolder()
    try repository.git("worktree", "add", "--quiet", "--detach", other.path + "/tree")
    let files = try #require(DiskFileSystem(root: other.path + "/tree/evals"))
    let choice = try await AffectedSuitesTests.choose(
      [],
      Surroundings(files: files),
      start: Timestamp(seconds: Timestamp.now.seconds + 1),
      files.root
    )
    #expect(choice?.isEmpty == true)
    #expect(
      try repository.folder.text(".git/worktrees/tree/sluice/evals/checked-suites.json")
        .contains("\"complete\":true")
    )
    #expect(try await loaded() == [])
  }

  @Test("If the memory cannot be written, only time is lost")
  func unwritable() async throws {
    try repository.folder.write([".git/sluice": "in the way"], under: "")
    #expect(try await loaded() == Self.all)
    #expect(try await loaded() == Self.all)
  }

  @Test("Suites that depend on the time or on a variable are loaded each time")
  func dependent() async throws {
    try repository.rewrite("evals/sluice.yaml") { $0 + "recordings: {expire-after: 9000 days}\n" }
    #expect(try await loaded() == Self.all)
    #expect(try await loaded() == Self.all)
  }

  @Test("Missing recordings are counted each time")
  func missing() async throws {
    try repository.rewrite("evals/datasets/category/recordings/stand-in.jsonl") { text in
      text.split(separator: "\n").dropLast(2).map { "\($0)\n" }.joined()
    }
    try repository.commit()
    try repository.git("branch", "--force", "main")
    #expect(try await loaded() == Self.all)
    #expect(try await loaded() == ["category"])
  }

  @Test("A link that leads out of the project is noticed without loading")
  func links() async throws {
    #expect(try await loaded() == Self.all)
    try repository.folder.link("evals/reports/batch", to: "/tmp")
    let surroundings = Surroundings(files: files)
    let choice = try await AffectedSuitesTests.choose(
      [],
      surroundings,
      start: Timestamp(seconds: Timestamp.now.seconds + 1),
      files.root
    )
    #expect(choice == nil)
  }
}
