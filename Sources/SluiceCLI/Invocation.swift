internal import Sluice

/// The folder, the variables and the outputs of a command.
///
/// They are the process's own unless a caller supplies others: tests run many commands in one process.
struct Invocation: Sendable {
  /// The absolute path of the working directory.
  var folder: String
  var environment: [String: String]
  /// Receives text written to a descriptor: 1 for results, 2 for everything else.
  var write: @Sendable (_ text: String, _ descriptor: Int32) -> Void

  /// The invocation that a caller supplies, or `nil` for the process's own.
  @TaskLocal static var given: Invocation?

  static var folder: String { given?.folder ?? DiskFileSystem.workingFolder }
  static var environment: [String: String] {
    given?.environment ?? Surroundings.processEnvironment
  }

  /// Returns the absolute path of a file named by a command line or a variable.
  static func path(_ name: String) -> String { name.hasPrefix("/") ? name : folder + "/" + name }
}
