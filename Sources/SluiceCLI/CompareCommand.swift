internal import ArgumentParser
internal import Sluice

struct CompareCommand: AsyncParsableCommand, ProjectReading {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Compares prompts, backends, run logs or git revisions, case by case.",
    discussion: """
      Prompts and backends: each prompt on each backend is a configuration. A single --prompt \
      or --backend is compared with the suite's prompts or backends. Several are compared with \
      each other.

      Run logs: name two files of reports/runs/.

      Revisions: --base REV compares the suites at that revision with those in the working copy, \
      offline. Gates and labels are taken from REV. The exit code is the verdict of these gates.

      With --case, --tag or --first there is no verdict (exit code 3).
      """
  )

  @Argument(help: "Suites by folder, file or name (default: all); or run logs (.jsonl).")
  var names: [String] = []

  @Option(name: .long, help: "A prompt file to compare; may be repeated.")
  var prompt: [String] = []

  @Option(name: .long, help: "A backend of sluice.yaml to compare; may be repeated.")
  var backend: [String] = []

  @Option(name: .customLong("repeat"), help: "The number of trials for each case.")
  var repetitions: Int?

  @OptionGroup var selection: CaseOptions
  @OptionGroup var refused: RefusedFailedOption

  @Option(help: "A git revision to compare with, such as main or HEAD~1.")
  var base: String?

  @Option(help: "With --base: a revision to judge instead of the working copy.")
  var head: String?

  @Option(
    help: """
      The reference: the configuration, prompt or backend that the others are \
      compared with.
      """
  )
  var reference: String?

  @Option(
    help: """
      Compare each configuration with the reference only, or all with each other. Default: \
      all with each other if there are at most three.
      """
  )
  var pairs: Pairs?

  @Option(
    help: """
      The largest acceptable drop of a rate, in points. Default: the gate's margin, \
      or else 5.
      """
  )
  var margin: Double?

  @Flag(help: "Show every suite and every compared pair in full, with all figures.")
  var verbose = false

  @Flag(help: "Send requests to the backends instead of using the recordings.")
  var live = false

  @Flag(help: "Allow --live in CI.")
  var network = false

  @Flag(help: "Also use answers recorded with --scratch.")
  var scratch = false

  @Option(help: "The number of threads that work on recorded answers.")
  var concurrency = 4

  @Option(help: "Exit with the code of a pass or of a fail if the comparison is inconclusive.")
  var inconclusive: RunCommand.Inconclusive?

  @Option(help: "The output format: text, or json with the content of compare.json.")
  var output = OutputForm.text

  @OptionGroup var correction: CorrectionOptions

  @OptionGroup var trust: TrustOptions

  /// The values of `--pairs`.
  enum Pairs: String, ExpressibleByArgument, CaseIterable {
    case reference, all
  }

  private var logs: [String] { names.filter { $0.hasSuffix(".jsonl") } }

  func validate() throws {
    guard (1...1_024).contains(concurrency) else {
      throw ValidationError("--concurrency must be between 1 and 1024.")
    }
    if let repetitions, !(1...10_000).contains(repetitions) {
      throw ValidationError("--repeat must be between 1 and 10000.")
    }
    if let margin, !(margin > 0 && margin < 100) {
      throw ValidationError("--margin must be a number of points between 0 and 100.")
    }
    if !logs.isEmpty, logs.count < names.count {
      throw ValidationError(
        "Run logs and suites cannot be compared with each other; name only one kind."
      )
    }
    if base != nil, !logs.isEmpty || live || reference != nil {
      throw ValidationError(
        "--base compares suites on recordings; leave out run logs, --live and --reference."
      )
    }
    if correction.family != nil, base == nil {
      throw ValidationError("--family needs --base: without --base no gates decide across suites.")
    }
    if base != nil, pairs == .all {
      throw ValidationError("--base always compares two sides; leave out --pairs.")
    }
    if head != nil, base == nil { throw ValidationError("--head needs --base.") }
    if head != nil, !prompt.isEmpty || !backend.isEmpty || repetitions != nil {
      throw ValidationError(
        "--head judges that revision as it is; leave out --prompt, --backend and --repeat."
      )
    }
    let changesSuites =
      !prompt.isEmpty || !backend.isEmpty || repetitions != nil || live || !selection.filter.isEmpty
    if !logs.isEmpty, changesSuites {
      throw ValidationError(
        "--prompt, --backend, --repeat, --live and case filters cannot be used with run logs."
      )
    }
  }

  private var request: SuiteComparison.Request {
    SuiteComparison.Request(
      reference: reference,
      margin: margin.map { $0 / 100 },
      pairs: pairs.map { $0 == .all ? .all : .reference }
    )
  }

  func run() async throws { try await output.answering { try await compare() } }

  private func compare() async throws {
    let (result, project) =
      if let base {
        try await baseComparison(base).compare()
      } else if !logs.isEmpty {
        try compareLogs()
      } else {
        try await compareSuites()
      }
    let next = logs.isEmpty && !live ? reading(result, project) : nil
    try Self.report(
      result,
      of: project,
      inconclusive: inconclusive,
      isVerbose: verbose,
      next: next
    )
  }

  /// Returns the command that shows the first case whose outcome differs, or `nil` if there is
  /// none.
  private func reading(_ result: ComparisonResult, _ project: Project)
    -> ComparisonResult.NextStep?
  {
    for comparison in result.comparisons {
      guard let testCase = comparison.disagreements.first?.caseID, !testCase.hasPrefix("-"),
        let suite = project.loaded.suites.first(where: { $0.plan.name == comparison.suite })
      else { continue }
      var words = ["sluice show", ShellText.quoted(testCase), "--suite"]
      words.append(ShellText.quoted(SuiteName.short(suite.plan.path)))
      let columns = comparison.configurations.map(\.column)
      func unique(_ all: [String]) -> [String] {
        all.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
      }
      if base != nil {
        words += prompt.flatMap { ["--prompt", ShellText.quoted($0)] }
        words += backend.flatMap { ["--backend", ShellText.quoted($0)] }
      } else {
        words += unique(columns.map(\.promptPath)).flatMap {
          ["--prompt", ShellText.quoted(project.overrides.path(ProjectPath($0)))]
        }
        words += unique(columns.map(\.backend)).flatMap { ["--backend", ShellText.quoted($0)] }
      }
      if let repetitions { words += ["--repeat", String(repetitions)] }
      return ComparisonResult.NextStep(
        advice: base == nil
          ? "read a case whose outcome differs, with both sides"
          : "read a case whose outcome differs, as it is in the working copy",
        command: words.joined(separator: " ")
      )
    }
    return nil
  }

  private func baseComparison(_ revision: String) -> BaseComparison {
    var wanted = ProjectRequest(suites: names)
    (wanted.prompts, wanted.backends, wanted.repetitions) = (prompt, backend, repetitions)
    wanted.filter = selection.filter
    var request = ProjectComparison.Request()
    request.margin = margin.map { $0 / 100 }
    request.concurrency = concurrency
    request.layers = RecordingSession.layers(isScratch: scratch)
    request.family = correction.chosenFamily
    request.head = head
    return BaseComparison(wanted: wanted, revision: revision, request: request)
  }

  /// Writes the reports of a comparison, prints the comparison, and exits with the code of its
  /// verdict.
  static func report(
    _ result: ComparisonResult,
    of project: Project,
    inconclusive: RunCommand.Inconclusive?,
    isVerbose: Bool = false,
    next: ComparisonResult.NextStep? = nil
  ) throws {
    let writing = Result { try ReportWriter.write(result, to: project.surroundings.files) }
    let report = TerminalComparison(
      result,
      style: Console.style(for: 1, project.surroundings.environment),
      overrides: project.overrides,
      isVerbose: isVerbose,
      writesReports: (try? writing.get()) != nil,
      next: next
    )
    Console.output(report.text)
    Console.answer(ComparisonJSON(result).bytes)
    try writing.get()
    ContinuousIntegration(project).summarize(
      ReportWriter.folder(of: result).resolvingChild("compare.md"),
      in: project.surroundings.files
    )
    if let verdict = result.verdict {
      try RunCommand.end(verdict, inconclusive: inconclusive)
    } else if result.hasLosses {
      throw Sluice.ExitCode.noVerdict
    }
  }

  // MARK: Suites

  private func compareSuites() async throws -> (ComparisonResult, Project) {
    var wanted = ProjectRequest(suites: names)
    wanted.prompts = prompt
    wanted.backends = backend
    wanted.isBesideOwn = true
    wanted.repetitions = repetitions
    wanted.filter = selection.filter
    let project = try Project.load(wanted)
    return try await project.keepingPrograms { try await compareSuites(of: project, $0) }
  }

  private func compareSuites(of project: Project, _ programs: RunningPrograms) async throws
    -> (ComparisonResult, Project)
  {
    var answers: LiveAnswers?
    if live {
      try project.requireOutsideCI("the network", isAllowed: network, flags: "--network")
      answers = try LiveAnswers(project, project.meter(), programs)
    } else {
      try project.requireNothingPendingInCI()
    }
    // If no suite is named, compare each suite that has several columns.
    let suites = project.loaded.suites.filter { names.isEmpty ? $0.plan.columns.count > 1 : true }
    guard !suites.isEmpty else {
      throw project.refusal(
        "no suite has more than one prompt or backend to compare",
        "name a suite and a prompt or backend to compare it with: sluice compare SUITE --prompt "
          + "FILE"
      )
    }
    var comparisons: [ConfigurationComparison] = []
    var misses: [Trial] = []
    var plans: [SuitePlan] = []
    let progress = SuiteProgress(of: suites.count)
    defer { progress.finish() }
    for suite in suites {
      let result = try await project.answer(
        suite,
        live: answers,
        concurrency: concurrency,
        keepsLog: live,
        isScratch: scratch,
        progress: progress
      )
      do throws(SuiteComparison.Problem) {
        comparisons.append(try SuiteComparison.compare(result, of: suite, request))
      } catch {
        throw project.refusal(error.message, error.fix)
      }
      // Rows that are missing from an output file cannot be recorded.
      let missing = result.columns.filter { $0.outputs == nil }.flatMap {
        $0.trials.filter(\.isMiss)
      }
      misses += missing
      if !missing.isEmpty { plans.append(suite.plan) }
    }
    return (ComparisonResult(comparisons, next: recording(misses, plans, project)), project)
  }

  /// Returns the command that records the missing answers of the affected prompts and backends.
  private func recording(_ misses: [Trial], _ plans: [SuitePlan], _ project: Project)
    -> ComparisonResult.NextStep?
  {
    guard !misses.isEmpty else { return nil }
    let names = Set(misses.map(\.prompt))
    let isThroughFiles = plans.allSatisfy(\.isAskedThroughFiles)
    var words = plans.map { SuiteName.short($0.path) }.map(ShellText.quoted)
    if !prompt.isEmpty {
      for prompt in plans.flatMap(\.prompts) where names.contains(prompt.name) {
        words += ["--prompt", ShellText.quoted(project.overrides.path(prompt.path))]
      }
    }
    if !backend.isEmpty {
      for backend in Set(misses.map(\.backend)).sorted() {
        words += ["--backend", ShellText.quoted(backend)]
      }
    }
    if let repetitions { words += ["--repeat", String(repetitions)] }
    if !isThroughFiles { words += selection.filter.words.map(ShellText.quoted) }
    let step = MissingAnswersStep(
      areAskedThroughFiles: isThroughFiles,
      isInCI: project.overrides.isInCI,
      words.map { " " + $0 }.joined()
    )
    return ComparisonResult.NextStep(advice: step.advice, command: step.command)
  }

  // MARK: Run logs

  private func compareLogs() throws -> (ComparisonResult, Project) {
    let project = try Project.load(ProjectRequest(suites: []))
    var read: [RunLogComparison.Log] = []
    var diagnostics: [Diagnostic] = []
    for name in logs {
      do throws(FileError) {
        let bytes = try NamedFile.bytes(name)
        do throws(LoggedRun.Problem) {
          let run = try LoggedRun(reading: bytes, kind: RunLog.kind)
          // If several logs have the same file name, show their full paths.
          let namesakes = logs.count { Self.fileName($0) == Self.fileName(name) }
          let shown = namesakes == 1 ? Self.fileName(name) : name
          read.append(RunLogComparison.Log(name: shown, run: run))
          if let filtered = run.filtered {
            diagnostics.append(
              Diagnostic(
                .warning,
                path: name,
                message: "this is the log of a filtered run: \(filtered.phrase)",
                fix: "for a verdict, compare logs of whole runs"
              )
            )
          }
          if !run.isComplete {
            diagnostics.append(
              Diagnostic(
                .warning,
                path: name,
                message: "the run did not finish, so only the trials in the log are compared",
                fix: "for a verdict, name the log of a finished run"
              )
            )
          }
        } catch {
          diagnostics.append(
            Diagnostic(
              path: name,
              position: SourcePosition(line: error.line, column: 1),
              message: error.message
            )
          )
        }
      } catch {
        diagnostics.append(Diagnostic(path: name, message: "cannot be read: \(error.reason)"))
      }
    }
    project.printDiagnostics(diagnostics)
    if diagnostics.contains(where: { $0.severity == .error }) { throw Sluice.ExitCode.usage }
    let suites = Set(read.map(\.run.suite))
    guard suites.count == 1 else {
      throw project.refusal(
        "the logs are of different suites: \(suites.sorted().joined(separator: ", "))",
        "name logs of one suite"
      )
    }
    let suite = project.loaded.suites.first { $0.plan.name == read.first?.run.suite }
    do throws(SuiteComparison.Problem) {
      let comparison = try RunLogComparison(read, suite: suite).compare(request)
      return (ComparisonResult([comparison]), project)
    } catch {
      throw project.refusal(error.message, error.fix)
    }
  }

  private static func fileName(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }
}
