import Foundation
import Testing
import TestSupport

/// Tests of secrets that a backend repeats in unscored parts of its answer: the output of a live
/// run must not contain them.
@Suite("Secrets in live calls")
struct LiveLeakTests {
  /// Assembled here, so that no test file contains a text that looks like a key.
  private static let key = "sk-" + "proj-" + String(repeating: "aB3dE6gH9", count: 6)
  private static let ownKey = "correct-horse-battery-staple"

  private func project() throws -> ScratchProject {
    let project = try ScratchProject()
    let files = [
      "sluice.yaml": """
      backends:
        app:
          type: exec
          command: [sh, answer.sh]
          env: [APP_KEY]
          model: m
          fingerprint: {version: "1"}
      """,
      "answer.sh": """
      case "$(cat)" in
        *Where*) echo '{"text": "Please wait. It is '$(printf %s "$APP_KEY" | od -An -tx1 | tr -d ' \\n')'", "model": "m-\(Self.key)", "finish_reason": "stop"}';;
        *When*) echo "no such key: \(Self.key)" >&2; exit 3;;
        *) echo '{"error": {"message": "bad key \(Self.key)"}}';;
      esac
      """,
      "prompts/reply/suite.yaml": """
      suite: reply
      prompt: v1.yaml
      dataset: reply
      backend: app
      scorers:
        - contains: wait
      gates:
        - accuracy >= 50%
      """,
      "prompts/reply/v1.yaml": "messages:\n  - user: \"{{message}}\"\n",
      "datasets/reply/cases.yaml": """
      - {id: where, input: {message: "Where?"}}
      - {id: when, input: {message: "When?"}}
      - {id: why, input: {message: "Why?"}}

      """,
    ]
    for (path, text) in files { try project.write(text, to: path) }
    return project
  }

  /// The contents of the files that a command wrote, by name.
  private func written(in project: ScratchProject) throws -> [String: String] {
    var texts: [String: String] = [:]
    let all = FileManager.default.enumerator(at: project.folder, includingPropertiesForKeys: nil)
    while let file = all?.nextObject() as? URL {
      guard file.lastPathComponent != "answer.sh", let data = try? Data(contentsOf: file) else {
        continue
      }
      texts[file.lastPathComponent] = String(decoding: data, as: UTF8.self)
    }
    return texts
  }

  @Test(
    "Keys that a backend repeats are not logged, reported or shown",
    arguments: [["run", "--live"], ["record"], ["backends", "check", "app"]]
  )
  func leaks(_ arguments: [String]) async throws {
    let project = try project()
    var sluice = project.sluice
    sluice.environment = ["APP_KEY": Self.ownKey]
    let outcome = try await sluice.run(arguments)
    #expect(outcome.exitCode == (arguments[0] == "backends" ? 0 : 3))
    let hexadecimal = Self.ownKey.utf8.map { String($0, radix: 16) }.joined()
    var texts = try written(in: project)
    texts["standard output"] = outcome.output
    texts["standard error"] = outcome.error
    for (name, text) in texts {
      for secret in [Self.key, String(Self.key.suffix(20)), Self.ownKey, hexadecimal] {
        #expect(!text.contains(secret), "\(name)")
      }
    }
    #expect(texts.values.contains { $0.contains("<redacted:key:") })
    if arguments[0] == "run" {
      #expect(texts.keys.contains { $0.hasPrefix("reply-") && $0.hasSuffix(".jsonl") })
      #expect(texts["report.md"] != nil && texts["report.json"] != nil)
    }
  }
}
