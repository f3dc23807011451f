/// The interface to the files of a project on disk.
///
/// Paths are relative to the project's root.
package protocol FileSystem: Sendable {
  /// Returns the bytes of a file.
  ///
  /// - Throws: ``FileError`` if the file cannot be read or is larger than
  ///   ``FileLimits/maximumBytes``.
  func read(_ path: ProjectPath) throws(FileError) -> [UInt8]

  /// Replaces a file atomically: if writing fails, the old file stays intact.
  ///
  /// Missing folders are created.
  func write(_ bytes: [UInt8], to path: ProjectPath) throws(FileError)

  /// Opens a file for reading piece by piece.
  ///
  /// - Throws: ``FileError`` if the file cannot be read.
  func open(_ path: ProjectPath) throws(FileError) -> FileContents

  /// Replaces a file atomically with bytes that are written piece by piece.
  ///
  /// If writing fails or the closure throws, the old file stays intact. Missing folders are
  /// created.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - isSynced: True to wait until the new file is on disk before it replaces the old file. If
  ///     false, the new file survives the end of the program, but may be empty after a power
  ///     failure.
  ///   - produce: Writes the contents of the file.
  /// - Throws: ``FileError`` if the file cannot be written, and the error that the closure throws.
  func write(
    to path: ProjectPath,
    isSynced: Bool,
    _ produce: (inout FileSink) throws(FileError) -> Void
  ) throws(FileError)

  /// Appends to a file, and waits until the bytes are on disk.
  func append(_ bytes: [UInt8], to path: ProjectPath) throws(FileError)

  /// Appends to a file.
  ///
  /// - Parameters:
  ///   - bytes: The bytes to append.
  ///   - path: The file, which is created if it does not exist.
  ///   - isSynced: True to wait until the bytes are on disk. If false, the bytes survive the end of
  ///     the program, but not a power failure.
  /// - Throws: ``FileError`` if the file cannot be written.
  func append(_ bytes: [UInt8], to path: ProjectPath, isSynced: Bool) throws(FileError)

  /// Opens a file for appending; creates it and its folders if necessary.
  func appender(to path: ProjectPath) throws(FileError) -> FileAppender

  /// Takes an interprocess lock; returns nil if another process holds it.
  ///
  /// The lock is held until the last copy of the returned value is released, or until the program
  /// ends for any reason.
  func lock(_ path: ProjectPath) throws(FileError) -> FileLock?

  /// Removes a file; does nothing if there is no such file.
  func remove(_ path: ProjectPath) throws(FileError)

  /// Returns the kind of file at a path, with links resolved.
  func kind(of path: ProjectPath) -> FileKind

  /// Returns the sorted names in a folder; empty if the folder does not exist.
  func names(in folder: ProjectPath) -> [String]

  /// Returns the attributes of a file that reveal changes, with links resolved.
  func stamp(of path: ProjectPath) -> FileStamp

  /// Returns the sorted names of the symbolic links in a folder.
  func links(in folder: ProjectPath) -> [String]

  /// Returns the absolute target of a symbolic link that leads out of the root; nil for any other
  /// path.
  func target(outOf link: ProjectPath) -> String?

  /// The absolute path of the root on disk; nil if the files are not on disk.
  var diskRoot: String? { get }

  /// True if no file may lead out of the root, not even into a folder that the project allows.
  var isConfined: Bool { get }
}

extension FileSystem {
  // Defaults for file systems in memory, which read and write only whole files.

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

  package var isConfined: Bool { false }

  package func links(in folder: ProjectPath) -> [String] { [] }

  package func target(outOf link: ProjectPath) -> String? { nil }

  package func remove(_ path: ProjectPath) throws(FileError) {
    throw FileError(path: path, reason: "cannot be removed here")
  }
}

/// A lock between processes, held for the lifetime of the object.
package final class FileLock: Sendable {
  private let release: @Sendable () -> Void

  /// Creates a lock.
  ///
  /// - Parameter release: Releases the lock.
  package init(release: @escaping @Sendable () -> Void = {}) { self.release = release }

  deinit { release() }
}

package enum FileKind: Sendable {
  case file, folder, missing
  /// A link that leads out of the project's root.
  case linkOutOfRoot
}

package enum FileLimits {
  /// The maximum size in bytes of a file to read.
  package static let maximumBytes = 1 << 30
  /// The maximum length of a line in bytes, in files that users write or import.
  package static let maximumLineBytes = 16 << 20
}

/// A failure to read or write a file.
package struct FileError: Error, Hashable, CustomStringConvertible {
  package var path: ProjectPath
  /// The reason as a phrase, such as "permission denied".
  package var reason: String

  package init(path: ProjectPath, reason: String) {
    self.path = path
    self.reason = reason
  }

  package var description: String { "\(path): \(reason)" }
}

/// Files kept in memory: the counterpart of ``DiskFileSystem`` for tests.
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
