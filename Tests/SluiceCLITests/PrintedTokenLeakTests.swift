import Foundation
import Testing
import TestSupport

/// Tests of tokens that a program prints and a server repeats: the output of a live run must not
/// contain them.
@Suite("Printed tokens in live calls")
struct PrintedTokenLeakTests {
  /// A token that does not look like a key, so only its known value identifies it.
  private static let token = "plain-words-as-token"

  /// A server that rejects the first token and repeats all tokens.
  private func server() throws -> LoopbackServer {
    try LoopbackServer { request in
      let token = request.headers["authorization"]?.dropFirst("Bearer ".count) ?? "none"
      let body = String(decoding: request.body, as: UTF8.self)
      let headers = ["Content-Type: application/json", "Server-Timing: \(token);dur=1"]
      if token.hasSuffix("-1") {
        return .response(
          "401 Unauthorized",
          headers: headers,
          body: Array(#"{"error":{"message":"\#(token) has expired"}}"#.utf8)
        )
      }
      if body.contains("When?") {
        let error = #"{"error":{"message":"\#(token) may not ask for that"}}"#
        return .response("400 Bad Request", headers: headers, body: Array(error.utf8))
      }
      guard body.contains(#""stream":true"#) else {
        let answer = """
          {"model":"\(token)","choices":[{"message":{"content":"wait, \(token)"},"finish_reason":"stop"}]}
          """
        return .response("200 OK", headers: headers, body: Array(answer.utf8))
      }
      // The token in pieces of three characters.
      var pieces = ["wait, "]
      for (index, character) in token.enumerated() {
        if index % 3 == 0 { pieces.append("") }
        pieces[pieces.count - 1].append(character)
      }
      let chunks = pieces.map { #"data: {"choices":[{"index":0,"delta":{"content":"\#($0)"}}]}"# }
      let end = #"data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#
      let text = (chunks + [end, "data: [DONE]", ""]).joined(separator: "\n\n")
      return .response(
        "200 OK",
        headers: ["Content-Type: text/event-stream"],
        body: Array(text.utf8)
      )
    }
  }

  private func project(_ origin: String, isStreamed: Bool) throws -> ScratchProject {
    let project = try ScratchProject()
    let files = [
      "sluice.yaml": """
      backends:
        app:
          type: openai
          base-url: \(origin)/v1
          model: m
          retries: 0
          max-in-flight: 1
          stream: \(isStreamed)
          key: {command: [sh, token.sh]}
      """,
      "token.sh": """
      n=$(($(cat starts 2>/dev/null || echo 0) + 1))
      echo $n > starts
      echo "\(Self.token)-$n"
      """,
      "prompts/reply/suite.yaml": """
      suite: reply
      prompt: v1.yaml
      dataset: reply
      backend: app
      scorers:
        - contains: wait
      gates:
        - accuracy >= 60%
      """,
      "prompts/reply/v1.yaml": "messages:\n  - user: \"{{message}}\"\n",
      "datasets/reply/cases.yaml": """
      - {id: where, input: {message: "Where?"}}
      - {id: when, input: {message: "When?"}}

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
      guard file.lastPathComponent != "token.sh", let data = try? Data(contentsOf: file) else {
        continue
      }
      texts[String(file.path.dropFirst(project.folder.path.count + 1))] =
        String(decoding: data, as: UTF8.self)
    }
    return texts
  }

  @Test(
    "Tokens that a server repeats are not recorded, logged, reported or shown",
    arguments: [["run", "--live"], ["record"], ["backends", "check", "app"]],
    [false, true]
  )
  func leaks(_ arguments: [String], isStreamed: Bool) async throws {
    let server = try server()
    let project = try project(server.origin, isStreamed: isStreamed)
    let outcome = try await project.sluice.run(arguments)
    #expect(outcome.exitCode == (arguments[0] == "backends" ? 0 : 3))
    #expect(try project.read("starts") == "2\n")
    var texts = try written(in: project)
    texts["standard output"] = outcome.output
    texts["standard error"] = outcome.error
    for (name, text) in texts {
      for part in ["plain-words", "as-token", "cGxhaW4td29yZHM"] {
        #expect(!text.contains(part), "\(name)")
      }
    }
    #expect(texts.values.contains { $0.contains("<redacted:key:") })
    switch arguments[0] {
    case "run":
      let log = texts.first { $0.key.hasPrefix("reports/runs/reply-") }?.value
      #expect(log?.contains("wait, <redacted:key:") == true)
      #expect(texts["reports/latest/report.json"] != nil)
    case "record":
      let recordings = texts["datasets/reply/recordings/pending/app.jsonl"]
      #expect(
        recordings?.contains(isStreamed ? #"\"<redacted:key:"# : "wait, <redacted:key:") == true
      )
    default: break
    }
  }

  @Test("A replay does not run the program that prints the token")
  func replay() async throws {
    let server = try server()
    let project = try project(server.origin, isStreamed: false)
    try project.removeLines(of: "datasets/reply/cases.yaml", holding: "when")
    #expect(try await project.sluice.run(["record"]).exitCode == 0)
    #expect(try await project.sluice.run(["recordings", "accept"]).exitCode == 0)
    try project.write("9\n", to: "starts")
    let outcome = try await project.sluice.run(["run"])
    #expect(outcome.exitCode == 0, "\(outcome.output)\(outcome.error)")
    #expect(try project.read("starts") == "9\n")
  }

  @Test("If the program fails, the error shows its last output and the command to run by hand")
  func failing() async throws {
    let server = try server()
    let project = try project(server.origin, isStreamed: false)
    try project.write("echo 'log in first' >&2\nexit 3\n", to: "token.sh")
    let outcome = try await project.sluice.run(["backends", "check", "app"])
    #expect(outcome.exitCode == 3)
    #expect(
      outcome.output.replacing(/127\.0\.0\.1:\d+/, with: "HOST") == """
        app  no answer
          where   http://HOST
          asked   openai, with a request for the word OK
          error   there is no token for the backend 'app': sh ended with exit code 3:
                  log in first (missing-key)
          fix     run the command by hand to see its error: sh token.sh

        """
    )
    let run = try await project.sluice.run(["run", "--live"])
    #expect(run.exitCode == 3)
    #expect(run.output.contains("Next: run the command by hand to see its error: sh token.sh"))
    #expect(server.connectionCount == 0)
  }
}
