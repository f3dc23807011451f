import SluiceSystem

/// The files under a folder on disk.
package struct DiskFileSystem: FileSystem {
  /// The absolute path of the project's root, with links resolved.
  package let root: String
  package var isConfined = false

  /// Creates the file system of a folder.
  ///
  /// - Returns: nil if the folder does not exist.
  package init?(root: String) {
    guard let real = Self.realPath(root) else { return nil }
    self.root = real
  }

  /// Searches upward from a folder or file, and returns the nearest folder that contains a file
  /// with the given name.
  package static func folder(holding name: String, from start: String) -> String? {
    guard var folder = realPath(start) else { return nil }
    while true {
      if access(folder + "/" + name, F_OK) == 0 { return folder }
      guard folder != "/", let slash = folder.lastIndex(of: "/") else { return nil }
      folder = slash == folder.startIndex ? "/" : String(folder[..<slash])
    }
  }

  /// The current working directory of the process.
  package static var workingFolder: String { realPath(".") ?? "/" }

  package func read(_ path: ProjectPath) throws(FileError) -> [UInt8] {
    let contents = try open(path)
    guard contents.count <= FileLimits.maximumBytes else {
      throw FileError(path: path, reason: "larger than \(FileLimits.maximumBytes >> 20) MiB")
    }
    return contents.bytes(0..<contents.count)
  }

  package func open(_ path: ProjectPath) throws(FileError) -> FileContents {
    try confine(path)
    // Without O_NONBLOCK, opening a named pipe without a writer would block.
    let descriptor = Self.open(absolute(path), O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw failure(path) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      defer { close(descriptor) }
      throw failure(path)
    }
    // From here on, the contents own the descriptor.
    let contents = FileContents(descriptor: descriptor, count: Int(status.st_size))
    guard status.st_mode & S_IFMT != S_IFDIR else {
      throw FileError(path: path, reason: "is a folder")
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw FileError(path: path, reason: "is not a regular file")
    }
    return contents
  }

  package func write(_ bytes: [UInt8], to path: ProjectPath) throws(FileError) {
    try replace(path, isSynced: true) { (descriptor) throws(FileError) in
      try check(bytes.withUnsafeBytes { FileDescriptor.write($0, to: descriptor) }, path)
    }
  }

  package func write(
    to path: ProjectPath,
    isSynced: Bool,
    _ produce: (inout FileSink) throws(FileError) -> Void
  ) throws(FileError) {
    try replace(path, isSynced: isSynced) { (descriptor) throws(FileError) in
      let space = ReservedSpace(of: descriptor)
      var sink = FileSink { (bytes) throws(FileError) in
        space.reserve(for: bytes.count)
        try check(FileDescriptor.write(bytes, to: descriptor), path)
      }
      try produce(&sink)
      try sink.flush()
      try check(space.release(), path)
    }
  }

  /// Replaces a file with a new file, whose bytes a closure writes.
  private func replace(
    _ path: ProjectPath,
    isSynced: Bool,
    _ body: (Int32) throws(FileError) -> Void
  ) throws(FileError) {
    try makeFolder(path.folder)
    let target = absolute(path)
    TemporaryFiles.removeAbandoned(in: absolute(path.folder))
    let temporary = TemporaryFiles.name(for: target)
    guard let descriptor = TemporaryFiles.open(temporary) else { throw failure(path) }
    do throws(FileError) {
      try body(descriptor)
      guard !isSynced || fsync(descriptor) == 0 else { throw failure(path) }
    } catch {
      close(descriptor)
      unlink(temporary)
      throw error
    }
    // The lock keeps other processes from treating the temporary file as abandoned before it is
    // renamed.
    defer { close(descriptor) }
    guard rename(temporary, target) == 0 else {
      let error = failure(path)
      unlink(temporary)
      throw error
    }
  }

  package func remove(_ path: ProjectPath) throws(FileError) {
    try confine(path.folder)
    guard unlink(absolute(path)) == 0 || errno == ENOENT else { throw failure(path) }
  }

  package func append(_ bytes: [UInt8], to path: ProjectPath) throws(FileError) {
    try append(bytes, to: path, isSynced: true)
  }

  package func append(_ bytes: [UInt8], to path: ProjectPath, isSynced: Bool) throws(FileError) {
    try makeFolder(path.folder)
    try confine(path)
    let descriptor = Self.open(
      absolute(path),
      O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC,
      0o644
    )
    guard descriptor >= 0 else { throw failure(path) }
    defer { close(descriptor) }
    try check(bytes.withUnsafeBytes { FileDescriptor.write($0, to: descriptor) }, path)
    guard !isSynced || fsync(descriptor) == 0 else { throw failure(path) }
  }

  package func appender(to path: ProjectPath) throws(FileError) -> FileAppender {
    try makeFolder(path.folder)
    try confine(path)
    let descriptor = Self.open(
      absolute(path),
      O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC,
      0o644
    )
    guard descriptor >= 0 else { throw failure(path) }
    return FileAppender(
      write: { (bytes) throws(FileError) in
        try check(bytes.withUnsafeBytes { FileDescriptor.write($0, to: descriptor) }, path)
      },
      synchronize: { () throws(FileError) in
        guard fsync(descriptor) == 0 else { throw failure(path) }
      },
      close: { close(descriptor) }
    )
  }

  package func lock(_ path: ProjectPath) throws(FileError) -> FileLock? {
    try makeFolder(path.folder)
    try confine(path)
    let descriptor = Self.open(absolute(path), O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw failure(path) }
    // The system releases the lock when the process ends, even if it is killed.
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      defer { close(descriptor) }
      if errno == EWOULDBLOCK { return nil }
      throw failure(path)
    }
    return FileLock {
      // A child process that is about to start still has a copy of the descriptor, which would keep
      // the lock.
      _ = flock(descriptor, LOCK_UN)
      close(descriptor)
    }
  }

  package func kind(of path: ProjectPath) -> FileKind {
    var status = stat()
    guard stat(absolute(path), &status) == 0 else { return .missing }
    if path.isInsideRoot, let real = Self.realPath(absolute(path)), real != root,
      !real.hasPrefix(root == "/" ? "/" : root + "/")
    {
      return .linkOutOfRoot
    }
    return status.st_mode & S_IFMT == S_IFDIR ? .folder : .file
  }

  package func stamp(of path: ProjectPath) -> FileStamp {
    var status = stat()
    guard stat(absolute(path), &status) == 0 else { return FileStamp(.missing) }
    #if canImport(Darwin)
    let time = status.st_mtimespec
    #else
    let time = status.st_mtim
    #endif
    var stamp = FileStamp(status.st_mode & S_IFMT == S_IFDIR ? .folder : .file)
    stamp.size = Int(status.st_size)
    stamp.modified = Int(time.tv_sec) * 1_000_000_000 + Int(time.tv_nsec)
    stamp.identity = [
      UInt64(truncatingIfNeeded: status.st_dev), UInt64(truncatingIfNeeded: status.st_ino),
    ]
    return stamp
  }

  package var diskRoot: String? { root }

  package func names(in folder: ProjectPath) -> [String] {
    isConfined && kind(of: folder) == .linkOutOfRoot
      ? [] : Self.entries(of: absolute(folder)) { _ in true }
  }

  package func links(in folder: ProjectPath) -> [String] {
    // Not every file system reports the type of an entry.
    Self.entries(of: absolute(folder)) { $0 == UInt8(DT_LNK) || $0 == UInt8(DT_UNKNOWN) }
      .filter { Self.destination(of: absolute(folder.resolvingChild($0))) != nil }
  }

  package func target(outOf link: ProjectPath) -> String? {
    let path = absolute(link)
    guard link.isInsideRoot, let destination = Self.destination(of: path) else { return nil }
    // Writing through a dangling link would create its target.
    let folder = Self.realPath(absolute(link.folder)) ?? absolute(link.folder)
    let target =
      Self.realPath(path)
      ?? ProjectPath(destination.hasPrefix("/") ? destination : "\(folder)/\(destination)")
      .description
    return target == root || target.hasPrefix(root == "/" ? "/" : root + "/") ? nil : target
  }

  /// Returns the target of a symbolic link; nil if the path is not a link.
  private static func destination(of path: String) -> String? {
    var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = bytes.withUnsafeMutableBytes { buffer in
      buffer.bindMemory(to: CChar.self).baseAddress.map { readlink(path, $0, buffer.count) } ?? -1
    }
    return count < 0 ? nil : String(decoding: bytes.prefix(count), as: UTF8.self)
  }

  /// Returns the sorted names of a folder's entries, for the types that a condition accepts.
  private static func entries(of folder: String, where isMeant: (UInt8) -> Bool) -> [String] {
    guard let handle = opendir(folder) else { return [] }
    defer { closedir(handle) }
    var names: [String] = []
    while let entry = readdir(handle) {
      guard isMeant(entry.pointee.d_type) else { continue }
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  // MARK: Paths and system calls

  private func absolute(_ path: ProjectPath) -> String {
    path.description.hasPrefix("/") ? path.description : root + "/" + path.description
  }

  /// Returns the absolute path with all links followed; `nil` if nothing exists at the path.
  static func realPath(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  /// Refuses a path inside the root that links lead out of it, if the files are confined.
  private func confine(_ path: ProjectPath) throws(FileError) {
    // A link without a target still creates its target when it is written.
    guard isConfined, kind(of: path) == .linkOutOfRoot || target(outOf: path) != nil
    else { return }
    throw FileError(path: path, reason: "is a link that leads outside the project")
  }

  private func makeFolder(_ path: ProjectPath) throws(FileError) {
    try confine(path)
    if kind(of: path) == .folder { return }
    // Nothing is created above the root, even if the root itself was removed.
    if path != ProjectPath("."), path.folder != path { try makeFolder(path.folder) }
    guard mkdir(absolute(path), 0o755) == 0 || errno == EEXIST else { throw failure(path) }
  }

  /// Calls the system's `open`, which a method of this type hides.
  private static func open(_ path: String, _ flags: Int32, _ mode: mode_t = 0) -> Int32 {
    #if canImport(Darwin)
    Darwin.open(path, flags, mode)
    #elseif canImport(Musl)
    Musl.open(path, flags, mode)
    #else
    Glibc.open(path, flags, mode)
    #endif
  }

  private func check(_ code: Int32, _ path: ProjectPath) throws(FileError) {
    if code != 0 { throw FileError(path: path, reason: reason(code)) }
  }

  private func failure(_ path: ProjectPath) -> FileError {
    FileError(path: path, reason: reason(errno))
  }

  private func reason(_ code: Int32) -> String {
    code == ENOENT ? "no such file" : String(cString: strerror(code)).lowercased()
  }
}
