internal import ArgumentParser
internal import Sluice

struct RecordCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Sends the requests that have no recording yet and keeps the answers.",
    discussion: """
      Judges nothing: `sluice run` does. Recordings that are there stay as they are.
      """
  )

  @OptionGroup var project: ProjectOptions

  @Flag(help: "Allow requests in CI.")
  var network = false

  @Flag(help: "Allow writing recordings in CI.")
  var write = false

  func run() async throws {
    let project = try Project.load(project)
    try project.requireOutsideCI(
      "recording",
      isAllowed: network && write,
      flags: "--network --write"
    )
    let backends = try project.connect()
    var failures = 0
    for suite in project.loaded.suites {
      failures += try await record(suite, backends, project)
    }
    if failures > 0 {
      Console.output(
        "Next: put right what failed, then run the command again:\n  \(again(project.trying))\n"
      )
      throw Sluice.ExitCode.noVerdict
    }
  }

  /// Records a suite; returns how many requests got no answer.
  private func record(
    _ suite: ResolvedSuite,
    _ backends: [String: any Backend],
    _ project: Project
  ) async throws -> Int {
    let diagnostics = DiagnosticCollector()
    let recordings = Evaluation(suite, surroundings: project.surroundings).recordings(diagnostics)
    project.printDiagnostics(diagnostics.diagnostics)
    // A line that cannot be read would be dropped by writing the file anew.
    if diagnostics.hasErrors { throw Sluice.ExitCode.usage }
    let recorder = Recorder(suite.plan)
    let missing = recorder.missing(in: recordings)
    let name = TerminalText.visible(suite.plan.name)
    if missing.isEmpty {
      Console.output("\(name): nothing is missing\n")
      return 0
    }
    let progress = ProgressLine("\(name): request")
    let files = project.surroundings.files
    let (outcome, wasInterrupted) = await Interruption.guarding {
      await recorder.record(
        missing,
        into: recordings,
        backends: backends,
        files: files,
        onProgress: { done, total in progress.update(done, of: total) }
      )
    }
    progress.finish()
    if let error = outcome.fileError { throw error }
    Console.output("\(name): recorded \(outcome.recorded) of \(missing.count) missing answers\n")
    if wasInterrupted { throw Sluice.ExitCode.interrupted }
    for failure in outcome.failures.prefix(5) {
      let message = TerminalText.visible(failure.error.message)
      Console.error("  \(failure.missing.hints.testCase): \(message)\n")
    }
    if let first = outcome.failures.first {
      if outcome.failures.count > 5 { Console.error("  and \(outcome.failures.count - 5) more\n") }
      Console.error("  fix: \(first.error.wayOut)\n")
    }
    return outcome.failures.count
  }

  private func again(_ trying: Trying) -> String {
    (["sluice record"] + project.suites.map(ShellText.quoted)).joined(separator: " ")
      + trying.options
  }
}
