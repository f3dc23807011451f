import SampleProjects
@testable import SluiceCore
@testable import SluiceSupport
import Testing

/// Keys in files and messages, of which nothing is shown.
@Suite("Secrets in diagnostics")
struct DiagnosticSecretTests {
  private static let key = "sk-" + "proj-" + String(repeating: "aB3dE6gH9", count: 5)
  private var key: String { Self.key }

  private func shown(_ line: String, at column: Int, _ message: String = "wrong") -> String {
    let diagnostics = DiagnosticCollector()
    let file = SourceFile(path: "a.yaml", bytes: Array("\(line)\n".utf8))
    diagnostics.error(message, in: file, at: SourcePosition(line: 1, column: column))
    return diagnostics.diagnostics.map(\.description).joined()
  }

  @Test("A source line ends before a key, and the caret keeps its column in front of it")
  func columns() {
    #expect(
      shown("{\u{E4}\u{4E2D}: 1, a: \(key), b: 1}", at: 2) == """
        a.yaml:1:2: error: wrong
          1 | {\u{E4}\u{4E2D}: 1, a: …
            |  ^

        """
    )
    #expect(
      shown("  key: {env: \(key)}", at: 14, "'\(key)' is not a name") == """
        a.yaml:1:14: error: '\(key.withoutKeys)' is not a name
          1 |   key: {env: …
            |              ^

        """
    )
    #expect(key.withoutKeys.wholeMatch(of: /<redacted:key:[0-9a-f]{6}>/) != nil)
  }

  @Test(
    "A line shows no key, wherever it is",
    arguments: [
      "key: {env: @}", "key: @", "key: {command: [print, @]}", "headers: {X-Any: @}", "  - '@'",
      "url: https://a.test/v1?key=@", "url: https://user:@@a.test/v1", "# @", "@: 1", "[@, @]",
      #"{"input": {"text": "it is @"}}"#, "env: [TOKEN=@]", "a,b,@,c", "\u{FEFF}x: \"@\"",
    ]
  )
  func everywhere(text: String) {
    var fakes = FakeSecrets(seed: 12)
    for shape in FakeSecrets.shapes {
      let secret = shape.make(&fakes)
      let line = text.replacing("@a.test", with: "\u{1}").replacing("@", with: secret)
        .replacing("\u{1}", with: "@a.test")
      for column in [1, 5, line.unicodeScalars.count / 2, line.unicodeScalars.count + 1] {
        let text = shown(line, at: column, "unknown key '\(secret)'")
        #expect(!text.contains(secret.prefix(20)) && !text.contains(secret.suffix(12)), "\(text)")
      }
    }
  }

  @Test("A line keeps what only resembles a key")
  func harmless() {
    for line in [
      "model: claude-sonnet-4-20250514", "key: {env: OPENAI_API_KEY}", "id: a1b2",
      "max-tokens: 1024",
      "path: datasets/triage/cases.jsonl", "digest: da39a3ee5e6b4b0d3255bfef95601890afd80709",
    ] {
      #expect(shown(line, at: 1).contains("  1 | \(line)\n"))
    }
  }

  @Test(
    "A key where the name of a variable belongs is refused without being shown",
    arguments: [
      "{env: @}", "{env: '@'}", "{command: [print], env: [@]}", "{command: [print], env: [A, @]}",
      "{command: [print], env: [A=@]}", "{env: A, header: @}", "@", "[@]", "{@: A}", "{key: @}",
      "{env: {A: @}}", "{env: [@]}", "{header: @}", "{command: @}", "{env: A, lifetime: @}",
    ]
  )
  func names(value: String) throws {
    var fakes = FakeSecrets(seed: 13)
    let fast = "{type: openai, model: small-1, key: {env: FAST_KEY}}"
    let keys =
      FakeSecrets.shapes.map { $0.make(&fakes) } + [
        "a" + fakes.text(31, of: FakeSecrets.hexadecimal), "correct-horse-battery",
      ]
    for secret in keys where !secret.contains(":") && !secret.contains("=") {
      if value.contains("header"), secret.hasPrefix("correct") { continue }
      let report = try ProjectFixture().replacing(
        fast,
        with: "{type: openai, model: m, key: \(value.replacing("@", with: secret))}",
        in: ProjectFixture.configuration
      ).report()
      #expect(
        !report.contains(secret.prefix(20)) && !report.contains(secret.suffix(12)),
        "\(report)"
      )
      #expect(!report.isEmpty || value.contains("header"), "\(value) \(secret)")
    }
  }
  @Test(
    "A value in place of the names of a program's variables is not shown",
    arguments: [
      "{TOKEN: @}", "[{TOKEN: @}]", "@", "[@]", "[TOKEN=@]", "[A, '@']", "{A: [@]}", "[[@]]",
    ]
  )
  func values(env: String) throws {
    let exec = "command: [cat], fingerprint: {version: '1'}, env: "
    let value = env.replacing("@", with: "hunter2-hunter2")
    let backend = try ProjectFixture().replacing(
      "{type: openai, model: small-1, key: {env: FAST_KEY}}",
      with: "{type: exec, \(exec)\(value)}",
      in: ProjectFixture.configuration
    ).report()
    #expect(!backend.contains("hunter2") && backend.contains("error: "), "\(backend)")
  }
}
