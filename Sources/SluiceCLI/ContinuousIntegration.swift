internal import Sluice

/// The reporting features of the current CI service, detected from environment variables.
struct ContinuousIntegration {
  private let environment: [String: String]
  /// The project's folder, relative to the root of the repository.
  let folder: ProjectPath

  /// The maximum size of a step summary that GitHub accepts, in bytes.
  private static let longestSummary = 1 << 20

  init(_ project: Project) {
    environment = project.surroundings.environment
    folder = Self.folder(of: project.root)
  }

  /// Returns the project's folder relative to the root of the repository, or `.` if the project is
  /// not in a repository.
  private static func folder(of root: String) -> ProjectPath {
    guard let repository = DiskFileSystem.folder(holding: ".git", from: root), root != repository
    else { return ProjectPath(".") }
    let start = repository == "/" ? 1 : repository.count + 1
    return ProjectPath(String(root.dropFirst(start)))
  }

  /// True in GitLab CI, which reads code quality findings from a file.
  var readsCodeQuality: Bool { environment["GITLAB_CI"] == "true" }

  /// In GitHub Actions, annotates the prompts whose gates do not pass.
  func annotate(_ result: RunResult) {
    guard environment["GITHUB_ACTIONS"] == "true" else { return }
    Console.output(WorkflowAnnotations(result, folder: folder).text)
  }

  /// In GitHub Actions, adds a report to the summary of the step.
  ///
  /// An error in writing the summary is reported but does not fail the run, since the report file
  /// exists.
  func summarize(_ report: ProjectPath, in files: any FileSystem) {
    guard environment["GITHUB_ACTIONS"] == "true",
      let place = environment["GITHUB_STEP_SUMMARY"], !place.isEmpty
    else { return }
    do throws(FileError) {
      let bytes = try files.read(report) + [UInt8(ascii: "\n")]
      let path = ProjectPath(place)
      guard let folder = DiskFileSystem(root: Invocation.path(path.folder.description)) else {
        throw FileError(path: path.folder, reason: "is not a folder")
      }
      let summary = ProjectPath(path.name)
      let there = folder.kind(of: summary) == .file ? try folder.open(summary).count : 0
      guard there + bytes.count <= Self.longestSummary else {
        throw FileError(path: path, reason: "the summary would be larger than 1 MiB")
      }
      try folder.append(bytes, to: summary)
    } catch {
      Console.error(
        "sluice: warning: could not write the summary of this CI step: "
          + "\(TerminalText.visible(error.description))\n"
      )
    }
  }
}
