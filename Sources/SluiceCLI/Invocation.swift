internal import Sluice

/// The folder, the variables and the outputs of a command.
///
/// They are those of the process, unless a caller gives others: tests run many commands in one process.
struct Invocation: Sendable {
  /// The absolute path of the folder that the command runs in.
  var folder: String
  var environment: [String: String]
  /// Takes a text that is written to a descriptor: 1 for results, 2 for all else.
  var write: @Sendable (_ text: String, _ descriptor: Int32) -> Void

  /// The invocation that a caller gives; `nil` for that of the process.
  @TaskLocal static var given: Invocation?

  static var folder: String { given?.folder ?? DiskFileSystem.workingFolder }
  static var environment: [String: String] {
    given?.environment ?? Surroundings.processEnvironment
  }

  /// Returns the absolute path of what a command line or a variable names.
  static func path(_ name: String) -> String { name.hasPrefix("/") ? name : folder + "/" + name }
}
