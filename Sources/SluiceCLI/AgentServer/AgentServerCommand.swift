internal import ArgumentParser
internal import Sluice

internal import SluiceSystem

struct AgentServerCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mcp",
    abstract: "Serves a project to coding agents over the Model Context Protocol.",
    discussion: """
      Reads JSON-RPC messages from standard input and answers on standard output, one a line, until \
      the input ends. Its tools are validate, run, try, compare, show and explain: the commands of \
      the same names, in this process. They write nothing outside of the project, and send nothing \
      unless --allow-live is given and a call asks for it.
      """
  )

  @Option(help: "The folder of the project, or one inside of it.")
  var project = "."

  @Flag(help: "Let calls that ask for it send requests to backends, which cost money.")
  var allowLive = false

  func run() async throws {
    guard chdir(project) == 0 else {
      Console.error(
        """
        sluice: error: cannot work in \(TerminalText.visible(project)): \(String(cString: strerror(errno)))
          fix: name the folder of the project: sluice mcp --project FOLDER

        """
      )
      throw Sluice.ExitCode.usage
    }
    // In CI, commands would write summaries to the service's files, outside the project.
    for name in ["GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY", "GITLAB_CI"] { unsetenv(name) }
    await AgentServer(allowsLive: allowLive).serve()
  }
}
