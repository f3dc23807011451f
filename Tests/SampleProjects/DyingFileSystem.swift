package import Sluice

/// A file system that simulates a killed program: after a given point, nothing more is written.
package final class DyingFileSystem: FileSystem {
  /// A step that changes files or takes their lock.
  package enum Step: Sendable {
    case lock, write, append, remove
  }

  /// The point at which the program is killed.
  package struct Point: Sendable {
    package var step: Step
    /// The last part of the path of the file that the step changes.
    package var path: String
    /// The number of the step, from 1, among steps of this kind on such files.
    package var number: Int
    /// The share of an append that is written to the disk.
    package var share: Double

    package init(_ step: Step, _ path: String, number: Int = 1, share: Double = 0) {
      self.step = step
      self.path = path
      self.number = number
      self.share = share
    }
  }

  private let files: InMemoryFileSystem
  private let point: Point
  private let state = Locked((count: 0, isDead: false))

  package init(_ files: InMemoryFileSystem, killedAt point: Point) {
    self.files = files
    self.point = point
  }

  /// True after the point was reached.
  package var isDead: Bool { state.withLock { $0.isDead } }

  private enum Fate { case alive, dying, dead }

  private func fate(_ step: Step, _ path: ProjectPath) -> Fate {
    state.withLock { state in
      if state.isDead { return .dead }
      guard step == point.step, path.description.hasSuffix(point.path) else { return .alive }
      state.count += 1
      guard state.count == point.number else { return .alive }
      state.isDead = true
      return .dying
    }
  }

  private func killed(_ path: ProjectPath) -> FileError { FileError(path: path, reason: "killed") }

  package func read(_ path: ProjectPath) throws(FileError) -> [UInt8] { try files.read(path) }

  package func kind(of path: ProjectPath) -> FileKind { files.kind(of: path) }

  package func names(in folder: ProjectPath) -> [String] { files.names(in: folder) }

  package func write(_ bytes: [UInt8], to path: ProjectPath) throws(FileError) {
    // A file is replaced either completely or not at all.
    guard fate(.write, path) == .alive else { throw killed(path) }
    try files.write(bytes, to: path)
  }

  package func append(_ bytes: [UInt8], to path: ProjectPath) throws(FileError) {
    switch fate(.append, path) {
    case .alive: try files.append(bytes, to: path)
    case .dying:
      try files.append(Array(bytes.prefix(Int(Double(bytes.count) * point.share))), to: path)
      throw killed(path)
    case .dead: throw killed(path)
    }
  }

  package func remove(_ path: ProjectPath) throws(FileError) {
    guard fate(.remove, path) == .alive else { throw killed(path) }
    try files.remove(path)
  }

  package func lock(_ path: ProjectPath) throws(FileError) -> FileLock? {
    guard fate(.lock, path) == .alive else { throw killed(path) }
    return FileLock()
  }
}
