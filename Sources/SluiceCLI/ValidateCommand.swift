internal import ArgumentParser
internal import Sluice

struct ValidateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate",
    abstract: "Reads all files of the suites and reports everything that is wrong with them."
  )

  @OptionGroup var project: ProjectOptions

  func run() throws {
    let project = try Project.load(project)
    let plans = project.loaded.suites.map(\.plan)
    let cases = plans.reduce(0) { $0 + $1.cases.count }
    let suites = plans.count == 1 ? "1 suite" : "\(plans.count) suites"
    let outputs = project.loaded.suites.reduce(0) { $0 + $1.knownOutputs }
    let tried = outputs == 0 ? "" : ", \(TerminalLines.count(outputs, "known output"))"
    Console.output("\(suites), \(TerminalLines.count(cases, "case"))\(tried): nothing is wrong\n")
  }
}
