import Foundation
import Sluice
import Testing
import TestSupport

/// Commands in a project whose folder git would take for a repository with hostile settings.
@Suite("Commands in a project that looks like a git repository")
struct GitTrapCommandTests {
  /// A repository with a project in its folder `evals`.
  private let top: ScratchProject
  private let marker: String

  init() throws {
    top = try ScratchProject()
    marker = top.folder.path + ".marker"
    try Self.copyDemo(to: top.folder.appending(path: "evals"))
    try top.makeRepository()
    try top.edit("evals/prompts/clarity/v1.yaml", replacing: "messages:", with: "messages: # x")
    try top.commit()
  }

  private static func copyDemo(to folder: URL) throws {
    let demo = ScratchProject.repository.appending(
      path: "Tests/SluiceCLITests/Fixtures/four-suites"
    )
    try FileManager.default.copyItem(at: demo, to: folder)
  }

  private var project: CommandLineRunner {
    CommandLineRunner(folder: top.folder.appending(path: "evals"), owner: top)
  }

  /// Makes git take the project's folder for a repository whose settings name programs.
  private func setTrap() throws {
    for name in ["HEAD", "objects", "refs", "index"] {
      try FileManager.default.copyItem(
        at: top.folder.appending(path: ".git/" + name),
        to: top.folder.appending(path: "evals/" + name)
      )
    }
    let command = "touch '\(marker)'"
    try top.write(
      """
      [core]
        repositoryformatversion = 0
        bare = false
        worktree = .
        fsmonitor = "\(command); false"
        sshCommand = "\(command)"
        pager = "\(command)"
        editor = "\(command)"
        alternateRefsCommand = "\(command)"
      [diff]
        external = "\(command)"
      [diff "trap"]
        command = "\(command)"
        textconv = "\(command)"
      [filter "trap"]
        clean = "\(command)"
        smudge = "\(command)"
      [log]
        showSignature = true
      [gpg]
        program = "\(command)"
      [alias]
        log = "!\(command)"
      [credential]
        helper = "!\(command)"

      """,
      to: "evals/config"
    )
    try top.write("* filter=trap diff=trap\n", to: ".gitattributes")
  }

  private var isTriggered: Bool { FileManager.default.fileExists(atPath: marker) }

  private static let commands = [
    ["run"], ["run", "--affected", "HEAD~1"], ["compare", "--base", "HEAD~1"],
    ["compare", "--base", "HEAD~1", "--head", "HEAD"], ["history"],
    ["try", "clarity", "--offline", "--base", "HEAD~1"], ["try", "--offline"],
    ["show", "clarity-any-chance-before-demo"], ["explain"], ["validate"], ["health"],
    ["recordings", "verify"], ["recordings", "verify", "--base", "HEAD~1"],
    ["recordings", "status"], ["recordings", "prune", "--dry-run"],
  ]

  @Test("Every command runs no program and ends as in an ordinary folder", arguments: commands)
  func command(arguments: [String]) async throws {
    let before = try await project.run(arguments)
    for name in ["latest", "runs"] {
      try? FileManager.default.removeItem(at: project.folder.appending(path: "reports/\(name)"))
    }
    try setTrap()
    let after = try await project.run(arguments)
    #expect(!isTriggered)
    #expect(after.exitCode == before.exitCode, "\(after.error)")
    #expect(after.output == before.output)
    _ = try? Git.run(["status"], in: project.folder.path)
    #expect(isTriggered, "git itself runs the program")
    try? FileManager.default.removeItem(atPath: marker)
  }

  @Test("The tools of agents run no program")
  func tools() async throws {
    try setTrap()
    let calls = [
      ("validate", "{}"), ("run", #"{"affected":"HEAD~1"}"#), ("try", #"{"base":"HEAD~1"}"#),
      ("compare", #"{"base":"HEAD~1"}"#), ("show", #"{"case":"clarity-any-chance-before-demo"}"#),
      ("explain", "{}"),
    ]
    var sluice = project
    let lines = calls.enumerated().map {
      AgentServerTests.call($0.offset + 1, $0.element.0, $0.element.1)
    }
    sluice.input = Data(([AgentServerTests.hello] + lines).map { $0 + "\n" }.joined().utf8)
    let outcome = try await sluice.run(["mcp"])
    let answers = try outcome.output.split(separator: "\n").map { try JSONReader.value(String($0)) }
    try #require(answers.count == calls.count + 1)
    for (answer, call) in zip(answers.dropFirst(), calls) {
      #expect(answer.value(at: "result.isError") == false, "\(call): \(answer)")
    }
    #expect(!isTriggered)
  }

  @Test("The script for commits runs no program and judges the commit")
  func preCommit() async throws {
    let outcome = try await project.run(["init", "--ci", "pre-commit"])
    #expect(outcome.exitCode == 0, "\(outcome.error)")
    try top.commit()
    try setTrap()
    try top.git("add", "--all")
    let tools = try CommandLineRunner.program.deletingLastPathComponent().path
    func run() async throws -> ChildProcess.Outcome {
      try await ChildProcess(
        ["bash", "evals/scripts/sluice-pre-commit"],
        in: top.folder.path,
        environment: Git.environment.merging([
          "PATH": "\(tools):\(Git.environment["PATH"] ?? "/usr/bin:/bin")",
          "SLUICE_BASE": "HEAD", "SLUICE_PROGRESS": "off",
        ]) { $1 }
      ).outcome()
    }
    let good = try await run()
    #expect(good.exitCode == 0, "\(good.output)\(good.error)")
    try top.write("edited", to: "evals/prompts/clarity/extra.txt")
    try top.git("add", "evals/prompts/clarity/extra.txt")
    try top.write("again", to: "evals/prompts/clarity/extra.txt")
    let edited = try await run()
    #expect(edited.exitCode == 64)
    #expect(edited.error.contains("\n    prompts/clarity/extra.txt\n"), "\(edited.error)")
    #expect(!isTriggered)
  }
}
