internal import Sluice

/// The files that `sluice init` writes, and the existing files that prevent it.
struct TemplatePlan {
  /// An existing file, folder or link at the path of a file to write.
  struct Obstacle: Hashable {
    var path: ProjectPath
    /// A description of the obstacle, or `nil` if it is an ordinary file.
    var what: String?
  }

  private let files: any FileSystem
  /// The files to write at paths where nothing exists.
  private(set) var new: [TemplateFile] = []
  /// The files whose lines are appended to existing files.
  private(set) var added: [TemplateFile] = []
  private(set) var obstacles: [Obstacle] = []

  /// Compares the files to write with the existing files.
  ///
  /// - Parameters:
  ///   - wanted: The files to write. A file that exists with the same contents, as after an
  ///     interrupted command, is left unchanged.
  ///   - files: The file system to write to.
  init(_ wanted: [TemplateFile], in files: any FileSystem) {
    self.files = files
    for file in wanted { add(file) }
  }

  private mutating func add(_ file: TemplateFile) {
    if let obstacle = folderObstacle(above: file.path) {
      if !obstacles.contains(obstacle) { obstacles.append(obstacle) }
      return
    }
    let kind = files.kind(of: file.path)
    // A link whose target is missing also occupies the path.
    if kind == .missing, !files.names(in: file.path.folder).contains(file.path.name) {
      new.append(file)
    } else if kind == .file, let there = try? files.read(file.path) {
      if there == file.bytes || file.isListOfPatterns && file.isHeld(by: there) { return }
      if file.isListOfPatterns {
        added.append(TemplateFile(path: file.path, bytes: file.lines(behind: there)))
      } else {
        obstacles.append(Obstacle(path: file.path))
      }
    } else {
      obstacles.append(Obstacle(path: file.path, what: Self.words(kind)))
    }
  }

  /// Returns the topmost obstacle: a file that exists where a parent folder is needed.
  ///
  /// Returns `nil` if there is none.
  private func folderObstacle(above path: ProjectPath) -> Obstacle? {
    let folder = path.folder
    if folder.description == "." { return nil }
    if let obstacle = folderObstacle(above: folder) { return obstacle }
    switch files.kind(of: folder) {
    case .folder: return nil
    case .missing where !files.names(in: folder.folder).contains(folder.name): return nil
    case .file: return Obstacle(path: folder, what: "a file, not a folder")
    case let kind: return Obstacle(path: folder, what: Self.words(kind))
    }
  }

  private static func words(_ kind: FileKind) -> String? {
    switch kind {
    case .file: "cannot be read"
    case .folder: "a folder"
    case .missing: "a link whose target does not exist"
    case .linkOutOfRoot: "a link to another place"
    }
  }

  /// Writes all files.
  ///
  /// If writing fails, removes the new files, but keeps lines that were already added to existing
  /// files.
  ///
  /// - Throws: An error for the first file that could not be written.
  func write() throws(FileError) {
    var written: [ProjectPath] = []
    do throws(FileError) {
      // Write the files in reverse order, so that `sluice.yaml` comes last and an interrupted
      // command can be repeated.
      for file in new.reversed() {
        try files.write(file.bytes, to: file.path)
        written.append(file.path)
      }
      for file in added { try files.append(file.bytes, to: file.path) }
    } catch {
      for path in written { try? files.remove(path) }
      throw error
    }
  }
}
