package import Foundation

/// git without the user's own configuration.
package enum Git {
  package struct Failure: Error, CustomStringConvertible {
    package var description: String
  }

  /// What git sees: the environment of the tests without what a hook that runs them would add.
  package static let environment: [String: String] = {
    var variables = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("GIT_") }
    variables["GIT_CONFIG_GLOBAL"] = "/dev/null"
    variables["GIT_CONFIG_NOSYSTEM"] = "1"
    return variables
  }()

  package static let isInstalled = (try? run(["--version"], in: "/")) != nil

  /// Runs git and returns what it wrote, without the line feed at its end.
  ///
  /// - Throws: ``Failure`` where git says no.
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
