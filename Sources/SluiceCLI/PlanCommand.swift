internal import ArgumentParser
internal import Sluice

struct PlanCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan",
    abstract: "Says what would run, what it would cost and what the gates could decide.",
    discussion: "Sends and writes nothing. Costs are those of recorded usage at today's prices."
  )

  @OptionGroup var project: ProjectOptions

  func run() throws {
    let project = try Project.load(project)
    let forecasts = project.loaded.suites.map { suite in
      let outcome = Evaluation(suite, surroundings: project.surroundings, keepsLog: false)
        .replay(concurrency: 4)
      project.printDiagnostics(outcome.diagnostics)
      return RunForecast(suite, outcome.result)
    }
    let style = Console.style(for: 1, project.surroundings.environment)
    Console.output(TerminalPlan(forecasts, style: style).text)
  }
}
