internal import Sluice

/// A file named on the command line, which may be outside of the project.
enum NamedFile {
  /// Opens the file for reading in chunks.
  static func open(_ name: String) throws(FileError) -> FileContents {
    let (disk, path) = try place(name)
    return try disk.open(path)
  }

  /// Reads the whole file.
  static func bytes(_ name: String) throws(FileError) -> [UInt8] {
    let (disk, path) = try place(name)
    return try disk.read(path)
  }

  private static func place(_ name: String) throws(FileError) -> (DiskFileSystem, ProjectPath) {
    let path = ProjectPath(String(Invocation.path(name).dropFirst()))
    guard let disk = DiskFileSystem(root: "/") else {
      throw FileError(path: path, reason: "the disk cannot be read")
    }
    return (disk, path)
  }
}
