import SluiceSystem

/// Temporary files, such as `server.jsonl.4711.tmp`, which are renamed to replace other files.
///
/// Each temporary file is locked while it is written, and the lock ends with the process. If a
/// temporary file is unlocked and its process no longer exists, the process was killed and left the
/// file behind.
enum TemporaryFiles {
  private static let ending = ".tmp"
  /// The extensions of the files that Sluice replaces.
  ///
  /// Temporary files with other extensions belong to other programs and are never removed.
  private static let replaced = [
    "jsonl", "json", "yaml", "yml", "md", "html", "xml", "csv", "txt",
  ]
  /// The folders that were already cleaned up.
  ///
  /// Each folder is cleaned up once per process.
  private static let seen = Locked<Set<String>>([])

  /// Returns the name of this process's temporary file for a path.
  static func name(for path: String) -> String { "\(path).\(getpid())\(ending)" }

  /// Opens a temporary file, empty and locked.
  ///
  /// Returns nil and sets `errno` on failure.
  static func open(_ path: String) -> Int32? {
    while true {
      let descriptor = openFile(path, O_WRONLY | O_CREAT | O_CLOEXEC)
      guard descriptor >= 0 else { return nil }
      // If the disk does not support locks, files are written unlocked. Other processes remove such
      // a file only if the process in its name no longer exists.
      _ = flock(descriptor, LOCK_EX)
      var status = stat()
      // Another process may have removed the file before it was locked.
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

  /// Removes the files that killed processes left in a folder.
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

  /// Returns the number of the process that wrote a file; nil if the name is not that of a
  /// temporary file of Sluice.
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
    // A file with this process's own number is from an earlier process: numbers are reused, in
    // containers very often.
    process == getpid() || kill(process, 0) != 0 && errno == ESRCH
  }

  private static func remove(_ path: String) {
    let descriptor = openFile(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    // A process in another container is not visible here, but its lock is.
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
