internal import ArgumentParser
internal import Sluice

struct TryCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "try",
    abstract: "Records what a change needs, compares it with main and says what it is worth.",
    discussion: """
      The loop of editing a prompt in one command: reads the files, says what would be sent and what \
      it would cost, records what is missing as a pending set and compares with a revision. Then \
      accept the set or throw it away. With --case, --tag or --first it goes quicker and decides \
      nothing (exit code 3).
      """
  )

  @OptionGroup var project: ProjectOptions
  @OptionGroup var selection: CaseOptions
  @OptionGroup var refused: RefusedFailedOption

  @Option(help: "The git revision to compare with; main, or what stands for it, without it.")
  var base: String?

  @Option(help: "Stop before the answers cost more than this, in US dollars.")
  var maxCost: Double?

  @OptionGroup var correction: CorrectionOptions

  @OptionGroup var sending: SendingOptions

  func run() async throws {
    let loaded = try Project.load(request)
    let comparison = try await comparison(loaded)
    var options = RecordingOptions()
    (options.selection, options.maxCost) = (CaseOptions(cases: [], tags: [], first: nil), maxCost)
    (options.all, options.before, options.olderThan) = (false, nil, nil)
    let recording = try RecordingRun(loaded, options, isScratch: sending.scratch)
    Console.output(recording.forecast)
    if !recording.isEmpty {
      // CI does not judge pending sets, so recording one would waste money.
      try loaded.requireOutsideCI(
        "recording",
        isAllowed: sending.network && sending.write && sending.scratch,
        flags: "--network --write --scratch"
      )
      try recording.requireWithinBudget()
      try await recording.send()
      if recording.hasFailures {
        Console.output(recording.next)
        throw Sluice.ExitCode.noVerdict
      }
    }
    Console.output("\n")
    var outcome: (any Error)?
    do {
      try await judge(comparison)
    } catch {
      outcome = error
    }
    Console.output(next(loaded))
    if let outcome { throw outcome }
  }

  private var request: ProjectRequest {
    var request = ProjectRequest(project)
    request.filter = selection.filter
    return request
  }

  /// Returns the comparison with the revision, or `nil` if there is no revision to compare with.
  ///
  /// - Throws: ``ExitCode/usage`` if the named revision cannot be compared with; nothing is sent
  ///   then.
  private func comparison(_ loaded: Project) async throws -> BaseComparison? {
    guard let base = await revision(loaded) else { return nil }
    try await loaded.require(revision: base)
    var request = ProjectComparison.Request()
    request.layers = RecordingSession.layers(isScratch: sending.scratch)
    request.family = correction.chosenFamily
    return BaseComparison(wanted: self.request, revision: base, request: request)
  }

  /// Compares with the revision, or judges only by the gates if there is none.
  private func judge(_ comparison: BaseComparison?) async throws {
    guard let comparison else {
      Console.error("sluice: warning: no main branch to compare with; only the gates decide\n")
      return try await RunCommand.judge(
        try Project.load(request),
        isScratch: sending.scratch,
        family: correction.chosenFamily
      )
    }
    let (result, judged) = try await comparison.compare()
    try CompareCommand.report(result, of: judged, inconclusive: nil)
  }

  /// Returns the revision to compare with: the named one, or the main branch.
  private func revision(_ loaded: Project) async -> String? {
    if let base { return base }
    for name in ["main", "master", "origin/main", "origin/master"]
    where (try? await GitSnapshot.open(revision: name, projectRoot: loaded.root)) != nil {
      return name
    }
    return nil
  }

  private func next(_ loaded: Project) -> String {
    guard !sending.scratch, loaded.pendingRecordings.contains(where: \.exists) else { return "" }
    let names = loaded.suiteNames.map { " " + ShellText.quoted($0) }.joined()
    return """
      Next: accept the recorded answers with the change, or reject them:
        sluice recordings accept\(names)
        sluice recordings reject\(names)

      """
  }
}
