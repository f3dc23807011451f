package import Foundation

/// The git program, run without the user's own configuration.
package enum Git {
  package struct Failure: Error, CustomStringConvertible {
    package var description: String
  }

  /// The environment of git: that of the tests, without the variables that a git hook sets.
  package static let environment: [String: String] = {
    var variables = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("GIT_") }
    variables["GIT_CONFIG_GLOBAL"] = "/dev/null"
    variables["GIT_CONFIG_NOSYSTEM"] = "1"
    return variables
  }()

  package static let isInstalled = (try? run(["--version"], in: "/")) != nil

  /// Runs git and returns its output, without the final line feed.
  ///
  /// - Throws: ``Failure`` if git fails.
  @discardableResult
  package static func run(
    _ arguments: [String],
    in folder: String,
    input: Data? = nil
  ) throws -> String {
    let identity = ["-c", "user.name=Ana", "-c", "user.email=ana@example.org"]
    let git = try ChildProcess(
      ["git"] + identity + arguments,
      in: folder,
      environment: environment,
      input: input
    )
    let outcome = try git.wait()
    guard outcome.exitCode == 0 else {
      throw Failure(description: "git \(arguments.joined(separator: " ")): \(outcome.error)")
    }
    return outcome.output.hasSuffix("\n") ? String(outcome.output.dropLast()) : outcome.output
  }
}
