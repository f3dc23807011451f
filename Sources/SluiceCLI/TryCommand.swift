internal import ArgumentParser
internal import Sluice

struct TryCommand: AsyncParsableCommand, ProjectReading {
  static let configuration = CommandConfiguration(
    commandName: "try",
    abstract: """
      Records the answers that a change needs, compares them with main and gives a \
      verdict.
      """,
    discussion: """
      One command for the loop of editing a prompt. It reads the files, shows what would be sent \
      and what it would cost, records the missing answers as a pending set and compares the change \
      with a revision. Then accept or reject the set. With --case, --tag or --first it is faster \
      but has no verdict (exit code 3).
      """
  )

  @OptionGroup var project: ProjectOptions
  @OptionGroup var selection: CaseOptions
  @OptionGroup var refused: RefusedFailedOption

  @Option(
    help: """
      The git revision to compare with. Default: main, or else master, origin/main or \
      origin/master.
      """
  )
  var base: String?

  @Option(help: "Stop before the answers cost more than this amount of US dollars.")
  var maxCost: Double?

  @Flag(
    help: """
      Send nothing; if the change needs answers that are not recorded, there is no \
      verdict.
      """
  )
  var offline = false

  @Option(help: "The output format: text or json.")
  var output = OutputForm.text

  @OptionGroup var correction: CorrectionOptions

  @OptionGroup var sending: SendingOptions

  @OptionGroup var trust: TrustOptions

  func run() async throws { try await output.answering { try await tryChange() } }

  private func tryChange() async throws {
    let loaded = try Project.load(request)
    let comparison = try await comparison(loaded)
    var options = RecordingOptions()
    (options.selection, options.maxCost) = (CaseOptions(cases: [], tags: [], first: nil), maxCost)
    (options.all, options.before, options.olderThan) = (false, nil, nil)
    let recording = try RecordingRun(loaded, options, isScratch: sending.scratch)
    Console.output(recording.forecast)
    defer { answer(recording, loaded) }
    if !recording.isEmpty {
      if offline {
        Console.error(
          "NO VERDICT: answers are not recorded; run without --offline to record them.\n"
        )
        throw Sluice.ExitCode.noVerdict
      }
      // CI ignores pending answers, so recording them would waste money.
      try loaded.requireOutsideCI(
        "recording",
        isAllowed: sending.network && sending.write && sending.scratch,
        flags: "--network --write --scratch"
      )
      try recording.requireWithinBudget()
      try await recording.send()
      if recording.hasFailures {
        let count = recording.missedCount
        let requests = "\(count.withThousands) request\(count == 1 ? "" : "s")"
        Console.output("NO VERDICT: \(requests) failed or could not be sent\n")
        let base = self.base.map { " --base \(ShellText.quoted($0))" } ?? ""
        Console.output(recording.next(after: "sluice try\(base)"))
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

  /// Returns the comparison with the base revision, or `nil` if there is no base revision.
  ///
  /// - Throws: ``ExitCode/usage`` if the revision cannot be read. In that case, nothing was sent.
  private func comparison(_ loaded: Project) async throws -> BaseComparison? {
    guard let base = await revision(loaded) else { return nil }
    try await loaded.require(revision: base)
    var request = ProjectComparison.Request()
    request.layers = RecordingSession.layers(isScratch: sending.scratch)
    request.family = correction.chosenFamily
    return BaseComparison(wanted: self.request, revision: base, request: request)
  }

  /// Compares the change with the base revision.
  ///
  /// Without a base revision, only the gates decide.
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

  /// Returns the base revision: the revision on the command line, or else the main branch.
  private func revision(_ loaded: Project) async -> String? {
    if let base { return base }
    for name in ["main", "master", "origin/main", "origin/master"]
    where (try? await GitSnapshot.open(revision: name, projectRoot: loaded.root)) != nil {
      return name
    }
    return nil
  }

  private func next(_ loaded: Project) -> String {
    let commands = commands(loaded)
    if commands.isEmpty { return "" }
    return "Next: accept the recorded answers with the change, or reject them:\n"
      + commands.map { "  \($0)\n" }.joined()
  }

  /// Returns the commands that accept or reject the recorded answers; empty if no answers are
  /// pending, or with `--scratch`.
  private func commands(_ loaded: Project) -> [String] {
    guard !sending.scratch, loaded.pendingRecordings.contains(where: \.exists) else { return [] }
    let names = loaded.suiteNames.map { " " + ShellText.quoted($0) }.joined()
    return ["sluice recordings accept\(names)", "sluice recordings reject\(names)"]
  }

  /// Stores the JSON result, if the output format is JSON.
  ///
  /// The result has the missing answers, and the comparison or the run that judged the change.
  /// `docs/try.schema.json` describes the format.
  private func answer(_ recording: RecordingRun, _ loaded: Project) {
    guard let transcript = Console.transcript else { return }
    let judged = transcript.result.flatMap { try? JSONReader.value($0) }
    let forecast = recording.plan.forecast
    var missing: JSONObject = [
      "requests": .number(Double(forecast.total)), "at-most": .bool(forecast.isUpperBound),
      "recorded": .number(Double(recording.recordedCount)),
    ]
    missing.set("cost", forecast.cost.map(JSONValue.number))
    var object: JSONObject = [
      "schema": 1, "generator": .string("sluice \(Version.current)"),
      "verdict": judged?["verdict"] ?? "no-verdict", "missing": .object(missing),
    ]
    // Only the JSON of a comparison has the member "comparisons".
    object.set(judged?["comparisons"] == nil ? "run" : "comparison", judged)
    object["next"] = .array(commands(loaded).map(JSONValue.string))
    transcript.answer(JSONWriter.pretty(.object(object)))
  }
}
