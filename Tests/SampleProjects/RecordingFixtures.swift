package import Sluice

extension Recording {
  /// Returns a complete recording without special features, of which tests change one part.
  package static func fixture(
    user: String = "Where is it?",
    system: String? = nil,
    parameters: JSONObject = ["temperature": 0],
    fingerprint: String? = nil,
    body: [UInt8] = Array(#"{"choices":[{"message":{"content":"a"}}]}"#.utf8),
    repetition: Int = 1,
    testCase: String = "where",
    inputDigest: String? = nil,
    prompt: String = "v1",
    templateDigest: String = "fedcba9876543210"
  ) -> Recording {
    let request = ModelRequest.fixture(
      user: user,
      system: system,
      parameters: parameters,
      fingerprint: fingerprint
    )
    return Recording(
      key: RequestIdentity.key(of: request),
      repetition: repetition,
      exchange: Exchange(
        request: request,
        headers: [HTTPHeader("content-type", "application/json")],
        body: body,
        timings: ResponseTimings(connect: 1, firstByte: 200.125, total: 250.5),
        host: "https://models.test",
        date: RecordingProject.date
      ),
      hints: Recording.Hints(
        suite: "triage",
        testCase: testCase,
        inputDigest: inputDigest ?? Self.inputDigest(of: testCase),
        prompt: prompt,
        templateDigest: templateDigest
      )
    )
  }
}

extension Recording {
  /// Returns a digest that differs between cases, as their inputs do.
  private static func inputDigest(of testCase: String) -> String {
    testCase == "where" ? "0123456789abcdef" : RequestIdentity.digest(.string(testCase))
  }
}

extension ModelRequest {
  package static func fixture(
    user: String = "Where is it?",
    system: String? = nil,
    parameters: JSONObject = ["temperature": 0],
    fingerprint: String? = nil
  ) -> ModelRequest {
    var messages: [JSONValue] = []
    if let system { messages.append(["role": "system", "content": .string(system)]) }
    messages.append(["role": "user", "content": .string(user)])
    var body: JSONObject = ["model": "sorter-1", "messages": .array(messages)]
    for (name, value) in parameters.members { body[name] = value }
    return ModelRequest(
      backend: "server",
      api: "openai-chat",
      model: "sorter-1",
      body: .object(body),
      fingerprint: fingerprint
    )
  }
}
