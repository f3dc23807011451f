/// The folders that hold the recordings of datasets.
package enum RecordingFolder {
  /// The files of recordings that lie beside the datasets of some plans, pending and scratch ones
  /// too, sorted.
  package static func files(of plans: [SuitePlan], in system: any FileSystem) -> [ProjectPath] {
    var found: Set<ProjectPath> = []
    for dataset in Set(plans.map(\.datasetPath)) {
      for kind in [RecordingStore.Kind.accepted, .pending, .scratch] {
        let folder = kind.path(dataset: dataset, backend: "any").folder
        for name in system.names(in: folder) where name.hasSuffix(".jsonl") {
          found.insert(folder.resolvingChild(name))
        }
      }
    }
    return found.sorted { $0.description < $1.description }
  }
}
