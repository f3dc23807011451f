internal import Sluice

/// The working directory, the environment variables and the output streams of a command.
///
/// By default, a command uses those of the process. Tests supply other values, so that many
/// commands can run in one process.
struct Invocation: Sendable {
  /// The absolute path of the working directory.
  var folder: String
  var environment: [String: String]
  /// A closure that receives the command's output: descriptor 1 for results, 2 for everything else.
  var write: @Sendable (_ text: String, _ descriptor: Int32) -> Void

  /// The invocation that the caller supplies, or `nil` to use the values of the process.
  @TaskLocal static var given: Invocation?

  static var folder: String { given?.folder ?? DiskFileSystem.workingFolder }
  static var environment: [String: String] {
    given?.environment ?? Surroundings.processEnvironment
  }

  /// Returns the absolute path of a file that is named on the command line or in a variable.
  static func path(_ name: String) -> String { name.hasPrefix("/") ? name : folder + "/" + name }
}
