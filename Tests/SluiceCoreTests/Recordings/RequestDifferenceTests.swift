import SampleProjects
@testable import SluiceCore
@testable import SluiceSupport
import Testing

@Suite("Differences between requests")
struct RequestDifferenceTests {
  private func parts(_ old: ModelRequest, _ new: ModelRequest) -> [RequestDifference.Part] {
    RequestDifference(from: old, to: new).parts
  }

  private func request(_ body: JSONValue) -> ModelRequest {
    ModelRequest(backend: "server", api: "openai-chat", model: "m", body: body)
  }

  @Test("Equal requests have no difference, even if their members have another order")
  func equal() {
    #expect(parts(.fixture(), .fixture()) == [])
    #expect(
      parts(
        .fixture(parameters: ["seed": 1, "top_p": 1]),
        .fixture(parameters: ["top_p": 1, "seed": 1])
      ) == []
    )
  }

  @Test("For a text, the changed lines are shown with their neighbors")
  func text() {
    #expect(
      parts(.fixture(system: "a\nb\nc\nd\ne"), .fixture(system: "a\nb\nC\nd\ne")) == [
        RequestDifference.Part(
          name: "system message",
          lines: ["  …", "  b", "- c", "+ C", "  d", "  …"]
        )
      ]
    )
  }

  @Test("A final line break, which no line would show, is reported")
  func lastBreak() {
    #expect(
      parts(.fixture(system: "a"), .fixture(system: "a\n"))
        == [RequestDifference.Part(name: "system message", lines: ["+ (a line break at the end)"])]
    )
  }

  @Test("Added and removed parts are shown completely, even empty texts")
  func whole() {
    #expect(
      parts(.fixture(parameters: [:]), .fixture(system: "a\nb", parameters: ["seed": 7])) == [
        RequestDifference.Part(name: "system message", lines: ["+ a", "+ b"]),
        RequestDifference.Part(name: "seed", lines: ["+ 7"]),
      ]
    )
    #expect(
      parts(.fixture(system: "", fingerprint: "v7"), .fixture()) == [
        RequestDifference.Part(name: "fingerprint", lines: ["- v7"]),
        RequestDifference.Part(name: "system message", lines: ["- (empty)"]),
      ]
    )
  }

  @Test("For JSON, the changed leaves are shown with their paths")
  func json() {
    let old = request(["response_format": ["schema": ["a": 1, "b": [1, 2]]]])
    let new = request(["response_format": ["schema": ["b": [1, 3], "c": nil]]])
    #expect(
      parts(old, new) == [
        RequestDifference.Part(
          name: "response schema",
          lines: ["- schema.a: 1", "- schema.b.1: 2", "+ schema.b.1: 3", "+ schema.c: null"]
        )
      ]
    )
  }

  @Test(
    "A member without a known name is part of the body",
    arguments: [
      (["a": 1], ["a": 1, "messages": []], ["+ messages: []"]),
      (["tools": []], [:], ["- tools: []"]), (["model": "m"], [:], [#"- model: "m""#]),
      ("a", "b", [#"- "a""#, #"+ "b""#]),
    ] as [(JSONValue, JSONValue, [String])]
  )
  func body(old: JSONValue, new: JSONValue, lines: [String]) {
    #expect(
      parts(request(old), request(new)) == [RequestDifference.Part(name: "body", lines: lines)]
    )
  }

  @Test("A member of the body with the name of another part is kept separate")
  func sameNames() {
    let old = request(["backend": "x", "fingerprint": "y", "max_tokens": 1, "max-tokens": 2])
    let new = request(["backend": "x", "fingerprint": "z", "max_tokens": 1, "max-tokens": 3])
    #expect(
      parts(old, new) == [
        RequestDifference.Part(name: "fingerprint", lines: [#"- "y""#, #"+ "z""#]),
        RequestDifference.Part(name: "max-tokens", lines: ["- 2", "+ 3"]),
      ]
    )
  }

  @Test("Tools of the same name are numbered, and a number that is already taken is skipped")
  func tools() {
    func tools(_ names: [String], last: JSONValue = 1) -> ModelRequest {
      let tools = names.enumerated().map { index, name -> JSONValue in
        ["name": .string(name), "x": index == names.count - 1 ? last : 0]
      }
      return request(["tools": .array(tools)])
    }
    #expect(
      parts(tools(["a", "a 2", "a"]), tools(["a", "a 2", "a"], last: 2))
        == [RequestDifference.Part(name: "tool a 3", lines: ["- x: 1", "+ x: 2"])]
    )
  }
}
