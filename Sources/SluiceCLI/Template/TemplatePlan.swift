internal import Sluice

/// What a call of `sluice init` writes, and what stands in its way.
struct TemplatePlan {
  /// Something that is there where a file would go.
  struct Obstacle: Hashable {
    var path: ProjectPath
    /// What it is, where it is not simply a file.
    var what: String?
  }

  private let files: any FileSystem
  /// What is written to places where nothing is.
  private(set) var new: [TemplateFile] = []
  /// What is added to the end of files.
  private(set) var added: [TemplateFile] = []
  private(set) var obstacles: [Obstacle] = []

  /// Finds out what is to be written.
  ///
  /// - Parameters:
  ///   - wanted: The files, by their places in the file system; one that is there with the same bytes,
  ///     as after a call that was cut off, is left alone.
  ///   - files: Where they go.
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
    // A link that leads nowhere is there, too.
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

  /// What is in the place of a folder that the file would lie in, the uppermost first.
  private func folderObstacle(above path: ProjectPath) -> Obstacle? {
    let folder = path.folder
    if folder.description == "." { return nil }
    if let obstacle = folderObstacle(above: folder) { return obstacle }
    switch files.kind(of: folder) {
    case .folder: return nil
    case .missing where !files.names(in: folder.folder).contains(folder.name): return nil
    case .file: return Obstacle(path: folder, what: "a file, and no folder")
    case let kind: return Obstacle(path: folder, what: Self.words(kind))
    }
  }

  private static func words(_ kind: FileKind) -> String? {
    switch kind {
    case .file: "cannot be read"
    case .folder: "a folder"
    case .missing: "a link that leads nowhere"
    case .linkOutOfRoot: "a link to another place"
    }
  }

  /// Writes everything, or nothing where that fails.
  ///
  /// - Throws: The first file that could not be written.
  func write() throws(FileError) {
    var written: [ProjectPath] = []
    do throws(FileError) {
      // `sluice.yaml` is the first of them and comes last: what is cut off before is no project yet, so
      // that the call can be repeated.
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
