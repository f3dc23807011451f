internal import ArgumentParser
internal import Sluice

extension ReportFormat: ExpressibleByArgument {}

struct RunCommand: AsyncParsableCommand, ProjectReading {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Runs suites, prints the verdict and writes reports/latest/.",
    discussion: """
      Answers come from the committed recordings, without a key or network. With --live they come \
      from the backends, and nothing is recorded. To continue a live run that ended early, add \
      --resume: it keeps the answers received and requests the others. With --watch, the suites \
      run again whenever one of their files changes, until you press Ctrl-C.

      With --affected REV, a suite runs only if its recordings are incomplete, or if its files \
      differ from the last commit that this branch shares with REV (uncommitted edits count). \
      Every report lists the other suites. If no suite is affected, the exit code is 0 without any \
      trial.

      With --case, --tag, --failed or --first, only some of the cases run. There is no verdict \
      (exit code 3), and the reports go to reports/filtered/. --show prints each case with its \
      question, expected output, answer and scores.
      """
  )

  enum Inconclusive: String, ExpressibleByArgument, CaseIterable {
    case pass, fail
  }

  @OptionGroup var project: ProjectOptions

  @OptionGroup var selection: CaseOptions

  @Flag(help: "Run only the cases that failed in the last run of all cases.")
  var failed = false

  @Option(
    help: ArgumentHelp(
      "Run only the suites with files that differ from this revision, such as origin/main.",
      valueName: "revision"
    )
  )
  var affected: String?

  @Flag(help: "Show each case with its question, expected output, answer and scores.")
  var show = false

  @Flag(help: "Show every suite in full, with all figures.")
  var verbose = false

  @Flag(help: "Send requests to the backends instead of using the recordings.")
  var live = false

  @Flag(help: "Allow --live in CI.")
  var network = false

  @Flag(help: "Continue the newest live run that ended before every answer had arrived.")
  var resume = false

  @Option(
    help: """
      With --live: stop sending requests once the answers have cost this much, in US \
      dollars.
      """
  )
  var maxCost: Double?

  @Option(help: "With --live: the largest number of requests to send, including retries.")
  var maxRequests: Int?

  @Flag(help: "Also use answers recorded with --scratch.")
  var scratch = false

  @Flag(help: "Run again whenever a file of the suites changes; works on recordings only.")
  var watch = false

  @Option(help: "The number of threads that work on recorded answers.")
  var concurrency = 4

  @Option(
    name: .customLong("report"),
    help: "A report to write in addition to report.md; may be repeated. Default: all reports."
  )
  var reports: [ReportFormat] = []

  @Flag(
    name: .customLong("no-revision"),
    help: "Leave project, branch and commit out of report.html, for a page that will be committed."
  )
  var hidesRevision = false

  @Option(help: "Exit with the code of a pass or of a fail if the run is inconclusive.")
  var inconclusive: Inconclusive?

  @Option(help: "The output format: text, or json with the content of report.json.")
  var output = OutputForm.text

  @OptionGroup var correction: CorrectionOptions

  @OptionGroup var trust: TrustOptions

  func validate() throws {
    guard (1...1_024).contains(concurrency) else {
      throw ValidationError("--concurrency must be between 1 and 1024.")
    }
    if watch, live {
      throw ValidationError(
        """
        --watch works on recordings: with --live every saved file would send requests and cost \
        money. Leave out one of the two. To record once what a change needs, use 'sluice try'.
        """
      )
    }
    if watch, output == .json {
      throw ValidationError("--watch shows results on a terminal; leave out --output json.")
    }
    if affected != nil, watch {
      throw ValidationError(
        "--watch already runs only the suites whose files change; leave out --affected."
      )
    }
    if affected != nil, !project.prompt.isEmpty {
      throw ValidationError(
        "--affected chooses suites by their files; leave it out when you use --prompt."
      )
    }
    if watch, inconclusive != nil {
      throw ValidationError(
        "--inconclusive sets the exit code of a run, but --watch runs until "
          + "you stop it; leave out one of the two."
      )
    }
    if !live, resume || maxCost != nil || maxRequests != nil {
      throw ValidationError("--resume, --max-cost and --max-requests need --live.")
    }
    try RecordingOptions.check(maxCost: maxCost)
    if let maxRequests, maxRequests < 0 {
      throw ValidationError("--max-requests must be 0 or more.")
    }
  }

  var base: String? { affected }

  func run() async throws { try await output.answering { try await runSuites() } }

  private func runSuites() async throws {
    if watch {
      return try await WatchRun(
        request: request,
        showsCases: show,
        concurrency: concurrency,
        isScratch: scratch,
        formats: formats,
        namesRevision: !hidesRevision,
        family: correction.chosenFamily,
        isVerbose: verbose
      ).run()
    }
    var loaded =
      if let affected {
        try await Project.load(request, affectedSince: affected, isScratch: scratch)
      } else {
        try Project.load(request)
      }
    loaded.overrides.showsCases = show
    let project = loaded
    try await project.keepingPrograms { programs in
      var answers: LiveAnswers?
      if live {
        try project.requireOutsideCI("the network", isAllowed: network, flags: "--network")
        answers = try liveAnswers(project, programs)
      }
      try await Self.judge(
        project,
        live: answers,
        concurrency: concurrency,
        isScratch: scratch,
        family: correction.chosenFamily,
        formats: formats,
        namesRevision: !hidesRevision,
        inconclusive: inconclusive,
        isVerbose: verbose
      )
    }
  }

  private var request: ProjectRequest {
    var request = ProjectRequest(project)
    request.filter = selection.filter
    request.filter.isFailed = failed
    return request
  }

  /// Runs the suites of a project, reports the result, and exits with the code of its verdict.
  ///
  /// - Parameters:
  ///   - project: The project.
  ///   - live: The backends that answer in a live run, or `nil` to use recordings.
  ///   - concurrency: The maximum number of threads that judge recorded answers.
  ///   - isScratch: True to also use scratch answers, which are stored separately from committed
  ///     answers.
  ///   - family: The set of regression gates that Holm's correction covers together.
  ///   - formats: The reports to write in addition to `report.md`.
  ///   - namesRevision: True to show the project and its commit in `report.html`.
  ///   - inconclusive: The exit code for an inconclusive run, or `nil` for
  ///     ``ExitCode/inconclusive``.
  ///   - isVerbose: True to show every suite in full.
  /// - Throws: ``ExitCode`` unless the run passes; another error if the run could not be finished.
  static func judge(
    _ project: Project,
    live: LiveAnswers? = nil,
    concurrency: Int = 4,
    isScratch: Bool,
    family: GateFamily,
    formats: Set<ReportFormat> = .all,
    namesRevision: Bool = true,
    inconclusive: Inconclusive? = nil,
    isVerbose: Bool = false
  ) async throws {
    if live == nil { try project.requireNothingPendingInCI() }
    // Read the history from git in the background, so that git does not delay the page.
    async let history =
      namesRevision && formats.contains(.html) ? project.baselineHistory() : BaselineHistory()
    let suites = try await project.answerAll(
      live: live,
      concurrency: concurrency,
      isScratch: isScratch
    )
    let result = project.result(suites, family: family)
    try report(
      result,
      of: await project.knowingCommitted(of: result),
      in: project.surroundings.files,
      formats: formats,
      revision: namesRevision ? await project.pageRevision(for: formats) : nil,
      history: await history,
      sending: live?.tally.count,
      isVerbose: isVerbose
    )
    try end(result.verdict, inconclusive: inconclusive)
  }

  /// Shows each case in turn with its question, expectation, answers and scores.
  private static func show(_ result: RunResult, of project: Project, _ style: TerminalStyle) {
    let screen = TerminalCase(style: style, columns: Console.outputColumns, extent: .brief)
    for suite in result.suites {
      guard let plan = project.loaded.suites.first(where: { $0.plan.name == suite.name })?.plan
      else { continue }
      if result.suites.count > 1 { Console.output(TerminalCase.title(suite.name, style)) }
      var cases = ResultCases(plan, suite)
      for index in 0..<cases.count { Console.output(screen.text(cases.view(index))) }
    }
  }

  /// The requested report formats.
  private var formats: Set<ReportFormat> { reports.isEmpty ? .all : Set(reports) }

  /// Writes the reports of a result, and shows the result.
  ///
  /// - Parameters:
  ///   - result: The result.
  ///   - project: The project.
  ///   - files: The file system for the reports.
  ///   - formats: The reports to write in addition to `report.md`.
  ///   - revision: The project and the commit to show in `report.html`, or `nil` to show none.
  ///   - history: The committed versions of baselines, which `report.html` shows as the history of
  ///     each case.
  ///   - sending: Statistics on the requests that were sent, or `nil` if the answers were recorded.
  ///   - isVerbose: True to show every suite in full.
  /// - Throws: An error if reports could not be written. The result is shown nevertheless.
  static func report(
    _ result: RunResult,
    of project: Project,
    in files: any FileSystem,
    formats: Set<ReportFormat>,
    revision: PageRevision? = nil,
    history: BaselineHistory = BaselineHistory(),
    sending: SendingTally.Count? = nil,
    isVerbose: Bool = false
  ) throws {
    // Show the verdict even if the files could not be written. In that case, do not name the files.
    let service = ContinuousIntegration(project)
    let writing = Result {
      try ReportWriter.write(
        result,
        formats: formats,
        overrides: project.overrides,
        folder: service.folder,
        revision: revision,
        history: history,
        hasCodeQuality: service.readsCodeQuality,
        to: files
      )
    }
    let style = Console.style(for: 1, project.surroundings.environment)
    if project.overrides.showsCases { show(result, of: project, style) }
    let report = TerminalReport(
      result,
      style: style,
      overrides: project.overrides,
      isVerbose: isVerbose,
      writesReports: (try? writing.get()) != nil,
      formats: formats,
      sending: sending
    )
    Console.output(report.text)
    Console.answer(JSONReport(result).bytes)
    service.annotate(result)
    try writing.get()
    service.summarize(ReportWriter.folder(of: result).resolvingChild("report.md"), in: files)
  }

  /// Returns the backends of a live run, with the unfinished run if the command resumes one.
  ///
  /// - Throws: ``ExitCode/usage`` if there is no run to resume; ``ExitCode/failure`` if another
  ///   process is still writing that run.
  private func liveAnswers(_ project: Project, _ programs: RunningPrograms) throws -> LiveAnswers {
    let meter = project.meter(cost: maxCost, requests: maxRequests)
    var answers = try LiveAnswers(project, meter, programs)
    let names = project.suiteNames.map { " " + ShellText.quoted($0) }.joined()
    let command = "sluice run\(names)\(project.overrides.options) --live"
    answers.resume = "\(command) --resume"
    guard resume else {
      answers.run = String(UInt64.random(in: .min ... .max), radix: 16)
      return answers
    }
    let files = project.surroundings.files
    let suites = project.loaded.suites.map(\.plan.name)
    guard
      let previous = UnfinishedRun.newest(
        of: suites,
        filter: project.overrides.filter.isEmpty ? nil : project.overrides.filter,
        in: files
      )
    else {
      let whose = suites.count == 1 ? "this suite" : "these suites"
      throw Console.refusal(
        "no live run of \(whose) ended early, so there is nothing to resume",
        "run without --resume: \(command)"
      )
    }
    if let busy = try previous.busyLog(in: files) {
      throw Console.refusal(
        "the run is still in progress: \(busy)",
        "wait until it ends, or stop it with Ctrl-C",
        code: .failure
      )
    }
    Console.error("Resuming the run of \(previous.started).\n")
    (answers.run, answers.previous) = (previous.id, previous)
    return answers
  }

  /// Throws the exit code of a verdict, unless the verdict is a pass.
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
