internal import ArgumentParser
internal import Sluice

struct HistoryCommand: AsyncParsableCommand, ProjectReading {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "Shows how the figures of suites changed from run to run and baseline to baseline.",
    discussion: """
      Reads the run logs in reports/runs/ and all committed versions of the baselines, offline. \
      Shows accuracy and the metrics that gates use, and marks where the prompt, model, dataset or \
      scorers changed. Writes history.html and history.json to reports/latest/.
      """
  )

  @Argument(help: "Suites by folder, file or name. Default: all.")
  var suites: [String] = []

  @Option(help: "The number of runs and baselines to show, newest first.")
  var limit = 50

  @OptionGroup var trust: TrustOptions

  func validate() throws {
    guard (1...1_000).contains(limit) else {
      throw ValidationError("--limit must be between 1 and 1000.")
    }
  }

  func run() async throws {
    let project = try Project.load(ProjectRequest(suites: suites))
    let files = project.surroundings.files
    let (baselines, trouble) = await baselines(of: project)
    let reader = HistoryReader(project.loaded.suites, files: files, limit: limit)
    let (history, diagnostics) = reader.read(baselines)
    project.printDiagnostics(trouble + diagnostics)
    let writing = Result { try ReportWriter.write(history, to: files) }
    Console.output(
      TerminalHistory(
        history,
        style: Console.style(for: 1, project.surroundings.environment),
        reports: (try? writing.get()).map { project.overrides.path(ReportWriter.folder) }
      ).text
    )
    try writing.get()
    if history.lines.isEmpty {
      let names = suites.map { " " + ShellText.quoted($0) }.joined()
      Console.output(
        """
        There are no finished runs in reports/runs/ and no committed baselines yet.
        Next: run the suites; each run writes a log:
          \(TerminalText.visible("sluice run\(names)"))

        """
      )
    }
  }

  /// Returns the committed versions of baselines, or warnings if git cannot list them.
  private func baselines(of project: Project) async -> ([GitHistory.Version], [Diagnostic]) {
    var versions: [GitHistory.Version] = []
    for suite in project.loaded.suites {
      do throws(GitError) {
        versions += try await GitHistory.versions(
          in: Baseline.folder,
          like: HistoryReader.pattern(of: suite.plan.name),
          projectRoot: project.root,
          // Read one version more than the limit, to find out if there are older versions.
          limit: limit + 1
        )
      } catch {
        return (
          versions,
          [
            Diagnostic(
              .warning,
              path: Baseline.folder.description,
              message: "earlier baselines are not shown: \(error.message)",
              fix: error.fix
            )
          ]
        )
      }
    }
    return (versions, [])
  }
}
