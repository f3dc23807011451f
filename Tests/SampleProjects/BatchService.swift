package import Sluice

/// A batch service in memory, which answers the lines of a batch file with lines of results.
package enum BatchService {
  /// A request as the service reads it.
  package struct Request: Sendable {
    package var id: String
    package var body: JSONValue

    /// The last message of the request.
    package var question: String {
      body["messages"]?.array?.last?["content"]?.string ?? ""
    }
  }

  /// Returns the requests of a batch file.
  package static func requests(_ text: String) throws -> [Request] {
    try text.split(separator: "\n").map { line in
      let json = try JSONReader.value(Array(line.utf8))
      return Request(id: json["custom_id"]?.string ?? "", body: json["body"] ?? .null)
    }
  }

  /// Returns the result line of an answer.
  package static func answer(_ id: String, _ text: String, created: Int? = nil) -> String {
    var body: JSONObject = ["id": "chatcmpl-1", "object": "chat.completion"]
    body.set("created", created.map { .number(Double($0)) })
    body["model"] = "sorter-1"
    body["choices"] = [
      [
        "index": 0, "message": ["role": "assistant", "content": .string(text)],
        "finish_reason": "stop",
      ]
    ]
    body["usage"] = ["prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110]
    return JSONValue.object([
      "id": .string("batch_req_\(id)"), "custom_id": .string(id),
      "response": ["status_code": 200, "request_id": "req-1", "body": .object(body)],
      "error": .null,
    ]).jsonText
  }

  /// Returns the result line of a request that the server refused.
  package static func refusal(_ id: String, status: Int, _ message: String) -> String {
    JSONValue.object([
      "id": .string("batch_req_\(id)"), "custom_id": .string(id),
      "response": [
        "status_code": .number(Double(status)), "request_id": "req-1",
        "body": ["error": ["message": .string(message)]],
      ],
      "error": .null,
    ]).jsonText
  }

  /// Returns the result line of a request that the service did not process in time.
  package static func expiry(_ id: String) -> String {
    JSONValue.object([
      "id": .string("batch_req_\(id)"), "custom_id": .string(id), "response": .null,
      "error": [
        "code": "batch_expired",
        "message": "This request could not be executed before the completion window expired.",
      ],
    ]).jsonText
  }

  /// Returns the answer of ``RecordingProject/server`` to a question.
  package static func kind(of question: String) -> String {
    switch question.last {
    case "?": #"{"kind":"question"}"#
    case ".": #"{"kind":"request"}"#
    default: #"{"kind":"other"}"#
    }
  }

  /// Returns a result line with the answer of ``RecordingProject/server`` for each request.
  package static func results(_ text: String) throws -> [String] {
    try requests(text).map { answer($0.id, kind(of: $0.question)) }
  }
}

extension RecordingProject {
  /// Returns the text that an export writes.
  package func exported(
    _ scope: RecordingRequest.Selection.Scope = .missing,
    overwrites: Bool = false
  ) throws -> String {
    let plan = RecordingPlan(
      [try suite()],
      RecordingRequest.Selection(scope: scope),
      surroundings,
      isScratch: false
    )
    let export = try BatchExport(
      plan,
      backends: ProjectLoader.backends(from: files).backends,
      redaction: Redaction()
    )
    let path = ProjectPath("batch.jsonl")
    try export.write(to: path, named: "batch.jsonl", in: files, overwrites: overwrites)
    return try text(of: path.description)
  }

  /// Imports result lines.
  package func importing(
    _ lines: [String],
    requests: [String]? = nil,
    _ options: BatchImport.Options = BatchImport.Options()
  ) throws -> BatchImportResult {
    try files.write(lines, to: "results.jsonl")
    if let requests { try files.write(requests, to: "requests.jsonl") }
    let batch = BatchImport(
      [try plan()],
      backends: ProjectLoader.backends(from: files).backends,
      surroundings,
      options
    )
    return try batch.run(
      results: [BatchImport.Source(name: "results.jsonl", path: ProjectPath("results.jsonl"))],
      requests: requests == nil
        ? []
        : [BatchImport.Source(name: "requests.jsonl", path: ProjectPath("requests.jsonl"))]
    )
  }
}

extension InMemoryFileSystem {
  /// Writes lines to a file.
  package func write(_ lines: [String], to path: String) throws(FileError) {
    try write(Array(lines.map { $0 + "\n" }.joined().utf8), to: ProjectPath(path))
  }
}
