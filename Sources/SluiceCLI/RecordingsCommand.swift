internal import ArgumentParser
internal import Sluice

struct RecordingsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recordings",
    abstract: "Reviews, accepts and maintains recorded answers.",
    subcommands: [
      Review.self, Accept.self, Reject.self, Diff.self, Verify.self, Status.self, Prune.self,
      Migrate.self,
    ]
  )

  /// Refuses an invalid limit on the number of answers to show.
  static func check(limit: Int) throws {
    if limit < 0 { throw ValidationError("--limit must be 0 or more.") }
  }

  /// The argument that names the suites whose recordings a command works on.
  struct Suites: ParsableArguments {
    @Argument(help: "Suites by folder, file or name. Default: all.")
    var suites: [String] = []

    func load() throws -> Project { try Project.load(ProjectRequest(suites: suites)) }
  }

  struct Review: AsyncParsableCommand, ProjectReading {
    static let configuration = CommandConfiguration(
      commandName: "review",
      abstract: "Shows pending answers next to the recorded answers that they would replace.",
      discussion: """
        Shows each answer with its question, the expected output, its verdict and the verdict of \
        the accepted answer. Answers with a changed verdict come first, then other changed \
        answers, then new ones. Identical answers are only counted. Parts that servers generate \
        for each answer, such as ids and times, are left out. A set is accepted or rejected as a \
        whole, because picking answers would bias the results.
        """
    )

    @OptionGroup var suites: Suites

    @Option(help: "The number of answers to show in full; 0 shows all.")
    var limit = 20

    @OptionGroup var trust: TrustOptions

    func validate() throws { try RecordingsCommand.check(limit: limit) }

    func run() async throws {
      let project = try suites.load()
      let waiting = project.pendingRecordings.filter(\.exists)
      if waiting.isEmpty {
        Console.output("No recordings are pending.\n")
        return
      }
      let diagnostics = DiagnosticCollector()
      let reviews = waiting.map { $0.review(diagnostics) }
      project.printDiagnostics(diagnostics.diagnostics)
      let judge = ReviewJudge(project.loaded.suites, surroundings: project.surroundings)
      let (judged, wasInterrupted) = await Interruption.guarding {
        var judged: [[JudgedAnswer]] = []
        for review in reviews { judged.append(await judge.judged(review)) }
        return judged
      }
      if wasInterrupted { throw Interruption.reported }
      let review = TerminalReview(
        reviews,
        judged: judged,
        limit: limit == 0 ? nil : limit,
        style: Console.style(for: 1, project.surroundings.environment),
        columns: Console.outputColumns
      )
      Console.output(review.text)
      // Recordings with damaged lines cannot be accepted.
      if diagnostics.hasErrors { throw Sluice.ExitCode.usage }
      let names = suites.suites.map { " " + ShellText.quoted($0) }.joined()
      Console.output(
        """

        \(review.conclusion)
        Next: accept or reject the whole set:
          sluice recordings accept\(names)
          sluice recordings reject\(names)

        """
      )
    }
  }

  struct Accept: ParsableCommand, ProjectReading {
    static let configuration = CommandConfiguration(
      commandName: "accept",
      abstract: "Moves pending sets into the committed recordings."
    )

    @OptionGroup var suites: Suites

    @Flag(help: "Allow writing recordings in CI.")
    var write = false

    @OptionGroup var trust: TrustOptions

    func run() throws {
      let project = try suites.load()
      try project.requireOutsideCI("accepting recordings", isAllowed: write, flags: "--write")
      try project.close(hint: "commit the file with its ledger", PendingRecordings.accept)
    }
  }

  struct Reject: ParsableCommand, ProjectReading {
    static let configuration = CommandConfiguration(
      commandName: "reject",
      abstract: "Deletes pending sets; the ledger keeps a line about them."
    )

    @OptionGroup var suites: Suites

    @Flag(help: "Allow writing recordings in CI.")
    var write = false

    @OptionGroup var trust: TrustOptions

    func run() throws {
      let project = try suites.load()
      try project.requireOutsideCI("rejecting recordings", isAllowed: write, flags: "--write")
      try project.close(hint: "the ledger keeps a line about it", PendingRecordings.reject)
    }
  }

  struct Diff: AsyncParsableCommand, ProjectReading {
    static let configuration = CommandConfiguration(
      commandName: "diff",
      abstract: "Sends the requests again and compares the answers; writes no recordings.",
      discussion: """
        Meant for a nightly job that notices when the model behind a name has changed. Exit codes: \
        0 no difference; 1 an answer differs in a part that the app sees; 3 an answer did not \
        arrive. With --sample the scores decide: 0 score changes beyond the margin are ruled out; \
        1 a score change is credible; 2 undecided; 3 no answers to compare.
        """
    )

    @OptionGroup var project: ProjectOptions
    @OptionGroup var drift: DriftOptions

    @OptionGroup var selection: CaseOptions

    @Option(help: "Stop before the answers cost more than this amount of US dollars.")
    var maxCost: Double?

    @Option(help: "The number of differing answers to show in full; 0 shows all.")
    var limit = 20

    @Flag(help: "Allow requests in CI.")
    var network = false

    @OptionGroup var trust: TrustOptions

    func validate() throws {
      try RecordingsCommand.check(limit: limit)
      try RecordingOptions.check(maxCost: maxCost)
      if drift.sample != nil, project.repetitions != nil {
        throw ValidationError(
          "--repeat cannot be used with --sample, which sends one request per case."
        )
      }
    }

    func run() async throws {
      let project = try Project.load(project)
      try project.requireOutsideCI("the network", isAllowed: network, flags: "--network")
      var options = RecordingOptions()
      (options.selection, options.maxCost) = (selection, maxCost)
      (options.all, options.before, options.olderThan) = (true, nil, nil)
      try options.check(project)
      let limit = limit == 0 ? nil : limit
      guard let sample = drift.sample else {
        return try await RecordingDrift(project, options, limit: limit).run()
      }
      try await SampledDrift(project, options, drift, limit: limit).run(sample: sample)
    }
  }
}

extension Project {
  /// Accepts or rejects the pending answers of each dataset and backend, and prints the result.
  func close(
    hint: String,
    _ close: (PendingRecordings) -> (Timestamp) throws(PendingRecordings.Refusal) -> RecordingSet?
  ) throws {
    var isAny = false
    for pending in pendingRecordings {
      let set: RecordingSet?
      do throws(PendingRecordings.Refusal) {
        let lock = try pending.lock()
        defer { withExtendedLifetime(lock) {} }
        set = try close(pending)(surroundings.now())
      } catch {
        throw refusal(error)
      }
      guard let set else { continue }
      isAny = true
      let path = TerminalText.visible(
        overrides.path(RecordingFile.path(dataset: pending.dataset, backend: pending.backend))
      )
      let hasReplaced = set.state == .accepted && set.replaced > 0
      let replaced = hasReplaced ? ", \(set.replaced) replacing older ones" : ""
      Console.output(
        "\(set.state.rawValue) \(TerminalLines.count(set.exchanges, "answer"))\(replaced): "
          + "\(path)\n  \(hint)\n"
      )
    }
    if !isAny { Console.output("No recordings are pending.\n") }
  }
}
