/// Which recordings the suites of a project need.
package struct RecordingUse: Sendable {
  /// What is needed of each recordings file.
  package private(set) var files: [ProjectPath: File]

  /// What is needed of a recordings file.
  package struct File: Sendable {
    package var dataset: ProjectPath
    package var backend: String
    /// What the suites ask as they stand.
    package var bySuites: Set<Recording.Slot> = []
    /// What they ask with the prompts that lie beside theirs, to be tried with `--prompt`.
    package var byOtherPrompts: Set<Recording.Slot> = []
    /// The names of the suites.
    package var suites: Set<String> = []

    package func needs(_ slot: Recording.Slot) -> Bool {
      bySuites.contains(slot) || byOtherPrompts.contains(slot)
    }
  }

  /// Why it cannot be told what is needed: with a suite that cannot be read nobody knows.
  package struct Unknown: Error {
    package var diagnostics: [Diagnostic]
  }

  /// Loads all suites of a project and makes their requests.
  ///
  /// - Parameters:
  ///   - system: The project's files.
  ///   - today: The day that decides which exemptions have ended.
  /// - Throws: ``Unknown`` when a file of any suite is wrong.
  package init(of system: any FileSystem, today: Timestamp) throws(Unknown) {
    let loaded = ProjectLoader.load(from: system, today: today)
    if loaded.hasErrors { throw Unknown(diagnostics: loaded.diagnostics) }
    files = [:]
    for suite in loaded.suites { add(suite.plan, to: \.bySuites) }
    for plan in loaded.suites.map(\.plan) {
      for prompt in Self.otherPrompts(of: plan, in: system) {
        let selection = ProjectLoader.Selection(
          suites: [plan.path.description],
          prompts: [prompt]
        )
        // What lies beside the prompts and is none has errors.
        let other = ProjectLoader.load(selection, from: system, today: today)
        if other.hasErrors { continue }
        for suite in other.suites { add(suite.plan, to: \.byOtherPrompts) }
      }
    }
  }

  private static func otherPrompts(of plan: SuitePlan, in system: any FileSystem) -> [ProjectPath] {
    let own = Set(plan.prompts.map(\.path))
    let folder = plan.path.folder
    return system.names(in: folder).map { folder.resolvingChild($0) }.filter { path in
      ["yaml", "yml"].contains(path.pathExtension) && path != plan.path && !own.contains(path)
        && system.kind(of: path) == .file
    }
  }

  private mutating func add(_ plan: SuitePlan, to slots: WritableKeyPath<File, Set<Recording.Slot>>)
  {
    for backend in plan.backends {
      let path = RecordingFile.path(dataset: plan.datasetPath, backend: backend.name)
      files[path, default: File(dataset: plan.datasetPath, backend: backend.name)]
        .suites.insert(plan.name)
    }
    for request in plan.recordingRequests(RecordingRequest.Selection(scope: .all), in: [:]) {
      let backend = request.request.backend
      let path = RecordingFile.path(dataset: plan.datasetPath, backend: backend)
      files[path]?[keyPath: slots].insert(request.slot)
    }
  }
}
