package import Sluice

/// A small project in memory.
///
/// Its suite classifies messages. Its server chooses each answer by the last character of the
/// message.
///
/// Tests edit its files as a user would, and each call reads them again.
package struct RecordingProject: Sendable {
  package static let suitePath = "prompts/triage/suite.yaml"
  package static let promptPath = "prompts/triage/v1.yaml"
  package static let casesPath = "datasets/triage/cases.yaml"
  package static let recordingsPath = ProjectPath("datasets/triage/recordings/server.jsonl")
  /// The time of every answer of ``server``.
  package static let date = Timestamp(seconds: 1_795_262_419)

  package let files: InMemoryFileSystem

  /// Creates a project with four cases, the last of which the server answers wrongly.
  package init() {
    files = InMemoryFileSystem([
      "sluice.yaml": """
      backends:
        server: {type: openai, base-url: "https://models.test/v1", model: sorter-1}
      prices: prices.json
      """,
      "prices.json": """
      {"sorter-1": {"input_cost_per_token": 0.000002, "output_cost_per_token": 0.00001}}
      """,
      Self.suitePath: """
      suite: triage
      prompt: v1.yaml
      dataset: triage
      backend: server
      scorers:
        - classification: {path: kind, expected: kind, labels: [question, request, other]}
      gates:
        - accuracy >= 60%
      goals:
        - accuracy >= 90%
        - p95(latency) < 1 s
        - mean(cost) <= $0.004
      """,
      Self.promptPath: """
      messages:
        - system: Say what kind of message it is.
        - user: "{{message}}"
      parameters: {temperature: 0, max-tokens: 20}
      response-schema: kind.schema.json
      """,
      "prompts/triage/kind.schema.json": """
      {"type": "object", "properties": {"kind": {"type": "string"}}}
      """,
      Self.casesPath: """
      - {id: where, tags: [short], input: {message: "Where is it?"}, expected: {kind: question}}
      - {id: send, input: {message: "Please send it."}, expected: {kind: request}}
      - {id: thanks, input: {message: "Thanks!"}, expected: {kind: other}}
      - {id: polite, input: {message: "Could you send it?"}, expected: {kind: request}}

      """,
    ])
  }

  private init(files: InMemoryFileSystem) { self.files = files }

  /// Creates a project with a number of cases, all of which the server answers correctly.
  package init(caseCount: Int) throws {
    self.init()
    let cases = (0..<caseCount).map { number in
      "- {id: case-\(number), input: {message: \"Number \(number)?\"}, expected: {kind: question}}\n"
    }
    try files.write(Array(cases.joined().utf8), to: ProjectPath(Self.casesPath))
  }

  // MARK: Files

  package func text(of path: String) throws(FileError) -> String {
    String(decoding: try files.read(ProjectPath(path)), as: UTF8.self)
  }

  /// Replaces the first occurrence of a text, which must exist.
  package func edit(_ path: String, replacing old: String, with new: String) throws {
    let text = try text(of: path)
    let parts = text.split(separator: old, maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else {
      throw FileError(path: ProjectPath(path), reason: "does not hold '\(old)'")
    }
    try files.write(Array((parts[0] + new + parts[1]).utf8), to: ProjectPath(path))
  }

  // MARK: Stages

  package var surroundings: Surroundings {
    Surroundings(files: files, now: { Self.date })
  }

  /// Returns the suite from the current files.
  package func suite() throws -> ResolvedSuite {
    let loaded = ProjectLoader.load(from: files)
    guard let suite = loaded.suites.first, !loaded.hasErrors else {
      throw FileError(
        path: ProjectPath(Self.suitePath),
        reason: loaded.diagnostics.map(\.description).joined()
      )
    }
    return suite
  }

  package func plan() throws -> SuitePlan { try suite().plan }

  /// Returns the recordings from the current files, by backend.
  package func recordings() throws -> [String: RecordingStore] {
    Evaluation(try suite(), surroundings: surroundings).recordings
  }

  /// Records the selected requests from the server, and leaves them pending.
  package func recordPending(
    _ selection: RecordingRequest.Selection = RecordingRequest.Selection(),
    from client: any HTTPClient = RecordingProject.server,
    limit: Double? = nil
  ) async throws -> Recorder.Outcome {
    try await recordPending(try plan(), selection, from: client, limit: limit)
  }

  private func recordPending(
    _ plan: SuitePlan,
    _ selection: RecordingRequest.Selection = RecordingRequest.Selection(),
    from client: any HTTPClient,
    limit: Double? = nil
  ) async throws -> Recorder.Outcome {
    let session = RecordingSession(plan, surroundings: surroundings)
    let draft = session.draft(selection)
    let backends = try backends(of: plan, client, limit: limit)
    return try await session.record(draft, backends: backends).recorder
  }

  /// Records missing answers from ``server``, and accepts them.
  ///
  /// Many tests start with the same files, so each result is computed once.
  package func record() async throws -> Recorder.Outcome {
    let before = try contents()
    // Tests run at the same time, so most calls arrive while the first call still records.
    let task = Self.recorded.withLock { recorded in
      if let known = recorded[before] { return known }
      let task = Task { () throws -> Recorded in
        let project = RecordingProject(files: InMemoryFileSystem())
        for (path, bytes) in before { try project.files.write(bytes, to: path) }
        let outcome = try await project.record(from: Self.server)
        return Recorded(files: try project.contents(), outcome: outcome)
      }
      recorded[before] = task
      return task
    }
    let known = try await task.value
    for (path, bytes) in known.files { try files.write(bytes, to: path) }
    for path in before.keys where known.files[path] == nil { try files.remove(path) }
    return known.outcome
  }

  /// A project after recording.
  private struct Recorded: Sendable {
    var files: Contents
    var outcome: Recorder.Outcome
  }

  /// The recording of each project, by the files with which the project starts.
  private static let recorded = Locked<[Contents: Task<Recorded, any Error>]>([:])

  private typealias Contents = [ProjectPath: [UInt8]]

  /// Returns all files of the project, by path.
  private func contents(in folder: ProjectPath = ProjectPath(".")) throws(FileError) -> Contents {
    var contents: Contents = [:]
    for name in files.names(in: folder) {
      let path = folder.resolvingChild(name)
      if files.kind(of: path) == .folder {
        contents.merge(try self.contents(in: path)) { $1 }
      } else {
        contents[path] = try files.read(path)
      }
    }
    return contents
  }

  /// Records missing answers from a server, and accepts them.
  package func record(from client: any HTTPClient) async throws -> Recorder.Outcome {
    let plan = try plan()
    let outcome = try await recordPending(plan, from: client)
    for backend in plan.backends { _ = try pending(backend.name).accept(now: Self.date) }
    return outcome
  }

  /// Returns the pending set.
  package func pending(_ backend: String = "server") -> PendingRecordings {
    PendingRecordings(dataset: ProjectPath(Self.casesPath), backend: backend, files: files)
  }

  /// Returns the live backends by name, with a cost limit in US dollars.
  package func backends(
    _ client: any HTTPClient,
    limit: Double? = nil
  ) throws -> [String: any Backend] {
    try backends(of: try plan(), client, limit: limit)
  }

  private func backends(
    of plan: SuitePlan,
    _ client: any HTTPClient,
    limit: Double?
  ) throws -> [String: any Backend] {
    var backends: [String: any Backend] = [:]
    let meter = Meter(Budget(cost: limit), prices: plan.prices)
    for backend in plan.backends {
      backends[backend.name] = MeteredBackend(
        try backend.connectPlainly(client, surroundings: surroundings),
        meter
      )
    }
    return backends
  }

  /// Returns the result of a run on the recordings.
  package func replay(concurrency: Int = 1) throws -> RunResult {
    let evaluation = Evaluation(try suite(), surroundings: surroundings)
    return RunResult(suites: [evaluation.replay(concurrency: concurrency).result])
  }

  // MARK: The server

  /// A server that answers with a kind chosen by the message's last character.
  package static var server: RecordingHTTPClient {
    RecordingHTTPClient { request throws(HTTPError) in try answer(to: request) }
  }

  /// Returns the answer of ``server``.
  package static func answer(to request: HTTPRequest) throws(HTTPError) -> HTTPResponse {
    guard let body = try? JSONReader.value(request.body),
      let message = body["messages"]?.array?.last?["content"]?.string
    else { throw HTTPError(.broken, detail: "no message was sent") }
    let kind =
      switch message.last {
      case "?": "question"
      case ".": "request"
      default: "other"
      }
    return completion(text: "{\"kind\":\"\(kind)\"}")
  }

  /// Returns the response of a server that counts tokens and takes some time.
  package static func completion(text: String, finishReason: String = "stop") -> HTTPResponse {
    HTTPResponse(
      status: 200,
      headers: [
        HTTPHeader("content-type", "application/json"),
        HTTPHeader("set-cookie", "session=secret"),
      ],
      body: JSONWriter.line([
        "model": "sorter-1",
        "choices": [
          [
            "index": 0, "message": ["role": "assistant", "content": .string(text)],
            "finish_reason": .string(finishReason),
          ]
        ],
        "usage": ["prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110],
      ]),
      timings: HTTPTimings(
        connect: .milliseconds(1),
        firstByte: .milliseconds(200),
        total: .microseconds(250_500)
      )
    )
  }
}
