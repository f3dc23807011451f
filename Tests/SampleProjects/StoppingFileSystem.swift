package import Sluice

/// A file system on which a limited number of writes and removals succeed.
package struct StoppingFileSystem: FileSystem {
  private let files: InMemoryFileSystem
  private let steps: Locked<Int>

  /// Creates a file system that stops.
  ///
  /// - Parameters:
  ///   - files: The files.
  ///   - steps: The number of writes and removals that succeed.
  package init(_ files: InMemoryFileSystem, after steps: Int) {
    self.files = files
    self.steps = Locked(steps)
  }

  private func step(_ path: ProjectPath) throws(FileError) {
    let isOver = steps.withLock { steps in
      steps -= 1
      return steps < 0
    }
    if isOver { throw FileError(path: path, reason: "stopped") }
  }

  package func read(_ path: ProjectPath) throws(FileError) -> [UInt8] { try files.read(path) }
  package func write(_ bytes: [UInt8], to path: ProjectPath) throws(FileError) {
    try step(path)
    try files.write(bytes, to: path)
  }
  package func append(_ bytes: [UInt8], to path: ProjectPath) throws(FileError) {
    try step(path)
    try files.append(bytes, to: path)
  }
  package func remove(_ path: ProjectPath) throws(FileError) {
    try step(path)
    try files.remove(path)
  }
  package func kind(of path: ProjectPath) -> FileKind { files.kind(of: path) }
  package func names(in folder: ProjectPath) -> [String] { files.names(in: folder) }
}
