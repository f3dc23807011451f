import SampleProjects
import Sluice
import Testing

@Suite("Differences between answers")
struct ResponseDifferenceTests {
  private func lines(_ old: ModelResponse, _ new: ModelResponse) -> [String] {
    ResponseDifference(from: old, to: new).lines
  }

  @Test(
    "Texts are compared by line, and JSON by field",
    arguments: [
      ("a", "a", []), (nil, nil, []), ("a", "b", ["- a", "+ b"]),
      ("a\nb\nc", "a\nB\nc", ["  a", "- b", "+ B", "  c"]),
      (#"{"kind":"a","why":"x"}"#, #"{"kind":"b","why":"x"}"#, [#"- kind: "a""#, #"+ kind: "b""#]),
      (#"{"a":1,"b":2}"#, #"{ "b": 2, "a": 1.0 }"#, []),
      (#"{"a":1}"#, "none", [#"- {"a":1}"#, "+ none"]),
      (nil, "a\nb", ["- (no text)", "+ a", "+ b"]),
      ("", nil, ["- (an empty text)", "+ (no text)"]),
      ("a", "a\n", ["+ (a line break at the end)"]),
    ] as [(String?, String?, [String])]
  )
  func texts(old: String?, new: String?, expected: [String]) {
    let difference = ResponseDifference(
      from: ModelResponse(text: old),
      to: ModelResponse(text: new)
    )
    #expect(difference.lines == expected)
    #expect(difference.isVisible == !expected.isEmpty)
    #expect(difference.isSame == expected.isEmpty)
  }

  @Test("A refusal and a finish reason are visible differences")
  func visible() {
    let difference = ResponseDifference(
      from: ModelResponse(text: "a"),
      to: ModelResponse(text: "a", refusal: "No.", finishReason: "length")
    )
    #expect(
      difference.lines == [
        "- refusal: none", "+ refusal: No.", "- finish reason: stop", "+ finish reason: length",
      ]
    )
    #expect(difference.isVisible)
  }

  @Test("Another model behind the same name is a difference, but not a visible one")
  func model() {
    let difference = ResponseDifference(
      from: ModelResponse(text: "a", provenance: Provenance(model: "m-1")),
      to: ModelResponse(text: "a")
    )
    #expect(difference.lines == ["- model: m-1", "+ model: unknown"])
    #expect(!difference.isVisible)
    #expect(!difference.isSame)
  }

  @Test("Tokens and times are shown but do not make answers different")
  func figures() {
    let difference = ResponseDifference(
      from: ModelResponse(
        text: "a",
        usage: TokenUsage(input: 9, output: 5),
        timings: ResponseTimings(total: 250.4)
      ),
      to: ModelResponse(
        text: "a",
        usage: TokenUsage(input: 9),
        timings: ResponseTimings(total: 251.5)
      )
    )
    #expect(difference.figures == ["output tokens 5 → unknown", "time 250 → 252 ms"])
    #expect(difference.isSame)
    #expect(!difference.isVisible)
  }

  @Test("A time that exceeds the range of integers is shown without a crash")
  func hugeTime() {
    let difference = ResponseDifference(
      from: ModelResponse(text: "a", timings: ResponseTimings(total: 1e300)),
      to: ModelResponse(text: "a", timings: ResponseTimings(total: 1))
    )
    #expect(difference.figures == ["time 1e+300 → 1 ms"])
  }

  @Test("ID, date, fingerprint, headers and host are ignored")
  func noise() throws {
    func response(_ number: Int, host: String) throws -> ModelResponse {
      let body = """
        {"id":"chatcmpl-\(number)","created":\(number),"system_fingerprint":"fp_\(number)",
        "model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"a"},
        "finish_reason":"stop"}]}
        """
      var recording = Recording.fixture(body: Array(body.utf8))
      recording.exchange.response.headers.append(HTTPHeader("openai-processing-ms", "\(number)"))
      recording.exchange.response.host = host
      recording.exchange.response.date = Timestamp(seconds: number)
      return try ResponseReader.response(in: recording.exchange)
    }
    let difference = ResponseDifference(
      from: try response(1, host: "https://a.test"),
      to: try response(2, host: "https://b.test")
    )
    #expect(difference.isSame)
    #expect(difference.figures == [])
  }
}
