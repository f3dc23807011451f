package import SluiceSupport
import SluiceReporting

/// The files that an import writes, compared with the existing ones.
package struct ImportPlan: Sendable {
  /// A file to write.
  package struct File: Sendable, Equatable {
    package var path: ProjectPath
    package var bytes: [UInt8]

    package init(_ path: ProjectPath, _ text: String) {
      self.path = path
      bytes = Array(text.utf8)
    }
  }

  /// The files that do not exist yet.
  package private(set) var new: [File] = []
  /// The files that already exist with the same contents.
  package private(set) var unchanged: [ProjectPath] = []
  /// The paths at which no file can be written, for example because a different file exists there.
  package private(set) var obstacles: [ProjectPath] = []
  private let target: any FileSystem

  /// Compares the files to write with the existing files of the target folder.
  package init(_ files: [File], in target: any FileSystem) {
    self.target = target
    for file in files {
      let isBlocked = Self.folders(above: file.path).contains {
        ![.folder, .missing].contains(target.kind(of: $0))
      }
      switch target.kind(of: file.path) {
      case .missing where !isBlocked: new.append(file)
      case .file:
        let isSame = (try? target.read(file.path)) == file.bytes
        if isSame { unchanged.append(file.path) } else { obstacles.append(file.path) }
      default: obstacles.append(file.path)
      }
    }
  }

  private static func folders(above path: ProjectPath) -> [ProjectPath] {
    var folders: [ProjectPath] = []
    var folder = path.folder
    while folder.description != "." {
      folders.append(folder)
      folder = folder.folder
    }
    return folders
  }

  /// Writes all files, or none if writing fails.
  ///
  /// `sluice.yaml` is written last, so that an interrupted import does not leave an incomplete
  /// project that seems usable.
  ///
  /// - Throws: An error for the first file that could not be written.
  package func write() throws(FileError) {
    var written: [ProjectPath] = []
    let name = ProjectConfiguration.fileName
    let ordered = new.filter { $0.path.name != name } + new.filter { $0.path.name == name }
    do throws(FileError) {
      for file in ordered {
        try target.write(file.bytes, to: file.path)
        written.append(file.path)
      }
    } catch {
      for path in written { try? target.remove(path) }
      throw error
    }
  }
}
