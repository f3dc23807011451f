internal import ArgumentParser
internal import Sluice

internal import SluiceSystem

struct SluiceCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sluice",
    abstract: "Decides whether a prompt change may ship.",
    discussion: """
      Runs suites of test cases through a prompt and a model, scores the answers and applies the \
      suites' gates. Answers come from committed recordings unless you ask for live ones.

      Exit codes: 0 pass, 1 fail, 2 inconclusive, 3 no verdict (missing recordings, lost trials), \
      64 wrong command line or files, 70 internal or I/O error, 130 interrupted.

      `sluice --version --verbose` also lists the libraries in use and their licenses.
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
    HeapGrowth.reserveWholeHeaps()
    let code = await run(Array(CommandLine.arguments.dropFirst()))
    exit(Console.reportsFailure() ? Sluice.ExitCode.failure.rawValue : code)
  }

  /// Runs a command with a given folder, environment and output, and returns the exit code.
  static func run(_ arguments: [String], as invocation: Invocation) async -> Int32 {
    await Invocation.$given.withValue(invocation) { await run(arguments) }
  }

  /// Runs a command and returns the exit code.
  private static func run(_ arguments: [String]) async -> Int32 {
    if Set(arguments) == ["--version", "--verbose"] {
      let text = VersionText.verbose(
        ProgramPart.all,
        trusting: .ofSystem(environment: Invocation.environment),
        builtIn: TrustedCertificates.builtIn
      )
      Console.output(text)
      return Sluice.ExitCode.pass.rawValue
    }
    var isParsed = false
    do {
      // `aa` is the old name of `noise`.
      let isOldName = arguments.first == "aa"
      var command = try SluiceCommand.parseAsRoot(
        isOldName ? ["noise"] + arguments.dropFirst() : arguments
      )
      isParsed = true
      let trust = BranchTrust.of(command)
      if let command = command as? any AsyncParsableCommand {
        try await BranchTrust.$current.withValue(trust) {
          try await TerminalLines.$width.withValue(Console.textColumns) {
            var command = command
            try await command.run()
          }
        }
      } else {
        // The main thread, since other threads would not be stopped by signals such as SIGXFSZ.
        try BranchTrust.$current.withValue(trust) {
          try TerminalLines.$width.withValue(Console.textColumns) { try command.run() }
        }
      }
      return Sluice.ExitCode.pass.rawValue
    } catch let code as Sluice.ExitCode {
      return code.rawValue
    } catch {
      // The parser's exit code is 0 after help and 64 after a usage error. After any other error it
      // is 1, which in Sluice means a failed gate.
      let code = SluiceCommand.exitCode(for: error)
      guard code == .failure else {
        // Set the width, since the parser would use the width of the process's terminal.
        let columns = Invocation.given.map { _ in TerminalText.usualColumns }
        let message = SluiceCommand.fullMessage(for: error, columns: columns)
        let shown = (UnknownOption.text(message) ?? message) + "\n"
        if code == .success { Console.output(shown) } else { Console.error(shown) }
        // A command that runs writes its own JSON.
        if code != .success, !isParsed, OutputForm.isJSON(arguments) {
          Console.output(String(decoding: OutputForm.fault(code.rawValue, shown), as: UTF8.self))
        }
        return code.rawValue
      }
      Console.error("sluice: \(TerminalText.visible(String(describing: error)))\n")
      return Sluice.ExitCode.failure.rawValue
    }
  }
}

extension Sluice.ExitCode: Error {}
