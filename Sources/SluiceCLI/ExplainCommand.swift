internal import ArgumentParser
internal import Sluice

struct ExplainCommand: AsyncParsableCommand, ProjectReading {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Explains the verdict of suites: each gate, missing answers and failed cases.",
    discussion: """
      Judges the recorded answers as 'sluice run' does, but writes nothing. Shows errors in files \
      with their fixes, as 'sluice validate' does. The exit code is the one that 'sluice run' \
      would return.
      """
  )

  @OptionGroup var project: ProjectOptions
  @OptionGroup var selection: CaseOptions

  @Flag(help: "Also use answers recorded with --scratch.")
  var scratch = false

  @Option(help: "The output format: text or json.")
  var output = OutputForm.text

  @OptionGroup var trust: TrustOptions

  func run() async throws { try await output.answering { try await explain() } }

  private func explain() async throws {
    var request = ProjectRequest(project)
    request.filter = selection.filter
    let project = try Project.load(request)
    try project.requireNothingPendingInCI()
    let suites = try await project.answerAll(
      live: nil,
      concurrency: 4,
      keepsLog: false,
      isScratch: scratch
    )
    let result = project.result(suites, family: .suite)
    let overrides = await project.knowingCommitted(of: result).overrides
    let explanation = VerdictExplanation(result, overrides: overrides)
    Console.output(explanation.text(Console.style(for: 1, project.surroundings.environment)))
    Console.answer(JSONWriter.pretty(explanation.json))
    try RunCommand.end(result.verdict, inconclusive: nil)
  }
}
