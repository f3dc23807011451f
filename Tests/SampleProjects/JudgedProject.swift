package import Sluice

/// The recording project with a judge: a second server grades the answers.
package struct JudgedProject: Sendable {
  package static let judgePath = "prompts/triage/judge.yaml"
  package static let verdictsPath = ProjectPath("datasets/triage/recordings/judge.jsonl")
  package let project = RecordingProject()

  package static let rubric =
    "llm-rubric: {backend: judge, prompt: judge.yaml, scale: [1, 5], at-least: 4}"

  /// Creates the project.
  ///
  /// - Parameters:
  ///   - scorer: The scorer that asks a judge.
  ///   - prompt: The judge's prompt.
  ///   - expected: The additional expectations of each case.
  ///   - conditions: The goals and gates, as written in the suite's file.
  /// - Throws: The errors in the files.
  package init(
    _ scorer: String = rubric,
    prompt: String = "Grade the reply to {{message}}: {{answer}}",
    expected: String = "",
    conditions: String = "gates:\n  - accuracy >= 60%\n"
  ) throws {
    let files = project.files
    func write(_ text: String, _ path: String) throws {
      try files.write(Array(text.utf8), to: ProjectPath(path))
    }
    try project.edit(
      "sluice.yaml",
      replacing: "prices:",
      with: """
          judge: {type: openai, base-url: "https://judges.test/v1", model: judge-1}
        prices:
        """
    )
    try write(
      """
      {"sorter-1": {"input_cost_per_token": 0.000002, "output_cost_per_token": 0.00001},
       "judge-1": {"input_cost_per_token": 0.00001, "output_cost_per_token": 0.00003}}
      """,
      "prices.json"
    )
    try write(
      """
      suite: triage
      prompt: v1.yaml
      dataset: triage
      backend: server
      scorers:
        - classification: {path: kind, expected: kind, labels: [question, request, other]}
        - \(scorer)
      \(conditions)
      """,
      RecordingProject.suitePath
    )
    try write("messages:\n  - user: \"\(prompt)\"\n", Self.judgePath)
    if !expected.isEmpty {
      let cases = try project.text(of: RecordingProject.casesPath)
      try write(
        cases.replacing("expected: {", with: "expected: {\(expected), "),
        RecordingProject.casesPath
      )
    }
  }

  // MARK: Recording

  /// Records answers, then verdicts, and leaves both pending.
  ///
  /// - Parameters:
  ///   - verdict: Returns the judge's reply to the text of a request.
  ///   - selection: The answers to request and judge.
  ///   - limit: The cost limit in US dollars.
  /// - Returns: The results of recording answers and verdicts.
  /// - Throws: The reason why nothing could be recorded.
  package func recordPending(
    _ verdict: @escaping @Sendable (String) -> String,
    _ selection: RecordingRequest.Selection = RecordingRequest.Selection(),
    limit: Double? = nil
  ) async throws -> (answers: Recorder.Outcome, verdicts: Recorder.Outcome) {
    let session = RecordingSession(try project.plan(), surroundings: project.surroundings)
    let backends = try backends(verdict, limit: limit)
    let answers = try await session.record(
      session.draft(selection),
      backends: backends
    )
    let verdicts = try await session.record(
      session.judgeDraft(selection).known,
      backends: backends
    )
    return (answers.recorder, verdicts.recorder)
  }

  /// Records answers and verdicts, and accepts both.
  package func record(_ verdict: @escaping @Sendable (String) -> String) async throws {
    _ = try await recordPending(verdict)
    try accept()
  }

  package func accept() throws {
    for name in ["server", "judge"] where project.pending(name).exists {
      _ = try project.pending(name).accept(now: RecordingProject.date)
    }
  }

  /// Returns the live backends by name.
  ///
  /// The judge replies with the text of a closure.
  package func backends(
    _ verdict: @escaping @Sendable (String) -> String,
    limit: Double? = nil
  ) throws -> [String: any Backend] {
    let plan = try project.plan()
    let meter = Meter(Budget(cost: limit), prices: plan.prices)
    let client = Self.client(verdict)
    var backends: [String: any Backend] = [:]
    for backend in plan.allBackends {
      backends[backend.name] = MeteredBackend(
        try backend.connectPlainly(client, surroundings: project.surroundings),
        meter
      )
    }
    return backends
  }

  /// Returns a client for both servers.
  package static func client(
    _ verdict: @escaping @Sendable (String) -> String
  ) -> RecordingHTTPClient {
    RecordingHTTPClient { request throws(HTTPError) in
      guard let body = try? JSONReader.value(request.body), body["model"] == "judge-1" else {
        return try RecordingProject.answer(to: request)
      }
      let text = body["messages"]?.array?.last?["content"]?.string ?? ""
      return HTTPResponse(
        status: 200,
        body: JSONWriter.line([
          "model": "judge-1",
          "choices": [
            ["message": ["content": .string(verdict(text))], "finish_reason": "stop"]
          ],
          "usage": ["prompt_tokens": 200, "completion_tokens": 20, "total_tokens": 220],
        ])
      )
    }
  }

  /// Returns a judge's reply with a grade.
  package static func grade(_ grade: Int, _ reason: String = "clear") -> String {
    #"{"score": \#(grade), "reason": "\#(reason)"}"#
  }
}
