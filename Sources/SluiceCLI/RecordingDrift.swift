internal import Sluice

/// A drift check that sends all recorded requests again and compares the texts of the answers.
struct RecordingDrift {
  private let project: Project
  private let options: RecordingOptions
  private let limit: Int?

  init(_ project: Project, _ options: RecordingOptions, limit: Int?) {
    self.project = project
    self.options = options
    self.limit = limit
  }

  /// Sends the requests and reports the differences.
  ///
  /// - Throws: ``ExitCode/fail`` if an answer differs; ``ExitCode/noVerdict`` if a new answer is
  ///   missing.
  func run() async throws {
    let run = try RecordingRun(project, options, isScratch: false, asksJudges: false)
    try run.requireWithinBudget()
    try await project.keepingPrograms { try await compare(run, $0) }
  }

  private func compare(_ run: RecordingRun, _ programs: RunningPrograms) async throws {
    let meter = project.meter(cost: options.maxCost)
    let backends = try project.connect(meter, programs, redactsAnswers: true)
    var reviews: [RecordingReview] = []
    var failures: [(request: RecordingRequest, error: BackendError)] = []
    var unsent = 0
    for entry in run.plan.entries {
      let (suite, draft) = (entry.suite, entry.answers)
      let comparison = RecordedComparison(suite.plan, stores: draft.stores)
      let count = comparison.recorded(draft.requests).count
      let line = LiveLine(suite.plan.name, of: count, meter)
      let (outcome, wasInterrupted) = await Interruption.guarding {
        await comparison.compare(
          draft.requests,
          backends: backends,
          onProgress: { now in line.update { $0 = now } }
        )
      }
      line.finish()
      reviews += outcome.reviews
      failures += outcome.failures
      unsent += outcome.unsent
      if wasInterrupted { throw Sluice.ExitCode.interrupted }
    }
    Console.output(
      TerminalReview(
        reviews,
        limit: limit,
        isDrift: true,
        style: Console.style(for: 1, project.surroundings.environment)
      ).text
    )
    Console.error(
      TerminalSending.failures(
        failures,
        of: run.plan.entries.reduce(0) { $0 + $1.answers.requests.count },
        unsent: unsent,
        isOption: options.maxCost != nil
      )
    )
    let hasDrift = reviews.flatMap(\.entries).contains {
      $0.comparison.difference?.isVisible == true
    }
    if hasDrift {
      let names = project.suiteNames.map { " " + ShellText.quoted($0) }.joined()
      Console.output("Next: record the answers again:\n  sluice record\(names) --all\n")
      throw Sluice.ExitCode.fail
    }
    // If an answer is missing, a change cannot be ruled out.
    if !failures.isEmpty || unsent > 0 || reviews.isEmpty { throw Sluice.ExitCode.noVerdict }
  }
}
