import Foundation
import Sluice
import Testing
import TestSupport

@Suite("sluice import")
struct ImportTests {
  /// Returns the texts of all blocks on a page of `docs/`.
  private static func blocks(of page: String) throws -> [String] {
    try DocumentPage("docs/\(page)").blocks.map(\.text)
  }

  private static let configuration = """
    prompts: ["Answer: {{q}}"]
    providers: [openai:chat:gpt-4o-mini]
    tests: [{vars: {q: Why?}, assert: [{type: contains, value: because}]}]

    """

  @Test("The promptfoo page shows the case that its command writes")
  func promptfooPage() async throws {
    let blocks = try Self.blocks(of: "promptfoo.md")
    let folder = try ScratchProject()
    _ = try await PageExampleTests.run(blocks[0], in: folder)
    #expect(try folder.read("imported/datasets/replies/cases.yaml") == blocks[2])
    var inside = folder.sluice
    inside.folder = folder.folder.appending(path: "imported")
    #expect(try await inside("validate").exitCode == 0)
  }

  @Test("A second import of the same file changes nothing")
  func again() async throws {
    let folder = try ScratchProject()
    try folder.write(Self.configuration, to: "promptfooconfig.yaml")
    let first = try await folder.sluice(
      "import",
      "promptfoo",
      "promptfooconfig.yaml",
      "--name",
      "why"
    )
    #expect(first.exitCode == 0)
    let before = try TemplateFolder.files(of: folder.folder)
    let second = try await folder.sluice(
      "import",
      "promptfoo",
      "promptfooconfig.yaml",
      "--name",
      "why"
    )
    #expect(second.exitCode == 0)
    #expect(second.output.contains("\nUnchanged: 4 files\n"))
    #expect(!second.output.contains("Wrote"))
    #expect(try TemplateFolder.files(of: folder.folder) == before)
  }

  @Test("Existing files stop an import, and nothing is written")
  func obstacles() async throws {
    let folder = try ScratchProject()
    try folder.write(Self.configuration, to: "promptfooconfig.yaml")
    try folder.write("mine\n", to: "datasets/why/cases.yaml")
    let outcome = try await folder.sluice(
      "import",
      "promptfoo",
      "promptfooconfig.yaml",
      "--name",
      "why"
    )
    #expect(outcome.exitCode == 64)
    #expect(outcome.output == "")
    #expect(
      outcome.error == """
        sluice: error: existing files are in the way, so nothing was written:
            datasets/why/cases.yaml
          fix: move them away, or import under another name: --name why-2

        """
    )
    #expect(
      try TemplateFolder.files(of: folder.folder).keys.sorted() == [
        "datasets/why/cases.yaml", "promptfooconfig.yaml",
      ]
    )
  }

  @Test("An existing sluice.yaml is kept, and the lines that it lacks are printed")
  func existingProject() async throws {
    let folder = try ScratchProject()
    try folder.write(Self.configuration, to: "old/promptfooconfig.yaml")
    let own = "backends: {mine: {type: openai, model: m-1}}\n"
    try folder.write(own, to: "sluice.yaml")
    let outcome = try await folder.sluice("import", "promptfoo", "old/promptfooconfig.yaml")
    #expect(outcome.exitCode == 0)
    #expect(try folder.read("sluice.yaml") == own)
    #expect(
      outcome.output == """
        Imported from old/promptfooconfig.yaml
          prompts     1 complete
          cases       1 complete
          assertions  1 complete
          providers   1 complete

        Wrote
          prompts/old/suite.yaml
          prompts/old/prompt-1.yaml
          datasets/old/cases.yaml

        Add these lines to sluice.yaml
          backends:
            gpt-4o-mini:
              type: openai
              model: gpt-4o-mini
              key: {env: OPENAI_API_KEY}
              parameters: {temperature: 0, max-tokens: 1024}

        Next:
          sluice validate
          sluice record --dry-run old

        """
    )
    #expect(try await folder.sluice("validate").exitCode == 64)
  }

  @Test("Results of a promptfoo run become a file of answers in a new folder")
  func results() async throws {
    let folder = try ScratchProject()
    try folder.write(Self.configuration, to: "promptfooconfig.yaml")
    try folder.write(
      #"{"results": {"results": [{"promptIdx": 0, "provider": {"id": "echo"}, "vars": {"q": "Why?"}, "response": {"output": "because"}}]}}"#,
      to: "out.json"
    )
    let outcome = try await folder.sluice(
      "import",
      "promptfoo",
      "promptfooconfig.yaml",
      "--results",
      "out.json",
      "--to",
      "evals",
      "--name",
      "why"
    )
    #expect(outcome.exitCode == 0)
    #expect(
      outcome.error
        == "out.json: note: the run's verdicts and scores are left out; the imported assertions "
        + "judge its answers again\n"
    )
    #expect(outcome.output.contains("  answers     1 complete\n"))
    #expect(
      outcome.output.contains(
        "    type: file\n      path: datasets/why/outputs/echo-prompt-1.jsonl\n"
      )
        || outcome.output.contains(
          "echo-prompt-1: {type: file, path: datasets/why/outputs/echo-prompt-1.jsonl}"
        )
    )
    #expect(
      try folder.read("evals/datasets/why/outputs/echo-prompt-1.jsonl").hasSuffix(
        #""text":"because"}"# + "\n"
      )
    )
  }

  @Test(
    "An invalid import is refused with 64, and nothing is written",
    arguments: [
      (
        ["import", "promptfoo", "missing.yaml"],
        "missing.yaml: error: file not found: missing.yaml\n1 error\n"
      ),
      (
        ["import", "promptfoo", "a.yaml", "--name", "a b"],
        "sluice: error: the name 'a b' must consist of letters, digits, '.', '_' and '-', and "
          + "must not start with '.'\n  fix: write --name a-b\n"
      ),
      (["import", "openai-evals", "missing"], "sluice: error: folder not found: missing\n"),
      (
        ["import", "promptfoo", "a.yaml", "--results", "none.json"],
        "none.json: error: file not found: none.json\n1 error\n"
      ),
    ]
  )
  func refused(_ arguments: [String], _ message: String) async throws {
    let folder = try ScratchProject()
    try folder.write(Self.configuration, to: "a.yaml")
    let outcome = try await folder.sluice.run(arguments)
    #expect(outcome.exitCode == 64)
    #expect(outcome.error == message)
    #expect(try TemplateFolder.files(of: folder.folder).keys.sorted() == ["a.yaml"])
  }

  @Test("Saved objects of OpenAI's hosted Evals become a valid project")
  func openAIEvals() async throws {
    let folder = try ScratchProject()
    try folder.write(
      """
      {"object": "eval", "id": "eval_1", "name": "Topic", "testing_criteria": [{"type": "string_check",
       "name": "same", "input": "{{sample.output_text}}", "reference": "{{item.topic}}", "operation": "eq"}]}
      """,
      to: "saved/eval.json"
    )
    try folder.write(
      """
      {"object": "eval.run", "id": "run_1", "eval_id": "eval_1", "name": "mini", "data_source":
       {"type": "completions", "model": "gpt-4o-mini", "sampling_params": {"seed": 7},
        "source": {"type": "file_content", "content": [{"item": {"ticket": "No light", "topic": "hardware"}}]},
        "input_messages": {"type": "template", "template": [{"role": "user", "content": "{{item.ticket}}"}]}}}
      """,
      to: "saved/run.json"
    )
    let outcome = try await folder.sluice("import", "openai-evals", "saved", "--to", "evals")
    #expect(outcome.exitCode == 0)
    #expect(outcome.error == "")
    #expect(
      outcome.output == """
        Imported from the hosted Evals
          evals    1 complete
          cases    1 complete
          graders  1 complete
          runs     1 complete

        Wrote
          sluice.yaml
          prompts/topic/suite.yaml
          prompts/topic/v1.yaml
          datasets/topic/cases.yaml

        Next:
          cd evals
          sluice validate
          sluice record --dry-run topic

        """
    )
    var inside = folder.sluice
    inside.folder = folder.folder.appending(path: "evals")
    #expect(try await inside("validate").exitCode == 0)
  }

  @Test("The page about the hosted Evals names every address to save")
  func openAIEvalsPage() throws {
    let blocks = try Self.blocks(of: "openai-evals.md")
    let commands = try #require(blocks.first { $0.hasPrefix("get()") })
    for address in [
      "evals?limit=100", "evals/eval_123'", "/runs?limit=100", "/runs/evalrun_456'",
      "/output_items?limit=100",
    ] {
      #expect(commands.contains(address), "\(address)")
    }
  }
}
