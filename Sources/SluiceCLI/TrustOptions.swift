internal import ArgumentParser
internal import Sluice

/// The options that let files of a branch start programs and lead out of the project.
struct TrustOptions: ParsableArguments {
  @Flag(
    inversion: .prefixedNo,
    exclusivity: .exclusive,
    help: """
      Start the programs that files name (exec, key commands), or none. Default: start them; in \
      CI only if the branch changes nothing but recordings, datasets and prompts.
      """
  )
  var programs: Bool?

  @Flag(help: "Let 'allow-folders' of sluice.yaml count for agents and pull requests, too.")
  var allowFolders = false
}

/// A command that reads the files of a project.
protocol ProjectReading {
  var trust: TrustOptions { get }
  /// The revision that the command compares with.
  var base: String? { get }
}

extension ProjectReading {
  var base: String? { nil }
}

/// The rights that the caller of the running command gives to the project's files.
struct BranchTrust: Sendable {
  /// True for `--programs`, false for `--no-programs`.
  private(set) var startsPrograms: Bool?
  private var allowsFolders = false
  /// True if a coding agent called the command as a tool.
  var isForAgent = false
  private var base: String?

  @TaskLocal static var current = BranchTrust()

  /// Returns the rights by a command's options.
  ///
  /// A command inside another one, such as a tool of the agents' server, inherits the outer rights.
  static func of(_ command: any ParsableCommand) -> BranchTrust {
    var trust = current
    if let command = command as? any ProjectReading {
      trust.startsPrograms = command.trust.programs ?? trust.startsPrograms
      trust.allowsFolders = command.trust.allowFolders || trust.allowsFolders
      trust.base = command.base
    }
    return trust
  }

  /// True if no file of a project may lead out of it.
  var confinesFiles: Bool {
    !allowsFolders && (isForAgent || Surroundings.isPullRequest(Invocation.environment))
  }

  /// Returns the permission to start programs in a project.
  func permission(_ surroundings: Surroundings, root: String) -> ProgramPermission {
    if startsPrograms == false { return ProgramPermission { "--no-programs forbids it" } }
    if startsPrograms == true || !surroundings.isContinuousIntegration { return .granted }
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
