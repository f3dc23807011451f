import SluiceSystem

/// The environment in which Sluice runs: files, variables and clock.
///
/// The network is not included. Code that may use the network receives an ``HTTPClient``.
package struct Surroundings: Sendable {
  package var files: any FileSystem
  package var environment: [String: String]
  package var now: @Sendable () -> Timestamp
  /// The permission to start programs that the project's files name.
  package var programs = ProgramPermission.granted
  /// The secrets that programs have printed so far.
  ///
  /// Copies of this value share the secrets.
  package let issued = IssuedSecrets()

  package init(
    files: any FileSystem,
    environment: [String: String] = [:],
    now: @escaping @Sendable () -> Timestamp = { .now }
  ) {
    self.files = files
    self.environment = environment
    self.now = now
  }

  /// The environment variables of the process.
  package static var processEnvironment: [String: String] {
    var variables: [String: String] = [:]
    var entry = environ
    while let pointer = entry.pointee {
      let text = String(cString: pointer)
      if let equals = text.firstIndex(of: "=") {
        variables[String(text[..<equals])] = String(text[text.index(after: equals)...])
      }
      entry += 1
    }
    return variables
  }

  /// True if a continuous integration service runs the program (the environment variable `CI`).
  package var isContinuousIntegration: Bool { Self.isContinuousIntegration(environment) }

  /// Returns true if environment variables say that a continuous integration service runs the
  /// program.
  package static func isContinuousIntegration(_ environment: [String: String]) -> Bool {
    guard let value = environment["CI"]?.lowercased() else { return false }
    return !["", "0", "false"].contains(value)
  }

  /// Returns true if environment variables say that a CI job is for a pull or merge request, whose
  /// files anybody may have written.
  package static func isPullRequest(_ environment: [String: String]) -> Bool {
    guard isContinuousIntegration(environment) else { return false }
    let event = environment["GITHUB_EVENT_NAME"] ?? ""
    return event.hasPrefix("pull_request") || event == "merge_group"
      || pullRequestVariables.contains { !["", "false"].contains(environment[$0] ?? "") }
  }

  /// The variables that CI services set for a pull or merge request only.
  private static let pullRequestVariables = [
    "APPVEYOR_PULL_REQUEST_NUMBER", "BITBUCKET_PR_ID", "BUILDKITE_PULL_REQUEST", "CHANGE_ID",
    "CIRCLE_PULL_REQUEST", "CI_COMMIT_PULL_REQUEST", "CI_EXTERNAL_PULL_REQUEST_IID",
    "CI_MERGE_REQUEST_IID", "CI_OPEN_MERGE_REQUESTS", "DRONE_PULL_REQUEST", "GITHUB_BASE_REF",
    "SEMAPHORE_GIT_PR_NUMBER", "SYSTEM_PULLREQUEST_PULLREQUESTID", "TRAVIS_PULL_REQUEST",
  ]

  /// Returns true if a text can be the name of an environment variable (POSIX.1, 3.216 "Name").
  package static func isVariable(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, !("0"..."9").contains(first) else { return false }
    return text.unicodeScalars.allSatisfy {
      ("a"..."z").contains($0) || ("A"..."Z").contains($0) || ("0"..."9").contains($0) || $0 == "_"
    }
  }
}
