internal import Sluice

/// The folder that `sluice init` was told to fill, and what it lies in.
struct TemplateTarget {
  /// The files of the git repository that the folder lies in, else of the nearest folder that is there.
  let files: DiskFileSystem
  /// The folder, which need not be there yet.
  let folder: ProjectPath
  /// The folder that a CI service looks into for its files: the repository's root, else the folder.
  let repository: ProjectPath
  /// The folder of the project that the folder is or lies in.
  let project: ProjectPath?
  /// The folder as it was named.
  let name: String

  /// Why a folder cannot be filled.
  struct NoFolder: Error {
    /// The file that stands where a folder would have to be.
    var path: String
  }

  /// Finds out what the folder lies in.
  ///
  /// - Parameters:
  ///   - name: The folder, seen from the folder that the person stands in.
  ///   - working: The folder that the person stands in.
  /// - Throws: Where a file is in the place of the folder or of one above it.
  init(_ name: String, from working: String) throws(NoFolder) {
    self.name = name
    var place = name.hasPrefix("/") ? name : working + "/" + name
    // What follows a link is resolved by the system as long as it is there.
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

  /// A path as the person would write it.
  func shown(_ path: ProjectPath) -> String {
    let relative = path.reference(from: folder)
    return ProjectPath(name + "/" + relative).description
  }
}

extension ProjectPath {
  /// An absolute path as it is written in a folder, given by its absolute path as well.
  fileprivate func reference(inside folder: ProjectPath) -> ProjectPath {
    func relative(_ path: ProjectPath) -> ProjectPath {
      ProjectPath(String(path.description.dropFirst()))
    }
    return ProjectPath(relative(self).reference(from: relative(folder)))
  }
}
