internal import ArgumentParser
internal import Sluice

struct RunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Runs suites, prints the verdict and writes reports/latest/.",
    discussion: """
      Answers come from the committed recordings: no key, no network. With --live they come from \
      the backends, and nothing is recorded.
      """
  )

  enum Inconclusive: String, ExpressibleByArgument, CaseIterable {
    case pass, fail
  }

  @OptionGroup var project: ProjectOptions

  @Flag(help: "Ask the backends instead of the recordings.")
  var live = false

  @Flag(help: "Allow --live in CI.")
  var network = false

  @Flag(help: "Use answers that were recorded with --scratch, too.")
  var scratch = false

  @Option(help: "How many threads may work on recorded answers at once.")
  var concurrency = 4

  @Option(help: "End an inconclusive run as if it had passed or failed.")
  var inconclusive: Inconclusive?

  func validate() throws {
    guard (1...1_024).contains(concurrency) else {
      throw ValidationError("--concurrency must be between 1 and 1024.")
    }
  }

  func run() async throws {
    let project = try Project.load(project)
    let backends: [String: any Backend]?
    if live {
      try project.requireOutsideCI("the network", isAllowed: network, flags: "--network")
      backends = try project.connect()
    } else {
      try project.requireNothingPendingInCI()
      backends = nil
    }
    var suites: [SuiteResult] = []
    for suite in project.loaded.suites {
      suites.append(
        try await project.answer(
          suite,
          live: backends,
          concurrency: concurrency,
          isScratch: scratch
        )
      )
    }
    let result = RunResult(suites: suites)
    let trying = project.trying
    // The verdict is worth reading even where the files could not be written, but must not name them.
    let writing = Result {
      try ReportWriter.write(result, trying: trying, to: project.surroundings.files)
    }
    let report = TerminalReport(
      result,
      style: Console.style(for: 1, project.surroundings.environment),
      trying: trying,
      writesReports: (try? writing.get()) != nil
    )
    Console.output(report.text)
    try writing.get()
    try Self.end(result.verdict, inconclusive: inconclusive)
  }

  /// Ends with the exit code of a verdict, unless that is a pass.
  static func end(_ verdict: Verdict, inconclusive: Inconclusive?) throws {
    var code = Sluice.ExitCode(verdict)
    if code == .inconclusive {
      switch inconclusive {
      case .pass: code = .pass
      case .fail: code = .fail
      case nil: break
      }
    }
    if code != .pass { throw code }
  }
}
