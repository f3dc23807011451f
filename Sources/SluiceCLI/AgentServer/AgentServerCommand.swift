internal import ArgumentParser
internal import Sluice

internal import SluiceSystem

struct AgentServerCommand: AsyncParsableCommand, ProjectReading {
  static let configuration = CommandConfiguration(
    commandName: "mcp",
    abstract: "Serves a project to coding agents over the Model Context Protocol.",
    discussion: """
      Reads JSON-RPC messages from standard input and writes the answers to standard output, one \
      per line, until the input ends. SIGTERM and Ctrl-C cancel the running call. The tools are \
      validate, run, try, compare, show and explain. Each tool does the same as the command with \
      its name, but writes only inside the project. Tools send requests only if the server was \
      started with --allow-live and the call has 'live': true.
      """
  )

  @Option(help: "The folder of the project, or a folder inside it.")
  var project = "."

  @Flag(help: "Allow tool calls to send requests to backends, which costs money.")
  var allowLive = false

  @OptionGroup var trust: TrustOptions

  func run() async throws {
    guard chdir(project) == 0 else {
      throw Console.refusal(
        "cannot work in \(project): \(String(cString: strerror(errno)))",
        "name the folder of the project: sluice mcp --project FOLDER"
      )
    }
    // In CI, commands would write summaries to files of the CI service, outside the project.
    for name in ["GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY", "GITLAB_CI"] { unsetenv(name) }
    let server = AgentServer(allowsLive: allowLive)
    var trust = BranchTrust.current
    trust.isForAgent = true
    let (_, wasInterrupted) = await BranchTrust.$current.withValue(trust) {
      await Interruption.guarding { await server.serve() }
    }
    if wasInterrupted { throw Interruption.reported }
  }
}
