import Foundation
import SampleProjects
import Sluice
import Testing
import TestSupport

@Suite("sluice mcp")
struct AgentServerTests {
  static let hello =
    #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}"#

  /// Sends lines to a server and returns its answers, one per line of its output.
  private static func answers(
    _ lines: [String],
    in project: ScratchProject,
    _ options: String...
  ) async throws -> [JSONValue] {
    var sluice = project.sluice
    sluice.input = Data(lines.map { $0 + "\n" }.joined().utf8)
    let outcome = try await sluice.run(["mcp"] + options)
    #expect(outcome.exitCode == 0, "\(outcome.error)")
    return try outcome.output.split(separator: "\n").map { try JSONReader.value(String($0)) }
  }

  static func call(_ id: Int, _ tool: String, _ arguments: String = "{}") -> String {
    #"{"jsonrpc":"2.0","id":\#(id),"method":"tools/call","#
      + #""params":{"name":"\#(tool)","arguments":\#(arguments)}}"#
  }

  private static func project() throws -> ScratchProject {
    let project = try ScratchProject.ofDemo()
    try project.makeRepository()
    return project
  }

  @Test("The server states its name, its protocol revision and its tools")
  func initialize() async throws {
    let list = #"{"jsonrpc":"2.0","id":"list","method":"tools/list"}"#
    let ping = #"{"jsonrpc":"2.0","id":2,"method":"ping"}"#
    let answers = try await Self.answers(
      [Self.hello, #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, list, ping],
      in: try Self.project()
    )
    try #require(answers.count == 3)
    #expect(answers[0].value(at: "result.protocolVersion") == "2025-06-18")
    #expect(answers[0].value(at: "result.serverInfo.name") == "sluice")
    let tools = try #require(answers[1].value(at: "result.tools")?.array)
    #expect(
      tools.compactMap { $0["name"]?.string }
        == ["validate", "run", "try", "compare", "show", "explain"]
    )
    for tool in tools {
      #expect(tool.value(at: "inputSchema.additionalProperties") == false)
      #expect(tool.value(at: "outputSchema.type") == "object")
      #expect(tool.value(at: "annotations.openWorldHint") == false)
    }
    #expect(answers[2] == ["jsonrpc": "2.0", "id": 2, "result": [:]])
  }

  @Test(
    "The server answers with the newest revision up to the client's, or else with its newest",
    arguments: [
      ("2025-06-18", "2025-06-18"), ("2025-11-25", "2025-06-18"), ("2024-11-05", "2024-11-05"),
      // This revision requires batches, which the server refuses.
      ("2025-03-26", "2024-11-05"), ("1999-01-01", "2025-06-18"), ("", "2025-06-18"),
    ]
  )
  func revision(wanted: String, answer: String) async throws {
    let hello = Self.hello.replacing("2025-06-18", with: wanted)
    let answers = try await Self.answers([hello], in: try Self.project())
    #expect(answers.first?.value(at: "result.protocolVersion")?.string == answer)
  }

  @Test(
    "A message about a wrong argument says what the argument must be",
    arguments: [
      (
        #"{"suites":[""]}"#,
        "'suites' must be a list of up to 100 strings, each of 1 to 500 bytes without control "
          + "characters"
      ),
      (
        #"{"suites":"tone"}"#,
        "'suites' must be a list of up to 100 strings, each of 1 to 500 bytes without control "
          + "characters"
      ),
      (#"{"prompt":""}"#, "'prompt' must be a string of 1 to 500 bytes without control characters"),
      (#"{"repeat":0}"#, "'repeat' must be a whole number of 1 or more"),
    ]
  )
  func argument(arguments: String, message: String) async throws {
    let answers = try await Self.answers(
      [Self.hello, Self.call(1, "run", arguments)],
      in: try Self.project()
    )
    #expect(answers.last?.value(at: "error.message")?.string == "run: \(message)")
  }

  /// Lines that the server refuses, with the error code of its answer.
  static let refusals: [(line: String, code: Int)] = [
    ("nonsense", -32_700), ("{", -32_700), ("\u{FEFF}{}", -32_700),
    (String(repeating: "[", count: 100_000), -32_700),
    ("[" + hello + "]", -32_600), ("1", -32_600), ("null", -32_600),
    (#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, -32_600),
    (#"{"jsonrpc":"2.0","id":[],"method":"ping"}"#, -32_600),
    (#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":3}"#, -32_600),
    (#"{"jsonrpc":"2.0","id":1,"method":"resources/list"}"#, -32_601),
    (#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"x"}}"#, -32_602),
    (#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#, -32_602),
    (call(1, "shell"), -32_602), (call(1, "run", "[]"), -32_602),
    (call(1, "run", #"{"suite":["tone"]}"#), -32_602),
    (call(1, "run", #"{"suites":"tone"}"#), -32_602),
    (call(1, "run", #"{"suites":[""]}"#), -32_602),
    (call(1, "run", #"{"suites":["a\u0000b"]}"#), -32_602),
    (call(1, "run", #"{"repeat":0}"#), -32_602), (call(1, "run", #"{"max-cost":-1}"#), -32_602),
    (call(1, "run", #"{"live":"yes"}"#), -32_602), (call(1, "show"), -32_602),
    (call(1, "run", "{\"suites\":[\"" + String(repeating: "x", count: 2 << 20) + "\"]}"), -32_600),
  ]

  @Test("Malformed, huge and unknown requests get errors, and the server keeps running")
  func refused() async throws {
    let ping = #"{"jsonrpc":"2.0","id":"last","method":"ping"}"#
    let lines = [Self.hello] + Self.refusals.map(\.line) + ["", "  ", ping]
    let answers = try await Self.answers(lines, in: try Self.project())
    try #require(answers.count == Self.refusals.count + 2)
    for (answer, refused) in zip(answers.dropFirst(), Self.refusals) {
      let text = "\(refused.line.prefix(100))"
      #expect(answer.value(at: "error.code")?.integer == refused.code, "\(text)")
      #expect(answer.value(at: "error.message")?.string?.isEmpty == false, "\(text)")
      #expect(answer["result"] == nil)
    }
    #expect(answers.last == ["jsonrpc": "2.0", "id": "last", "result": [:]])
  }

  @Test("Before initialization, the server answers only a ping")
  func uninitialized() async throws {
    let answers = try await Self.answers(
      [Self.call(1, "validate"), #"{"jsonrpc":"2.0","id":2,"method":"ping"}"#],
      in: try Self.project()
    )
    #expect(answers.first?.value(at: "error.message") == "the first request must be 'initialize'")
    #expect(answers.last?["result"] == [:])
  }

  @Test("Paths outside the project are refused, and no argument is read as an option")
  func hostile() async throws {
    let project = try Self.project()
    let calls = [
      (
        "run", #"{"suites":["tone"],"prompt":"/etc/passwd"}"#,
        "'/etc/passwd' is outside the project"
      ),
      ("run", #"{"suites":["tone"],"prompt":"../x.yaml"}"#, "'../x.yaml' is outside the project"),
      ("compare", #"{"suites":["/etc/x.jsonl"]}"#, "'/etc/x.jsonl' is outside the project"),
      ("compare", #"{"suites":["tone"],"base":"--output=x"}"#, "no commit '--output=x'"),
      ("run", #"{"affected":"--output=x"}"#, "no commit '--output=x'"),
      ("validate", #"{"suites":["--help"]}"#, "there is no suite '--help'"),
      ("show", #"{"case":"--version"}"#, "--version"),
      ("try", #"{"suites":["tone"],"live":true}"#, "'sluice mcp --allow-live'"),
      ("run", #"{"suites":["tone"],"live":true}"#, "'sluice mcp --allow-live'"),
    ]
    let lines = calls.enumerated().map { Self.call($0.offset + 1, $0.element.0, $0.element.1) }
    let answers = try await Self.answers([Self.hello] + lines, in: project)
    try #require(answers.count == calls.count + 1)
    for (answer, call) in zip(answers.dropFirst(), calls) {
      #expect(answer.value(at: "result.isError") == true, "\(call)")
      #expect(answer.value(at: "result.structuredContent.exit-code") == 64, "\(call)")
      let messages = answer.value(at: "result.structuredContent.messages")?.array ?? []
      let text = messages.compactMap(\.string).joined(separator: "\n")
      #expect(text.contains(call.2), "\(call): \(text)")
    }
    #expect(try project.git("status", "--porcelain") == "")
  }

  @Test("Tools write nothing through a link that leads outside the project")
  func links() async throws {
    let (project, outside) = (try Self.project(), try ScratchProject())
    try FileManager.default.createSymbolicLink(
      at: project.folder.appending(path: "reports/latest"),
      withDestinationURL: outside.folder
    )
    let answers = try await Self.answers([Self.hello, Self.call(1, "run")], in: project)
    #expect(answers.last?.value(at: "result.isError") == true)
    #expect(try TemplateFolder.files(of: outside.folder) == [:])
  }

  @Test("A call returns the command's JSON, which conforms to the tool's schema")
  func results() async throws {
    let project = try Self.project()
    try project.dropInstruction()
    let answers = try await Self.answers(
      [
        Self.hello, Self.call(1, "validate"), Self.call(2, "run", #"{"affected":"main"}"#),
        Self.call(3, "try", #"{"suites":["clarity"]}"#),
        Self.call(4, "explain", #"{"suites":["clarity"]}"#),
        Self.call(5, "compare", #"{"suites":["clarity"],"base":"main"}"#),
      ],
      in: project
    )
    try #require(answers.count == 6)
    let results = answers.dropFirst().compactMap { $0.value(at: "result.structuredContent") }
    #expect(results.map { $0["exit-code"]?.integer } == [0, 1, 1, 1, 1])
    #expect(answers.dropFirst().allSatisfy { $0.value(at: "result.isError") == false })
    #expect(results[0].value(at: "output.suites")?.array?.count == 4)
    #expect(results[1].value(at: "output.affected.chosen.0.name") == "clarity")
    // The result counts trials that passed but does not list them.
    let column = results[1].value(at: "output.suites.0.columns.0")
    #expect((column?["passed-omitted"]?.integer ?? 0) > 0)
    #expect(column?["results"]?.array?.allSatisfy { $0["outcome"] != "passed" } == true)
    #expect(results[2].value(at: "output.comparison.verdict") == "fail")
    #expect(results[3].value(at: "output.verdict") == "fail")
    #expect(results[4].value(at: "output.verdict") == "fail")
    for (answer, result) in zip(answers.dropFirst(), results) {
      let text = try #require(answer.value(at: "result.content.0.text")?.string)
      #expect(try JSONReader.value(text) == result)
      #expect(JSONWriter.line(answer).count < 200_000)
    }
  }

  @Test("A missing folder is an error, and a project in a parent folder is found")
  func folder() async throws {
    let project = try Self.project()
    let outcome = try await project.sluice("mcp", "--project", "nowhere")
    #expect(outcome.exitCode == 64)
    #expect(
      outcome.error == """
        sluice: error: cannot work in nowhere: No such file or directory
          fix: name the folder of the project: sluice mcp --project FOLDER

        """
    )
    let answers = try await Self.answers(
      [Self.hello, Self.call(1, "validate")],
      in: project,
      "--project",
      "prompts/tone"
    )
    #expect(answers.last?.value(at: "result.structuredContent.outcome") == "pass")
  }

  // MARK: The official client

  /// A Python with the package `mcp`, or `nil` if none is installed.
  private static let python: String? = {
    let named = ProcessInfo.processInfo.environment["SLUICE_MCP_PYTHON"] ?? "python3"
    let check = try? ChildProcess(
      [named, "-c", "import mcp"],
      in: "/",
      environment: ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"]
    ).wait()
    return check?.exitCode == 0 ? named : nil
  }()

  @Test(
    "The official Python client tests an edited prompt from start to finish",
    .enabled(if: python != nil, "skipped: no Python with the package 'mcp'; see SLUICE_MCP_PYTHON")
  )
  func officialClient() async throws {
    let python = try #require(Self.python)
    var sluice = CommandLineRunner(folder: ScratchProject.repository)
    sluice.launcher = [python, ScratchProject.repository.appending(path: "scripts/check-mcp").path]
    let outcome = try await sluice.run([])
    #expect(outcome.exitCode == 0, "\(outcome.output)\(outcome.error)")
    #expect(outcome.output.hasPrefix("checked "), "\(outcome.output)")
  }
}
