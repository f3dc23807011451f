@testable import SluiceSupport
import Testing
import TestSupport

@Suite("File listing")
struct FileListingTests {
  private static let start = [
    "sluice.yaml": "backends: {}", "prompts/a/suite.yaml": "suite: a", "prompts/a/v1.yaml": "one",
    "prompts/a/draft.yaml": "not read",
  ]

  /// Returns the listing of a project with two files, a missing one, and a folder with its
  /// contents.
  private static func listing(of files: any FileSystem) -> FileListing {
    let noting = ReadTrackingFileSystem(files)
    _ = try? noting.read(ProjectPath("sluice.yaml"))
    for name in noting.names(in: ProjectPath("prompts/a")) {
      _ = noting.kind(of: ProjectPath("prompts/a").resolvingChild(name))
    }
    _ = try? noting.open(ProjectPath("prompts/a/v1.yaml"))
    _ = noting.kind(of: ProjectPath("reports/baselines/a.fast.jsonl"))
    return noting.listing
  }

  private static let edits: [(String, @Sendable (InMemoryFileSystem) throws -> Void, [String])] = [
    ("nothing", { _ in }, []),
    (
      "a file that was read is edited",
      { try $0.write(Array("two".utf8), to: ProjectPath("prompts/a/v1.yaml")) },
      ["prompts/a/v1.yaml"]
    ),
    (
      "a file that was only seen is edited",
      { try $0.write(Array("draft".utf8), to: ProjectPath("prompts/a/draft.yaml")) }, []
    ),
    (
      "it is removed",
      { try $0.remove(ProjectPath("prompts/a/draft.yaml")) },
      ["prompts/a", "prompts/a/draft.yaml"]
    ),
    (
      "a file is added",
      { try $0.write([], to: ProjectPath("prompts/a/v2.yaml")) }, ["prompts/a"]
    ),
    (
      "what was missed is there",
      { try $0.write([], to: ProjectPath("reports/baselines/a.fast.jsonl")) },
      ["reports/baselines/a.fast.jsonl"]
    ),
    (
      "an editor keeps what it needs beside a file",
      {
        for name in [".v1.yaml.swp", "v1.yaml~", "v1.yaml.12.tmp"] {
          try $0.write([], to: ProjectPath("prompts/a/\(name)"))
        }
      }, []
    ),
    (
      "two files are saved",
      {
        try $0.write([], to: ProjectPath("sluice.yaml"))
        try $0.write([], to: ProjectPath("prompts/a/v1.yaml"))
      }, ["prompts/a/v1.yaml", "sluice.yaml"]
    ),
  ]

  @Test("A listing's changes are the tracked files that changed", arguments: edits)
  func changes(
    what: String,
    edit: @Sendable (InMemoryFileSystem) throws -> Void,
    expected: [String]
  ) throws {
    let files = InMemoryFileSystem(Self.start)
    let before = Self.listing(of: files)
    try edit(files)
    let changes = before.now(in: files).changes(since: before)
    #expect(changes.map(\.description) == expected, "\(what)")
  }

  @Test("The first read of a file counts, and it counts more than a check for existence")
  func first() throws {
    let files = InMemoryFileSystem(Self.start)
    let path = ProjectPath("prompts/a/v1.yaml")
    let noting = ReadTrackingFileSystem(files)
    _ = noting.kind(of: path)
    _ = try noting.read(path)
    let before = noting.listing
    try files.write(Array("two".utf8), to: path)
    _ = try noting.read(path)
    #expect(noting.listing == before)
    #expect(noting.listing.fileCount == 1)
    let later = Self.listing(of: files)
    #expect(
      later.asSeen(in: before).now(in: files).changes(since: later.asSeen(in: before)) == [path]
    )
    var union = before
    union.formUnion(later)
    #expect(union.now(in: files).changes(since: union) == [path])
  }

  @Test("A file that was written is not tracked, whether it is read before or after")
  func own() throws {
    let files = ReadTrackingFileSystem(InMemoryFileSystem(Self.start))
    let path = ProjectPath("prompts/a/v1.yaml")
    _ = try files.read(path)
    try files.write([], to: path)
    _ = try files.read(path)
    try files.append([], to: ProjectPath("reports/runs/a.jsonl"))
    _ = try files.open(ProjectPath("reports/runs/a.jsonl"))
    #expect(files.listing.entries.isEmpty)
  }

  @Test("On disk, a rewritten file counts as changed, even with the same text")
  func disk() throws {
    let folder = try ProjectFolder()
    try folder.write(["a": "one"], under: "")
    let files = try #require(DiskFileSystem(root: folder.path))
    let path = ProjectPath("a")
    let before = files.stamp(of: path)
    #expect(before.kind == .file)
    #expect(before.size == 3)
    #expect(files.stamp(of: path) == before)
    try files.write(Array("one".utf8), to: path)
    #expect(files.stamp(of: path) != before)
    #expect(files.stamp(of: ProjectPath("none")) == FileStamp(.missing))
    #expect(files.stamp(of: ProjectPath(".")).kind == .folder)
  }
}
