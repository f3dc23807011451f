import TestSupport
import Foundation
import SampleProjects
import Sluice
import Testing

@Suite("sluice compare")
struct CompareTests {
  /// The output for two configurations that do not differ.
  private static let same = "\n  B against A\n    identical\n"
  private static let otherPrompt = "prompts/clarity/without-conversation.yaml"

  // MARK: Prompts and backends

  @Test("A prompt is compared with the suite's own prompt, without a verdict")
  func prompt() async throws {
    let project = try ScratchProject.ofDemo()
    let outcome = try await project.sluice("compare", "clarity", "--prompt", Self.otherPrompt)
    #expect(outcome.exitCode == 0)
    #expect(outcome.error == "")
    #expect(
      outcome.output.hasPrefix(
        """
        WORSE  clarity  2 configurations · 24 cases · margin 20 points
              Prompt without-conversation is worse than v1 by 29.2 points (95% interval
              [11.3, 49.2]) and uses 4% fewer tokens per call.

        """
      )
    )
    #expect(
      outcome.output.contains(
        """
          95% intervals, two-sided p
          B against A
            accuracy                      ▼ worse      p 0.008
              87.5% → 58.3%, -29.2 points [-49.2, -11.3]

        """
      )
    )
    #expect(!outcome.output.contains("Verdict"))
    let json = try JSONReader.value(Array(try project.read("reports/latest/compare.json").utf8))
    #expect(json["verdict"] == .null)
    // Nothing ran, so no log was written.
    #expect(
      !FileManager.default.fileExists(atPath: project.folder.appending(path: "reports/runs").path)
    )
  }

  @Test("With --pairs all, every configuration is compared with every other one in all files")
  func allPairs() async throws {
    let project = try ScratchProject.ofDemo()
    let prompt = try project.read("prompts/clarity/v1.yaml")
    // A copy under another name sends the same requests, so the same recordings answer it.
    try project.write(prompt, to: "prompts/clarity/again.yaml")
    let prompts = ["v1", "without-conversation", "again"]
      .flatMap { ["--prompt", "prompts/clarity/\($0).yaml"] }
    let outcome = try await project.sluice.run(["compare", "clarity", "--pairs", "all"] + prompts)
    #expect(outcome.exitCode == 0)
    let lines = outcome.output.split(separator: "\n").map(String.init)
    #expect(
      lines.filter { $0.contains("against ") || $0.contains("two-sided") } == [
        "What changed, B against A: system message, in 24 of 24 requests",
        "  95% intervals, two-sided p, corrected for the pairs of each metric (Holm's",
        "  B against A", "  C against A", "  C against B",
      ]
    )
    let json = try JSONReader.value(Array(try project.read("reports/latest/compare.json").utf8))
    let pairs = try #require(json["comparisons"]?.array?.first?["pairs"]?.array)
    #expect(pairs.map { $0["configuration"] } == [1, 2, 2])
    #expect(pairs.map { $0["reference"] } == [0, 0, 1])
    #expect(pairs.allSatisfy { $0["changes"]?.array?.first?["confidence"] == 0.95 })
    let markdown = try project.read("reports/latest/compare.md")
    #expect(markdown.contains("**C against B**"))
    let page = try project.read("reports/latest/compare.html")
    #expect(page.contains("C again against B without-conversation"))
    #expect(page.contains("Change, 95% interval"))
    let refused = try await project.sluice("compare", "--base", "HEAD", "--pairs", "all")
    #expect(refused.exitCode == 64)
    #expect(refused.error.contains("--base always compares two sides; leave out --pairs."))
  }

  @Test("Several prompts are compared with each other, or with the one that --reference names")
  func reference() async throws {
    let project = try ScratchProject.ofDemo()
    let outcome = try await project.sluice(
      "compare",
      "clarity",
      "--prompt",
      Self.otherPrompt,
      "--prompt",
      "prompts/clarity/v1.yaml",
      "--reference",
      "v1",
      "--margin",
      "20"
    )
    #expect(outcome.exitCode == 0)
    #expect(
      outcome.output.hasPrefix(
        """
        WORSE  clarity  2 configurations · 24 cases · margin 20 points
              Prompt without-conversation is worse than v1 by 29.2 points (95% interval
              [11.3, 49.2]) and uses 4% fewer tokens per call.

        """
      )
    )
  }

  @Test(
    "The suggested command records exactly the missing answers",
    arguments: [".", "prompts", "datasets"]
  )
  func missing(folder: String) async throws {
    try await ScratchProject.withStandIn { project in
      try project.write(
        try project.read(Self.otherPrompt).replacing("You check", with: "Please check"),
        to: "prompts/clarity/a new one.yaml"
      )
      var sluice = project.sluice
      sluice.folder = project.folder.appending(path: folder)
      let prefix = ["prompts": "", "datasets": "../prompts/"][folder] ?? "prompts/"
      let prompt = "\(prefix)clarity/a new one.yaml"
      let outcome = try await sluice("compare", "clarity", "--prompt", prompt)
      #expect(outcome.exitCode == 3)
      #expect(
        outcome.output.hasSuffix(
          """
          Next: record the missing answers (this sends requests):
            sluice record clarity --prompt '\(prompt)'

          """
        )
      )
      let recorded = try await sluice("record", "clarity", "--prompt", prompt)
      #expect(recorded.output.contains("recorded 24 of 24 answers"))
      let again = try await sluice("compare", "clarity", "--prompt", prompt)
      #expect(again.exitCode == 0)
      #expect(!again.output.contains("Next: record"))
    }
  }

  @Test("The suggested command names the backend and repeats of the missing answers")
  func missingBackend() async throws {
    let project = try ScratchProject.ofDemo()
    let outcome = try await project.sluice("compare", "category", "--backend", "gpt-4o")
    #expect(outcome.exitCode == 3)
    #expect(outcome.output.hasSuffix("\n  sluice record category --backend gpt-4o\n"))
    #expect(outcome.output.contains("20 trials lost"))
    let repeats = try await project.sluice(
      "compare",
      "category",
      "--backend",
      "gpt-4o",
      "--backend",
      "stand-in",
      "--repeat",
      "2"
    )
    #expect(repeats.exitCode == 3)
    #expect(
      repeats.output.hasSuffix(
        "\n  sluice record category --backend gpt-4o --backend stand-in --repeat 2\n"
      )
    )
  }

  @Test(
    "A single configuration is not enough to compare",
    arguments: [
      ["clarity"], ["clarity", "--prompt", "prompts/clarity/v1.yaml"],
      ["clarity", "--backend", "stand-in"],
    ]
  )
  func alone(arguments: [String]) async throws {
    let outcome = try await ScratchProject.ofDemo().sluice.run(["compare"] + arguments)
    #expect(outcome.exitCode == 64)
    #expect(
      outcome.error == """
        sluice: error: the suite 'clarity' has only one configuration, v1 on stand-in
          fix: add a prompt or a backend: sluice compare clarity --prompt FILE

        """
    )
  }

  @Test("Two prompts with the same name in different folders are refused")
  func sameName() async throws {
    let project = try ScratchProject.ofDemo()
    try project.write(try project.read(Self.otherPrompt), to: "prompts/other/v1.yaml")
    for name in ["suggestions.schema.json"] {
      try project.write(try project.read("prompts/clarity/\(name)"), to: "prompts/other/\(name)")
    }
    let outcome = try await project.sluice(
      "compare",
      "clarity",
      "--prompt",
      "prompts/other/v1.yaml"
    )
    #expect(outcome.exitCode == 64)
    #expect(outcome.error.contains("two prompts of the suite are named 'v1'"))
  }

  @Test("Prompts with identical contents share their answers and are identical")
  func sameContent() async throws {
    let project = try ScratchProject.ofDemo()
    try project.write(try project.read("prompts/clarity/v1.yaml"), to: "prompts/clarity/copy.yaml")
    let outcome = try await project.sluice(
      "compare",
      "clarity",
      "--prompt",
      "prompts/clarity/copy.yaml"
    )
    #expect(outcome.exitCode == 0)
    #expect(outcome.output.contains(Self.same))
  }

  @Test("Without a suite name, every suite with several prompts or backends is compared")
  func several() async throws {
    let project = try ScratchProject.ofDemo()
    let none = try await project.sluice("compare")
    #expect(none.exitCode == 64)
    #expect(
      none.error == """
        sluice: error: no suite has more than one prompt or backend to compare
          fix: name a suite and a prompt or backend to compare it with: sluice compare SUITE --prompt FILE

        """
    )
    try project.edit(
      "prompts/clarity/suite.yaml",
      replacing: "prompt: v1.yaml",
      with: "prompts: [v1.yaml, without-conversation.yaml]"
    )
    let outcome = try await project.sluice("compare")
    #expect(outcome.exitCode == 0)
    #expect(outcome.output.ranges(of: " configurations · ").count == 1)
  }

  // MARK: Options

  @Test(
    "Options that exclude each other are an invalid command line",
    arguments: [
      (["--head", "HEAD"], "--head needs --base."),
      (
        ["--base", "HEAD", "--live"],
        "--base compares suites on recordings; leave out run logs, --live and --reference."
      ),
      (
        ["--base", "HEAD", "--reference", "v1"],
        "--base compares suites on recordings; leave out run logs, --live and --reference."
      ),
      (
        ["a.jsonl", "--base", "HEAD"],
        "--base compares suites on recordings; leave out run logs, --live and --reference."
      ),
      (
        ["--base", "HEAD", "--head", "HEAD", "--repeat", "2"],
        "--head judges that revision as it is; leave out --prompt, --backend and --repeat."
      ),
      (
        ["a.jsonl", "b.jsonl", "--repeat", "2"],
        "--prompt, --backend, --repeat, --live and case filters cannot be used with run logs."
      ),
      (["--margin", "0"], "--margin must be a number of points between 0 and 100."),
      (["--margin", "100"], "--margin must be a number of points between 0 and 100."),
      (["--margin", "nan"], "--margin must be a number of points between 0 and 100."),
      (["--repeat", "0"], "--repeat must be between 1 and 10000."),
      (["--concurrency", "0"], "--concurrency must be between 1 and 1024."),
    ]
  )
  func options(arguments: [String], message: String) async throws {
    let outcome = try await ScratchProject.ofDemo().sluice.run(["compare"] + arguments)
    #expect(outcome.exitCode == 64)
    #expect(outcome.output == "")
    #expect(outcome.error.hasPrefix("Error: \(message)\n"))
  }

  @Test("In CI, compare --live sends nothing without --network")
  func continuousIntegration() async throws {
    let project = try ScratchProject.ofDemo()
    var sluice = project.sluice
    sluice.environment = ["CI": "true"]
    let outcome = try await sluice("compare", "clarity", "--prompt", Self.otherPrompt, "--live")
    #expect(outcome.exitCode == 64)
    #expect(
      outcome.error.contains("the network is disabled in CI (the environment variable CI is set)")
    )
  }

  @Test("An unknown reference or suite gets the nearest known name as its fix")
  func unknownNames() async throws {
    let project = try ScratchProject.ofDemo()
    let reference = try await project.sluice(
      "compare",
      "clarity",
      "--prompt",
      Self.otherPrompt,
      "--reference",
      "stand-on"
    )
    #expect(reference.exitCode == 64)
    #expect(
      reference.error == """
        sluice: error: no configuration is named 'stand-on'
          fix: did you mean 'stand-in'?

        """
    )
    let suite = try await project.sluice("compare", "clarty", "--base", "HEAD")
    #expect(suite.exitCode == 64)
    #expect(suite.error.contains("did you mean 'clarity'?"))
  }

  @Test(
    "--inconclusive sets the exit code of an inconclusive comparison",
    arguments: [
      ([], 2), (["--inconclusive", "pass"], 0), (["--inconclusive", "fail"], 1),
    ] as [([String], Int32)]
  )
  func inconclusive(options: [String], code: Int32) async throws {
    let project = try ScratchProject.ofDemo()
    let suite = "prompts/category/suite.yaml"
    try project.edit(
      suite,
      replacing: "no regression in accuracy beyond 20 points",
      with: "accuracy >= 85% at 95% confidence"
    )
    try project.makeRepository()
    let outcome = try await project.sluice.run(["compare", "category", "--base", "HEAD"] + options)
    #expect(outcome.exitCode == code)
  }
}
