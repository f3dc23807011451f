import Foundation
@testable import SluiceSupport
import Testing
import TestSupport

@Suite("Disk file system")
struct DiskFileSystemTests {
  private let folder: ProjectFolder
  private let system: DiskFileSystem

  init() throws {
    folder = try ProjectFolder()
    system = try #require(DiskFileSystem(root: folder.path))
  }

  private func names(_ path: String = ".") -> [String] { system.names(in: ProjectPath(path)) }

  // MARK: Root

  @Test("A folder that does not exist has no file system")
  func noRoot() {
    #expect(DiskFileSystem(root: folder.path + "/none") == nil)
  }

  @Test("The root is an absolute path without links")
  func root() throws {
    try folder.write(["real/a": "x"], under: "")
    try folder.link("link", to: "real")
    let linked = try #require(DiskFileSystem(root: folder.path + "/link/../link"))
    #expect(linked.root == system.root + "/real")
    #expect(try linked.read(ProjectPath("a")) == Array("x".utf8))
  }

  @Test("The project folder is the nearest folder upwards that contains the file")
  func nearestFolder() throws {
    try folder.write(["marker": "", "a/b/marker": "", "a/b/c/d/x": "", "e/x": ""], under: "")
    func found(_ start: String) -> String? {
      DiskFileSystem.folder(holding: "marker", from: folder.path + "/" + start)
        .map { String($0.dropFirst(system.root.count)) }
    }
    #expect(found("a/b/c/d") == "/a/b")
    #expect(found("a/b") == "/a/b")
    #expect(found("a") == "")
    #expect(found("e") == "")
    #expect(found("none") == nil)
    #expect(DiskFileSystem.folder(holding: "no-such-marker-\(UUID())", from: folder.path) == nil)
  }

  // MARK: Confinement

  @Test("Confined files lead outside neither for reading nor for writing")
  func confined() throws {
    let outside = try ProjectFolder()
    try outside.write(["file": "SECRET", "folder/file": "SECRET"], under: "")
    try folder.write(["own": "own", "below/own": "own"], under: "")
    try folder.link("file", to: outside.path + "/file")
    try folder.link("dangling", to: outside.path + "/new")
    try folder.link("folder", to: outside.path + "/folder")
    try folder.link("inner", to: "own")
    try folder.link("chain", to: "file")
    var confined = system
    confined.isConfined = true
    for path in ["file", "folder/file", "chain", "folder/../folder/file"].map(ProjectPath.init) {
      #expect(try system.read(path) == Array("SECRET".utf8))
      #expect(throws: FileError(path: path, reason: "is a link that leads outside the project")) {
        try confined.read(path)
      }
    }
    #expect(confined.names(in: ProjectPath("folder")) == [])
    #expect(try confined.read(ProjectPath("inner")) == Array("own".utf8))
    #expect(confined.names(in: ProjectPath("below")) == ["own"])
    for path in ["chain", "file", "dangling", "folder/file", "folder/new", "folder/a/b"] {
      let path = ProjectPath(path)
      #expect(throws: FileError.self) { try confined.append([0x78], to: path) }
      #expect(throws: FileError.self) { try confined.appender(to: path) }
      #expect(throws: FileError.self) { try confined.lock(path) }
      // A link itself is replaced or removed, and its target stays.
      try? confined.write([0x78], to: path)
      try? confined.remove(path)
    }
    #expect(try outside.text("file") == "SECRET")
    #expect(try outside.text("folder/file") == "SECRET")
    let other = try #require(DiskFileSystem(root: outside.path))
    #expect(other.names(in: ProjectPath(".")) == ["file", "folder"])
    #expect(other.names(in: ProjectPath("folder")) == ["file"])
    try confined.write([0x78], to: ProjectPath("below/new/file"))
    #expect(try confined.read(ProjectPath("below/new/file")) == [0x78])
  }

  // MARK: Writing

  @Test("A failed write keeps the old file and leaves no temporary file")
  func failedWrite() throws {
    // A file name of maximum length leaves no room for the name of the temporary file.
    let name = String(repeating: "a", count: 255)
    try folder.write([name: "old"], under: "")
    let error = #expect(throws: FileError.self) {
      try system.write(Array("new".utf8), to: ProjectPath(name))
    }
    #expect(error?.path == ProjectPath(name))
    #expect(error?.reason == "file name too long")
    #expect(try folder.text(name) == "old")
    #expect(names() == [name])
  }

  @Test("A write to a folder fails and leaves the folder unchanged")
  func writeOntoFolder() throws {
    try folder.write(["a/b": "old"], under: "")
    #expect(throws: FileError(path: ProjectPath("a"), reason: "is a directory")) {
      try system.write(Array("new".utf8), to: ProjectPath("a"))
    }
    #expect(names() == ["a"])
    #expect(try folder.text("a/b") == "old")
  }

  @Test("If the root no longer exists, it is not created again")
  func vanishedRoot() throws {
    try folder.write(["above/project/a": "old"], under: "")
    let vanished = try #require(DiskFileSystem(root: folder.path + "/above/project"))
    try FileManager.default.removeItem(atPath: folder.path + "/above")
    for path in ["a", "b/c"] {
      let error = #expect(throws: FileError.self) { try vanished.write([], to: ProjectPath(path)) }
      #expect(error?.reason == "no such file")
    }
    #expect(names() == [])
  }

  @Test("If a file is in place of a folder, nothing is written")
  func fileInTheWay() throws {
    try folder.write(["a": "old"], under: "")
    let reason = "not a directory"
    #expect(throws: FileError(path: ProjectPath("a/b"), reason: reason)) {
      try system.write([], to: ProjectPath("a/b"))
    }
    #expect(throws: FileError(path: ProjectPath("a/b"), reason: reason)) {
      try system.append([], to: ProjectPath("a/b"))
    }
    #expect(try folder.text("a") == "old")
  }

  @Test("A concurrent reader sees the old or the new text, never a part")
  func atomic() async throws {
    let texts = [10, 200_000].map { [UInt8](repeating: UInt8($0 & 0xFF), count: $0) }
    let path = ProjectPath("a")
    try system.write(texts[0], to: path)
    let system = self.system
    let seen = await Concurrency.map(count: 2, inFlight: 2) { worker -> Set<Int> in
      var sizes: Set<Int> = []
      for round in 0..<40 {
        if worker == 0 {
          try? system.write(texts[round % 2], to: path)
        } else {
          sizes.insert((try? system.read(path))?.count ?? -1)
        }
      }
      return sizes
    }
    #expect(seen[1].isSubset(of: [10, 200_000]))
    #expect(names() == ["a"])
  }

  // MARK: Reading

  @Test("A folder or a named pipe cannot be read as a file")
  func noFile() throws {
    try folder.write(["a/b": "", "pipe": ""], under: "")
    try folder.makePipe("pipe")
    #expect(throws: FileError(path: ProjectPath("a"), reason: "is a folder")) {
      try system.read(ProjectPath("a"))
    }
    #expect(throws: FileError(path: ProjectPath("pipe"), reason: "is not a regular file")) {
      try system.read(ProjectPath("pipe"))
    }
  }

  @Test("A file beyond the size limit is refused without being read")
  func tooLarge() throws {
    try folder.write(["a": ""], under: "")
    // A sparse file takes no space on the disk.
    try FileHandle(forWritingTo: folder.url("a")).truncate(
      atOffset: UInt64(FileLimits.maximumBytes) + 1
    )
    #expect(throws: FileError(path: ProjectPath("a"), reason: "larger than 1024 MiB")) {
      try system.read(ProjectPath("a"))
    }
  }

  @Test("Files outside of the root are read by their paths")
  func outside() throws {
    try folder.write(["project/a": "", "shared/b": "x"], under: "")
    let project = try #require(DiskFileSystem(root: folder.path + "/project"))
    #expect(try project.read(ProjectPath("../shared/b")) == Array("x".utf8))
    #expect(try project.read(ProjectPath(system.root + "/shared/b")) == Array("x".utf8))
    #expect(project.kind(of: ProjectPath("../shared")) == .folder)
    #expect(project.names(in: ProjectPath("..")) == ["project", "shared"])
  }

  // MARK: Links

  @Test("A link is followed unless it leads out of the root or to nothing")
  func links() throws {
    try folder.write(["project/a/b": "x", "project-too/c": "y"], under: "")
    for (link, target) in [
      ("file", "a/b"), ("folder", "a"), ("nowhere", "none"), ("loop", "loop"),
      ("out-file", "../project-too/c"), ("out-folder", "../project-too"),
      ("absolute", system.root + "/project/a/b"), ("up", ".."),
    ] {
      try folder.link("project/\(link)", to: target)
    }
    let project = try #require(DiskFileSystem(root: folder.path + "/project"))
    func kind(_ path: String) -> FileKind { project.kind(of: ProjectPath(path)) }
    #expect(kind("file") == .file)
    #expect(kind("absolute") == .file)
    #expect(kind("folder") == .folder)
    #expect(kind("folder/b") == .file)
    #expect(kind("nowhere") == .missing)
    #expect(kind("loop") == .missing)
    #expect(kind("out-file") == .linkOutOfRoot)
    #expect(kind("out-folder") == .linkOutOfRoot)
    #expect(kind("out-folder/c") == .linkOutOfRoot)
    #expect(kind("up") == .linkOutOfRoot)
  }

  @Test("A link out of the root is reported with its target, even if the target does not exist")
  func linksOut() throws {
    try folder.write(["project/a/b": "x", "project-too/c": "y"], under: "")
    for (link, target) in [
      ("file", "a/b"), ("nowhere", "none"), ("out", "../project-too"), ("new", "../none/new"),
      ("absolute", "/none/new"), ("a/up", "../../project-too/c"),
    ] {
      try folder.link("project/\(link)", to: target)
    }
    let project = try #require(DiskFileSystem(root: folder.path + "/project"))
    let above = String(project.root.dropLast("/project".count))
    func target(_ path: String) -> String? { project.target(outOf: ProjectPath(path)) }
    #expect(target("file") == nil)
    #expect(target("nowhere") == nil)
    #expect(target("a/b") == nil)
    #expect(target("out") == above + "/project-too")
    #expect(target("new") == above + "/none/new")
    #expect(target("absolute") == "/none/new")
    #expect(target("a/up") == above + "/project-too/c")
    #expect(project.links(in: ProjectPath(".")) == ["absolute", "file", "new", "nowhere", "out"])
    #expect(project.links(in: ProjectPath("a")) == ["up"])
  }

  // MARK: Temporary files

  @Test(
    "Temporary files are recognized by their names",
    arguments: [
      ("server.jsonl.4711.tmp", 4711), ("a.b.json.1.tmp", 1), ("server.jsonl.tmp", nil),
      ("server.jsonl.0.tmp", nil), ("server.jsonl.+1.tmp", nil), ("server.jsonl.01.tmp", nil),
      ("server.dat.4711.tmp", nil), ("jsonl.4711.tmp", nil), (".jsonl.4711.tmp", nil),
      ("server.jsonl.4711.tmp.bak", nil),
    ] as [(String, Int?)]
  )
  func temporaryNames(_ name: String, _ process: Int?) {
    #expect(TemporaryFiles.process(of: name).map { Int($0) } == process)
  }

  @Test("Writing removes temporary files of dead processes unless they are locked")
  func abandoned() throws {
    let shell = try ChildProcess(
      ["sh", "-c", "echo $$"],
      in: folder.path,
      environment: ["PATH": "/usr/bin:/bin"]
    )
    let dead = try #require(Int(try shell.wait().output.dropLast()))
    let names = [
      "a.jsonl.\(dead).tmp", "locked.jsonl.\(dead).tmp", "b.jsonl.1.tmp", "b.dat.\(dead).tmp",
    ]
    for name in names { try folder.write([name: "half"], under: "reports") }
    let lock = try #require(try system.lock(ProjectPath("reports/\(names[1])")))
    try system.write([], to: ProjectPath("reports/new.json"))
    #expect(
      system.names(in: ProjectPath("reports")) == (names.dropFirst() + ["new.json"]).sorted()
    )
    withExtendedLifetime(lock) {}
  }
}
