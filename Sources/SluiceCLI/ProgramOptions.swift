internal import ArgumentParser
internal import Sluice

/// The options that allow or forbid the programs that the project's files name.
struct ProgramOptions: ParsableArguments {
  @Flag(
    inversion: .prefixedNo,
    exclusivity: .exclusive,
    help: """
      Start the programs that files name (exec, key commands), or none. Default: start them; in \
      CI only if the branch changes nothing but recordings, datasets and prompts.
      """
  )
  var programs: Bool?
}

/// A command that can start programs that the project's files name.
protocol ProgramStarting {
  var programs: ProgramOptions { get }
  /// The revision that the command compares with.
  var base: String? { get }
}

extension ProgramStarting {
  var base: String? { nil }
}

/// The choice of the running command whether programs may start.
struct ProgramChoice: Sendable {
  /// True for `--programs`, false for `--no-programs`.
  var isAllowed: Bool?
  private var base: String?

  @TaskLocal static var current = ProgramChoice()

  /// Returns the choice of a command's options.
  ///
  /// A command inside another one, such as a tool of the agents' server, inherits the outer choice.
  static func of(_ command: any ParsableCommand) -> ProgramChoice {
    var choice = current
    if let command = command as? any ProgramStarting {
      choice.isAllowed = command.programs.programs ?? choice.isAllowed
      choice.base = command.base
    }
    return choice
  }

  /// Returns the permission to start programs in a project.
  func permission(_ surroundings: Surroundings, root: String) -> ProgramPermission {
    if isAllowed == false { return ProgramPermission { "--no-programs forbids it" } }
    if isAllowed == true || !surroundings.isContinuousIntegration { return .granted }
    let check = BranchPrograms(surroundings, root: root, namedBase: base)
    return ProgramPermission {
      guard let reason = await check.refusal() else { return nil }
      let message = "no program of this branch is run: \(reason)"
      Console.transcript?.add([Diagnostic(.warning, path: "command line", message: message)])
      Console.error("sluice: warning: \(TerminalText.visible(message))\n")
      return reason
    }
  }
}
