internal import Sluice

/// The files that `sluice init` writes, and the obstacles.
struct TemplatePlan {
  /// An existing item at the path of a file to write.
  struct Obstacle: Hashable {
    var path: ProjectPath
    /// A description of the item, if it is not simply a file.
    var what: String?
  }

  private let files: any FileSystem
  /// The files to write to unused paths.
  private(set) var new: [TemplateFile] = []
  /// The files whose lines are added to existing files.
  private(set) var added: [TemplateFile] = []
  private(set) var obstacles: [Obstacle] = []

  /// Compares the files with the existing ones.
  ///
  /// - Parameters:
  ///   - wanted: The files by path. A file that exists with the same bytes, as after an interrupted
  ///     call, is left unchanged.
  ///   - files: The destination.
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
    // A link with a missing target also occupies the path.
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

  /// Returns the topmost item that occupies the path of one of the file's folders.
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

  /// Writes all files, or none if writing fails.
  ///
  /// - Throws: An error for the first file that could not be written.
  func write() throws(FileError) {
    var written: [ProjectPath] = []
    do throws(FileError) {
      // `sluice.yaml` comes first and is written last, so an interrupted call can be repeated.
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
