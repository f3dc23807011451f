@testable import Sluice
@testable import SluiceCore
@testable import SluiceReporting
@testable import SluiceSupport
import Testing

@Suite("OpenAI's hosted Evals")
struct OpenAIEvalsImportTests {
  private static let eval = """
    {"object": "eval", "id": "eval_1", "name": "Ticket topic", "created_at": 1750000000, "metadata": {},
     "data_source_config": {"type": "custom", "schema": {"type": "object"}},
     "testing_criteria": [
       {"type": "string_check", "name": "same topic", "input": "{{sample.output_text}}",
        "reference": "{{item.topic}}", "operation": "eq"},
       {"type": "text_similarity", "name": "close", "input": "{{sample.output_text}}",
        "reference": "{{item.topic}}", "evaluation_metric": "fuzzy_match", "pass_threshold": 0.8},
       {"type": "score_model", "name": "clear", "model": "gpt-4.1", "pass_threshold": 0.7, "range": [0, 1],
        "input": [{"role": "system", "content": "Grade how clear it is."},
                  {"role": "user", "content": {"type": "input_text", "text": "{{item.ticket}}: {{sample.output_text}}"}}]},
       {"type": "label_model", "name": "tone", "labels": ["good", "bad"], "passing_labels": ["good"]},
       {"type": "python", "name": "own check", "source": "def grade(sample, item): return 1.0"}]}
    """

  private static let run = """
    {"object": "eval.run", "id": "run_1", "eval_id": "eval_1", "name": "mini", "status": "completed",
     "result_counts": {"total": 3, "passed": 1, "failed": 0, "errored": 1},
     "data_source": {"type": "completions", "model": "gpt-4o-mini",
       "source": {"type": "file_content", "content": [{"item": {"ticket": "No light", "topic": "hardware", "team": "b"}}]},
       "input_messages": {"type": "template", "template": [
         {"type": "message", "role": "developer", "content": {"type": "input_text", "text": "Name the topic."}},
         {"type": "message", "role": "user", "content": "{{item.ticket}}"}]},
       "sampling_params": {"temperature": 0.2, "max_completions_tokens": 50}}}
    """

  private static let items = """
    {"object": "list", "has_more": false, "data": [
      {"object": "eval.run.output_item", "id": "o1", "run_id": "run_1", "eval_id": "eval_1",
       "datasource_item_id": 0, "datasource_item": {"ticket": "No light", "topic": "hardware", "team": "b"},
       "status": "pass", "sample": {"output": [{"role": "assistant", "content": "hardware"}],
         "model": "gpt-4o-mini-2024-07-18", "finish_reason": "stop",
         "usage": {"prompt_tokens": 20, "completion_tokens": 1, "total_tokens": 21, "cached_tokens": 0}}},
      {"object": "eval.run.output_item", "id": "o2", "run_id": "run_1", "eval_id": "eval_1",
       "datasource_item_id": 1, "datasource_item": {"item": {"ticket": "Bill", "topic": "billing", "team": "a"}},
       "status": "error", "sample": {"error": {"code": "rate", "message": "too many requests"}}}]}
    """

  private func imported(_ files: [String: String]) throws -> OpenAIEvalsImport.Result {
    try OpenAIEvalsImport.read(ProjectPath("saved"), from: InMemoryFileSystem(files))
  }

  private func text(_ result: OpenAIEvalsImport.Result, _ path: String) throws -> String {
    String(
      decoding: try #require(result.files.first { $0.path.description == path }).bytes,
      as: UTF8.self
    )
  }

  @Test("An eval with its run becomes a suite, cases, a prompt, a backend and a file of outputs")
  func all() throws {
    let result = try imported([
      "saved/eval.json": Self.eval, "saved/runs/run.json": Self.run, "saved/items.json": Self.items,
    ])
    #expect(result.names == ["ticket-topic"])
    let ids = try text(result, "datasets/ticket-topic/cases.yaml").matches(of: /id: (\S+)/).map {
      String($0.1)
    }
    #expect(ids.count == 2)
    #expect(ids[0].hasPrefix("item-0-"))
    #expect(
      try text(result, "datasets/ticket-topic/cases.yaml") == """
        # Imported from OpenAI's hosted Evals.
        - id: \(ids[0])
          input: {ticket: No light}
          expected: {topic: hardware}
          notes: {team: b}
        - id: \(ids[1])
          input: {ticket: Bill}
          expected: {topic: billing}
          notes: {team: a}

        """
    )
    #expect(
      try text(result, "prompts/ticket-topic/suite.yaml") == """
        # Imported from OpenAI's hosted Evals.
        suite: ticket-topic
        prompt: v1.yaml
        dataset: ticket-topic
        backend: gpt-4o-mini
        # left out: the grader 'close' (text_similarity): Sluice does not have the metric 'fuzzy_match', and
        # its own metrics give other numbers
        # left out: the grader 'tone' (label_model): judges give grades in Sluice, not labels
        # left out: the grader 'own check' (python): it is a program; its source is in graders/own-check.py
        scorers:
          - {equals: "{{expected.topic}}", name: same-topic}
          - llm-rubric:
              backend: judge-gpt-4.1
              prompt: judge-clear.yaml
              scale: [0, 1]
              at-least: 0.7
              step: 0.01
            name: clear
        goals: [clear.pass-rate >= 100%]

        """
    )
    #expect(
      try text(result, "prompts/ticket-topic/v1.yaml")
        == "messages: [{developer: Name the topic.}, {user: \"{{ticket}}\"}]\n"
    )
    #expect(
      try text(result, "datasets/ticket-topic/outputs/ticket-topic-mini.jsonl") == """
        {"id":"\(ids[0])","text":"hardware","model":"gpt-4o-mini-2024-07-18","finish-reason":"stop","usage":{"input":20,"cached-input":0,"output":1}}
        {"id":"\(ids[1])","error":"too many requests"}

        """
    )
    #expect(try text(result, "prompts/ticket-topic/graders/own-check.py").hasPrefix("def grade"))
    let findings = TerminalImport(result.report, style: TerminalStyle(isColored: false)).findings
    #expect(
      findings.contains(
        "saved/runs/run.json: left out: ticket-topic: the run 'mini' reports 3 total, but its "
          + "items add up to 2"
      )
    )
    #expect(findings.contains("note: ticket-topic: 'seed: 42' was written"))
    var contents = ["sluice.yaml": ImportedBackend.configuration(result.backends, head: [])]
    for file in result.files {
      contents[file.path.description] = String(decoding: file.bytes, as: UTF8.self)
    }
    let loaded = ProjectLoader.load(from: InMemoryFileSystem(contents))
    #expect(loaded.diagnostics.filter { $0.severity == .error }.map(\.description) == [])
  }

  @Test("A run that used the Responses API becomes a backend of that API, without a seed")
  func responses() throws {
    let result = try imported([
      "saved/eval.json": Self.eval,
      "saved/run.json": Self.run.replacing(
        "completions\", \"model\"",
        with: "responses\", \"model\""
      )
      .replacing("\"temperature\": 0.2", with: "\"temperature\": 0.2, \"seed\": 42"),
    ])
    let configuration = ImportedBackend.configuration(result.backends, head: [])
    #expect(configuration.contains("    type: openai-responses\n    model: gpt-4o-mini\n"))
    #expect(configuration.contains("parameters: {temperature: 0.2, max-completion-tokens: 50}"))
    let findings = TerminalImport(result.report, style: TerminalStyle(isColored: false)).findings
    #expect(
      findings.contains(
        "'seed' is not a parameter of OpenAI's Responses API, so it is left out"
      )
    )
    #expect(!findings.contains("chat completions"))
  }

  @Test("Objects, pages, lists and lines are recognized by their member 'object'")
  func forms() throws {
    let one = Self.eval.split(separator: "\n").joined(separator: " ")
    let run = Self.run.split(separator: "\n").joined(separator: " ")
    let item = try #require(JSONReader.value(Self.items)["data"]?.array?.first).jsonText
    let separate = try imported([
      "saved/eval.json": Self.eval, "saved/run.json": Self.run, "saved/item.json": item,
    ])
    for files in [
      ["saved/all.jsonl": [one, run, item].joined(separator: "\n")],
      ["saved/all.json": "[\(one), \(run), \(item)]"],
      ["saved/all.json": [one, run, item].joined(separator: "\n")],
      [
        "saved/page.json":
          "{\"object\": \"list\", \"data\": [\(one), \(run), \(item)], \"has_more\": false}"
      ],
      [
        "saved/a.json": one, "saved/b.json": "[\(run)]", "saved/c.jsonl": "\(item)\n\(item)\n",
        "saved/d.txt": "x",
      ],
    ] {
      #expect(try imported(files).files == separate.files)
    }
  }

  @Test("A list with a missing last page is reported, with the address of the next page")
  func pages() throws {
    let result = try imported([
      "saved/eval.json": Self.eval, "saved/run.json": Self.run,
      "saved/items.json": Self.items.replacing(
        "\"has_more\": false",
        with: "\"has_more\": true, \"last_id\": \"o2\""
      ),
    ])
    let findings = TerminalImport(result.report, style: TerminalStyle(isColored: false)).findings
    #expect(
      findings.contains(
        "saved/items.json: left out: the pages after this one are not in the folder; nearest: "
          + "also save the next page, with 'after=o2' in its address"
      )
    )
  }

  @Test("A folder without an eval is refused, with what to save")
  func empty() {
    do {
      _ = try imported(["saved/a.txt": ""])
      Issue.record("it was read")
    } catch {
      let failure = error as? PromptfooImport.Failure
      #expect(
        failure?.diagnostics.map(\.description) == [
          """
          saved: error: the folder contains no JSON or JSONL files
            fix: save the responses of GET /v1/evals and of its runs (docs/openai-evals.md)

          """
        ]
      )
    }
  }

  @Test("Invalid files, lines and unknown objects are reported, and the rest is imported")
  func broken() throws {
    let result = try imported([
      "saved/eval.json": Self.eval, "saved/x.json": "{", "saved/y.jsonl": "{\"a\": 1}\nnope\n",
      "saved/z.json": "{\"object\": \"file\", \"id\": \"f\"}",
    ])
    let findings = result.report.findings.map { "\($0.path): \($0.message)" }
    #expect(findings.contains { $0.hasPrefix("saved/x.json: not valid JSON") })
    #expect(findings.contains("saved/y.jsonl: JSON without 'object' and without 'item'"))
    #expect(findings.contains { $0.hasPrefix("saved/y.jsonl: not valid JSON") })
    #expect(
      findings.contains(
        "saved/z.json: an object 'file', which is not an object of the hosted Evals"
      )
    )
    #expect(result.report.fillIns.count == 3)
  }
}
