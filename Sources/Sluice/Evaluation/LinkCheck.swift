import SluiceReporting

/// The check for symbolic links through which recordings or reports would be outside of the
/// project.
struct LinkCheck {
  private let files: ProjectFiles

  init(_ files: ProjectFiles) { self.files = files }

  /// Reports links on the paths of reports and of datasets' recordings.
  ///
  /// - Parameter datasets: The files of the datasets.
  func check(datasets: [ProjectPath]) {
    var seen: Set<ProjectPath> = []
    let allowed = files.isConfined ? [] : files.allowedFolders ?? []
    // Skip datasets in folders listed under 'allow-folders', whose recordings may be outside of the
    // project.
    let own = Set(datasets).filter { dataset in !allowed.contains { dataset.isInside($0) } }
    for dataset in own.sorted() {
      for kind in [RecordingStore.Kind.accepted, .pending, .scratch] {
        check(kind.path(dataset: dataset, backend: "any").folder, &seen)
      }
      check(RecordingLedger.path(dataset: dataset, backend: "any").folder, &seen)
    }
    for name in ["runs", "latest", "baselines", "locks", "batch"] {
      check(ProjectPath("reports").resolvingChild(name), &seen)
    }
  }

  /// Reports the links on the path of a folder.
  ///
  /// If the path contains no links, it reports the links inside the folder.
  private func check(_ folder: ProjectPath, _ seen: inout Set<ProjectPath>) {
    var path = ProjectPath(".")
    for name in folder.description.split(separator: "/") {
      path = path.resolvingChild(String(name))
      if isRefused(path, &seen) { return }
    }
    for name in files.system.links(in: folder) { _ = isRefused(folder.resolvingChild(name), &seen) }
  }

  private func isRefused(_ path: ProjectPath, _ seen: inout Set<ProjectPath>) -> Bool {
    guard let target = files.system.target(outOf: path) else { return false }
    if seen.insert(path).inserted {
      files.diagnostics.report(
        Diagnostic(
          path: path.description,
          message: "is a symbolic link that leads outside the project, to \(target)",
          fix: "replace the link with a file or folder in the project; Sluice neither reads nor "
            + "writes recordings and reports outside the project"
        )
      )
    }
    return true
  }
}
