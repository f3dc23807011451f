internal import ArgumentParser
internal import Sluice

struct ShowCommand: AsyncParsableCommand, ProjectReading {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Shows one case: the request, the answers, the expected output and the scores.",
    discussion: """
      Answers come from the recordings and are judged by today's scorers. The command sends and \
      writes nothing. If the terminal is wide enough, several prompts or backends are shown side \
      by side. If the suite's baseline is committed, the last lines show the case's outcome in \
      each committed version. The exit code is 3 if nothing is recorded for the case.
      """
  )

  @Argument(help: "The id of the case.")
  var id: String

  @Option(name: .long, help: "A suite by folder, file or name; may be repeated. Default: all.")
  var suite: [String] = []

  @Option(
    name: .long,
    help: """
      A prompt file to show instead of the suite's prompts; may be \
      repeated.
      """
  )
  var prompt: [String] = []

  @Option(name: .long, help: "A backend to show instead of the suite's backend; may be repeated.")
  var backend: [String] = []

  @Option(name: .customLong("repeat"), help: "The number of answers to show for each prompt.")
  var repetitions: Int?

  @Flag(help: "Also use answers recorded with --scratch.")
  var scratch = false

  @Flag(help: "Show long texts in full.")
  var full = false

  @Option(help: "The output format: text or json.")
  var output = OutputForm.text

  /// The maximum number of lines to show of each text, unless the user requests full texts.
  private static let most = 40

  @OptionGroup var trust: TrustOptions

  func validate() throws {
    if let repetitions, !(1...10_000).contains(repetitions) {
      throw ValidationError("--repeat must be between 1 and 10000.")
    }
  }

  func run() async throws { try await output.answering { try await show() } }

  private func show() async throws {
    let project = try load()
    var views: [(view: CaseView, path: String)] = []
    var misses: [SuitePlan] = []
    var isUnrecorded = true
    let history = await project.baselineHistory()
    for suite in project.loaded.suites {
      let inspection = CaseInspection(
        suite,
        surroundings: project.surroundings,
        layers: RecordingSession.layers(isScratch: scratch)
      )
      let (outcome, wasInterrupted) = await Interruption.guarding { await inspection.look() }
      if wasInterrupted { throw Interruption.reported }
      project.printDiagnostics(outcome.diagnostics)
      views += outcome.views.map { view in
        var view = view
        view.addPast(history)
        return (view, suite.plan.path.description)
      }
      isUnrecorded = isUnrecorded && outcome.isUnrecorded
      if !outcome.misses.isEmpty { misses.append(suite.plan) }
    }
    switch output {
    case .json: Console.answer(Array(CaseJSON(id, views).text.utf8))
    case .text:
      let screen = TerminalCase(
        style: Console.style(for: 1, project.surroundings.environment),
        columns: Console.outputColumns,
        extent: .whole(most: full ? nil : Self.most)
      )
      for (view, _) in views { Console.output(screen.text(view)) }
      if !misses.isEmpty {
        let step = MissingAnswersStep(
          misses.map(\.path),
          areAskedThroughFiles: misses.allSatisfy(\.isAskedThroughFiles),
          project.overrides
        )
        Console.output(TerminalCase.next(step))
      }
    }
    if isUnrecorded { throw Sluice.ExitCode.noVerdict }
  }

  /// Returns a project with the suites that have the case; each suite has only that case.
  ///
  /// - Throws: ``ExitCode/usage`` after reporting why no suite was found.
  private func load() throws -> Project {
    var request = ProjectRequest(suites: suite)
    let isChanged = !prompt.isEmpty || !backend.isEmpty || repetitions != nil
    if isChanged, suite.count != 1 {
      // `--prompt` needs a single suite, so use the suite that has the case.
      let all = try Project.load(request)
      let owners = all.loaded.suites.filter { $0.plan.cases.contains { $0.stored.id == id } }
      if owners.count > 1, !prompt.isEmpty {
        let names = owners.map { SuiteName.short($0.plan.path) }
        throw all.refusal(
          "\(names.count) suites have a case '\(id)', but --prompt applies to one suite: "
            + names.joined(separator: ", "),
          "name the suite: --suite \(names[0])"
        )
      }
      request.paths = owners.map(\.plan.path)
    }
    (request.prompts, request.backends, request.repetitions) = (prompt, backend, repetitions)
    request.filter = CaseFilter(cases: [id])
    return try Project.load(request)
  }
}
