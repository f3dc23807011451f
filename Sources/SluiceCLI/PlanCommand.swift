internal import ArgumentParser
internal import Sluice

struct PlanCommand: AsyncParsableCommand, ProjectReading {
  static let configuration = CommandConfiguration(
    commandName: "plan",
    abstract: "Shows what would run, what it would cost and what the gates could decide.",
    discussion: "Sends and writes nothing. Costs are computed from recorded usage at today's "
      + "prices."
  )

  @OptionGroup var project: ProjectOptions

  @Flag(help: "Show every suite in full.")
  var verbose = false

  @OptionGroup var trust: TrustOptions

  func run() async throws {
    let project = try Project.load(project)
    var forecasts: [RunForecast] = []
    let progress = SuiteProgress(of: project.loaded.suites.count)
    for suite in project.loaded.suites {
      let line = progress.next(suite.plan.name)
      let outcome = try await Evaluation(suite, surroundings: project.surroundings, keepsLog: false)
        .replayInterruptibly(concurrency: 4) { event in
          if case .advanced(let done, let total) = event { line.update(done, of: total) }
        }
      line.finish()
      project.printDiagnostics(outcome.diagnostics)
      forecasts.append(RunForecast(suite, outcome.result))
    }
    let style = Console.style(for: 1, project.surroundings.environment)
    Console.output(
      TerminalPlan(forecasts, style: style, overrides: project.overrides, isVerbose: verbose).text
    )
  }
}
