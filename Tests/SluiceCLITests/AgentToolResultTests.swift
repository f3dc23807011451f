import Sluice
@testable import SluiceCLI
import Testing

@Suite("Results of agent tools")
struct AgentToolResultTests {
  private static let quotes = String(repeating: "\"", count: 5_000)
  private static let short = String(repeating: "\"", count: 200)
  private static let controls = String(repeating: "\u{1}", count: 5_000)

  /// Results of commands that are longer than a line may be.
  static let outputs: [(name: String, output: JSONValue)] = [
    ("texts", .array(Array(repeating: .string(quotes), count: 120))),
    ("control characters", .array(Array(repeating: .string(controls), count: 20))),
    ("lists", .array(Array(repeating: .array(Array(repeating: 1, count: 200)), count: 200))),
    (
      "members",
      .object(JSONObject((0..<2_000).map { ("a-member-with-a-name-\($0)", .string(short)) }))
    ),
  ]

  @Test(
    "The line with a result has at most 200,000 bytes",
    arguments: outputs.indices,
    [0, 1, 250]
  )
  func size(index: Int, messages: Int) throws {
    let transcript = CommandTranscript(showsErrors: false)
    transcript.answer(JSONWriter.line(["verdict": "fail", "value": Self.outputs[index].output]))
    for _ in 0..<messages { _ = transcript.add(error: Self.quotes + "\n") }
    let result = AgentTool.Result(.fail, transcript).json
    let id = JSONValue.string(String(repeating: "\u{1}", count: 200))
    let line = JSONRPCMessage.result(result, id: id)
    #expect(line.count + 1 <= 200_000, "\(Self.outputs[index].name)")
    let content = try #require(result["structuredContent"])
    #expect(content["exit-code"] == 1)
    #expect(content.value(at: "output.verdict") == "fail")
    let text = try #require(JSONValue.object(result).value(at: "content.0.text")?.string)
    #expect(try JSONReader.value(text) == content)
  }

  @Test("A short result is complete")
  func short() {
    let transcript = CommandTranscript(showsErrors: false)
    let output: JSONValue = ["verdict": "pass", "list": [1, 2, 3], "text": "\"quoted\""]
    transcript.answer(JSONWriter.line(output))
    _ = transcript.add(error: "warning: one\nwarning: two\n")
    let content = AgentTool.Result(.pass, transcript).json["structuredContent"]
    #expect(content?["output"] == output)
    #expect(content?["messages"] == ["warning: one", "warning: two"])
  }
}
