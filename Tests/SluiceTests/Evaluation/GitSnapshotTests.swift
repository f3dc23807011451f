import Foundation
import SampleProjects
@testable import Sluice
@testable import SluiceSupport
import Testing
import TestSupport

@Suite("Git snapshot", .enabled(if: Git.isInstalled, "git is not installed"))
struct GitSnapshotTests {
  private let repository: ScratchRepository

  init() throws {
    repository = try ScratchRepository()
  }

  private func open(
    _ revision: String = "HEAD",
    in folder: String = "",
    environment: [String: String] = Git.environment,
    maximumBytes: Int = FileLimits.maximumBytes
  ) async throws(GitError) -> GitSnapshot {
    try await .open(
      revision: revision,
      projectRoot: folder.hasPrefix("/") ? folder : repository.path + "/" + folder,
      environment: environment,
      maximumBytes: maximumBytes
    )
  }

  /// Returns the error of opening a snapshot, or `nil` if opening succeeds.
  private func error(
    _ revision: String = "HEAD",
    in folder: String = "",
    environment: [String: String] = Git.environment
  ) async -> GitError? {
    do throws(GitError) {
      _ = try await open(revision, in: folder, environment: environment)
      return nil
    } catch {
      return error
    }
  }

  /// Reads a file as a loader does: reads and fetches until nothing is missing.
  private func bytes(_ path: String, in snapshot: GitSnapshot) async throws -> [UInt8] {
    while true {
      let result = Result { () throws(FileError) in try snapshot.read(ProjectPath(path)) }
      if try await !snapshot.fetchWanted() { return try result.get() }
    }
  }

  private func text(_ path: String, in snapshot: GitSnapshot) async throws -> String {
    String(decoding: try await bytes(path, in: snapshot), as: UTF8.self)
  }

  /// Returns the reason why a file cannot be read after fetching.
  private func refusal(_ path: String, in snapshot: GitSnapshot) async throws -> String? {
    do {
      _ = try await bytes(path, in: snapshot)
      return nil
    } catch let error as FileError {
      return error.reason
    }
  }

  // MARK: Reading

  @Test("Files have the contents of the revision, not of the working tree")
  func workingTree() async throws {
    try repository.commit(["changed": "old", "deleted": "there", "staged": "old", "a/b": "x"])
    try repository.folder.write(["changed": "new", "staged": "new", "untracked": ""], under: "")
    try repository.git("add", "staged")
    for path in ["deleted", "a"] {
      try FileManager.default.removeItem(atPath: repository.path + "/" + path)
    }
    let snapshot = try await open()
    #expect(snapshot.names(in: ProjectPath(".")) == ["a", "changed", "deleted", "staged"])
    #expect(try await text("changed", in: snapshot) == "old")
    #expect(try await text("deleted", in: snapshot) == "there")
    #expect(try await text("staged", in: snapshot) == "old")
    #expect(try await text("a/b", in: snapshot) == "x")
    #expect(snapshot.kind(of: ProjectPath("untracked")) == .missing)
  }

  @Test("A file has exactly its bytes, whatever they are")
  func contents() async throws {
    let binary = Data((0..<3_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
    try repository.folder.write(
      ["empty": "", "no-line-feed": "x", "crlf": "a\r\nb\r\n"],
      under: ""
    )
    try binary.write(to: repository.folder.url("binary"))
    // A text that looks like git's answer about another object.
    let header = "8baef1b4abc478178b004d62031cf7fe6db6f903 blob 3\nabc\n"
    try repository.commit(["header": header, "lines": "\n\n\n"])
    let snapshot = try await open()
    try await snapshot.prefetch([ProjectPath(".")])
    #expect(try snapshot.read(ProjectPath("binary")) == Array(binary))
    #expect(try snapshot.read(ProjectPath("empty")) == [])
    #expect(try snapshot.read(ProjectPath("no-line-feed")) == Array("x".utf8))
    #expect(try snapshot.read(ProjectPath("crlf")) == Array("a\r\nb\r\n".utf8))
    #expect(try snapshot.read(ProjectPath("header")) == Array(header.utf8))
    #expect(try snapshot.read(ProjectPath("lines")) == Array("\n\n\n".utf8))
  }

  @Test(
    "Names may contain characters that git quotes in its messages",
    arguments: [
      "with space", " leading", "quo\"te", "apostrophe's", "line\nfeed", "tab\tstop", "back\\slash",
      "naïve-日本語-🦉", "e\u{301}", "-option", "--help", "HEAD", "main:a", "*", "[a]", ":(top)x",
    ]
  )
  func oddNames(_ name: String) async throws {
    try repository.commit([name: "file", "\(name)-folder/\(name)": "inside"])
    let snapshot = try await open()
    #expect(snapshot.names(in: ProjectPath(".")) == [name, "\(name)-folder"])
    #expect(snapshot.kind(of: ProjectPath(name)) == .file)
    #expect(try await text(name, in: snapshot) == "file")
    #expect(try await text("\(name)-folder/\(name)", in: snapshot) == "inside")
    // The same name as the project's folder.
    #expect(try await text(name, in: open(in: "\(name)-folder")) == "inside")
  }

  @Test("Names that differ only in their bytes are different files")
  func normalForms() async throws {
    try repository.git("config", "core.precomposeUnicode", "false")
    let composed = try repository.git("hash-object", "-w", "--stdin", input: Data("composed".utf8))
    let apart = try repository.git("hash-object", "-w", "--stdin", input: Data("apart".utf8))
    try repository.git("update-index", "--add", "--cacheinfo", "100644,\(composed),\u{E9}")
    try repository.git("update-index", "--add", "--cacheinfo", "100644,\(apart),e\u{301}")
    try repository.git("commit", "--quiet", "--message=change")
    let snapshot = try await open()
    #expect(try await text("\u{E9}", in: snapshot) == "composed")
    #expect(try await text("e\u{301}", in: snapshot) == "apart")
  }

  @Test("Files and folders whose names are prefixes of each other are distinguished")
  func neighbours() async throws {
    try repository.commit([
      "a/x": "", "a-b": "", "a.b/c/d": "", "a0": "", "ab/c": "", "b": "", "a/y/z": "", "a/y.z": "",
    ])
    let snapshot = try await open()
    func names(_ folder: String) -> [String] { snapshot.names(in: ProjectPath(folder)) }
    func kind(_ path: String) -> FileKind { snapshot.kind(of: ProjectPath(path)) }
    #expect(names(".") == ["a", "a-b", "a.b", "a0", "ab", "b"])
    #expect(names("a") == ["x", "y", "y.z"])
    #expect(names("a/y") == ["z"])
    #expect(names("a.b") == ["c"])
    #expect(names("b") == [])
    #expect(names("none") == [])
    #expect(
      ["a", "a.b", "a.b/c", "ab", "a/y", "."].map(kind) == Array(repeating: .folder, count: 6)
    )
    #expect(["a-b", "a0", "b", "a/x", "a/y.z"].map(kind) == Array(repeating: .file, count: 5))
    #expect(["a-", "a.", "b/c", "a/z", "c"].map(kind) == Array(repeating: .missing, count: 5))
    #expect(throws: FileError(path: ProjectPath("a"), reason: "is a folder")) {
      try snapshot.read(ProjectPath("a"))
    }
    #expect(throws: FileError(path: ProjectPath("b/c"), reason: "no such file")) {
      try snapshot.read(ProjectPath("b/c"))
    }
  }

  @Test("Files in an unsorted tree are all found")
  func outOfOrder() async throws {
    let object = try repository.git("hash-object", "-w", "--stdin", input: Data("x".utf8))
    let id = try stride(from: 0, to: 40, by: 2).map { offset in
      try #require(UInt8(object.dropFirst(offset).prefix(2), radix: 16))
    }
    var tree = Data()
    for name in ["c", "a", "b"] { tree += Data("100644 \(name)\0".utf8) + id }
    let top = try repository.git(
      "hash-object",
      "-t",
      "tree",
      "-w",
      "--literally",
      "--stdin",
      input: tree
    )
    let commit = try repository.git("commit-tree", top, "-m", "change")
    let snapshot = try await open(commit)
    #expect(snapshot.names(in: ProjectPath(".")) == ["a", "b", "c"])
    for name in ["a", "b", "c"] { #expect(try await text(name, in: snapshot) == "x") }
  }

  @Test("Object ids may be SHA-1 or SHA-256")
  func longIDs() async throws {
    let folder = repository.path + "/long"
    try Git.run(
      ["init", "--quiet", "--object-format=sha256", "long"],
      in: repository.path
    )
    try repository.folder.write(["a/b": "x"], under: "long")
    try Git.run(["add", "--all"], in: folder)
    try Git.run(["commit", "--quiet", "--message=change"], in: folder)
    let snapshot = try await open(in: folder)
    #expect(snapshot.commit.count == 64)
    #expect(try await text("a/b", in: snapshot) == "x")
  }

  @Test("A revision without files is an empty folder")
  func noFiles() async throws {
    try repository.commit()
    let snapshot = try await open()
    #expect(snapshot.kind(of: ProjectPath(".")) == .folder)
    #expect(snapshot.names(in: ProjectPath(".")) == [])
    try await snapshot.prefetch([ProjectPath(".")])
  }

  @Test("A revision cannot be written")
  func writing() async throws {
    try repository.commit(["a": "x"])
    let snapshot = try await open("main")
    let error = FileError(
      path: ProjectPath("a"),
      reason: "is in revision 'main', which cannot be written"
    )
    #expect(throws: error) { try snapshot.write([], to: ProjectPath("a")) }
    #expect(throws: error) { try snapshot.append([], to: ProjectPath("a")) }
    #expect(try repository.folder.text("a") == "x")
  }

  @Test("A project is loaded from a revision as from the disk")
  func loading() async throws {
    let fixture = ProjectFixture()
    try repository.folder.write(fixture.files, under: "project")
    try repository.commit()
    try repository.folder.write([ProjectFixture.suite: "suite: [broken"], under: "project")
    let snapshot = try await open(in: "project")
    var loaded: LoadedProject
    var rounds = 0
    repeat {
      loaded = ProjectLoader.load(ProjectLoader.Selection(), from: snapshot)
      rounds += 1
    } while try await snapshot.fetchWanted()
    #expect(loaded.diagnostics.map(\.description) == fixture.load().diagnostics.map(\.description))
    #expect(loaded.suites.map(\.plan.name) == ["tone"])
    #expect(rounds < 8)
  }

  // MARK: Fetching

  @Test("A file that is read becomes available after the next fetch")
  func fetching() async throws {
    try repository.commit(["a": "x", "b": "y"])
    let snapshot = try await open()
    #expect(try await !snapshot.fetchWanted())
    for _ in 0..<2 {
      #expect(throws: FileError(path: ProjectPath("a"), reason: "not fetched yet")) {
        try snapshot.read(ProjectPath("a"))
      }
    }
    #expect(try await snapshot.fetchWanted())
    #expect(try snapshot.read(ProjectPath("a")) == Array("x".utf8))
    #expect(try await !snapshot.fetchWanted())
    #expect(throws: FileError(path: ProjectPath("b"), reason: "not fetched yet")) {
      try snapshot.read(ProjectPath("b"))
    }
  }

  @Test("Files and folders can be fetched in advance, including the targets of links")
  func prefetching() async throws {
    try repository.folder.link("a/link", to: "../b/c")
    try repository.folder.link("a/back", to: "../a")
    try repository.folder.link("a/folder", to: "../d")
    try repository.commit(["a/x": "1", "a/y/z": "2", "b/c": "3", "b/e": "4", "d/f": "5", "g": "6"])
    let snapshot = try await open()
    try await snapshot.prefetch(["a", "g", "none", "../outside"].map { ProjectPath($0) })
    for (path, text) in ["a/x": "1", "a/y/z": "2", "b/c": "3", "d/f": "5", "g": "6"] {
      #expect(try snapshot.read(ProjectPath(path)) == Array(text.utf8))
    }
    #expect(throws: FileError(path: ProjectPath("b/e"), reason: "not fetched yet")) {
      try snapshot.read(ProjectPath("b/e"))
    }
  }

  @Test("Any number of files is fetched with a single git command")
  func manyFiles() async throws {
    let log = repository.path + "/.git/log"
    let environment = try repository.environment(
      replacingGitWith: "echo \"$@\" >> '\(log)'; exec \"$GIT\" \"$@\""
    )
    try repository.commit(count: 2_000, to: "main") { index in
      ("folder-\(index % 40)/file-\(index)", String(repeating: "\(index) ", count: 100))
    }
    let snapshot = try await open(environment: environment)
    for index in 0..<2_000 {
      _ = try? snapshot.read(ProjectPath("folder-\(index % 40)/file-\(index)"))
    }
    #expect(try await snapshot.fetchWanted())
    for index in 0..<2_000 {
      let bytes = try snapshot.read(ProjectPath("folder-\(index % 40)/file-\(index)"))
      #expect(bytes == Array(String(repeating: "\(index) ", count: 100).utf8))
    }
    #expect(snapshot.names(in: ProjectPath(".")).count == 40)
    #expect(snapshot.names(in: ProjectPath("folder-7")).count == 50)
    let commands = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
      .compactMap { line in
        line.split(separator: " ").first { ["rev-parse", "ls-tree", "cat-file"].contains($0) }
      }
    #expect(commands == ["rev-parse", "ls-tree", "cat-file"])
  }

  @Test("Large inputs and outputs of git do not deadlock")
  func moreThanPipesHold() async throws {
    // A pipe buffers 64 KiB, and an id has 41 bytes.
    try repository.commit(count: 4_000, to: "main") { index in
      ("\(index)", "\(index)" + String(repeating: "x", count: 300))
    }
    var big = (0..<625_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) }
    for _ in 0..<3 { big += big }
    try repository.git("reset", "--quiet")
    try Data(big).write(to: repository.folder.url("big"))
    try repository.git("add", "big")
    try repository.git("commit", "--quiet", "--message=big")
    let snapshot = try await open()
    try await snapshot.prefetch([ProjectPath(".")])
    #expect(try snapshot.read(ProjectPath("big")) == big)
    #expect(try snapshot.read(ProjectPath("3999")).count == 304)
    #expect(try snapshot.read(ProjectPath("0")).count == 301)
  }

  @Test("A git process that ends early is an error and does not end sluice")
  func earlyEnd() async throws {
    try repository.commit(count: 4_000, to: "main") { ("\($0)", "\($0)") }
    let environment = try repository.environment(
      replacingGitWith: """
        case "$*" in *cat-file*) echo 'fatal: out of ideas' >&2; exit 128;; esac
        exec "$GIT" "$@"
        """
    )
    let snapshot = try await open(environment: environment)
    _ = try? snapshot.read(ProjectPath("1"))
    for _ in 0..<5 {
      await #expect(throws: GitError.failed(command: "cat-file", reason: "out of ideas")) {
        try await snapshot.prefetch([ProjectPath(".")])
      }
    }
    // The wanted files stay wanted.
    await #expect(throws: GitError.failed(command: "cat-file", reason: "out of ideas")) {
      try await snapshot.fetchWanted()
    }
  }

  @Test("A file above the size limit is refused, and the others are read")
  func tooLarge() async throws {
    let mebibyte = String(repeating: "x", count: 1 << 20)
    try repository.commit(["a": "x", "fits": mebibyte, "large": mebibyte + "x", "z": "y"])
    let snapshot = try await open(maximumBytes: 1 << 20)
    try await snapshot.prefetch([ProjectPath(".")])
    #expect(try await refusal("large", in: snapshot) == "larger than 1 MiB")
    #expect(try snapshot.read(ProjectPath("a")) == Array("x".utf8))
    #expect(try snapshot.read(ProjectPath("fits")) == Array(mebibyte.utf8))
    #expect(try snapshot.read(ProjectPath("z")) == Array("y".utf8))
  }

  @Test("A Git LFS pointer is refused")
  func pointers() async throws {
    let pointer = """
      version https://git-lfs.github.com/spec/v1
      oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393
      size 12345

      """
    let prose = "version https://git-lfs.github.com/spec/v1\nis what a pointer starts with\n"
    try repository.commit(["pointer": pointer, "prose": prose])
    let snapshot = try await open()
    #expect(
      try await refusal("pointer", in: snapshot)
        == "is a Git LFS pointer: its text is stored in LFS, not in git"
    )
    #expect(try await text("prose", in: snapshot) == prose)
  }

  // MARK: Links and submodules

  @Test("Links lead to the same files as on the disk")
  func links() async throws {
    let folder = repository.folder
    try folder.write(
      ["project/a/b": "x", "project/a/c/d": "y", "project-too/c": "z", "top": "t"],
      under: ""
    )
    let outside = try ProjectFolder()
    try outside.write(["file": "o"], under: "")
    let real = try #require(DiskFileSystem(root: folder.path)).root
    for (link, target) in [
      ("file", "a/b"), ("folder", "a"), ("chain", "second"), ("second", "./folder/../file"),
      ("nowhere", "none"), ("loop", "loop"), ("ping", "pong"), ("pong", "ping"),
      ("out-file", "../project-too/c"), ("out-folder", "../project-too"), ("out-none", "../none"),
      ("absolute", real + "/project/a/b"), ("absolute-out", outside.path + "/file"), ("up", ".."),
      ("self", "."),
      ("out-and-in", "../../\(URL(fileURLWithPath: real).lastPathComponent)/project/a"),
      ("slash", "a/b/"), ("folder-slash", "a/"), ("under-file", "a/b/../b"), ("a/up", "../a/c"),
      ("through", "folder/c/d"), ("deep", "a/up/d"),
    ] {
      try folder.link("project/\(link)", to: target)
    }
    try repository.commit()
    let disk = try #require(DiskFileSystem(root: folder.path + "/project"))
    let snapshot = try await open(in: "project")
    let paths = [
      ".", "a", "a/b", "file", "folder", "folder/b", "folder/c", "folder/c/d", "folder/none",
      "chain",
      "nowhere", "loop", "loop/a", "ping", "out-file", "out-folder", "out-folder/c",
      "out-folder/none", "out-none", "absolute", "absolute-out", "up", "up/project", "up/top",
      "up/project/a/b", "self", "self/self/a", "out-and-in", "out-and-in/b", "slash",
      "folder-slash", "folder-slash/b", "folder-slash/c/d", "under-file", "a/up", "a/up/d",
      "through", "deep", "file/b", "../top", "../project-too", "../project-too/c", "../none",
      real + "/top", real + "/project/file", real + "/project/out-file",
    ].map { ProjectPath($0) }
    try await snapshot.prefetch([ProjectPath("."), ProjectPath("..")])
    for path in paths {
      #expect(snapshot.kind(of: path) == disk.kind(of: path), "\(path)")
      #expect(
        snapshot.names(in: path) == disk.names(in: path).filter { $0 != ".git" },
        "\(path)"
      )
      if path.name != "absolute-out" {
        #expect((try? snapshot.read(path)) == (try? disk.read(path)), "\(path)")
      }
    }
    #expect(
      try await refusal("absolute-out", in: snapshot) == "is outside the repository"
    )
    #expect(try await refusal("ping", in: snapshot) == "too many levels of symbolic links")
  }

  @Test("A link's target comes from the revision, not from the working tree")
  func changedLink() async throws {
    try repository.folder.link("link", to: "a")
    try repository.commit(["a": "x", "b": "y"])
    try FileManager.default.removeItem(atPath: repository.path + "/link")
    try repository.folder.link("link", to: "b")
    #expect(try await text("link", in: open()) == "x")
  }

  @Test("An absolute link into a project that was opened through a link is followed")
  func namedByLink() async throws {
    let outside = try ProjectFolder()
    try outside.link("name", to: repository.path)
    try repository.folder.link("project/link", to: outside.path + "/name/project/a")
    try repository.commit(["project/a": "x"])
    let snapshot = try await open(in: outside.path + "/name/project")
    #expect(snapshot.kind(of: ProjectPath("link")) == .file)
    #expect(try await text("link", in: snapshot) == "x")
  }

  @Test("The files of a submodule are missing, because they are in another repository")
  func submodules() async throws {
    let commit = try repository.commit(["a/b": ""])
    try repository.git("update-index", "--add", "--cacheinfo", "160000,\(commit),a/module")
    try repository.git("update-index", "--add", "--cacheinfo", "160000,\(commit),alone/module")
    try repository.git("commit", "--quiet", "--message=module")
    let snapshot = try await open()
    #expect(snapshot.kind(of: ProjectPath("a/module")) == .missing)
    #expect(snapshot.kind(of: ProjectPath("a/module/x")) == .missing)
    #expect(snapshot.names(in: ProjectPath("a")) == ["b"])
    #expect(
      try await refusal("a/module", in: snapshot)
        == "is a submodule, and the revision does not contain its files"
    )
    try await snapshot.prefetch([ProjectPath(".")])
  }

  // MARK: Revisions

  @Test("A revision can be any name of a commit")
  func revisions() async throws {
    let first = try repository.commit(["a": "1"])
    try repository.git("tag", "light")
    try repository.git("tag", "--annotate", "--message=one", "heavy")
    try repository.git("branch", "topic/one")
    let second = try repository.commit(["a": "2"])
    for revision in ["HEAD~1", "HEAD^", "light", "heavy", "topic/one", first, "@~"] {
      let snapshot = try await open(revision)
      #expect(snapshot.commit == first)
      #expect(snapshot.revision == revision)
      #expect(try await text("a", in: snapshot) == "1")
    }
    for revision in ["HEAD", "main", "@", String(second.prefix(12)), "refs/heads/main"] {
      #expect(try await open(revision).commit == second)
    }
    try repository.git("checkout", "--quiet", "--detach", "light")
    #expect(try await open("HEAD").commit == first)
    #expect(try await open("main").commit == second)
  }

  @Test(
    "A name without a commit is unknown, and never an option",
    arguments: [
      "--help", "--version", "-h", "--all", "--output=x", "--", "", " ", "none", "HEAD~9", "^main",
      "main..topic", "main...topic", "main:a", "HEAD^{tree}", "HEAD^{blob}", "main@{5}", "*",
      "main\0", "main\nHEAD", "$(touch x)", "`touch x`", "main; touch x",
      "0123456789012345678901234567890123456789",
    ]
  )
  func unknownRevisions(_ revision: String) async throws {
    try repository.commit(["a": "x"])
    try repository.git("branch", "topic")
    try repository.git("tag", "v1")
    let names = try FileManager.default.contentsOfDirectory(atPath: repository.path).sorted()
    let error = await error(revision)
    #expect(error == .unknownRevision(revision, known: ["main", "topic", "v1"], isShallow: false))
    #expect(error?.message == "the repository has no commit '\(revision)'")
    #expect(error?.fix == nil)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: repository.path).sorted() == names
    )
  }

  @Test("A repository without commits has no HEAD")
  func unborn() async throws {
    #expect(await error() == .unknownRevision("HEAD", known: [], isShallow: false))
  }

  @Test("If only the remote has a branch of that name, the fix suggests it")
  func remoteBranch() async throws {
    let commit = try repository.commit(["a": "x"])
    try repository.git("update-ref", "refs/remotes/origin/release/2", commit)
    try repository.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/release/2")
    let error = await error("release/2")
    #expect(
      error
        == .unknownRevision("release/2", known: ["main", "origin/release/2"], isShallow: false)
    )
    #expect(error?.fix == "did you mean 'origin/release/2'?")
    #expect(try await open("origin/release/2").commit == commit)
  }

  @Test("For a shallow clone, the fix is a command that makes the revision available")
  func shallow() async throws {
    let first = try repository.commit(["a": "1"])
    try repository.git("checkout", "--quiet", "-b", "topic")
    try repository.commit(["a": "2"])
    let clone = try ProjectFolder()
    try Git.run(
      ["clone", "--quiet", "--depth=1", "file://" + repository.path, "clone"],
      in: clone.path
    )
    for (revision, fix) in [
      ("HEAD~1", "fetch the whole history: git fetch --unshallow"),
      (first, "fetch it: git fetch --depth=1 origin \(first)"),
      ("main", "fetch it: git fetch --depth=1 origin main:main"),
      ("origin/main", "fetch it: git fetch --depth=1 origin main:refs/remotes/origin/main"),
    ] {
      // Each iteration starts with the original clone.
      let folder = clone.path + "/" + String(fix.hashValue)
      try FileManager.default.copyItem(atPath: clone.path + "/clone", toPath: folder)
      let error = await error(revision, in: folder)
      #expect(
        error
          == .unknownRevision(revision, known: ["topic", "origin/topic"], isShallow: true)
      )
      #expect(
        error?.message == "the repository has no commit '\(revision)'; the clone is shallow and "
          + "lacks older commits"
      )
      #expect(error?.fix == fix)
      let command = fix.drop { $0 != ":" }.dropFirst(2).split(separator: " ").map(String.init)
      try Git.run(
        ["-c", "protocol.file.allow=always"] + command.dropFirst(),
        in: folder
      )
      #expect(try await open(revision, in: folder).commit == first)
    }
  }

  // MARK: Places

  @Test("A project in a subfolder sees its files by their paths")
  func subfolder() async throws {
    try repository.commit(["work/project/a/b": "x", "work/c": "y", "a": "z"])
    try repository.folder.write(["work/project/later": ""], under: "")
    let snapshot = try await open(in: "work/project")
    #expect(snapshot.names(in: ProjectPath(".")) == ["a"])
    #expect(try await text("a/b", in: snapshot) == "x")
    // Folders that `allow-folders` names may be outside the project.
    #expect(snapshot.kind(of: ProjectPath("../c")) == .file)
    #expect(try await text("../c", in: snapshot) == "y")
    #expect(snapshot.names(in: ProjectPath("../..")) == ["a", "work"])
    #expect(snapshot.kind(of: ProjectPath("../../../a")) == .missing)
    #expect(
      try await refusal("../../../a", in: snapshot) == "is outside the repository"
    )
  }

  @Test("A revision from before the project is refused with a fix")
  func projectAbsent() async throws {
    try repository.commit(["app": "a file"])
    try FileManager.default.removeItem(atPath: repository.path + "/app")
    try repository.commit(["app/project/a": "x", "other": ""])
    let absent = await error("HEAD~1", in: "app/project")
    #expect(absent == .projectAbsent(revision: "HEAD~1", folder: "app/project"))
    #expect(absent?.message == "there is no folder 'app/project' in revision 'HEAD~1'")
    #expect(absent?.fix == "choose a revision that contains the project")
    #expect(
      await error("HEAD~1", in: "app") == .projectAbsent(revision: "HEAD~1", folder: "app")
    )
    #expect(try await text("a", in: open(in: "app/project")) == "x")
  }

  @Test("A linked worktree sees all revisions of the repository")
  func worktree() async throws {
    try repository.commit(["project/a": "1"])
    try repository.git("branch", "topic")
    let outside = try ProjectFolder()
    try repository.git("worktree", "add", "--quiet", outside.path + "/tree", "topic")
    try repository.commit(["project/a": "2"])
    let tree = outside.path + "/tree/project"
    #expect(try await text("a", in: open("HEAD", in: tree)) == "1")
    #expect(try await text("a", in: open("main", in: tree)) == "2")
  }

  @Test("A folder outside a working tree has no revisions")
  func noRepository() async throws {
    try repository.commit(["a": ""])
    let outside = try ProjectFolder()
    let error = await error(in: outside.path)
    #expect(error == .notARepository(folder: outside.path))
    #expect(error?.message == "'\(outside.path)' is not in a git repository")
    #expect(
      error?.fix == "run sluice in a clone of the project; a copy without .git has no revisions"
    )
    let inside = repository.path + "/.git"
    #expect(await self.error(in: inside) == .notARepository(folder: inside))
    try repository.git("clone", "--quiet", "--bare", ".", outside.path + "/bare")
    let bare = outside.path + "/bare"
    #expect(await self.error(in: bare) == .notARepository(folder: bare))
  }

  @Test("A folder that does not exist is reported with git's message")
  func noFolder() async throws {
    let folder = repository.path + "/none"
    #expect(
      await error(in: folder)
        == .failed(
          command: "rev-parse",
          reason: "cannot change to '\(folder)': No such file or directory"
        )
    )
  }

  // MARK: Surroundings

  @Test("Without git, opening a revision is an error")
  func notInstalled() async throws {
    var environment = Git.environment
    environment["PATH"] = repository.path
    let error = await error(environment: environment)
    #expect(error == .notInstalled)
    #expect(error?.message == "git was not found in the folders of PATH")
    #expect(error?.fix == "install git, or add its folder to PATH")
  }

  @Test("A repository of another user is refused with the command to trust it")
  func unsafeRepository() async throws {
    try repository.commit(["project/a": ""])
    var environment = Git.environment
    environment["GIT_TEST_ASSUME_DIFFERENT_OWNER"] = "1"
    let real = try #require(DiskFileSystem(root: repository.path)).root
    let error = await error(in: "project", environment: environment)
    #expect(error == .unsafeRepository(folder: real))
    #expect(
      error?.message == "git refuses to read '\(real)', because the repository belongs to another "
        + "user"
    )
    #expect(
      error?.fix == "if you trust the repository: git config --global --add safe.directory "
        + "'\(real)'"
    )
    // As CI services configure it.
    environment["GIT_CONFIG_COUNT"] = "1"
    environment["GIT_CONFIG_KEY_0"] = "safe.directory"
    environment["GIT_CONFIG_VALUE_0"] = real
    #expect(await self.error(in: "project", environment: environment) == nil)
  }

  @Test("In a git hook, the project's folder decides which repository is used")
  func insideHook() async throws {
    try repository.commit(["project/a": "own"])
    let other = try ScratchRepository()
    try other.commit(["project/a": "other"])
    for folder in [".git", other.path + "/.git", repository.path + "/.git"] {
      var environment = Git.environment
      environment["GIT_DIR"] = folder
      environment["GIT_INDEX_FILE"] = folder + "/index"
      environment["GIT_WORK_TREE"] = other.path
      environment["GIT_OBJECT_DIRECTORY"] = folder + "/objects"
      environment["GIT_PREFIX"] = "elsewhere/"
      #expect(try await text("a", in: open(in: "project", environment: environment)) == "own")
    }
  }

  @Test("In a commit hook, the project's repository is found, also in a linked worktree")
  func realHook() async throws {
    try repository.commit(["project/a": "1"])
    let outside = try ProjectFolder()
    let hooks = repository.path + "/.git/hooks"
    try FileManager.default.createDirectory(atPath: hooks, withIntermediateDirectories: true)
    try repository.git("worktree", "add", "--quiet", "-b", "topic", outside.path + "/tree")
    for folder in [repository.path, outside.path + "/tree"] {
      let hook = "#!/bin/sh\nenv > '\(outside.path)/env'\n"
      try outside.write(["pre-commit": hook], under: ".")
      // Another process installs the hook. If this process wrote the program, a child that another
      // test starts meanwhile could hold it open, and it could not run.
      let install = try ChildProcess(
        ["install", "-m", "755", "pre-commit", hooks + "/pre-commit"],
        in: outside.path,
        environment: Git.environment
      )
      try #require(try await install.outcome().exitCode == 0)
      try Git.run(["commit", "--quiet", "--allow-empty", "--message=hook"], in: folder)
      var environment = Git.environment
      for line in try outside.text("env").split(separator: "\n") where line.hasPrefix("GIT_") {
        let parts = line.split(separator: "=", maxSplits: 1).map(String.init)
        environment[parts[0]] = parts.count > 1 ? parts[1] : ""
      }
      #expect(environment["GIT_INDEX_FILE"] != nil)
      let snapshot = try await open(in: folder + "/project", environment: environment)
      #expect(try await text("a", in: snapshot) == "1")
    }
  }

  @Test("If only the environment names repository and working tree, these are used")
  func repositoryApart() async throws {
    try repository.commit(["project/a": "x"])
    let outside = try ProjectFolder()
    try FileManager.default.moveItem(
      atPath: repository.path + "/.git",
      toPath: outside.path + "/apart"
    )
    var environment = Git.environment
    environment["GIT_DIR"] = outside.path + "/apart"
    // Without the path of the working tree, git would treat every folder as its top level.
    let folder = repository.path + "/project"
    #expect(
      await error(in: "project", environment: environment) == .notARepository(folder: folder)
    )
    environment["GIT_WORK_TREE"] = repository.path
    #expect(try await text("a", in: open(in: "project", environment: environment)) == "x")
    let elsewhere = try ProjectFolder()
    #expect(
      await error(in: elsewhere.path, environment: environment)
        == .notARepository(folder: elsewhere.path)
    )
  }

  @Test("The user's git configuration does not change what is read")
  func userConfiguration() async throws {
    try repository.commit(["naïve \"file\"": "x"])
    let configuration = """
      [color]
        ui = always
      [core]
        pager = false
        quotePath = true
        abbrev = 4
        autocrlf = true
      [pager]
        ls-tree = true
        rev-parse = true
      [alias]
        ls-tree = !false
        cat-file = !false
      [i18n]
        logOutputEncoding = ISO-8859-1

      """
    try repository.folder.write(["configuration": configuration], under: ".git")
    var environment = Git.environment
    environment["GIT_CONFIG_GLOBAL"] = repository.path + "/.git/configuration"
    environment["GIT_TRACE"] = "1"
    environment["LANGUAGE"] = "de"
    environment["LANG"] = "de_DE.UTF-8"
    let snapshot = try await open(environment: environment)
    #expect(snapshot.names(in: ProjectPath(".")) == ["naïve \"file\""])
    #expect(try await text("naïve \"file\"", in: snapshot) == "x")
    let error = await error("none", environment: environment)
    #expect(error == .unknownRevision("none", known: ["main"], isShallow: false))
  }

  @Test("Cancelling a fetch throws an error and ends git")
  func cancellation() async throws {
    try repository.commit(count: 5_000, to: "main") { ("\($0)", "\($0)") }
    let environment = try repository.environment(
      replacingGitWith: #"case "$*" in *cat-file*) exec sleep 600;; esac; exec "$GIT" "$@""#
    )
    let snapshot = try await open(environment: environment)
    let fetching = Task { try await snapshot.prefetch([ProjectPath(".")]) }
    fetching.cancel()
    await #expect(throws: GitError.self) { try await fetching.value }
  }

  @Test("By default, the process's environment is used")
  func processEnvironment() async throws {
    let commit = try repository.commit(["a": "x"])
    let snapshot = try await GitSnapshot.open(revision: "HEAD", projectRoot: repository.path)
    #expect(snapshot.commit == commit)
  }

  // MARK: Damage

  @Test(
    "A file with a damaged or missing object is refused, and the others are read",
    arguments: [
      ("truncated", "is damaged in the repository; run git fsck to see more"),
      ("garbage", "is missing from the repository's objects, or is damaged there"),
      ("empty", "is missing from the repository's objects, or is damaged there"),
      ("gone", "is missing from the repository's objects, or is damaged there"),
    ]
  )
  func damagedObject(_ damage: String, _ reason: String) async throws {
    func noise(_ seed: Int) -> String {
      (0..<3_000).map { String($0 &* seed % 9_973) }.joined(separator: "\n")
    }
    try repository.commit(["a": noise(3), "b": noise(5), "c": noise(7), "d": noise(11)])
    let id = try repository.git("rev-parse", "HEAD:b")
    let object = repository.folder.url(try repository.objectPath(id))
    switch damage {
    case "truncated": try Data(contentsOf: object).prefix(2_000).write(to: object)
    case "garbage": try Data("garbage".utf8).write(to: object)
    case "empty": try Data().write(to: object)
    default: try FileManager.default.removeItem(at: object)
    }
    let snapshot = try await open()
    try await snapshot.prefetch([ProjectPath(".")])
    #expect(try await refusal("b", in: snapshot) == reason)
    #expect(try snapshot.read(ProjectPath("a")) == Array(noise(3).utf8))
    #expect(try snapshot.read(ProjectPath("c")) == Array(noise(7).utf8))
    #expect(try snapshot.read(ProjectPath("d")) == Array(noise(11).utf8))
    #expect(try await !snapshot.fetchWanted())
  }

  @Test(
    "A damaged folder or commit is reported with git's message",
    arguments: ["HEAD^{tree}", "HEAD"]
  )
  func damagedTree(_ name: String) async throws {
    try repository.commit(["a": "x"])
    let object = repository.folder.url(
      try repository.objectPath(repository.git("rev-parse", name))
    )
    try Data("garbage".utf8).write(to: object)
    let error = try #require(await error("main"))
    guard case .failed(_, let reason) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(!reason.isEmpty)
    #expect(!reason.hasPrefix("fatal"))
    #expect(error.fix == nil)
  }

  @Test("A partial clone reports missing objects and fetches none")
  func partialClone() async throws {
    try repository.git("config", "uploadpack.allowFilter", "true")
    try repository.commit(["a": "x", "b": "y"])
    let clone = try ProjectFolder()
    try Git.run(
      [
        "clone", "--quiet", "--no-checkout", "--filter=blob:none", "file://" + repository.path, ".",
      ],
      in: clone.path
    )
    let snapshot = try await open("origin/main", in: clone.path)
    #expect(snapshot.names(in: ProjectPath(".")) == ["a", "b"])
    #expect(
      try await refusal("a", in: snapshot)
        == "is missing from the repository's objects, or is damaged there"
    )
    let missing = try Git.run(
      ["rev-list", "--objects", "--missing=print", "--all"],
      in: clone.path
    )
    #expect(missing.split(separator: "\n").count { $0.hasPrefix("?") } == 2)
  }
}
