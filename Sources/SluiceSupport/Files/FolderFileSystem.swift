/// A file system whose root is a folder of another file system.
package struct FolderFileSystem: FileSystem {
  private let base: any FileSystem
  private let folder: ProjectPath

  package init(_ base: any FileSystem, folder: ProjectPath) {
    self.base = base
    self.folder = folder
  }

  private func outer(_ path: ProjectPath) -> ProjectPath {
    folder.resolvingChild(path.description)
  }

  /// Performs an operation on a path of the base file system.
  ///
  /// Errors name the path relative to the folder.
  private func naming<Value>(
    _ path: ProjectPath,
    _ body: (ProjectPath) throws(FileError) -> Value
  ) throws(FileError) -> Value {
    do throws(FileError) {
      return try body(outer(path))
    } catch {
      throw FileError(path: path, reason: error.reason)
    }
  }

  package func read(_ path: ProjectPath) throws(FileError) -> [UInt8] {
    try naming(path) { (path) throws(FileError) in try base.read(path) }
  }

  package func open(_ path: ProjectPath) throws(FileError) -> FileContents {
    try naming(path) { (path) throws(FileError) in try base.open(path) }
  }

  package func write(_ bytes: [UInt8], to path: ProjectPath) throws(FileError) {
    try naming(path) { (path) throws(FileError) in try base.write(bytes, to: path) }
  }

  package func append(_ bytes: [UInt8], to path: ProjectPath) throws(FileError) {
    try naming(path) { (path) throws(FileError) in try base.append(bytes, to: path) }
  }

  package func remove(_ path: ProjectPath) throws(FileError) {
    try naming(path) { (path) throws(FileError) in try base.remove(path) }
  }

  package func kind(of path: ProjectPath) -> FileKind { base.kind(of: outer(path)) }

  package func names(in folder: ProjectPath) -> [String] { base.names(in: outer(folder)) }

  package func links(in folder: ProjectPath) -> [String] { base.links(in: outer(folder)) }
}
