@testable import Sluice
import TestSupport
import Testing

@Suite("Answers")
struct AnswerTests {
  @Test(
    "An answer that no app could use says why, before anybody looks at its text",
    arguments: ScoringUnusableAnswer.always
  )
  func flaws(_ unusable: ScoringUnusableAnswer) {
    let answer = Answer(unusable.response)
    #expect(answer.flaw == unusable.reason)
    #expect(answer.json == .failure(UnusableAnswer(reason: unusable.reason)))
    #expect(answer.value(at: "found") == .failure(UnusableAnswer(reason: unusable.reason)))
  }

  @Test(
    "An answer that ended by itself has no flaw, whatever word the wire has for it",
    arguments: ["stop", "tool_calls", "eos", nil]
  )
  func noFlaw(_ finishReason: String?) {
    let answer = Answer(ModelResponse(text: "hello", finishReason: finishReason))
    #expect(answer.flaw == nil)
    #expect(answer.text == "hello")
  }

  @Test("An empty text is a text: what it is worth is for the scorers to say")
  func emptyText() {
    let answer = Answer(ModelResponse(text: ""))
    #expect(answer.flaw == nil)
    #expect(answer.text == "")
    let reason = "the answer is not valid JSON: the JSON value ends too early"
    #expect(answer.json == .failure(UnusableAnswer(reason: reason)))
  }

  @Test(
    "A path leads through members and indices; where it leads nowhere the answer is unusable",
    arguments: [
      ("a", #"{"a":1}"#, 1), ("a.b", #"{"a":{"b":null}}"#, nil), ("a.1", #"{"a":[1,2]}"#, 2),
      ("1.x", #"[0,{"x":"y"}]"#, "y"),
    ] as [(String, String, JSONValue)]
  )
  func paths(_ path: String, _ text: String, _ value: JSONValue) {
    #expect(Answer(ModelResponse(text: text)).value(at: path) == .success(value))
  }

  @Test(
    "A path that leads nowhere is named",
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
