import SampleProjects
@testable import Sluice
@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceReporting
@testable import SluiceSupport
import Testing

/// A vendor whose batches differ from those of chat completions.
enum BatchVendor: String, CaseIterable {
  case responses = "openai-responses"
  case anthropic
  case gemini

  /// The project of ``RecordingProject`` with a backend of this vendor.
  func project() throws -> RecordingProject {
    let project = RecordingProject()
    try project.edit("sluice.yaml", replacing: "type: openai,", with: "type: \(rawValue),")
    return project
  }

  /// The names of the members that contain a line's id and body.
  var names: (id: String, body: String) {
    switch self {
    case .responses: ("custom_id", "body")
    case .anthropic: ("custom_id", "params")
    case .gemini: ("key", "request")
    }
  }

  /// Returns the lines of an exported file.
  func requests(_ text: String) throws -> [(id: String, body: JSONValue)] {
    try text.split(separator: "\n").filter { $0 != "{\"requests\":[" && $0 != "]}" }.map { line in
      let json = try JSONReader.value(Array((line.hasSuffix(",") ? line.dropLast() : line).utf8))
      return (json[names.id]?.string ?? "", json[names.body] ?? .null)
    }
  }

  /// Returns the answer that ``RecordingProject/server`` would give.
  func kind(of body: JSONValue) -> String {
    switch self {
    case .responses:
      BatchService.kind(of: body["input"]?.array?.last?["content"]?.string ?? "")
    case .anthropic:
      BatchService.kind(of: body["messages"]?.array?.last?["content"]?.string ?? "")
    case .gemini:
      BatchService.kind(
        of: body["contents"]?.array?.last?["parts"]?.array?.first?["text"]?.string ?? ""
      )
    }
  }

  /// Returns the body of an answer.
  func body(_ text: String) -> JSONValue {
    switch self {
    case .responses:
      [
        "id": "resp_1", "object": "response", "created_at": 1_763_985_600, "status": "completed",
        "model": "sorter-1",
        "output": [
          ["type": "reasoning", "summary": []],
          [
            "type": "message", "role": "assistant",
            "content": [["type": "output_text", "text": .string(text)]],
          ],
        ],
        "usage": ["input_tokens": 100, "output_tokens": 10, "total_tokens": 110],
      ]
    case .anthropic:
      [
        "id": "msg_1", "type": "message", "role": "assistant", "model": "sorter-1",
        "content": [["type": "text", "text": .string(text)]], "stop_reason": "end_turn",
        "usage": ["input_tokens": 100, "output_tokens": 10, "service_tier": "batch"],
      ]
    case .gemini:
      [
        "candidates": [
          [
            "content": ["parts": [["text": .string(text)]], "role": "model"],
            "finishReason": "STOP",
          ]
        ],
        "usageMetadata": ["promptTokenCount": 100, "candidatesTokenCount": 10],
        "modelVersion": "sorter-1",
      ]
    }
  }

  /// Returns the line of a result.
  func answer(_ id: String, _ text: String) -> String {
    line(id, body(text))
  }

  func line(_ id: String, _ body: JSONValue) -> String {
    let value: JSONValue =
      switch self {
      case .responses:
        [
          "id": "batch_req_1", "custom_id": .string(id),
          "response": ["status_code": 200, "request_id": "r", "body": body], "error": .null,
        ]
      case .anthropic:
        ["custom_id": .string(id), "result": ["type": "succeeded", "message": body]]
      case .gemini: ["key": .string(id), "response": body]
      }
    return value.jsonText
  }

  func results(_ text: String) throws -> [String] {
    try requests(text).map { answer($0.id, kind(of: $0.body)) }
  }
}

@Suite("Batches of Responses, Anthropic and Gemini")
struct BatchVendorsTests {
  private func told(_ result: BatchImportResult) -> [String] {
    result.faults.map { "\($0.kind.rawValue): \($0.diagnostic.message)" }
  }

  private func refusal<Value>(_ body: () throws -> Value) -> [String] {
    do {
      _ = try body()
      return ["nothing was refused"]
    } catch BatchImport.Refusal.files(let diagnostics) {
      return diagnostics.map(\.description)
    } catch let refusal as BatchExport.Refusal {
      return [refusal.message, refusal.fix ?? ""]
    } catch {
      return ["\(error)"]
    }
  }

  private func requests(_ project: RecordingProject) throws -> [RecordingRequest] {
    RecordingSession(try project.plan(), surroundings: project.surroundings)
      .draft(RecordingRequest.Selection()).requests
  }

  // MARK: Export

  @Test("A line has the body of the request in the vendor's format")
  func lines() throws {
    for vendor in BatchVendor.allCases {
      let project = try vendor.project()
      let text = try project.exported()
      let made = try requests(project)
      let lines = made.map { request in
        let id = BatchRequestID(
          key: Digest(hexadecimal: request.key.utf8) ?? SHA256.digest("".utf8),
          repetition: request.repetition
        ).text
        let body = request.request.body.jsonText
        return switch vendor {
        case .responses:
          #"{"custom_id":"\#(id)","method":"POST","url":"/v1/responses","body":\#(body)}"#
        case .anthropic: #"{"custom_id":"\#(id)","params":\#(body)}"#
        case .gemini: #"{"key":"\#(id)","request":\#(body)}"#
        }
      }
      #expect(lines.count == 4)
      switch vendor {
      case .anthropic:
        #expect(text == "{\"requests\":[\n" + lines.joined(separator: ",\n") + "\n]}\n")
        // The API accepts the file as it is.
        #expect(try JSONReader.value(Array(text.utf8))["requests"]?.array?.count == 4)
      default: #expect(text == lines.map { $0 + "\n" }.joined())
      }
    }
  }

  @Test("An earlier export is replaced, and a file with other lines is kept")
  func replaced() throws {
    for vendor in BatchVendor.allCases {
      let project = try vendor.project()
      let text = try project.exported()
      #expect(try project.exported() == text)
      try project.files.write(Array((text + "{}\n").utf8), to: ProjectPath("batch.jsonl"))
      #expect(
        refusal { try project.exported() }.first
          == "'batch.jsonl' already exists and is not a batch file written by Sluice"
      )
    }
  }

  /// Exports a suite through several backends.
  private func export(_ entries: String, _ backends: [String]) throws -> BatchExport {
    let project = RecordingProject()
    try project.edit("sluice.yaml", replacing: "prices:", with: "\(entries)\nprices:")
    let loaded = ProjectLoader.load(
      ProjectLoader.Selection(backends: backends),
      from: project.files
    )
    return try BatchExport(
      RecordingPlan(
        loaded.suites,
        RecordingRequest.Selection(),
        project.surroundings,
        isScratch: false
      ),
      backends: ProjectLoader.backends(from: project.files).backends,
      redaction: Redaction()
    )
  }

  @Test("A file uses one API, and one model unless the vendor allows several")
  func mixed() throws {
    #expect(
      refusal { try export("  a: {type: anthropic, model: sorter-1}", ["server", "a"]) } == [
        "all requests of a batch file must use the same API, but these suites use 2: "
          + "anthropic-messages/2023-06-01 (a), openai-chat (server)",
        "write separate files: name the suites for one file, or add --backend a",
      ]
    )
    let gemini = "  a: {type: gemini, model: m-1}\n  b: {type: gemini, model: m-2}"
    #expect(
      refusal { try export(gemini, ["a", "b"]) }.first
        == "all requests of a batch file must use the same model, but these suites use 2: m-1 "
        + "(a), m-2 (b)"
    )
    let anthropic = gemini.replacing("gemini", with: "anthropic")
    let mixed = try export(anthropic, ["a", "b"])
    #expect((mixed.count, mixed.form, mixed.unnamedModel) == (8, .anthropic, nil))
    #expect(try export(gemini, ["b"]).unnamedModel == "m-2")
    #expect(
      refusal { try export("  a: {type: ollama, model: m, context-length: 9}", ["a"]) } == [
        "the backend 'a' has the type 'ollama', which batch files do not support",
        "choose another backend: --backend server",
      ]
    )
  }

  // MARK: Import

  @Test("Answers are matched by id in any order, judged, and imported once")
  func roundTrip() throws {
    for vendor in BatchVendor.allCases {
      let project = try vendor.project()
      let lines = try vendor.results(try project.exported())
      let result = try project.importing(lines.reversed())
      #expect(result.isComplete, "\(vendor)")
      #expect(told(result) == [])
      #expect(try project.importing(lines).known == 4)
      let set = try #require(try project.pending().accept(now: RecordingProject.date))
      #expect(set.exchanges == 4)
      let column = try #require(try project.replay().suites.first?.columns.first)
      #expect(column.trials.count { $0.outcome == .passed } == 3, "\(vendor)")
      #expect(column.trials.count { $0.isLost } == 0)
      let output = try #require(column.trials.first?.output)
      #expect((output.usage?.input, output.usage?.output) == (100, 10))
      #expect(output.cost == nil)
      #expect(output.timings == ResponseTimings())
      #expect(
        column.provenances.map(\.phrase) == [
          vendor == .responses
            ? "sorter-1 (through a batch service), 2025-11-24"
            : "sorter-1 (through a batch service), imported 2026-11-21, day of the answers unknown"
        ]
      )
    }
  }

  @Test("A backend that exchanges files accepts batch answers")
  func throughFiles() throws {
    for vendor in BatchVendor.allCases {
      let project = try vendor.project()
      try project.edit(
        "sluice.yaml",
        replacing: "model: sorter-1",
        with: "model: sorter-1, asked: through-files"
      )
      let result = try project.importing(try vendor.results(try project.exported()))
      #expect(result.isComplete, "\(vendor)")
    }
  }

  @Test("A vendor's error instead of an answer is the reason, and nothing is judged")
  func failures() throws {
    let project = try BatchVendor.anthropic.project()
    let ids = try BatchVendor.anthropic.requests(try project.exported()).map(\.id)
    let errors = [
      #"{"type":"errored","error":{"type":"error","error":{"type":"invalid_request_error","message":"Bad schema"},"request_id":null}}"#,
      #"{"type":"expired"}"#, #"{"type":"canceled"}"#, #"{"type":"paused"}"#,
    ]
    let result = try project.importing(
      zip(ids, errors).map { #"{"custom_id":"\#($0)","result":\#($1)}"# }
    )
    #expect(
      told(result) == [
        "failed: '\(ids[0])' has no answer: the batch service gave no answer: "
          + "invalid_request_error: Bad schema",
        "failed: '\(ids[1])' has no answer: the batch service gave no answer: expired: the request "
          + "was not sent in time",
        "failed: '\(ids[2])' has no answer: the batch service gave no answer: canceled: the "
          + "batch was canceled before the request was sent",
        "broken: '\(ids[3])': 'result' has the unknown type 'paused'",
      ]
    )
    #expect(result.imported == 0)
    #expect(result.missing.count == 4)
    #expect(!project.pending().exists)

    let gemini = try BatchVendor.gemini.project()
    let keys = try BatchVendor.gemini.requests(try gemini.exported()).map(\.id)
    let told = told(
      try gemini.importing([
        #"{"key":"\#(keys[0])","error":{"code":3,"message":"No such field","status":"INVALID_ARGUMENT"}}"#,
        #"{"key":"\#(keys[1])","error":{"code":8,"message":"Quota"}}"#,
        #"{"key":"\#(keys[2])","response":{}}"#,
      ])
    )
    #expect(
      told == [
        "failed: '\(keys[0])' has no answer: the batch service gave no answer: INVALID_ARGUMENT: "
          + "No such field",
        "failed: '\(keys[1])' has no answer: the batch service gave no answer: 8: Quota",
        "broken: '\(keys[2])': 'response' has no body",
      ]
    )

    let responses = try BatchVendor.responses.project()
    let id = try BatchVendor.responses.requests(try responses.exported())[0].id
    let failed = try responses.importing([
      BatchVendor.responses.line(
        id,
        [
          "object": "response", "status": "failed", "output": [],
          "error": ["code": "server_error", "message": "Try later"],
        ]
      )
    ])
    #expect(failed.imported == 0)
    #expect(failed.faults.map(\.kind) == [.failed])
    #expect(failed.missing.count == 4)
  }

  @Test("Unknown ids, conflicting answers and duplicates are reported")
  func ids() throws {
    for vendor in BatchVendor.allCases {
      let project = try vendor.project()
      let ids = try vendor.requests(try project.exported()).map(\.id)
      let result = try project.importing([
        vendor.answer(ids[0], "a"), vendor.answer(ids[1], "b"), vendor.answer(ids[0], "a"),
        vendor.answer(ids[1], "c"), vendor.answer("other", "d"),
        vendor.answer("", "e"),
      ])
      #expect(result.imported == 1)
      #expect(
        told(result) == [
          "duplicate: '\(ids[0])' already has the same answer on results.jsonl:1; only one of "
            + "the two is imported",
          "conflict: '\(ids[1])' already has a different answer on results.jsonl:2, so neither is "
            + "imported",
          "unknown-request: 'other' is not a custom_id that Sluice generates",
          "broken: the line has no custom_id, so its request is unknown",
        ]
      )
    }
  }

  @Test("An answer in another vendor's format is refused and reported as such")
  func wrongVendor() throws {
    for vendor in BatchVendor.allCases {
      let project = try vendor.project()
      let ids = try vendor.requests(try project.exported()).map(\.id)
      let title = ModelAPI(type: vendor.rawValue)?.title ?? ""
      let others = BatchVendor.allCases.filter { $0 != vendor }
      let result = try project.importing(
        [BatchService.answer(ids[0], "{}")]
          + zip(ids.dropFirst(), others).map { $1.answer($0, "{}") }
      )
      #expect(result.imported == 0)
      #expect(
        told(result) == [
          "failed: '\(ids[0])' has no answer: the line has an answer in the format of chat "
            + "completions, but 'server' uses \(title)"
        ]
          + zip(ids.dropFirst(), others).map { id, other in
            "failed: '\(id)' has no answer: the line has an answer in the format of "
              + "\(ModelAPI(type: other.rawValue)?.title ?? ""), but 'server' uses \(title)"
          }
      )
    }
  }

  @Test("Swapped requests and results are reported")
  func swapped() throws {
    for vendor in BatchVendor.allCases {
      let project = try vendor.project()
      let text = try project.exported()
      let lines = text.split(separator: "\n").map(String.init)
      let answers = try vendor.results(text)
      let asks = told(try project.importing(lines))
      #expect(asks.count == 4)
      #expect(asks.allSatisfy { $0.hasSuffix(": the line is a request, not a result") })
      let result = try project.importing(answers, requests: answers)
      #expect(
        told(result).filter { $0.hasSuffix(": the line is a result, not a request") }.count == 4
      )
      #expect(result.imported == 4)
    }
  }

  // MARK: By the request

  /// The exported lines under another tool's ids.
  private func foreign(_ vendor: BatchVendor, _ project: RecordingProject) throws -> [String] {
    try vendor.requests(try project.exported()).enumerated().map { number, request in
      JSONValue.object([
        vendor.names.id: .string("q-\(number)"), vendor.names.body: request.body,
      ]).jsonText
    }
  }

  @Test("Answers under other ids are matched by the bodies of their requests")
  func bodies() throws {
    for vendor in BatchVendor.allCases {
      let project = try vendor.project()
      let lines = (0..<4).map { vendor.answer("q-\($0)", "{}") }
      let requests = try foreign(vendor, project)
      #expect(try project.importing(lines, requests: requests).imported == 4, "\(vendor)")
      // The exported file contains the same requests, including its frame.
      let text = try project.exported(.all).split(separator: "\n").map(String.init)
      let again = try project.importing(
        try vendor.requests(text.joined(separator: "\n")).map { vendor.answer($0.id, "{}") },
        requests: text
      )
      #expect((again.known, again.isComplete) == (4, true), "\(vendor)")
    }
  }

  @Test("A changed prompt is reported by the part that differs")
  func changed() throws {
    for vendor in BatchVendor.allCases {
      let project = try vendor.project()
      let requests = try foreign(vendor, project)
      try project.edit(RecordingProject.casesPath, replacing: "Thanks!", with: "Many thanks!")
      let result = try project.importing([vendor.answer("q-2", "{}")], requests: requests)
      #expect(
        told(result) == [
          "other-request: 'q-2' answers a request that this project does not make; the most "
            + "similar one, case 'thanks' of triage v1, differs in: user message"
        ],
        "\(vendor)"
      )
    }
  }

  @Test("Gemini's lines name no model, so several of its backends need --backend")
  func unnamedModel() throws {
    let project = try BatchVendor.gemini.project()
    let requests = try foreign(.gemini, project)
    let lines = [BatchVendor.gemini.answer("q-0", "{}")]
    try project.edit(
      "sluice.yaml",
      replacing: "prices:",
      with: "  mirror: {type: gemini, model: sorter-2}\nprices:"
    )
    #expect(
      refusal { try project.importing(lines, requests: requests) } == [
        """
        requests.jsonl:1:1: error: 2 backends would send the request 'q-0': server, mirror
          fix: name the backend that answered, such as --backend server

        """
      ]
    )
    // Without a backend of that type, the error is about the missing type.
    let other = RecordingProject()
    #expect(
      refusal { try other.importing(lines, requests: requests) } == [
        """
        requests.jsonl:1:1: error: no backend of sluice.yaml has the type 'gemini'
          fix: add one under 'backends:', for example answers: {type: gemini, model: MODEL}

        """
      ]
    )
  }
}
