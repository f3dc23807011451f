internal import ArgumentParser
internal import Sluice

/// The option `--allow-folders` of all commands that read a project.
struct FolderOptions: ParsableArguments {
  @Flag(help: "Let 'allow-folders' of sluice.yaml count in the job of a pull request, too.")
  var allowFolders = false

  /// True if the caller lets `allow-folders` count for everybody.
  @TaskLocal private static var areAllowed = false

  /// True if a coding agent called the running command as a tool.
  @TaskLocal static var areForAgent = false

  /// Runs a command with the choice of its options.
  ///
  /// A command inside another one, such as a tool of the agents' server, inherits the outer choice.
  static func applying(_ command: any ParsableCommand, _ work: () async throws -> Void)
    async throws
  {
    let isAllowed = (command as? any FolderReading)?.folders.allowFolders ?? false
    try await $areAllowed.withValue(areAllowed || isAllowed, operation: work)
  }

  /// True if no file of a project may lead out of it.
  static var areConfined: Bool {
    !areAllowed && (areForAgent || Surroundings.isPullRequest(Invocation.environment))
  }
}

/// A command that reads the files of a project.
protocol FolderReading {
  var folders: FolderOptions { get }
}
