/// The files of a project: the seam to the disk.
///
/// Paths are relative to the project's root.
package protocol FileSystem: Sendable {
  /// The bytes of a file.
  ///
  /// - Throws: ``FileError`` when it cannot be read or is larger than ``FileLimits/maximumBytes``.
  func read(_ path: ProjectPath) throws(FileError) -> [UInt8]

  /// Replaces a file as a whole: after a failure the old one stands unharmed.
  ///
  /// Folders on the way are made.
  func write(_ bytes: [UInt8], to path: ProjectPath) throws(FileError)

  /// Opens a file for reading it piece by piece.
  ///
  /// - Throws: ``FileError`` when it cannot be read.
  func open(_ path: ProjectPath) throws(FileError) -> FileContents

  /// Replaces a file as a whole by what is written piece by piece: after a failure, of the closure
  /// too, the old one stands unharmed.
  ///
  /// Folders on the way are made.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - isSynced: Whether to wait until the new one is on the disk, before the old one goes. What is
  ///     not waited for outlives the program, and may be empty after the power was lost.
  ///   - produce: Writes what stands in the file.
  /// - Throws: Why it cannot be written, and what the closure throws.
  func write(
    to path: ProjectPath,
    isSynced: Bool,
    _ produce: (inout FileSink) throws(FileError) -> Void
  ) throws(FileError)

  /// Adds to the end of a file and waits until it is on the disk.
  func append(_ bytes: [UInt8], to path: ProjectPath) throws(FileError)

  /// Adds to the end of a file.
  ///
  /// - Parameters:
  ///   - bytes: What is added.
  ///   - path: The file, which is made where there is none.
  ///   - isSynced: Whether to wait until it is on the disk. What is not waited for outlives the
  ///     program, and is lost with the power.
  /// - Throws: Why it cannot be written.
  func append(_ bytes: [UInt8], to path: ProjectPath, isSynced: Bool) throws(FileError)

  /// Opens a file for adding to its end; one that is not there is made, with its folders.
  func appender(to path: ProjectPath) throws(FileError) -> FileAppender

  /// Takes a lock that another process may hold; nil when it does.
  ///
  /// It is held until the last copy of what is returned goes, or the program ends, however it ends.
  func lock(_ path: ProjectPath) throws(FileError) -> FileLock?

  /// Removes a file; one that is not there is removed already.
  func remove(_ path: ProjectPath) throws(FileError)

  /// What stands at a path, once links are followed.
  func kind(of path: ProjectPath) -> FileKind

  /// The names in a folder, sorted; empty where there is none.
  func names(in folder: ProjectPath) -> [String]

  /// What tells a file from what it was before; that of what a link leads to.
  func stamp(of path: ProjectPath) -> FileStamp

  /// The names in a folder that are symbolic links, sorted.
  func links(in folder: ProjectPath) -> [String]

  /// The absolute path that a symbolic link leads to where that is outside of the root; nil for what
  /// is no link, or one that stays inside.
  func target(outOf link: ProjectPath) -> String?

  /// The absolute path of the root, where the files lie on the disk.
  var diskRoot: String? { get }
}

extension FileSystem {
  // Where all is in memory anyway, pieces are made of the whole.

  package func open(_ path: ProjectPath) throws(FileError) -> FileContents {
    FileContents(try read(path))
  }

  package func write(
    to path: ProjectPath,
    _ produce: (inout FileSink) throws(FileError) -> Void
  ) throws(FileError) {
    try write(to: path, isSynced: true, produce)
  }

  package func write(
    to path: ProjectPath,
    isSynced: Bool,
    _ produce: (inout FileSink) throws(FileError) -> Void
  ) throws(FileError) {
    var bytes: [UInt8] = []
    try withoutActuallyEscaping({ bytes.append(contentsOf: $0) }) {
      (take) throws(FileError) in
      var sink = FileSink(take)
      try produce(&sink)
      try sink.flush()
    }
    try write(bytes, to: path)
  }

  package func append(_ bytes: [UInt8], to path: ProjectPath, isSynced: Bool) throws(FileError) {
    try append(bytes, to: path)
  }

  package func appender(to path: ProjectPath) throws(FileError) -> FileAppender {
    FileAppender { (bytes) throws(FileError) in try append(bytes, to: path) }
  }

  package func lock(_ path: ProjectPath) throws(FileError) -> FileLock? { FileLock() }

  package func stamp(of path: ProjectPath) -> FileStamp {
    var stamp = FileStamp(kind(of: path))
    if stamp.kind == .file, let bytes = try? read(path) {
      stamp.size = bytes.count
      stamp.identity = [UInt64(bytes.withUnsafeBytes { QuickChecksum.of($0) })]
    }
    return stamp
  }

  package var diskRoot: String? { nil }

  package func links(in folder: ProjectPath) -> [String] { [] }

  package func target(outOf link: ProjectPath) -> String? { nil }

  package func remove(_ path: ProjectPath) throws(FileError) {
    throw FileError(path: path, reason: "cannot be removed here")
  }
}

/// A lock between processes, held as long as this lives.
package final class FileLock: Sendable {
  private let release: @Sendable () -> Void

  /// Creates a lock.
  ///
  /// - Parameter release: What gives it back.
  package init(release: @escaping @Sendable () -> Void = {}) { self.release = release }

  deinit { release() }
}

package enum FileKind: Sendable {
  case file, folder, missing
  /// A link that leads to a place outside of the project's root.
  case linkOutOfRoot
}

package enum FileLimits {
  /// The largest file that is read, in bytes.
  package static let maximumBytes = 1 << 30
  /// The longest line of a file that people write, in bytes.
  package static let maximumLineBytes = 16 << 20
}

/// Why a file could not be read or written.
package struct FileError: Error, Hashable, CustomStringConvertible {
  package var path: ProjectPath
  /// What went wrong, as a phrase: "permission denied".
  package var reason: String

  package init(path: ProjectPath, reason: String) {
    self.path = path
    self.reason = reason
  }

  package var description: String { "\(path): \(reason)" }
}

/// Files kept in memory: the twin of ``DiskFileSystem`` for tests.
package final class InMemoryFileSystem: FileSystem {
  private let files: Locked<[ProjectPath: [UInt8]]>

  package init(_ files: [String: String] = [:]) {
    var contents: [ProjectPath: [UInt8]] = [:]
    for (path, text) in files { contents[ProjectPath(path)] = Array(text.utf8) }
    self.files = Locked(contents)
  }

  package func read(_ path: ProjectPath) throws(FileError) -> [UInt8] {
    guard let bytes = files.withLock({ $0[path] }) else {
      throw FileError(path: path, reason: "no such file")
    }
    return bytes
  }

  package func write(_ bytes: [UInt8], to path: ProjectPath) throws(FileError) {
    files.withLock { $0[path] = bytes }
  }

  package func append(_ bytes: [UInt8], to path: ProjectPath) throws(FileError) {
    files.withLock { $0[path, default: []] += bytes }
  }

  package func remove(_ path: ProjectPath) throws(FileError) {
    files.withLock { _ = $0.removeValue(forKey: path) }
  }

  package func kind(of path: ProjectPath) -> FileKind {
    files.withLock { files in
      if files[path] != nil { return .file }
      return files.keys.contains { $0.isInside(path) } ? .folder : .missing
    }
  }

  package func names(in folder: ProjectPath) -> [String] {
    let prefix = folder.description == "." ? "" : folder.description + "/"
    let names = files.withLock { files in
      files.keys.filter { $0.isInside(folder) }.compactMap {
        $0.description.dropFirst(prefix.count).split(separator: "/").first.map(String.init)
      }
    }
    return Set(names).sorted()
  }
}
