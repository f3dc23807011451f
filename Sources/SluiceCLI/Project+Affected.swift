internal import Sluice

extension Project {
  /// Loads those of the selected suites that a change affects.
  ///
  /// - Parameters:
  ///   - request: The selected suites.
  ///   - revision: The revision to compare the files with.
  ///   - isScratch: True if scratch answers count as recorded, in addition to committed ones.
  /// - Returns: The project with the affected suites. Its ``Project/choice`` lists the chosen and
  ///   the skipped suites.
  /// - Throws: ``ExitCode/usage`` after reporting errors in the files or the revision.
  static func load(
    _ request: ProjectRequest,
    affectedSince revision: String,
    isScratch: Bool
  ) async throws -> Project {
    var project = try withoutSuites()
    let files = project.surroundings.files
    let start = project.surroundings.now()
    let changes: GitChanges
    do throws(GitError) {
      changes = try await GitChanges.since(revision, projectRoot: project.root)
    } catch {
      throw project.refusal(error)
    }
    let chooser = AffectedSuites(
      changes,
      surroundings: project.surroundings,
      layers: RecordingSession.layers(isScratch: isScratch),
      start: start
    )
    let selection = selection(request, project.root, files)
    guard let choice = chooser.choose(selection, since: revision) else {
      // Report all errors at once, including those in suites that are not affected.
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
