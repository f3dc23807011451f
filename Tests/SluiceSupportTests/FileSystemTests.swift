import SluiceSupport
import Testing
import TestSupport

/// The common requirements of both file systems, so that tests in memory are also valid for the
/// disk.
@Suite("File system")
struct FileSystemTests {
  enum Place: CaseIterable {
    case memory, disk
  }

  /// Returns an empty file system, and the folder that must exist while it is used.
  private func empty(_ place: Place) throws -> (system: any FileSystem, folder: ProjectFolder?) {
    switch place {
    case .memory: return (InMemoryFileSystem(), nil)
    case .disk:
      let folder = try ProjectFolder()
      return (try #require(DiskFileSystem(root: folder.path)), folder)
    }
  }

  @Test("A written file is read back, and its folders are created", arguments: Place.allCases)
  func roundTrip(_ place: Place) throws {
    let (system, folder) = try empty(place)
    let path = ProjectPath("a/b c/ö.txt")
    let bytes: [UInt8] = [0, 0xFF, 0x0A, 0x0D]
    try system.write(bytes, to: path)
    #expect(try system.read(path) == bytes)
    try system.write([], to: path)
    #expect(try system.read(path) == [])
    withExtendedLifetime(folder) {}
  }

  @Test("A shorter text replaces a longer one completely", arguments: Place.allCases)
  func replaced(_ place: Place) throws {
    let (system, folder) = try empty(place)
    try system.write(Array("a long text".utf8), to: ProjectPath("a"))
    try system.write(Array("b".utf8), to: ProjectPath("a"))
    #expect(try system.read(ProjectPath("a")) == Array("b".utf8))
    #expect(system.names(in: ProjectPath(".")) == ["a"])
    withExtendedLifetime(folder) {}
  }

  @Test("Appended bytes are added at the end, also to a new file", arguments: Place.allCases)
  func append(_ place: Place) throws {
    let (system, folder) = try empty(place)
    let path = ProjectPath("a/log")
    for text in ["one\n", "", "two\n"] { try system.append(Array(text.utf8), to: path) }
    #expect(try system.read(path) == Array("one\ntwo\n".utf8))
    withExtendedLifetime(folder) {}
  }

  @Test("A missing file cannot be read", arguments: Place.allCases)
  func missing(_ place: Place) throws {
    let (system, folder) = try empty(place)
    #expect(throws: FileError(path: ProjectPath("a/b"), reason: "no such file")) {
      try system.read(ProjectPath("a/b"))
    }
    withExtendedLifetime(folder) {}
  }

  @Test("A path is a file, a folder or missing", arguments: Place.allCases)
  func kind(_ place: Place) throws {
    let (system, folder) = try empty(place)
    try system.write([], to: ProjectPath("a/b/c"))
    #expect(system.kind(of: ProjectPath("a/b/c")) == .file)
    #expect(system.kind(of: ProjectPath("a/b")) == .folder)
    #expect(system.kind(of: ProjectPath("a")) == .folder)
    #expect(system.kind(of: ProjectPath(".")) == .folder)
    #expect(system.kind(of: ProjectPath("a/bc")) == .missing)
    #expect(system.kind(of: ProjectPath("a/b/c/d")) == .missing)
    withExtendedLifetime(folder) {}
  }

  @Test(
    "The names in a folder are sorted and include hidden names, but not those of subfolders",
    arguments: Place.allCases
  )
  func names(_ place: Place) throws {
    let (system, folder) = try empty(place)
    for path in ["a/z", "a/b/c", "a/b/d", "a/.h", "ab", "a/Y"] {
      try system.write([], to: ProjectPath(path))
    }
    #expect(system.names(in: ProjectPath("a")) == [".h", "Y", "b", "z"])
    #expect(system.names(in: ProjectPath(".")) == ["a", "ab"])
    #expect(system.names(in: ProjectPath("ab")) == [])
    #expect(system.names(in: ProjectPath("none")) == [])
    withExtendedLifetime(folder) {}
  }

  @Test("A file error is described with its path")
  func description() {
    let error = FileError(path: ProjectPath("a/b"), reason: "permission denied")
    #expect("\(error)" == "a/b: permission denied")
  }

  @Test("A file in memory can be removed")
  func remove() throws {
    let system = InMemoryFileSystem(["a/b": "x", "a/c": "y"])
    try system.remove(ProjectPath("a/b"))
    #expect(system.names(in: ProjectPath("a")) == ["c"])
  }
}
