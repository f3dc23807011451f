import Sluice
import Testing

@Suite("Model response")
struct ModelResponseTests {
  @Test(
    "The total of tokens is known only if both counts are known",
    arguments: [
      (TokenUsage(input: 3, output: 4), 7), (TokenUsage(input: 3), nil),
      (TokenUsage(output: 4), nil), (TokenUsage(), nil),
    ]
  )
  func total(usage: TokenUsage, total: Int?) {
    #expect(usage.total == total)
  }

  @Test("Unknown values are omitted from the JSON")
  func json() {
    func text(_ object: JSONObject) -> String { JSONValue.object(object).jsonText }
    #expect(
      text(TokenUsage(input: 3, cachedInput: 0, output: 4, reasoning: 1).json)
        == #"{"input":3,"cached-input":0,"output":4,"reasoning":1}"#
    )
    #expect(text(TokenUsage(output: 4).json) == #"{"output":4}"#)
    #expect(
      text(ResponseTimings(connect: 0, firstByte: 12.345, total: 1_000).json)
        == #"{"connect-ms":0,"first-byte-ms":12.345,"total-ms":1000}"#
    )
    #expect(text(ResponseTimings().json) == "{}")
    #expect(
      text(Provenance(host: "h", model: "m", standIn: "s", date: "d").json)
        == #"{"host":"h","model":"m","stand-in":"s","date":"d"}"#
    )
    #expect(text(Provenance().json) == "{}")
  }
}

@Suite("Scripted backend")
struct ScriptedBackendTests {
  @Test("A scripted backend answers in process and identifies itself as a stand-in")
  func answers() async throws {
    let backend = ScriptedBackend(date: Timestamp(seconds: 86_400)) {
      request throws(BackendError) in "answer of \(request.model)"
    }
    let exchange = try await backend.send(
      .init(backend: "b", api: "openai-chat", model: "m", body: [:])
    )
    #expect(
      try ResponseReader.response(in: exchange)
        == ModelResponse(
          text: "answer of m",
          provenance: Provenance(
            host: "in-process",
            model: "m",
            standIn: "scripted",
            date: "1970-01-02T00:00:00Z"
          )
        )
    )
  }

  @Test("An error thrown by the closure becomes the error of the request")
  func fails() async {
    let backend = ScriptedBackend { _ throws(BackendError) in
      throw BackendError(.rateLimited, "slow down")
    }
    await #expect(throws: BackendError(.rateLimited, "slow down")) {
      try await backend.send(.init(backend: "b", api: "openai-chat", model: "m", body: [:]))
    }
  }
}
