import SluiceSystem

/// The search for the repository of a folder, by its `.git` alone.
///
/// Git also takes every folder with `HEAD`, `objects` and `refs` for a repository, and runs the
/// programs that its `config` names. A commit can contain such a folder, but never a `.git`.
enum GitDiscovery {
  /// Finds the nearest `.git` in a folder or above it.
  ///
  /// - Parameter folder: The real path of the folder.
  /// - Returns: The folder from which git finds that `.git` without meeting another repository; nil
  ///   if there is no `.git`.
  static func start(_ folder: String) -> String? {
    var (start, level) = (folder, folder)
    while !level.hasSuffix("/.git") {
      if hasRepository(level) { return start }
      guard level != "/", let slash = level.lastIndex(of: "/") else { return nil }
      let above = slash == level.startIndex ? "/" : String(level[..<slash])
      // Git would stop here. So it starts above, as if this were an ordinary folder.
      let isTrap = kind(level + "/HEAD") != nil || ![nil, S_IFDIR].contains(kind(level + "/.git"))
      if isTrap { start = above }
      level = above
    }
    return nil
  }

  /// Returns true if `.git` in a folder is a directory, or leads to one outside of the folder.
  ///
  /// The files of a working tree never contain its repository. So a `.git` that leads to one of
  /// them came with the files, for example in an archive.
  private static func hasRepository(_ folder: String) -> Bool {
    let path = folder + "/.git"
    guard let kind = kind(path) else { return false }
    if kind == S_IFDIR {
      return ["HEAD", "objects", "refs"].allSatisfy { self.kind("\(path)/\($0)") != nil }
    }
    var target = path
    if kind == S_IFREG, let bytes = try? DiskFileSystem(root: folder)?.read(ProjectPath(".git")) {
      let place = String(decoding: bytes.dropFirst("gitdir: ".utf8.count), as: UTF8.self).trimmed
      target = ProjectPath(path).resolving(place).description
    }
    // Git complains about a file without a target, and ignores a link without one.
    return DiskFileSystem.realPath(target).map { !$0.hasPrefix(folder + "/") } ?? (kind == S_IFREG)
  }

  /// Returns the type of a file without following links; nil if there is no file.
  private static func kind(_ path: String) -> mode_t? {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
  }
}
