import Foundation
import SluiceSupport
import Testing
import TestSupport

@Suite("File sink")
struct FileSinkTests {
  private let folder: ProjectFolder
  private let system: DiskFileSystem
  private let path = ProjectPath("folder/a")

  init() throws {
    folder = try ProjectFolder()
    system = try #require(DiskFileSystem(root: folder.path))
  }

  @Test("Bytes are passed on in pieces of fixed size, in order, and only once")
  func pieces() throws {
    let pieces = Locked<[Int]>([])
    var whole: [UInt8] = []
    let bytes = Locked<[UInt8]>([])
    var sink = FileSink { piece in
      pieces.withLock { $0.append(piece.count) }
      bytes.withLock { $0.append(contentsOf: piece) }
    }
    for number in 0..<10_000 {
      let line = Array("\(number) \(String(repeating: "x", count: 100))\n".utf8)
      whole += line
      sink.buffer += line
      try sink.spill()
    }
    try sink.flush()
    try sink.flush()
    #expect(bytes.withLock { $0 } == whole)
    let sizes = pieces.withLock { $0 }
    #expect(sizes.dropLast() == Array(repeating: 1 << 18, count: whole.count >> 18)[...])
  }

  @Test("A sink in memory returns everything that was written, or nothing")
  func memory() {
    #expect(FileSink.bytes { _ in } == [])
    let bytes = FileSink.bytes { (sink) throws(FileError) in
      for _ in 0..<3 {
        sink.buffer += Array(repeating: 7, count: 3 << 17)
        try sink.spill()
      }
    }
    #expect(bytes == Array(repeating: 7, count: 9 << 17))
  }

  @Test("A file that is written in pieces replaces the old one as a whole, and folders are created")
  func written() throws {
    for files in [system, InMemoryFileSystem()] as [any FileSystem] {
      for text in ["first", "second, which is longer"] {
        try files.write(to: path) { (sink) throws(FileError) in
          for byte in text.utf8 {
            sink.buffer.append(byte)
            try sink.flush()
          }
        }
        #expect(try files.read(path) == Array(text.utf8))
      }
      #expect(files.names(in: ProjectPath("folder")) == ["a"])
    }
  }

  @Test(
    "A large file ends at its last byte, however much space was reserved",
    arguments: [(1 << 18) - 1, 1 << 18, (1 << 20) + 1, 3 << 20, (3 << 20) + 70_000]
  )
  func large(count: Int) throws {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &>> 4) }
    try system.write(to: path) { (sink) throws(FileError) in
      for start in stride(from: 0, to: count, by: 1_000) {
        sink.buffer += bytes[start..<min(start + 1_000, count)]
        try sink.spill()
      }
    }
    #expect(try system.read(path) == bytes)
  }

  @Test("If writing fails midway, the old file is kept and no temporary file is left")
  func failing() throws {
    let failure = FileError(path: path, reason: "stopped")
    for files in [system, InMemoryFileSystem()] as [any FileSystem] {
      try files.write(Array("old".utf8), to: path)
      #expect(throws: failure) {
        try files.write(to: path) { (sink) throws(FileError) in
          sink.buffer += Array(repeating: 1, count: 1 << 20)
          try sink.flush()
          throw failure
        }
      }
      #expect(try files.read(path) == Array("old".utf8))
      #expect(files.names(in: ProjectPath("folder")) == ["a"])
    }
  }

  @Test("If the new file cannot get its name, no temporary file is left")
  func noName() throws {
    try folder.write(["folder/a/b": "x"], under: "")
    #expect(throws: FileError.self) {
      try system.write(to: path) { (sink) throws(FileError) in sink.buffer.append(1) }
    }
    #expect(system.names(in: ProjectPath("folder")) == ["a"])
    #expect(system.names(in: path) == ["b"])
  }
}

@Suite("File lock")
struct FileLockTests {
  private let path = ProjectPath("reports/locks/a.lock")

  @Test("A lock that is held is refused to others until it is released")
  func held() throws {
    let folder = try ProjectFolder()
    let system = try #require(DiskFileSystem(root: folder.path))
    var lock = try system.lock(path)
    #expect(lock != nil)
    #expect(try system.lock(path) == nil)
    #expect(try system.lock(ProjectPath("reports/locks/b.lock")) != nil)
    withExtendedLifetime(lock) {}
    lock = nil
    #expect(try system.lock(path) != nil)
  }

  #if os(Linux)
  @Test("A lock ends with its value, even if a starting child process has a copy of its descriptor")
  func copiedLock() throws {
    let folder = try ProjectFolder()
    let system = try #require(DiskFileSystem(root: folder.path))
    var lock = try system.lock(path)
    #expect(lock != nil)
    let names = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
    let own = names.first { name in
      let target = try? FileManager.default.destinationOfSymbolicLink(
        atPath: "/proc/self/fd/" + name
      )
      return target?.hasSuffix("\(folder.path)/\(path)") == true
    }
    let copy = dup(try #require(own.flatMap(Int32.init)))
    defer { close(copy) }
    lock = nil
    #expect(lock == nil)
    #expect(try system.lock(path) != nil)
  }
  #endif

  @Test("A lock is released once, when its last holder releases it")
  func released() {
    let count = Locked(0)
    do {
      let lock = FileLock { count.withLock { $0 += 1 } }
      let copies = [lock, lock]
      withExtendedLifetime(copies) { #expect(count.withLock { $0 } == 0) }
    }
    #expect(count.withLock { $0 } == 1)
  }

  @Test("A lock whose folder cannot be created is an error, not a busy lock")
  func noFolder() throws {
    let folder = try ProjectFolder()
    try folder.write(["reports": "a file"], under: "")
    let system = try #require(DiskFileSystem(root: folder.path))
    #expect(throws: FileError.self) { try system.lock(path) }
  }
}
