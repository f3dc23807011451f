/// A file system that records the files on which a result depends.
///
/// It records only reads, because a result does not depend on the files that are written.
package final class ReadTrackingFileSystem: FileSystem {
  private let base: any FileSystem
  private let state = Locked((listing: FileListing(), own: Set<ProjectPath>()))

  package init(_ base: any FileSystem) { self.base = base }

  /// The files read so far, with the state of each file before it was read.
  package var listing: FileListing { state.withLock { $0.listing } }

  package var diskRoot: String? { base.diskRoot }

  package var isConfined: Bool { base.isConfined }

  package func read(_ path: ProjectPath) throws(FileError) -> [UInt8] {
    noteContents(path)
    return try base.read(path)
  }

  package func open(_ path: ProjectPath) throws(FileError) -> FileContents {
    noteContents(path)
    return try base.open(path)
  }

  package func kind(of path: ProjectPath) -> FileKind {
    let kind = base.kind(of: path)
    note(path, .kind(kind))
    return kind
  }

  package func names(in folder: ProjectPath) -> [String] {
    let names = base.names(in: folder)
    note(folder, .names(FileListing.lasting(names)))
    return names
  }

  package func stamp(of path: ProjectPath) -> FileStamp { base.stamp(of: path) }

  package func links(in folder: ProjectPath) -> [String] { base.links(in: folder) }

  package func target(outOf link: ProjectPath) -> String? { base.target(outOf: link) }

  // MARK: Writing

  package func write(_ bytes: [UInt8], to path: ProjectPath) throws(FileError) {
    own(path)
    try base.write(bytes, to: path)
  }

  package func write(
    to path: ProjectPath,
    isSynced: Bool,
    _ produce: (inout FileSink) throws(FileError) -> Void
  ) throws(FileError) {
    own(path)
    try base.write(to: path, isSynced: isSynced, produce)
  }

  package func append(_ bytes: [UInt8], to path: ProjectPath) throws(FileError) {
    own(path)
    try base.append(bytes, to: path)
  }

  package func append(_ bytes: [UInt8], to path: ProjectPath, isSynced: Bool) throws(FileError) {
    own(path)
    try base.append(bytes, to: path, isSynced: isSynced)
  }

  package func appender(to path: ProjectPath) throws(FileError) -> FileAppender {
    own(path)
    return try base.appender(to: path)
  }

  package func lock(_ path: ProjectPath) throws(FileError) -> FileLock? {
    own(path)
    return try base.lock(path)
  }

  package func remove(_ path: ProjectPath) throws(FileError) {
    own(path)
    try base.remove(path)
  }

  // MARK: Recording

  /// Notes a file as read.
  package func noteContents(_ path: ProjectPath) {
    // The stamp is taken before reading, so that a save in between is detected later.
    note(path, .contents(base.stamp(of: path)))
  }

  private func note(_ path: ProjectPath, _ entry: FileListing.Entry) {
    state.withLock { state in
      if !state.own.contains(path) { state.listing.note(path, entry) }
    }
  }

  private func own(_ path: ProjectPath) {
    state.withLock { state in
      state.own.insert(path)
      state.listing.remove(path)
    }
  }
}
