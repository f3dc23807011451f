@testable import Sluice
@testable import SluiceCore
@testable import SluiceReporting
@testable import SluiceSupport
import Testing

@Suite("Results of promptfoo")
struct PromptfooResultsTests {
  private static let configuration = """
    prompts: ["{{q}}", "Please: {{q}}"]
    providers: [openai:chat:gpt-4o-mini]
    tests: [{description: one, vars: {q: a}}, {description: two, vars: {q: b}}]
    """

  private func imported(_ results: String, _ name: String = "out.json") throws
    -> PromptfooImport.Result
  {
    let files = InMemoryFileSystem(["promptfooconfig.yaml": Self.configuration, name: results])
    let imported = try PromptfooImport.read(
      ProjectPath("promptfooconfig.yaml"),
      from: files,
      name: "replies"
    )
    return try PromptfooResults.add(ProjectPath(name), from: files, to: imported)
  }

  private func outputs(_ result: PromptfooImport.Result) -> [String: String] {
    var found: [String: String] = [:]
    for file in result.files where file.path.description.contains("/outputs/") {
      found[file.path.name] = String(decoding: file.bytes, as: UTF8.self)
    }
    return found
  }

  private static let results = """
    {"evalId": "eval-1", "results": {"version": 3, "timestamp": "2026-11-20T10:00:00Z", "prompts": [],
     "results": [
      {"testIdx": 0, "promptIdx": 0, "provider": {"id": "openai:chat:gpt-4o-mini", "label": ""},
       "prompt": {"raw": "a", "label": "{{q}}"}, "vars": {"q": "a"}, "failureReason": 0, "latencyMs": 812,
       "response": {"output": "A", "finishReason": "stop", "cached": false,
                    "tokenUsage": {"prompt": 9, "completion": 2, "total": 11}}},
      {"testIdx": 0, "promptIdx": 1, "provider": {"id": "openai:chat:gpt-4o-mini"}, "vars": {"q": "a"},
       "failureReason": 1, "error": "Expected output to contain", "latencyMs": 3,
       "response": {"output": {"kind": "x", "n": [1]}, "cached": true, "tokenUsage": {"total": 11, "cached": 11}}},
      {"testIdx": 1, "promptIdx": 0, "provider": {"id": "openai:chat:gpt-4o-mini"}, "vars": {"q": "b"},
       "failureReason": 2, "error": "API error: 429", "latencyMs": 90},
      {"testIdx": 2, "promptIdx": 0, "provider": {"id": "openai:chat:gpt-4o-mini"}, "vars": {"q": "a"},
       "failureReason": 0, "latencyMs": 700, "response": {"output": "A again"}},
      {"testIdx": 9, "promptIdx": 0, "provider": {"id": "openai:chat:gpt-4o-mini"}, "vars": {"q": "z"},
       "failureReason": 0, "response": {"output": "Z"}}
     ], "stats": {"successes": 2}}}
    """

  @Test("Each result becomes an answer to its case, or an error")
  func answers() throws {
    let result = try imported(Self.results)
    let ids = try #require(result.casesByVariables[["q": "a"]])
    let others = try #require(result.casesByVariables[["q": "b"]])
    #expect(
      outputs(result) == [
        "openai-chat-gpt-4o-mini-prompt-1.jsonl": """
        {"id":"\(ids[0])","prompt":"prompt-1","text":"A","finish-reason":"stop","usage":{"input":9,"output":2},"timings":{"user-ms":812}}
        {"id":"\(others[0])","prompt":"prompt-1","error":"API error: 429"}
        {"id":"\(ids[0])","repeat":2,"prompt":"prompt-1","text":"A again","timings":{"user-ms":700}}

        """,
        "openai-chat-gpt-4o-mini-prompt-2.jsonl": """
        {"id":"\(ids[0])","prompt":"prompt-2","text":"{\\"kind\\":\\"x\\",\\"n\\":[1]}"}

        """,
      ]
    )
    #expect(
      result.outputLines == """
        # The imported answers, by case:
        backends:
          openai-chat-gpt-4o-mini-prompt-1:
            type: file
            path: datasets/replies/outputs/openai-chat-gpt-4o-mini-prompt-1.jsonl
          openai-chat-gpt-4o-mini-prompt-2:
            type: file
            path: datasets/replies/outputs/openai-chat-gpt-4o-mini-prompt-2.jsonl

        """
    )
    let text = TerminalImport(result.report, style: TerminalStyle(isColored: false))
    #expect(
      text.findings == """
        out.json: left out: 1 of 5 results, because no case has the same variables; import the configuration that was used for this run
        out.json: note: 1 answers came from promptfoo's cache: their times and tokens are unknown
        out.json: note: the run's verdicts and scores are left out; the imported assertions judge its answers again

        """
    )
  }

  @Test("Results may be one per line or in a single object")
  func lines() throws {
    let result = try imported(
      #"{"promptIdx": 0, "provider": "echo", "vars": {"q": "b"}, "response": {"output": "B"}}"#
        + "\n",
      "out.jsonl"
    )
    #expect(outputs(result).keys.sorted() == ["echo-prompt-1.jsonl"])
  }

  @Test(
    "A file without results is refused with the reason",
    arguments: [
      ("{\"a\": 1}", "the file contains no results of a promptfoo run"), ("[1, ", "not valid JSON"),
      ("{\"results\": " + String(repeating: "[", count: 500), "not valid JSON"),
    ]
  )
  func refused(_ text: String, _ message: String) {
    do {
      _ = try imported(text)
      Issue.record("it was read")
    } catch {
      let failure = error as? PromptfooImport.Failure
      #expect(failure?.diagnostics.first?.message.hasPrefix(message) == true)
    }
  }
}
