internal import ArgumentParser
internal import Sluice

internal import SluiceSystem

struct SluiceCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sluice",
    abstract: "Says whether a prompt change may ship.",
    discussion: """
      Runs suites of test cases through a prompt and a model, scores the answers and decides the \
      suites' gates. Answers come from committed recordings unless you ask for live ones.

      Exit codes: 0 pass, 1 fail, 2 inconclusive, 3 no verdict (missing recordings, lost trials), \
      64 wrong command line or files, 70 internal or I/O error, 130 interrupted.
      """,
    version: Version.current,
    subcommands: [
      InitCommand.self, RunCommand.self, ShowCommand.self, ExplainCommand.self, CompareCommand.self,
      TryCommand.self,
      RecordCommand.self, RecordingsCommand.self, BatchCommand.self,
      BaselineCommand.self, BackendsCommand.self, PricesCommand.self,
      ImportCommand.self, AgreeCommand.self,
      PlanCommand.self, NoiseCommand.self, HealthCommand.self, HistoryCommand.self,
      ValidateCommand.self,
      SchemaCommand.self, AgentServerCommand.self,
    ],
    defaultSubcommand: nil
  )
}

@main
enum Program {
  static func main() async {
    let code = await run()
    exit(Console.reportsFailure() ? Sluice.ExitCode.failure.rawValue : code)
  }

  /// The arguments of the command line, with the earlier name of a command replaced.
  private static var arguments: [String] {
    let arguments = Array(CommandLine.arguments.dropFirst())
    return arguments.first == "aa" ? ["noise"] + arguments.dropFirst() : arguments
  }

  /// Runs the command of the command line and returns the exit code.
  private static func run() async -> Int32 {
    do {
      var command = try SluiceCommand.parseAsRoot(arguments)
      if let command = command as? any AsyncParsableCommand {
        try await TerminalLines.$width.withValue(Console.textColumns) {
          var command = command
          try await command.run()
        }
      } else {
        try TerminalLines.$width.withValue(Console.textColumns) { try command.run() }
      }
      return Sluice.ExitCode.pass.rawValue
    } catch let code as Sluice.ExitCode {
      return code.rawValue
    } catch {
      // The parser ends with 0 after help, with 64 after a wrong command line and with 1 otherwise,
      // which would read as a failed gate.
      let code = SluiceCommand.exitCode(for: error)
      guard code == .failure else {
        let message = SluiceCommand.fullMessage(for: error)
        let shown = (UnknownOption.text(message) ?? message) + "\n"
        if code == .success { Console.output(shown) } else { Console.error(shown) }
        return code.rawValue
      }
      Console.error("sluice: \(TerminalText.visible(String(describing: error)))\n")
      return Sluice.ExitCode.failure.rawValue
    }
  }
}

extension Sluice.ExitCode: Error {}
