internal import ArgumentParser
internal import Sluice

struct HealthCommand: AsyncParsableCommand, ProjectReading {
  static let configuration = CommandConfiguration(
    commandName: "health",
    abstract: "Shows how informative a suite still is: saturation, disagreement, coverage.",
    discussion: """
      Applies today's scorers to all recorded answers: those of every prompt in the suite's folder \
      and of every backend with recordings. Also uses the live runs in reports/runs/. Sends \
      nothing and changes no dataset.

      Exit codes: 0 whatever the figures are; 3 if nothing is recorded; 64 wrong command line or \
      files.
      """
  )

  @Argument(help: "Suites by folder, file or name. Default: all.")
  var suites: [String] = []

  @Option(
    name: .long,
    help: """
      A run log to read in addition to those in reports/runs/; may be \
      repeated.
      """
  )
  var log: [String] = []

  @Option(
    name: .long,
    help: "People's ratings of one suite's cases, as a file of outputs; may be repeated."
  )
  var ratings: [String] = []

  @Flag(help: "Show cases whose label may be wrong, with their labels and answers hidden.")
  var suspects = false

  @Flag(help: "With --suspects or --json: also show ids, labels and answers.")
  var reveal = false

  @Flag(help: "Also show columns, the cases per tag and class, and the figures of single cases.")
  var verbose = false

  @Flag(help: "Print JSON.")
  var json = false

  @Flag(help: "Also write reports/latest/health.html.")
  var html = false

  @OptionGroup var trust: TrustOptions

  func validate() throws {
    if reveal, !suspects, !json {
      throw ValidationError("--reveal needs --suspects or --json.")
    }
    if suspects, json {
      throw ValidationError("--json includes the suspects: leave out --suspects.")
    }
    if !ratings.isEmpty, suites.count != 1 {
      throw ValidationError("--ratings needs one suite: name the suite whose cases people rated.")
    }
  }

  func run() async throws {
    let project = try Project.load(ProjectRequest(suites: suites))
    let logs = try namedLogs(project)
    let backends = ProjectLoader.backends(
      from: project.surroundings.files,
      environment: project.surroundings.environment
    ).backends
    var reports: [SuiteHealthReport] = []
    var isFaulty = false
    let progress = SuiteProgress(of: project.loaded.suites.count)
    defer { progress.finish() }
    for suite in project.loaded.suites {
      let line = progress.next(suite.plan.name)
      let reader = HealthReader(suite, backends: backends, surroundings: project.surroundings)
      let paths = ratings.map(project.path)
      let own = logs.filter { $0.suite == suite.plan.name }
      let what = "\(suite.plan.name): judging recorded answers"
      let (outcome, wasInterrupted) = try await WaitingLine.showing(what) {
        await Interruption.guarding {
          await reader.read(logs: own.map(\.log), ratings: paths, concurrency: 4)
        }
      }
      line.finish()
      if wasInterrupted { throw Interruption.reported }
      project.printDiagnostics(outcome.diagnostics)
      isFaulty = isFaulty || outcome.diagnostics.contains { $0.severity == .error }
      reports.append(outcome.health)
    }
    // If ratings were requested but cannot be read, show nothing else.
    if isFaulty, !ratings.isEmpty { throw Sluice.ExitCode.usage }
    // Show the figures even if the page could not be written.
    let writing = Result {
      if html { try ReportWriter.write(reports, to: project.surroundings.files) }
    }
    let isWritten = html && (try? writing.get()) != nil
    show(reports, project, page: isWritten ? project.overrides.path(ReportWriter.folder) : nil)
    try writing.get()
    if isFaulty { throw Sluice.ExitCode.usage }
    if reports.allSatisfy({ $0.health.columns.isEmpty }) {
      let names = suites.map { " " + ShellText.quoted($0) }.joined()
      let fix = "record answers: sluice record\(names)"
      throw Console.refusal("no answers are recorded", fix, code: .noVerdict)
    }
  }

  private func show(_ reports: [SuiteHealthReport], _ project: Project, page folder: String?) {
    let page = folder.map { "\($0)/\(ReportWriter.healthName)" }
    let style = Console.style(for: 1, project.surroundings.environment)
    if json {
      let bytes = HealthJSON(reports, isRevealed: reveal).bytes
      Console.output(String(decoding: bytes, as: UTF8.self))
    } else if suspects {
      Console.output(TerminalHealth.suspects(reports, style: style, isRevealed: reveal))
      if let page { Console.output("Report: \(TerminalText.visible(page))\n") }
    } else {
      Console.output(TerminalHealth(reports, style: style, isVerbose: verbose, page: page).text)
    }
  }

  /// Returns the run logs named on the command line, each with the name of its suite.
  ///
  /// - Throws: ``ExitCode/usage`` after reporting all logs that cannot be read or that belong to a
  ///   suite that is not selected.
  private func namedLogs(_ project: Project) throws -> [(suite: String, log: HealthReader.Log)] {
    var logs: [(suite: String, log: HealthReader.Log)] = []
    var faults: [Diagnostic] = []
    for name in log {
      do throws(FileError) {
        let contents = try NamedFile.open(name)
        do throws(LoggedRun.Problem) {
          let run = try LoggedRun(reading: contents, kind: RunLog.kind)
          if !project.loaded.suites.contains(where: { $0.plan.name == run.suite }) {
            throw LoggedRun.Problem(
              line: 1,
              message: "the log is of the suite '\(run.suite)', which is not selected"
            )
          }
          logs.append((run.suite, HealthReader.Log(name: name, contents: contents)))
        } catch {
          faults.append(
            Diagnostic(
              path: name,
              position: SourcePosition(line: error.line, column: 1),
              message: error.message
            )
          )
        }
      } catch {
        faults.append(Diagnostic(path: name, message: "cannot be read: \(error.reason)"))
      }
    }
    if faults.isEmpty { return logs }
    Project.print(faults)
    throw Sluice.ExitCode.usage
  }
}
