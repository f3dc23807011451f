internal import Sluice

/// A comparison of suites with a git revision, for `compare --base` and `try`.
struct BaseComparison {
  /// The suites to load, with overrides for prompts, backends and repeats.
  var wanted: ProjectRequest
  /// The revision to compare with.
  var revision: String
  var request: ProjectComparison.Request

  /// Compares the suites in the working tree, or at the revision of `--head`, with the suites at
  /// the base revision.
  ///
  /// - Returns: The result, and the project with the compared suites.
  /// - Throws: ``ExitCode/usage`` after reporting errors in the project or a revision.
  func compare() async throws -> (ComparisonResult, Project) {
    var here = wanted
    // With `--head`, filter the cases of that revision, not those of the working tree.
    if request.head != nil { here.filter = CaseFilter() }
    var project = try Project.load(here)
    try project.requireNothingPendingInCI()
    var request = request
    (request.suites, request.repetitions) = (wanted.suites, wanted.repetitions)
    request.overrides = project.overrides
    do {
      if let head = request.head {
        let snapshot = try await GitSnapshot.open(revision: head, projectRoot: project.root)
        project.loaded = try await ProjectComparison.load(
          snapshot,
          project.selection,
          project.surroundings
        )
        try await snapshot.prefetch(
          project.loaded.suites.flatMap { ProjectComparison.files(of: $0.plan) }
        )
        project.candidateFiles = snapshot
        if project.overrides.isInCI, BranchTrust.current.startsPrograms == nil {
          // The commands of one revision would start files of another one.
          project.surroundings.programs = ProgramPermission {
            "In CI, a comparison with --head starts no program without --programs"
          }
        }
        if let outcome = ProjectComparison.unreadable(project.loaded, snapshot) {
          return tell(outcome, project)
        }
        try project.keep(wanted.filter, logsIn: project.surroundings.files)
      }
      let snapshot = try await GitSnapshot.open(revision: revision, projectRoot: project.root)
      let comparison = ProjectComparison(
        project.loaded,
        files: project.candidateFiles ?? project.surroundings.files,
        surroundings: project.surroundings,
        request
      )
      let outcome = try await WaitingLine.showing("comparing with \(revision)") {
        try await compare(comparison, snapshot, project)
      }
      return tell(outcome, project)
    } catch let error as GitError {
      throw project.refusal(error)
    }
  }

  /// Runs the comparison.
  ///
  /// If scorers run programs, Ctrl-C ends these programs before the command.
  private func compare(
    _ comparison: ProjectComparison,
    _ snapshot: GitSnapshot,
    _ project: Project
  ) async throws -> ProjectComparison.Outcome {
    let scorers = project.loaded.suites.flatMap(\.plan.scorers)
    guard scorers.contains(where: { $0.scorer is ProgramScorer }) else {
      return try await comparison.compare(with: snapshot)
    }
    let (result, wasInterrupted) = await Interruption.guarding {
      () async -> Result<ProjectComparison.Outcome, GitError> in
      do throws(GitError) {
        return .success(try await comparison.compare(with: snapshot))
      } catch {
        return .failure(error)
      }
    }
    if wasInterrupted { throw Interruption.reported }
    return try result.get()
  }

  private func tell(_ outcome: ProjectComparison.Outcome, _ project: Project)
    -> (ComparisonResult, Project)
  {
    project.printDiagnostics(outcome.diagnostics)
    return (outcome.result, project)
  }
}

extension Project {
  /// Checks that the revision exists and can be read, before any request is sent.
  ///
  /// - Throws: ``ExitCode/usage`` after reporting the problem.
  func require(revision: String) async throws {
    do throws(GitError) {
      _ = try await GitSnapshot.open(revision: revision, projectRoot: root)
    } catch {
      throw refusal(error)
    }
  }

  func refusal(_ error: GitError) -> Sluice.ExitCode {
    refusal(error.message, error.fix ?? Self.nearest(error))
  }

  /// Prints an error with an optional fix, and returns the exit code.
  func refusal(_ message: String, _ fix: String?) -> Sluice.ExitCode {
    Console.transcript?.add([Diagnostic(path: "command line", message: message, fix: fix)])
    return Console.refusal(message, fix)
  }

  private static func nearest(_ error: GitError) -> String? {
    guard case .unknownRevision(let name, let known, _) = error else { return nil }
    // If a name such as HEAD~7 is unknown, the history is too short or the part before `~` is
    // wrong.
    let root = String(name.prefix { $0 != "~" && $0 != "^" })
    if root != name, root == "HEAD" || known.contains(root) {
      return "the clone may lack older commits; to see how far it goes back: git log --oneline "
        + "\(ShellText.quoted(root))"
    }
    if let nearest = NearestName.of(root, among: known) {
      return "did you mean '\(nearest)\(name.dropFirst(root.count))'?"
    }
    // If the repository has many branches, do not list their names.
    return known.count > 10 ? nil : NearestName.suggestion(for: name, among: known)
  }
}
