import SampleProjects
import Testing

@testable import SluiceCore

@Suite("Assertions about the response")
struct ResponseCheckTests {
  private func response(
    total: Double? = 230,
    firstText: Double? = nil,
    usage: TokenUsage? = TokenUsage(input: 300, output: 20),
    calls: [ToolCall] = [],
    finishReason: String? = "stop"
  ) -> ModelResponse {
    var response = ModelResponse(
      text: "fine",
      finishReason: finishReason,
      usage: usage,
      timings: ResponseTimings(firstText: firstText, total: total)
    )
    response.toolCalls = calls
    return response
  }

  private func score(_ assertion: String, _ response: ModelResponse, cost: Double? = nil) -> Score?
  {
    ScoringFixture("- \(assertion)").scorers.first?.scorer.score(
      Answer(response, cost: cost),
      for: TestCase(id: "case", input: [:], expected: [:])
    )
  }

  @Test(
    "A value equal to the limit passes, and a limit of 0 is allowed",
    arguments: [
      ("latency: 230", true), ("latency: 229 ms", false), ("latency: 0.23 s", true),
      ("latency: 0", false), ("latency: {threshold: 300 ms}", true),
      ("{type: latency, threshold: 229}", false), ("first-text: 80", true),
      ("first-text: 79.5 ms", false), ("tokens: 320", true), ("tokens: 319", false),
      ("tokens: 0", false), ("tokens: {input: 300, output: 19}", false),
      ("tokens: {input: 300, output: 20, total: 320}", true),
      ("{type: tokens, threshold: 319}", false), ("cost: 0.002", true), ("cost: $0.0019", false),
      ("cost: 0", false), ("{type: cost, threshold: 0.002}", true),
      ("{type: cost, value: 0.0019}", false),
    ]
  )
  func limits(_ assertion: String, _ holds: Bool) {
    let response = response(firstText: 80)
    #expect(score(assertion, response, cost: 0.002)?.outcome == (holds ? .passed : .failed))
    let opposite =
      assertion.hasPrefix("{")
      ? assertion.replacing("type: ", with: "type: not-") : "not-\(assertion)"
    #expect(score(opposite, response, cost: 0.002)?.outcome == (holds ? .failed : .passed))
  }

  @Test(
    "The explanation states the actual value, whether it passes or fails",
    arguments: [
      ("latency: 500 ms", "expected the answer to be complete within 500 ms: it took 230 ms"),
      ("latency: 0.1 s", "expected the answer to be complete within 100 ms: it took 230 ms"),
      ("not-latency: 1", "expected the answer not to be complete within 1 ms: it took 230 ms"),
      (
        "first-text: 79",
        "expected the answer to start within 79 ms: its first text arrived after 80 ms"
      ),
      ("cost: $0.001", "expected the answer to cost at most $0.001: it cost $0.002"),
      ("tokens: 1", "expected the answer to use at most 1 token: it used 320"),
      (
        "tokens: {input: 400, output: 10}",
        "expected the answer to use at most 400 input tokens and 10 output tokens: it used 300 "
          + "input and 20 output"
      ),
    ]
  )
  func explanations(_ assertion: String, _ explanation: String) {
    #expect(score(assertion, response(firstText: 80), cost: 0.002)?.explanation == explanation)
  }

  @Test(
    "An unknown value is unscored, also with 'not-'",
    arguments: [
      ("latency: 500", "the time of the answer is unknown"),
      (
        "first-text: 500",
        "the answer was not streamed; set 'stream: true' for its backend"
      ),
      (
        "cost: 1",
        "the cost of the answer is unknown: its usage or the price of its model is missing"
      ),
      ("tokens: 5", "the number of tokens of the answer is unknown"),
      ("tokens: {output: 5}", "the number of tokens of the answer is unknown"),
      ("finish-reason: stop", "the server did not say why the answer ended"),
    ]
  )
  func unknown(_ assertion: String, _ reason: String) {
    let response = response(total: nil, usage: nil, finishReason: nil)
    for assertion in [assertion, "not-\(assertion)"] {
      #expect(score(assertion, response) == Score(.unscored, explanation: reason))
    }
  }

  @Test("Timings, tool calls and finish reason of an unusable answer can be checked")
  func unusable() {
    var refused = response()
    refused.text = nil
    refused.refusal = "I can't help with that."
    #expect(score("is-refusal", refused)?.outcome == .passed)
    #expect(
      score("not-is-refusal", refused)
        == Score(
          .failed,
          explanation: #"expected the answer not to be a refusal, got "I can't help with that.""#
        )
    )
    #expect(score("latency: 500", refused)?.outcome == .passed)
    let cut = response(finishReason: "length")
    #expect(score("finish-reason: length", cut)?.outcome == .passed)
    #expect(score("contains: fine", cut)?.isUnusable == true)
  }

  @Test(
    "Tool calls must match the expected ones exactly, in any order",
    arguments: [
      ("[search, open]", true), ("[open, search]", true), ("[search]", false),
      ("[search, open, open]", false), ("[search, {name: open, arguments: {id: 7}}]", true),
      ("[search, {name: open, arguments: {id: 8}}]", false),
      ("[search, {name: open, arguments: {}}]", false), ("[]", false),
      ("[{name: open}, {name: search, arguments: {text: a, n: 1}}]", true),
    ]
  )
  func calls(_ calls: String, _ holds: Bool) {
    let response = response(calls: [
      ToolCall(id: "1", name: "search", arguments: #"{"n":1.0,"text":"a"}"#),
      ToolCall(id: "2", name: "open", arguments: #"{"id":7}"#),
    ])
    let score = score("tool-calls: \(calls)", response)
    #expect(score?.outcome == (holds ? .passed : .failed))
  }

  @Test("Each expected call is matched with an actual call that fits, if possible")
  func bestFit() {
    let calls = [
      ToolCall(id: "1", name: "open", arguments: #"{"id":7}"#),
      ToolCall(id: "2", name: "open", arguments: #"{"id":8}"#),
    ]
    let wanted = "tool-calls: [open, {name: open, arguments: {id: 7}}]"
    #expect(score(wanted, response(calls: calls))?.outcome == .passed)
    #expect(
      score("tool-calls: [search, open]", response(calls: calls))?.explanation
        == "expected the answer to call only search, open: "
        + #"it called open({"id":7}), open({"id":8})"#
    )
  }

  @Test("An invalid limit is an error with a fix")
  func wrong() {
    let yaml = """
      - latency: soon
      - latency: -1
      - not-cost: 2 EUR
      - tokens: many
      - tokens: {inputs: 3}
      - tokens: {}
      - first-text: {limit: 3}
      - tool-calls: search
      - word-count: {min: 3, max: 2}
      - word-count: 2.5
      """
    #expect(
      ScoringFixture(yaml).said == """
        suite.yaml:1:12: error: 'latency' needs a time
          1 | - latency: soon
            |            ^
          fix: write, for example, 'latency: 500 ms' or 'latency: 2 s'
        suite.yaml:2:12: error: 'latency' needs a time
          2 | - latency: -1
            |            ^
          fix: write, for example, 'latency: 500 ms' or 'latency: 2 s'
        suite.yaml:3:13: error: 'not-cost' needs an amount of US dollars
          3 | - not-cost: 2 EUR
            |             ^
          fix: write, for example, 'not-cost: 0.004' or 'not-cost: $0.004'
        suite.yaml:4:11: error: 'tokens' needs a maximum number of tokens
          4 | - tokens: many
            |           ^
          fix: write, for example, 'tokens: 500' or 'tokens: {input: 400, output: 100}'
        suite.yaml:5:12: error: unknown key 'inputs' in the scorer 'tokens'
          5 | - tokens: {inputs: 3}
            |            ^
          fix: did you mean 'input'?
        suite.yaml:6:11: error: 'tokens' needs a limit
          6 | - tokens: {}
            |           ^
          fix: write, for example, 'tokens: {input: 400, output: 100}'
        suite.yaml:7:15: error: the scorer 'first-text' needs 'threshold'
          7 | - first-text: {limit: 3}
            |               ^
          fix: add 'threshold: …'
        suite.yaml:7:16: error: unknown key 'limit' in the scorer 'first-text'
          7 | - first-text: {limit: 3}
            |                ^
          fix: known: threshold
        suite.yaml:8:15: error: 'tool-calls' needs the list of expected calls; an empty list means no call
          8 | - tool-calls: search
            |               ^
          fix: write, for example, 'tool-calls: [search, {name: open, arguments: {id: 7}}]'
        suite.yaml:9:15: error: 'word-count' needs a whole number, or 'min' and 'max'
          9 | - word-count: {min: 3, max: 2}
            |               ^
          fix: write, for example, '3' or '{min: 1, max: 5}'
        suite.yaml:10:15: error: 'word-count' needs a whole number, or 'min' and 'max'
          10 | - word-count: 2.5
             |               ^
          fix: write, for example, '3' or '{min: 1, max: 5}'

        """
    )
  }
}
