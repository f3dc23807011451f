package import SluiceSupport

/// The lookup of recordings files next to their datasets.
package enum RecordingFolder {
  /// A recordings file.
  ///
  /// `isJournal` is true if a recorder appends to the file line by line.
  package struct File: Hashable, Sendable {
    package var path: ProjectPath
    package var isJournal: Bool
  }

  /// Returns the folders that contain a folder `recordings`, sorted.
  ///
  /// Hidden folders and `reports` are left out.
  package static func parents(
    below folder: ProjectPath,
    in system: any FileSystem,
    depth: Int = 16
  ) -> [ProjectPath] {
    // The depth ends loops of links.
    if depth == 0 { return [] }
    return system.names(in: folder).flatMap { name -> [ProjectPath] in
      let child = folder.resolvingChild(name)
      if name.hasPrefix(".") || child == ProjectPath("reports") || system.kind(of: child) != .folder
      {
        return []
      }
      return name == "recordings" ? [folder] : parents(below: child, in: system, depth: depth - 1)
    }
  }

  /// Returns the recordings files next to some datasets, sorted.
  ///
  /// Pending and scratch files are included.
  package static func files(of datasets: [ProjectPath], in system: any FileSystem) -> [File] {
    var found: Set<File> = []
    for dataset in Set(datasets) {
      for kind in [RecordingStore.Kind.accepted, .pending, .scratch] {
        let folder = kind.path(dataset: dataset, backend: "any").folder
        for name in system.names(in: folder) where name.hasSuffix(".jsonl") {
          let path = folder.resolvingChild(name)
          found.insert(File(path: path, isJournal: kind != .accepted))
        }
      }
    }
    return found.sorted { $0.path.description < $1.path.description }
  }
}
