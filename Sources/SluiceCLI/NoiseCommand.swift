internal import ArgumentParser
internal import Sluice

struct NoiseCommand: AsyncParsableCommand, ProjectReading {
  static let configuration = CommandConfiguration(
    commandName: "noise",
    abstract: "Measures a suite's noise: flaky cases and false alarms of the gates.",
    discussion: """
      Compares a suite with itself, in pairs of runs that are drawn from recorded answers. Noise \
      is the variation between several answers to the same request, so record repeated answers \
      first: sluice record SUITE --repeat 5.
      """
  )

  @OptionGroup var project: ProjectOptions

  @Option(help: "The number of pairs of runs to draw.")
  var draws = 1_000

  @Option(help: "The seed of the draws; the same seed draws the same pairs.")
  var seed: UInt64 = 1

  @Flag(help: "Show every suite in full.")
  var verbose = false

  /// The number of recorded answers to look for per request by default.
  private static let usualAnswers = 10

  @OptionGroup var trust: TrustOptions

  func validate() throws {
    guard (1...1_000_000).contains(draws) else {
      throw ValidationError("--draws must be between 1 and 1000000.")
    }
  }

  func run() async throws {
    var request = ProjectRequest(project)
    request.repetitions = nil
    let loaded = try Project.load(request)
    try loaded.requireNothingPendingInCI()
    var reports: [NoiseReport] = []
    let progress = SuiteProgress(of: loaded.loaded.suites.count)
    for var suite in loaded.loaded.suites {
      let line = progress.next(suite.plan.name)
      let repetitions = suite.plan.repetitions
      suite.plan.repetitions = project.repetitions ?? max(Self.usualAnswers, 2 * repetitions)
      let outcome = try await Evaluation(suite, surroundings: loaded.surroundings, keepsLog: false)
        .replayInterruptibly(concurrency: 4) { event in
          if case .advanced(let done, let total) = event { line.update(done, of: total) }
        }
      line.finish()
      loaded.printDiagnostics(outcome.diagnostics)
      // Only some repeats may be recorded, so trials without an answer are expected.
      let trials = outcome.result.columns.flatMap(\.trials)
        .filter { !$0.isMiss || $0.repetition <= repetitions }
      let check = NoiseCheck(suite, draws: draws, seed: seed)
      reports += try await WaitingLine.showing("\(suite.plan.name): drawing pairs of runs") {
        check.reports(trials, repetitions: repetitions)
      }
    }
    let style = Console.style(for: 1, loaded.surroundings.environment)
    Console.output(
      TerminalNoise(reports, style: style, overrides: loaded.overrides, isVerbose: verbose).text
    )
    if reports.contains(where: { $0.lost > 0 }) { throw Sluice.ExitCode.noVerdict }
  }
}
