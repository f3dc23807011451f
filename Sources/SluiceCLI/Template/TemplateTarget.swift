internal import Sluice

/// The target folder of `sluice init`, with its project and repository.
struct TemplateTarget {
  /// The file system, rooted at the enclosing git repository, or else at the nearest existing
  /// folder.
  let files: DiskFileSystem
  /// The target folder, which may not exist yet.
  let folder: ProjectPath
  /// The folder in which CI services look for files: the repository's root, or else the target
  /// folder.
  let repository: ProjectPath
  /// The root of the project that contains the target folder, or `nil` if there is none.
  let project: ProjectPath?
  /// The target folder as named on the command line.
  let name: String

  /// The error if a file exists at the path of a folder.
  struct NoFolder: Error {
    /// The path of the file.
    var path: String
  }

  /// Finds the project and the repository that contain the target folder.
  ///
  /// - Parameters:
  ///   - name: The folder, relative to the working directory.
  ///   - working: The working directory.
  /// - Throws: ``NoFolder`` if a file exists at the path of the folder or of one of its parents.
  init(_ name: String, from working: String) throws(NoFolder) {
    self.name = name
    var place = name.hasPrefix("/") ? name : working + "/" + name
    // Let the system resolve the links in the part of the path that exists.
    var missing = ProjectPath(".")
    while DiskFileSystem(root: place) == nil {
      let path = ProjectPath(place)
      missing = ProjectPath(path.name + "/" + missing.description)
      place = path.folder.description
    }
    guard let there = DiskFileSystem(root: place), there.kind(of: ProjectPath(".")) == .folder
    else { throw NoFolder(path: missing.description == "." ? name : place) }
    let repository = DiskFileSystem.folder(holding: ".git", from: there.root)
    let project = DiskFileSystem.folder(
      holding: ProjectConfiguration.fileName,
      from: there.root
    )
    let root = repository ?? there.root
    files = DiskFileSystem(root: root) ?? there
    func inside(_ folder: String) -> ProjectPath {
      ProjectPath(folder).reference(inside: ProjectPath(root))
    }
    folder = inside(there.root).resolvingChild(missing.description)
    self.repository = repository == nil ? folder : ProjectPath(".")
    self.project = project.map(inside)
  }

  /// Returns a path relative to the working directory.
  func shown(_ path: ProjectPath) -> String {
    let relative = path.reference(from: folder)
    return ProjectPath(name + "/" + relative).description
  }
}

extension ProjectPath {
  /// Returns this path relative to a folder.
  ///
  /// Both paths are absolute.
  fileprivate func reference(inside folder: ProjectPath) -> ProjectPath {
    func relative(_ path: ProjectPath) -> ProjectPath {
      ProjectPath(String(path.description.dropFirst()))
    }
    return ProjectPath(relative(self).reference(from: relative(folder)))
  }
}
