/// The check in CI whether programs of the checked-out branch may start.
///
/// A program of a branch could score its own answers, or change the files and the references of git
/// that later commands read. So programs start only if the branch changed nothing but recordings,
/// dataset files and prompt files, which are data.
package struct BranchPrograms: Sendable {
  private let surroundings: Surroundings
  private let root: String
  private let namedBase: String?

  /// Creates a check.
  ///
  /// - Parameters:
  ///   - surroundings: The project's files, and the environment variables, which may name the base.
  ///   - root: The absolute path of the project's folder.
  ///   - namedBase: The base that the command line names, for CI services that name none.
  package init(_ surroundings: Surroundings, root: String, namedBase: String?) {
    (self.surroundings, self.root, self.namedBase) = (surroundings, root, namedBase)
  }

  /// Returns the reason why no program may start; nil if programs may start.
  package func refusal() async -> String? {
    guard let base = base ?? namedBase else {
      return
        "the base of this branch is unknown. Set SLUICE_BASE to its commit, and \(Self.fetching)"
    }
    do throws(GitError) {
      // Files that changed only on the base since the branch started are not the branch's.
      let changes = try await GitChanges.since(base, projectRoot: root)
      let differences = try await changes.differences()
      if differences.isEmpty { return nil }
      let data = ProjectData(surroundings, folder: changes.folder)
      let others = differences.filter { !$0.isPlain || !data.contains($0) }.map(\.path)
      guard let first = others.first else { return nil }
      let more = others.count == 1 ? " differs" : " and \(others.count - 1) more differ"
      return "\(first)\(more) from the base \(changes.base.commit.prefix(12)). \(Self.allowing)"
    } catch {
      return
        "the base '\(base)' is unknown here: \(error.message). If it is right, \(Self.fetching)"
    }
  }

  private static let allowing =
    "In CI, a branch that changes more than recordings, datasets and prompts starts no program "
    + "without --programs"
  private static let fetching =
    "fetch all commits (GitHub: 'fetch-depth: 0', GitLab: 'GIT_DEPTH: \"0\"'). \(allowing)"

  /// Returns the full name of a remote branch, which no other branch and no tag can have.
  private static func remote(_ branch: String) -> String { "refs/remotes/origin/\(branch)" }

  /// The base that the environment names.
  ///
  /// On the base branch itself, the base is the commit that the service checked out.
  private var base: String? {
    func value(_ name: String) -> String? {
      surroundings.environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }
    let request = "CI_MERGE_REQUEST_"
    for name in ["SLUICE_BASE", request + "TARGET_BRANCH_SHA", request + "DIFF_BASE_SHA"] {
      if let commit = value(name) { return commit }
    }
    if let main = value("CI_DEFAULT_BRANCH") {
      return main == value("CI_COMMIT_BRANCH") ? value("CI_COMMIT_SHA") : Self.remote(main)
    }
    let path = ProjectPath(value("GITHUB_EVENT_PATH") ?? "")
    let event = DiskFileSystem(root: path.folder.description)
      .flatMap { try? $0.read(ProjectPath(path.name)) }.flatMap { try? JSONReader.value($0) }
    for place in ["pull_request.base.sha", "merge_group.base_sha"] {
      if let commit = event?.value(at: place)?.string { return commit }
    }
    if let branch = value("GITHUB_BASE_REF") { return Self.remote(branch) }
    // GitHub runs schedules only on the default branch.
    let main = event?.value(at: "repository.default_branch")?.string
    let isMain = main.map { value("GITHUB_REF") == "refs/heads/\($0)" } ?? false
    if isMain || value("GITHUB_EVENT_NAME") == "schedule" { return value("GITHUB_SHA") }
    return main.map(Self.remote)
  }
}

/// The files of a project that are data: recordings with their ledgers, datasets and prompts.
private struct ProjectData {
  private let folder: ProjectPath
  private let plans: [SuitePlan]
  /// All words of all commands of the project.
  private let words: [String]

  init(_ surroundings: Surroundings, folder: ProjectPath) {
    let (files, environment) = (surroundings.files, surroundings.environment)
    self.folder = folder
    plans = ProjectLoader.load(from: files, environment: environment).suites.map(\.plan)
    let scorers = plans.flatMap(\.scorers).compactMap { $0.scorer as? ProgramScorer }
    let backends = ProjectLoader.backends(from: files, environment: environment).backends
    words = scorers.flatMap(\.program.endpoint.command) + backends.flatMap(\.commandWords)
  }

  /// Returns true if a file is only data.
  func contains(_ difference: GitChanges.Difference) -> Bool {
    let path = ProjectPath(difference.path)
    // A program that gets the file by name may execute it.
    if words.contains(where: { $0.contains(path.name) }) { return false }
    // Earlier commands of the job wrote reports.
    let reports = ["latest", "filtered", "runs"].map { folder.resolvingChild("reports/\($0)") }
    let isReport = ["html", "json", "jsonl", "csv", "xml", "md"].contains(path.pathExtension)
    if !difference.isTracked, isReport, reports.contains(where: path.isInside) { return true }
    return plans.contains { plan in
      let recordings = [RecordingFile.path, RecordingFile.pendingPath, RecordingLedger.path]
        .map { $0(plan.datasetPath, path.stem) }
      return (recordings + [plan.datasetPath] + plan.prompts.map(\.path)).contains { file in
        // Paths that only look equal are different files.
        folder.resolvingChild(file.description).description.isIdentical(to: path.description)
      }
    }
  }
}
