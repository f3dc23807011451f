import SampleProjects
@testable import Sluice
@testable import SluiceCore
@testable import SluiceSupport
import Testing

@Suite("Configuration of key commands")
struct BackendReaderKeyTests {
  private let path = ProjectFixture.configuration
  private let fast = "{type: openai, model: small-1, key: {env: FAST_KEY}}"

  private func fixture(_ key: String) throws -> ProjectFixture {
    try ProjectFixture().replacing(fast, with: "{type: openai, model: m, key: \(key)}", in: path)
  }

  private func key(_ key: String) throws -> ServerAccess.KeyReference? {
    let loaded = try fixture(key).load()
    #expect(loaded.diagnostics == [])
    return loaded.suites.first?.plan.backends.first?.key
  }

  @Test(
    "A key command is read with its lifetime, variables and header",
    arguments: [
      (
        "{command: [gcloud, auth, print-access-token]}",
        ServerAccess.KeyReference(command: KeyCommand(["gcloud", "auth", "print-access-token"]))
      ),
      (
        "{command: [sh, -c, 'echo $A'], lifetime: 3600, env: [A, B_2], header: X-Token}",
        ServerAccess.KeyReference(
          command: KeyCommand(["sh", "-c", "echo $A"], variables: ["A", "B_2"], lifetime: 3_600),
          header: "X-Token"
        )
      ),
      ("{env: A, command: }", ServerAccess.KeyReference(variable: "A")),
    ]
  )
  func command(text: String, expected: ServerAccess.KeyReference) throws {
    #expect(try key(text) == expected)
  }

  @Test("An http backend can also use a key command, and the command can be a project file")
  func app() throws {
    let loaded = try ProjectFixture().replacing(
      fast,
      with:
        "{type: http, url: 'https://a.test', key: {command: [./v1.sh]}, body: {a: '{{message}}'}, "
        + "fingerprint: {version: '1'}}",
      in: path
    )
    .adding(["v1.sh": "#!/bin/sh\n"]).load()
    #expect(loaded.diagnostics == [])
    let backend = try #require(loaded.suites.first?.plan.backends.first)
    #expect(backend.key == ServerAccess.KeyReference(command: KeyCommand(["./v1.sh"])))
  }

  /// A key that cannot be used, with the expected report.
  static let faults: [(key: String, report: String)] = [
    (
      "{}",
      """
      sluice.yaml:2:39: error: 'key' needs 'env' or 'command'
        2 |   fast: {type: openai, model: m, key: {}}
          |                                       ^
        fix: write 'key: {env: NAME}', or 'key: {command: [PROGRAM, ARGUMENT]}'

      """
    ),
    (
      "{env: A_KEY, command: [gcloud]}",
      """
      sluice.yaml:2:45: error: 'key' has both 'env' and 'command'
        2 |   fast: {type: openai, model: m, key: {env: …
          |                                             ^
        fix: remove one of them; to pass variables to the command, write a list: 'env: [NAME]'

      """
    ),
    (
      "{command: [gcloud], env: sk-hunter2}",
      """
      sluice.yaml:2:64: error: 'key' has both 'env' and 'command'
        2 | …l: m, key: {command: [gcloud], env: …
          |                                      ^
        fix: remove one of them; to pass variables to the command, write a list: 'env: [NAME]'

      """
    ),
    (
      "{command: gcloud auth print-access-token}",
      """
      sluice.yaml:2:49: error: 'command' must be a list, not a text
        2 |   fast: {type: openai, model: m, key: {command: …
          |                                                 ^
        fix: write the words separately, as in 'command: [PROGRAM, ARGUMENT]'

      """
    ),
    (
      "{command: []}",
      """
      sluice.yaml:2:49: error: 'command' is empty
        2 |   fast: {type: openai, model: m, key: {command: []}}
          |                                                 ^

      """
    ),
    (
      "{command: ['']}",
      """
      sluice.yaml:2:50: error: 'command' names no program
        2 |   fast: {type: openai, model: m, key: {command: ['']}}
          |                                                  ^
        fix: begin the list with the program's name or path

      """
    ),
    (
      "{command: [gcloud], lifetime: 5}",
      """
      sluice.yaml:2:69: error: 'lifetime' must be between 10 and 86400, not 5
        2 | … key: {command: [gcloud], lifetime: 5}}
          |                                      ^

      """
    ),
    (
      "{command: [gcloud], lifetime: soon}",
      """
      sluice.yaml:2:69: error: 'lifetime' must be a whole number, not a text
        2 | … key: {command: [gcloud], lifetime: …
          |                                      ^

      """
    ),
    (
      "{env: A_KEY, lifetime: 60}",
      """
      sluice.yaml:2:62: error: 'lifetime' applies only to a key that a 'command' prints
        2 | …del: m, key: {env: A_KEY, lifetime: 60}}
          |                                      ^
        fix: remove it

      """
    ),
    (
      "{command: [gcloud], env: [A=hunter2]}",
      """
      sluice.yaml:2:65: error: 'A=…' is not a name of an environment variable
        2 | …: m, key: {command: [gcloud], env: […
          |                                      ^
        fix: list only the names; the values stay in the environment

      """
    ),
    (
      "{comand: [gcloud]}",
      """
      sluice.yaml:2:40: error: unknown key 'comand' in 'key'
        2 |   fast: {type: openai, model: m, key: {comand: [gcloud]}}
          |                                        ^
        fix: did you mean 'command'?

      """
    ),
    (
      "{command: [gcloud], headers: X-Key}",
      """
      sluice.yaml:2:59: error: unknown key 'headers' in 'key'
        2 |   fast: {type: openai, model: m, key: {command: [gcloud], headers: X-Key…
          |                                                           ^
        fix: did you mean 'header'?

      """
    ),
  ]

  @Test("A key that cannot be used is an error with a fix, at its position", arguments: faults)
  func fault(key: String, report: String) throws {
    #expect(try fixture(key).report() == report)
  }

  @Test("No error shows a key that is part of a command")
  func keyInCommand() throws {
    let secret = "sk-proj-" + String(repeating: "aB3dE6gH9", count: 5)
    #expect(
      try fixture("{command: [echo, \(secret)], retries: 9}").report() == """
        sluice.yaml:2:112: error: unknown key 'retries' in 'key'
          2 |   fast: {type: openai, model: m, key: {command: [echo, …
            |                                                         ^
          fix: known: env, command, header, lifetime

        """
    )
  }

  @Test("Errors about other positions show the words of the command")
  func shownWords() throws {
    #expect(
      try fixture("{command: [gcloud, auth]}, retries: 99").report() == """
        sluice.yaml:2:75: error: 'retries' must be between 0 and 20, not 99
          2 | …{command: [gcloud, auth]}, retries: 99}
            |                                      ^

        """
    )
  }
}
