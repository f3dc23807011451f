import Foundation
import Sluice
import Testing
import TestSupport

@Suite("allow-folders for agents and pull requests")
struct AllowedFoldersTests {
  private let project: ScratchProject
  /// A folder outside of the project, which `sluice.yaml` of the project allows.
  private let outside: ScratchProject

  init() throws {
    (project, outside) = (try .ofDemo(), try .ofDemo())
    try outside.write("SECRET-7f3a\n", to: "secret.txt")
    try allow(outside.folder.path)
  }

  private func allow(_ folder: String) throws {
    let text = try project.read("sluice.yaml")
    try project.write("allow-folders: [\(folder)]\n" + text, to: "sluice.yaml")
  }

  /// The places of a project that name files.
  enum Place: CaseIterable {
    case prompt, dataset, schema, responseSchema, prices, fingerprint, outputs, program, scorer,
      judge, caseText, relative, link
  }

  /// Lets a file of the project refer to a file outside.
  private func refer(_ place: Place) throws {
    let out = outside.folder.path
    let suite = "prompts/clarity/suite.yaml"
    func backend(_ entry: String) throws {
      try project.edit("sluice.yaml", replacing: "backends:", with: "backends:\n  own: {\(entry)}")
    }
    func scorer(_ entry: String) throws {
      try project.edit(suite, replacing: "scorers:", with: "scorers:\n  - \(entry)")
    }
    switch place {
    case .prompt:
      try project.edit(suite, replacing: ": v1.yaml", with: ": \(out)/prompts/clarity/v1.yaml")
    case .dataset:
      let file = "dataset: \(out)/datasets/clarity/cases.yaml"
      try project.edit(suite, replacing: "dataset: clarity", with: file)
    case .schema:
      let name = "suggestions.schema.json"
      try project.edit(suite, replacing: name, with: "\(out)/prompts/clarity/\(name)")
    case .responseSchema:
      try project.edit(
        "prompts/tone/v1.yaml",
        replacing: ": suggestions.schema.json",
        with: ": \(out)/prompts/tone/suggestions.schema.json"
      )
    case .prices:
      try project.edit("sluice.yaml", replacing: ": prices/", with: ": \(out)/prices/")
    case .fingerprint:
      try backend("type: exec, command: [cat], fingerprint: [\(out)/secret.txt]")
    case .outputs:
      try outside.write("", to: "answers.jsonl")
      try backend("type: file, path: \(out)/answers.jsonl")
    case .program:
      try backend("type: exec, command: [\(out)/secret.txt], fingerprint: {version: v1}")
    case .scorer:
      try scorer("{exec: {command: [\(out)/secret.txt]}, name: own}")
    case .judge:
      try scorer(
        "{llm-rubric: {prompt: \(out)/prompts/clarity/v1.yaml, backend: stand-in, scale: [1, 5], "
          + "at-least: 4}}"
      )
    case .caseText:
      try project.edit(
        "datasets/tone/cases.yaml",
        replacing: "message: \"No.\"",
        with: "message: {file: \(out)/secret.txt}"
      )
    case .relative:
      try allowOnly("../\(outside.folder.lastPathComponent)")
      let file = "../../../\(outside.folder.lastPathComponent)/prompts/clarity/v1.yaml"
      try project.edit(suite, replacing: ": v1.yaml", with: ": \(file)")
    case .link:
      try allowOnly(".")
      try FileManager.default.createSymbolicLink(
        atPath: project.folder.path + "/prompts/clarity/link.yaml",
        withDestinationPath: out + "/prompts/clarity/v1.yaml"
      )
      try project.edit(suite, replacing: ": v1.yaml", with: ": link.yaml")
    }
  }

  private func allowOnly(_ folder: String) throws {
    try project.removeLines(of: "sluice.yaml", holding: "allow-folders")
    try allow(folder)
  }

  private static let refusal =
    "outside the project, and for agents and pull requests 'allow-folders' does not count"
  private static let job = ["CI": "true", "GITHUB_EVENT_NAME": "pull_request"]

  @Test(
    "In the job of a pull request, no file leads outside, unless the caller allows it",
    arguments: Place.allCases
  )
  func pullRequest(place: Place) async throws {
    try refer(place)
    var sluice = project.sluice
    let local = try await sluice("validate")
    #expect(!local.error.contains("outside the project"), "\(local.error)")
    sluice.environment = Self.job
    let refused = try await sluice("validate")
    #expect(refused.exitCode == 64)
    #expect(refused.error.contains(Self.refusal), "\(refused.error)")
    #expect(
      refused.error.contains(
        "  fix: move the file into the project; or, if that folder may be read, add "
          + "--allow-folders to the command (for agents: sluice mcp --allow-folders)\n"
      )
    )
    #expect(!(refused.output + refused.error).contains("SECRET"))
    let allowed = try await sluice("validate", "--allow-folders")
    #expect(allowed.exitCode == local.exitCode)
    #expect(allowed.error == local.error)
  }

  @Test("The job of a push follows 'allow-folders'")
  func push() async throws {
    try refer(.prompt)
    var sluice = project.sluice
    sluice.environment = ["CI": "true", "GITHUB_EVENT_NAME": "push"]
    #expect(try await sluice("validate").exitCode == 0)
  }

  @Test(
    "Every command that reads the project has the option",
    arguments: [
      ["run"], ["try", "--offline"], ["compare", "--base", "HEAD"], ["show", "TEST-2.10"],
      ["explain"], ["validate"], ["health"], ["history"], ["plan"], ["noise"], ["prices"],
      ["backends"], ["recordings", "verify"], ["recordings", "status"],
      ["recordings", "prune", "--dry-run"], ["recordings", "review"], ["agree", "tone"],
    ]
  )
  func commands(arguments: [String]) async throws {
    try project.makeRepository()
    try refer(.prices)
    var sluice = project.sluice
    sluice.environment = Self.job
    let refused = try await sluice.run(arguments)
    #expect(refused.exitCode == 64)
    #expect(refused.error.contains("'allow-folders' does not count"), "\(refused.error)")
    let allowed = try await sluice.run(arguments + ["--allow-folders"])
    #expect(!allowed.error.contains("allow-folders"), "\(allowed.error)")
  }

  @Test("A sluice.yaml that leads outside is not read for pull requests and agents")
  func configuration() async throws {
    let manager = FileManager.default
    try manager.removeItem(at: project.folder.appending(path: "sluice.yaml"))
    try manager.createSymbolicLink(
      at: project.folder.appending(path: "sluice.yaml"),
      withDestinationURL: outside.folder.appending(path: "secret.txt")
    )
    var sluice = project.sluice
    sluice.environment = Self.job
    let outcome = try await sluice("validate")
    #expect(outcome.exitCode == 64)
    #expect(
      outcome.error.hasPrefix(
        "sluice.yaml: error: cannot be read: is a link that leads outside the project\n"
      )
    )
    let messages = try await Self.call("validate", "{}", in: project)
    #expect(messages.contains("cannot be read: is a link that leads outside the project"))
    #expect(!(outcome.output + outcome.error + messages).contains("SECRET"))
  }

  // MARK: Agents

  /// Returns the whole answer of a tool.
  private static func call(
    _ tool: String,
    _ arguments: String,
    in project: ScratchProject,
    _ options: String...
  ) async throws -> String {
    var sluice = project.sluice
    let lines = [AgentServerTests.hello, AgentServerTests.call(1, tool, arguments)]
    sluice.input = Data(lines.map { $0 + "\n" }.joined().utf8)
    let outcome = try await sluice.run(["mcp"] + options)
    return outcome.output + outcome.error
  }

  @Test(
    "Tools of agents follow 'allow-folders' only if the server was started with --allow-folders",
    arguments: [
      ("validate", "{}"), ("run", "{}"), ("run", #"{"affected":"HEAD"}"#), ("try", "{}"),
      ("compare", #"{"base":"HEAD"}"#), ("show", #"{"case":"TEST-2.10"}"#), ("explain", "{}"),
    ]
  )
  func tools(tool: String, arguments: String) async throws {
    try project.makeRepository()
    try refer(.caseText)
    let refused = try await Self.call(tool, arguments, in: project)
    #expect(!refused.contains("SECRET"))
    #expect(refused.contains(Self.refusal), "\(refused)")
    #expect(refused.contains("(for agents: sluice mcp --allow-folders)"), "\(refused)")
    let allowed = try await Self.call(tool, arguments, in: project, "--allow-folders")
    #expect(!allowed.contains("does not count"), "\(allowed)")
    if tool == "show" { #expect(allowed.contains("SECRET")) }
  }

  // MARK: Comparing

  @Test("compare --base lists an edit of 'allow-folders' before all other edits")
  func compared() async throws {
    try allowOnly("../old")
    try project.makeRepository()
    try allowOnly("/etc")
    try project.edit(
      "prompts/tone/suite.yaml",
      replacing: "accuracy >= 80%",
      with: "accuracy >= 5%"
    )
    for environment in [[:], Self.job] {
      var sluice = project.sluice
      sluice.environment = environment
      let outcome = try await sluice("compare", "tone", "--base", "HEAD")
      #expect(
        outcome.output.contains(
          """
          Also edited here; the comparison uses the old gates and labels
            allow-folders removed: ../old
            allow-folders added: /etc
            gate removed: accuracy >= 80%
            gate added: accuracy >= 5%

          """
        ),
        "\(outcome.output)\(outcome.error)"
      )
    }
    let json = try JSONReader.value(Array(try project.read("reports/latest/compare.json").utf8))
    #expect(json.value(at: "comparisons.0.edits.0.kind") == "policy")
    #expect(json.value(at: "comparisons.0.edits.1.text") == "allow-folders added: /etc")
  }

  @Test("'allow-folders' of a revision does not count either")
  func revision() async throws {
    let top = try ScratchProject()
    let demo = ScratchProject.repository.appending(
      path: "Tests/SluiceCLITests/Fixtures/four-suites"
    )
    try FileManager.default.copyItem(at: demo, to: top.folder.appending(path: "evals"))
    try top.write("SECRET-7f3a\n", to: "secret.txt")
    try top.makeRepository()
    try top.write("allow-folders: [..]\n" + top.read("evals/sluice.yaml"), to: "evals/sluice.yaml")
    try top.edit(
      "evals/datasets/tone/cases.yaml",
      replacing: "message: \"No.\"",
      with: "message: {file: ../../../secret.txt}"
    )
    try top.commit()
    try top.git("branch", "open")
    try top.git("reset", "--quiet", "--hard", "HEAD~1")
    var sluice = CommandLineRunner(folder: top.folder.appending(path: "evals"), owner: top)
    for (words, text) in [
      (["--base", "HEAD", "--head", "open"], "open:datasets/tone/cases.yaml:"),
      (["--base", "open"], "open:datasets/tone/cases.yaml:"),
    ] {
      sluice.environment = [:]
      #expect(try await !sluice.run(["compare", "tone"] + words).error.contains("does not count"))
      sluice.environment = Self.job
      let refused = try await sluice.run(["compare", "tone"] + words)
      #expect(refused.exitCode == 3)
      #expect(refused.error.contains(text), "\(refused.error)")
      #expect(refused.error.contains(Self.refusal), "\(refused.error)")
      let allowed = try await sluice.run(["compare", "tone"] + words + ["--allow-folders"])
      #expect(!allowed.error.contains(Self.refusal), "\(allowed.error)")
    }
  }
}
