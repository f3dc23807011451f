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

  /// Returns the recordings files next to the datasets of some plans, sorted.
  ///
  /// Pending and scratch files are included.
  package static func files(of plans: [SuitePlan], in system: any FileSystem) -> [File] {
    var found: Set<File> = []
    for dataset in Set(plans.map(\.datasetPath)) {
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
