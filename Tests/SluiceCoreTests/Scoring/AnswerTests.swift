import SampleProjects
@testable import SluiceCore
@testable import SluiceSupport
import Testing

@Suite("Answers")
struct AnswerTests {
  @Test(
    "An unusable answer states the reason before its text is read",
    arguments: ScoringUnusableAnswer.always
  )
  func flaws(_ unusable: ScoringUnusableAnswer) {
    let answer = Answer(unusable.response)
    #expect(answer.flaw == unusable.reason)
    #expect(answer.json == .failure(UnusableAnswer(reason: unusable.reason)))
    #expect(answer.value(at: "found") == .failure(UnusableAnswer(reason: unusable.reason)))
  }

  @Test(
    "An answer that ended normally has no flaw, whatever its finish reason",
    arguments: ["stop", "tool_calls", "eos", nil]
  )
  func noFlaw(_ finishReason: String?) {
    let answer = Answer(ModelResponse(text: "hello", finishReason: finishReason))
    #expect(answer.flaw == nil)
    #expect(answer.text == "hello")
  }

  @Test("Without a suite, an empty text is a valid answer")
  func emptyText() {
    let answer = Answer(ModelResponse(text: ""))
    #expect(answer.flaw == nil)
    #expect(answer.text == "")
    let reason = "the answer is not valid JSON: the JSON value ends too early"
    #expect(answer.json == .failure(UnusableAnswer(reason: reason)))
  }

  @Test(
    "An answer of only white space and invisible characters is empty",
    arguments: [
      "", " ", "\n\t \r\n", "\u{a0}", "\u{3000}\u{2003}", "\u{200b}", "\u{feff}", "\u{2060}",
      "\u{200d}\u{200c}", "\u{ad}", "\u{2800}", "\u{3164}", "\u{0}", " \u{200e}\u{202f}\u{85} ",
    ]
  )
  func blank(_ text: String) {
    let answer = Answer(ModelResponse(text: text), wanting: [])
    #expect(answer.flaw == "the answer is empty")
    #expect(answer.json == .failure(UnusableAnswer(reason: "the answer is empty")))
    #expect(answer.substitute == nil)
  }

  @Test(
    "An answer with any visible character is not empty",
    arguments: [".", " a", "\u{200b}é", "\u{2800}1", "\n0", "🙂", "\u{7f}x", "\u{1f3f4}\u{e007f}"]
  )
  func visible(_ text: String) {
    #expect(Answer(ModelResponse(text: text), wanting: []).flaw == nil)
  }

  /// A response, the requested parts, and the expected result.
  private static let parts:
    [(response: ModelResponse, wanted: Set<AnswerPart>, flaw: String?, substitute: AnswerPart?)] = [
      (call(nil), [], "the answer has no text, only a tool call that no scorer checks", nil),
      (
        call(" "), [.refusal], "the answer has no text, only a tool call that no scorer checks",
        nil
      ),
      (call(nil), [.toolCall], nil, .toolCall), (call("\n"), [.toolCall], nil, .toolCall),
      (call("Looking…"), [.toolCall], nil, nil), (call("Looking…"), [], nil, nil),
      (call(nil), [.emptyText], nil, nil), (call(nil), [.emptyText, .toolCall], nil, .toolCall),
      (refusal(nil), [], "the model refused to answer", nil),
      (refusal(nil), [.toolCall, .emptyText], "the model refused to answer", nil),
      (refusal(nil), [.refusal], nil, .refusal), (refusal("I won't."), [.refusal], nil, nil),
      (ModelResponse(text: nil), [.toolCall, .refusal], "the answer has no text", nil),
      (ModelResponse(text: nil), [.emptyText], nil, nil),
      (ModelResponse(text: " "), [.emptyText], nil, nil),
      (
        ModelResponse(text: nil, refusal: "No.", finishReason: "length"), [.refusal],
        "the answer was cut off at the token limit", nil
      ),
    ]

  private static func call(_ text: String?) -> ModelResponse {
    var response = ModelResponse(text: text)
    response.toolCalls = [ToolCall(id: "1", name: "search", arguments: "{}")]
    return response
  }

  private static func refusal(_ text: String?) -> ModelResponse {
    ModelResponse(text: text, refusal: "I can't help with that.")
  }

  @Test("A tool call or a refusal replaces the text if a scorer asks for it", arguments: parts)
  func substitutes(
    response: ModelResponse,
    wanted: Set<AnswerPart>,
    flaw: String?,
    substitute: AnswerPart?
  ) {
    let answer = Answer(response, wanting: wanted)
    #expect(answer.flaw == flaw)
    #expect(answer.substitute == substitute)
  }

  @Test(
    "A path leads through members and indices",
    arguments: [
      ("a", #"{"a":1}"#, 1), ("a.b", #"{"a":{"b":null}}"#, nil), ("a.1", #"{"a":[1,2]}"#, 2),
      ("1.x", #"[0,{"x":"y"}]"#, "y"),
    ] as [(String, String, JSONValue)]
  )
  func paths(_ path: String, _ text: String, _ value: JSONValue) {
    #expect(Answer(ModelResponse(text: text)).value(at: path) == .success(value))
  }

  @Test(
    "A path that does not exist makes the answer unusable, with the path in the reason",
    arguments: [
      ("a", "{}"), ("a.b", #"{"a":1}"#), ("a.2", #"{"a":[1,2]}"#), ("a.-1", #"{"a":[1,2]}"#),
      ("é", #"{"e\#u{301}":1}"#),
    ]
  )
  func missing(_ path: String, _ text: String) {
    let reason = UnusableAnswer(reason: "the answer has no '\(path)'")
    #expect(Answer(ModelResponse(text: text)).value(at: path) == .failure(reason))
  }
}
