internal import Sluice

extension Project {
  /// Loads the suites that a change touches; of the selected ones, where some are selected.
  ///
  /// - Parameters:
  ///   - request: The suites that are meant.
  ///   - revision: The revision that the change is compared with.
  ///   - isScratch: True when answers that are kept apart from the committed ones count, too.
  /// - Returns: The project with the affected suites and the choice.
  /// - Throws: ``ExitCode/usage`` after saying what is wrong with the files or the revision.
  static func load(
    _ request: ProjectRequest,
    affectedSince revision: String,
    isScratch: Bool
  ) async throws -> Project {
    var project = try withoutSuites()
    let files = project.surroundings.files
    let changes: GitChanges
    do throws(GitError) {
      changes = try await GitChanges.since(revision, projectRoot: project.root)
    } catch {
      throw project.refusal(error)
    }
    let chooser = AffectedSuites(
      changes,
      surroundings: project.surroundings,
      layers: RecordingSession.layers(isScratch: isScratch)
    )
    let selection = selection(request, project.root, files)
    guard let choice = chooser.choose(selection, since: revision) else {
      // All faults are told at once, those of suites included that no change touches.
      return try load(request)
    }
    if !choice.isEmpty {
      var affected = request
      affected.paths = choice.chosen.map(\.suite.path)
      project = try load(affected)
    }
    project.choice = choice
    return project
  }
}
