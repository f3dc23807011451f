import SluiceSystem

/// The files that are written in place of others before they are renamed: `server.jsonl.4711.tmp`.
///
/// Each is locked while it is written, and the lock ends with the process. One that nobody locks, of a
/// process that is no more, was left behind by a kill.
enum TemporaryFiles {
  private static let ending = ".tmp"
  /// The endings of the files that this program replaces: others' temporary files are left alone.
  private static let replaced = [
    "jsonl", "json", "yaml", "yml", "md", "html", "xml", "csv", "txt",
  ]
  /// The folders that were looked through, which happens once in a process.
  private static let seen = Locked<Set<String>>([])

  /// The name of the file that this process writes in place of another.
  static func name(for path: String) -> String { "\(path).\(getpid())\(ending)" }

  /// Opens a temporary file, empty and locked; nil where that fails, as `errno` says.
  static func open(_ path: String) -> Int32? {
    while true {
      let descriptor = openFile(path, O_WRONLY | O_CREAT | O_CLOEXEC)
      guard descriptor >= 0 else { return nil }
      // Where locks are not supported, files are written without: they are then left alone for as long
      // as there is a process of the same number.
      _ = flock(descriptor, LOCK_EX)
      var status = stat()
      // Another process may have removed it between these two steps.
      if fstat(descriptor, &status) == 0, status.st_nlink > 0 {
        guard ftruncate(descriptor, 0) == 0 else {
          close(descriptor)
          return nil
        }
        return descriptor
      }
      close(descriptor)
    }
  }

  /// Removes what killed processes left behind in a folder.
  static func removeAbandoned(in folder: String) {
    guard seen.withLock({ $0.insert(folder).inserted }), let handle = opendir(folder) else {
      return
    }
    defer { closedir(handle) }
    while let entry = readdir(handle) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard let process = process(of: name), isGone(process) else { continue }
      remove(folder + "/" + name)
    }
  }

  /// The number of the process that wrote a file; nil for what is no temporary file of ours.
  static func process(of name: String) -> pid_t? {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count >= 4, name.hasSuffix(ending), !parts[0].isEmpty,
      replaced.contains(String(parts[parts.count - 3])),
      let number = pid_t(parts[parts.count - 2]), number > 0,
      String(number) == parts[parts.count - 2]
    else { return nil }
    return number
  }

  private static func isGone(_ process: pid_t) -> Bool {
    // A number is given again, in containers often the same one.
    process == getpid() || kill(process, 0) != 0 && errno == ESRCH
  }

  private static func remove(_ path: String) {
    let descriptor = openFile(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    // A process that cannot be seen from here, in another container, holds its lock.
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { unlink(path) }
  }

  private static func openFile(_ path: String, _ flags: Int32) -> Int32 {
    #if canImport(Darwin)
    Darwin.open(path, flags, 0o644)
    #elseif canImport(Musl)
    Musl.open(path, flags, 0o644)
    #else
    Glibc.open(path, flags, 0o644)
    #endif
  }
}
