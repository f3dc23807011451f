internal import ArgumentParser
internal import Sluice

struct RecordingsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recordings",
    abstract: "Reviews, accepts and looks after recorded answers.",
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
    @Argument(help: "Suites by folder, file or name; all without any.")
    var suites: [String] = []

    func load() throws -> Project { try Project.load(ProjectRequest(suites: suites)) }
  }

  struct Review: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "review",
      abstract: "Shows pending answers beside those that they would replace.",
      discussion: """
        Each with its question and expectation, and whether it passes where the accepted answer \
        did: changes of verdict first, then other answers, then new ones; identical ones are counted. \
        What servers make anew for each answer, such as ids and times, is left out. The set is \
        accepted or rejected as a whole: to pick answers would be to pick a result.
        """
    )

    @OptionGroup var suites: Suites

    @Option(help: "How many answers to show in full; 0 for all.")
    var limit = 20

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
      let text = TerminalReview(
        reviews,
        judged: judged,
        limit: limit == 0 ? nil : limit,
        style: Console.style(for: 1, project.surroundings.environment),
        columns: Console.outputColumns
      ).text
      Console.output(text)
      // Recordings with damaged lines cannot be accepted.
      if diagnostics.hasErrors { throw Sluice.ExitCode.usage }
      let names = suites.suites.map { " " + ShellText.quoted($0) }.joined()
      Console.output(
        """
        Next: accept the set or reject it, as a whole:
          sluice recordings accept\(names)
          sluice recordings reject\(names)

        """
      )
    }
  }

  struct Accept: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "accept",
      abstract: "Puts pending sets into the committed recordings."
    )

    @OptionGroup var suites: Suites

    @Flag(help: "Allow writing recordings in CI.")
    var write = false

    func run() throws {
      let project = try suites.load()
      try project.requireOutsideCI("accepting recordings", isAllowed: write, flags: "--write")
      try project.close(hint: "commit them with their ledger") {
        (pending, now) throws(PendingRecordings.Refusal) in
        let lock = try pending.lock()
        defer { withExtendedLifetime(lock) {} }
        return try pending.accept(now: now)
      }
    }
  }

  struct Reject: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "reject",
      abstract: "Throws pending sets away; their line in the ledger stays."
    )

    @OptionGroup var suites: Suites

    @Flag(help: "Allow writing recordings in CI.")
    var write = false

    func run() throws {
      let project = try suites.load()
      try project.requireOutsideCI("rejecting recordings", isAllowed: write, flags: "--write")
      try project.close(hint: "the ledger keeps a line of it") {
        (pending, now) throws(PendingRecordings.Refusal) in
        let lock = try pending.lock()
        defer { withExtendedLifetime(lock) {} }
        return try pending.reject(now: now)
      }
    }
  }

  struct Diff: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "diff",
      abstract: "Asks the backends again, compares with the recordings and writes nothing.",
      discussion: """
        For a nightly job that notices when a model behind a name has changed. Exit code 1 when an \
        answer differs in what the app sees, 3 when one did not come. With --sample the scores decide \
        instead: 0 when a move beyond the margin is ruled out, 1 when a move is credible, 2 when the \
        cases do not tell, 3 when nothing could be asked.
        """
    )

    @OptionGroup var project: ProjectOptions
    @OptionGroup var drift: DriftOptions

    @OptionGroup var selection: CaseOptions

    @Option(help: "Stop before the answers cost more than this, in US dollars.")
    var maxCost: Double?

    @Option(help: "How many differing answers to show in full; 0 for all.")
    var limit = 20

    @Flag(help: "Allow requests in CI.")
    var network = false

    func validate() throws {
      try RecordingsCommand.check(limit: limit)
      try RecordingOptions.check(maxCost: maxCost)
      if drift.sample != nil, project.repetitions != nil {
        throw ValidationError("--repeat does not go with --sample, which asks once for each case.")
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
    _ body: (PendingRecordings, Timestamp) throws(PendingRecordings.Refusal) -> RecordingSet?
  ) throws {
    var isAny = false
    for pending in pendingRecordings {
      let set: RecordingSet?
      do throws(PendingRecordings.Refusal) {
        set = try body(pending, surroundings.now())
      } catch {
        throw refusal(error)
      }
      guard let set else { continue }
      isAny = true
      let path = TerminalText.visible(
        trying.path(RecordingFile.path(dataset: pending.dataset, backend: pending.backend))
      )
      let hasReplaced = set.state == .accepted && set.replaced > 0
      let replaced = hasReplaced ? ", \(set.replaced) in place of older ones" : ""
      Console.output(
        "\(set.state.rawValue) \(TerminalLines.count(set.exchanges, "answer"))\(replaced): \(path); \(hint)\n"
      )
    }
    if !isAny { Console.output("No recordings are pending.\n") }
  }
}
