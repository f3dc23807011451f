import TestSupport
import Foundation
import SampleProjects
import Sluice
import Testing

@Suite("sluice compare --base")
struct CompareRevisionsTests {
  /// The output for two configurations without a difference.
  private static let same = "\n  B against A\n    identical\n"
  private static let otherPrompt = "prompts/clarity/without-conversation.yaml"

  @Test(
    "Dropping an instruction is a credible regression since that revision, with exit code 1"
  )
  func droppedInstruction() async throws {
    let project = try ScratchProject.ofDemoWithDroppedInstruction()
    let outcome = try await project.sluice("compare", "clarity", "--base", "HEAD~1")
    #expect(outcome.exitCode == 1)
    #expect(outcome.error == "")
    #expect(
      outcome.output.hasPrefix(
        """
        FAIL  clarity  2 configurations · 24 cases · margin 20 points
              Prompt v1 here is worse than v1 at HEAD~1 by 29.2 points (95% interval
              [11.3, 49.2]) and uses 4% fewer tokens per call.

        What changed: system message, in 24 of 24 requests

        """
      )
    )
    #expect(
      outcome.output.contains(
        """
          ✗ no regression in false-positive-rate beyond 20 points
              6.7% → 53.3%, +46.7 points [+24.3, +66.7]

        """
      )
    )
    #expect(outcome.output.contains("\nFAIL: "))
    #expect(
      outcome.output.hasSuffix(
        """
        FAIL: 4 of 4 gates fail (clarity)
        Reports: reports/latest/compare.html, compare.md, compare.json
        Next: read a case whose outcome differs, as it is in the working copy:
          sluice show clarity-any-chance-before-demo --suite clarity

        """
      )
    )
    let json = try JSONReader.value(Array(try project.read("reports/latest/compare.json").utf8))
    #expect(try ReportSchema.compare.violations(of: json) == [])
    #expect(json["verdict"] == "fail")
    #expect(json.value(at: "comparisons.0.gates.3.reason") == "credible-regression")
    let markdown = try project.read("reports/latest/compare.md")
    #expect(markdown.hasPrefix("<!-- sluice-compare -->\n## ❌ Sluice compare: fail\n"))
  }

  @Test("compare needs no network")
  func unplugged() async throws {
    let project = try ScratchProject.ofDemoWithDroppedInstruction()
    var sluice = project.sluice
    sluice.launcher = ["unshare", "--net", "--map-root-user"]
    guard
      (try? await CommandLineRunner(folder: project.folder, launcher: sluice.launcher)("--version"))?
        .exitCode == 0
    else {
      print("skipped: this machine does not allow a network namespace")
      return
    }
    #expect(try await sluice("compare", "clarity", "--base", "HEAD~1").exitCode == 1)
  }

  @Test("All suites are compared, and unchanged ones are identical")
  func all() async throws {
    let project = try ScratchProject.ofDemoWithDroppedInstruction()
    let outcome = try await project.sluice("compare", "--base", "HEAD~1")
    #expect(outcome.exitCode == 1)
    #expect(outcome.output.hasPrefix("FAIL  4 suites · 84 cases compared\n\nFAIL  clarity  "))
    #expect(outcome.output.contains("\nIdentical on both sides: action-items, category, tone\n"))
    let verbose = try await project.sluice("compare", "--base", "HEAD~1", "--verbose")
    #expect(verbose.output.ranges(of: Self.same).count == 3)
  }

  @Test("Uncommitted edits count as the current side")
  func uncommitted() async throws {
    let project = try ScratchProject.ofDemo()
    try project.makeRepository()
    let same = try await project.sluice("compare", "clarity", "--base", "HEAD")
    #expect(same.exitCode == 0)
    #expect(same.output.contains(Self.same))
    try project.dropInstruction()
    #expect(try await project.sluice("compare", "clarity", "--base", "HEAD").exitCode == 1)
  }

  @Test("With --head, compare judges that revision instead of the current files")
  func head() async throws {
    let project = try ScratchProject.ofDemoWithDroppedInstruction()
    try project.git("checkout", "--quiet", "HEAD~1")
    let outcome = try await project.sluice(
      "compare",
      "clarity",
      "--base",
      "main~1",
      "--head",
      "main"
    )
    #expect(outcome.exitCode == 1)
    #expect(outcome.output.contains("  A  v1 at main~1  the reference\n  B  v1 at main\n"))
    let turned = try await project.sluice(
      "compare",
      "clarity",
      "--base",
      "main",
      "--head",
      "main~1"
    )
    #expect(turned.exitCode == 0)
  }

  @Test("In a subfolder of a project inside a repository, paths are relative to that subfolder")
  func subfolder() async throws {
    let project = try ScratchProject()
    let demo = try ScratchProject.ofDemo()
    try FileManager.default.createDirectory(
      at: project.folder.appending(path: "apps"),
      withIntermediateDirectories: true
    )
    try FileManager.default.moveItem(
      at: demo.folder,
      to: project.folder.appending(path: "apps/chat")
    )
    try project.makeRepository()
    try project.write(
      try project.read("apps/chat/prompts/clarity/without-conversation.yaml"),
      to: "apps/chat/prompts/clarity/v1.yaml"
    )
    var sluice = project.sluice
    sluice.folder = project.folder.appending(path: "apps/chat/datasets")
    let outcome = try await sluice("compare", "clarity", "--base", "HEAD")
    #expect(outcome.exitCode == 1)
    #expect(
      outcome.output.contains(
        "\nReports: ../reports/latest/compare.html, compare.md, compare.json\n"
      )
    )
  }

  @Test("In a detached worktree, revisions are those of its repository")
  func worktree() async throws {
    let project = try ScratchProject.ofDemoWithDroppedInstruction()
    try project.git("worktree", "add", "--quiet", "--detach", "tree", "HEAD")
    var sluice = project.sluice
    sluice.folder = project.folder.appending(path: "tree")
    #expect(try await sluice("compare", "clarity", "--base", "main~1").exitCode == 1)
    let same = try await sluice("compare", "clarity", "--base", "main")
    #expect(same.output.contains(Self.same))
  }

  @Test(
    "An unknown revision is an invalid command line, with the nearest known one as its fix",
    arguments: [
      ("mian", "did you mean 'main'?"), ("mian~1", "did you mean 'main~1'?"),
      (
        "HEAD~7",
        "the clone may lack older commits; to see how far it goes back: git log --oneline HEAD"
      ),
      (
        "main^^^",
        "the clone may lack older commits; to see how far it goes back: git log --oneline main"
      ),
      ("-x", "known: main"), ("HEAD:prompts", "known: main"),
    ]
  )
  func unknownRevision(revision: String, fix: String) async throws {
    let project = try ScratchProject.ofDemoWithDroppedInstruction()
    for option in [["--base=\(revision)"], ["--base=HEAD", "--head=\(revision)"]] {
      let outcome = try await project.sluice.run(["compare"] + option)
      #expect(outcome.exitCode == 64)
      #expect(outcome.output == "")
      #expect(
        outcome.error == """
          sluice: error: the repository has no commit '\(revision)'
            fix: \(fix)

          """
      )
    }
  }

  @Test("Outside a git repository, compare ends with 64")
  func noRepository() async throws {
    let project = try ScratchProject.ofDemo()
    let outcome = try await project.sluice("compare", "--base", "HEAD")
    #expect(outcome.exitCode == 64)
    #expect(
      outcome.error == """
        sluice: error: '\(project.folder.path)' is not in a git repository
          fix: run sluice in a clone of the project; a copy without .git has no revisions

        """
    )
  }

  @Test("Errors in the files at a revision name that revision and leave no verdict")
  func brokenThere() async throws {
    let project = try ScratchProject.ofDemo()
    try project.makeRepository()
    let good = try project.read("prompts/tone/suite.yaml")
    try project.write(good + "colour: red\n", to: "prompts/tone/suite.yaml")
    try project.commit()
    try project.write(good, to: "prompts/tone/suite.yaml")
    let outcome = try await project.sluice("compare", "--base", "HEAD")
    #expect(outcome.exitCode == 3)
    #expect(outcome.error.hasPrefix("HEAD:prompts/tone/suite.yaml:18:1: error: "))
    #expect(outcome.error.hasSuffix("\n1 error\n"))
    #expect(
      outcome.output == """
        The files at HEAD have errors, so nothing is compared.
        NO VERDICT
        Reports: reports/latest/compare.html, compare.md, compare.json

        """
    )
    // Another suite does not suffer from it.
    #expect(try await project.sluice("compare", "category", "--base", "HEAD").exitCode == 0)
  }

  @Test("A revision without sluice.yaml gives no verdict")
  func noProjectThere() async throws {
    let project = try ScratchProject.ofDemo()
    try project.git("init", "--quiet", "--initial-branch=main", ".")
    try project.git("commit", "--quiet", "--allow-empty", "--message=start")
    try project.makeRepository()
    let outcome = try await project.sluice("compare", "--base", "HEAD~1")
    #expect(outcome.exitCode == 3)
    #expect(outcome.error == "")
    #expect(
      outcome.output == """
        There is no sluice.yaml at HEAD~1, so there is nothing to compare with.
        NO VERDICT
        Reports: reports/latest/compare.html, compare.md, compare.json

        """
    )
  }

  @Test("Live answers that do not arrive are lost, with the reason")
  func liveWithoutServer() async throws {
    let project = try ScratchProject.ofDemo()
    // Port 1 of loopback is closed.
    try project.edit("sluice.yaml", replacing: "127.0.0.1:8089", with: "127.0.0.1:1")
    try project.edit(
      "sluice.yaml",
      replacing: "model: stand-in-1}",
      with: "model: stand-in-1, retries: 0}"
    )
    let outcome = try await project.sluice(
      "compare",
      "clarity",
      "--prompt",
      Self.otherPrompt,
      "--live"
    )
    #expect(outcome.exitCode == 3)
    #expect(outcome.output.contains("  A  24 trials lost\n     "))
    #expect(outcome.output.contains(": no connection to http://127.0.0.1:1\n"))
    #expect(!outcome.output.contains("Next:"))
  }

  @Test("A suite that exists only on this side is not compared")
  func newSuite() async throws {
    let project = try ScratchProject.ofDemo()
    let suite = try project.read("prompts/tone/suite.yaml")
    try FileManager.default.removeItem(
      at: project.folder.appending(path: "prompts/tone/suite.yaml")
    )
    try project.makeRepository()
    try project.write(suite, to: "prompts/tone/suite.yaml")
    let all = try await project.sluice("compare", "--base", "HEAD")
    #expect(all.exitCode == 0)
    #expect(all.output.contains("\ntone: the suite is new on this side; cannot be compared.\n"))
    let alone = try await project.sluice("compare", "tone", "--base", "HEAD")
    #expect(alone.exitCode == 3)
    #expect(
      alone.output == """
        tone: the suite is new on this side; cannot be compared.
        NO VERDICT
        Reports: reports/latest/compare.html, compare.md, compare.json

        """
    )
  }

  @Test("A suite that was removed here has no verdict, unless another suite fails")
  func goneSuite() async throws {
    let project = try ScratchProject.ofDemo()
    try project.makeRepository()
    try FileManager.default.removeItem(at: project.folder.appending(path: "prompts/tone"))
    let outcome = try await project.sluice("compare", "--base", "HEAD")
    #expect(outcome.exitCode == 3)
    #expect(
      outcome.output.contains("\ntone: the suite was removed on this side; cannot be compared.\n")
    )
    #expect(outcome.output.contains("\nNO VERDICT"))
    #expect(try await project.sluice("compare", "category", "--base", "HEAD").exitCode == 0)
    try project.dropInstruction()
    #expect(try await project.sluice("compare", "--base", "HEAD").exitCode == 1)
  }

  @Test("A suite that moved to another folder is found by its name", arguments: [true, false])
  func movedSuite(isNamed: Bool) async throws {
    let project = try ScratchProject.ofDemo()
    try project.makeRepository()
    try project.git("mv", "prompts/tone", "prompts/voice")
    let outcome = try await project.sluice.run(
      ["compare"] + (isNamed ? ["tone"] : []) + ["--base", "HEAD"]
    )
    #expect(outcome.exitCode == 0)
    #expect(outcome.output.contains("tone  2 configurations · 20 cases"))
    #expect(!outcome.output.contains("new on this side"))
    #expect(!outcome.output.contains("removed on this side"))
  }

  @Test("If another suite takes its name and it is renamed, a suite is still found at its path")
  func decoySuite() async throws {
    let project = try ScratchProject.ofDemo()
    try project.makeRepository()
    let prompts = project.folder.appending(path: "prompts")
    try FileManager.default.copyItem(
      at: prompts.appending(path: "clarity"),
      to: prompts.appending(path: "decoy")
    )
    let suite = "prompts/clarity/suite.yaml"
    try project.edit(suite, replacing: "suite: clarity", with: "suite: clear")
    try project.edit(suite, replacing: "v1.yaml", with: "without-conversation.yaml")
    let outcome = try await project.sluice("compare", "--base", "HEAD")
    #expect(outcome.exitCode == 1)
    #expect(outcome.output.contains("\n  suite: was clarity, now clear\n"))
    #expect(outcome.output.contains("\n  path of the suite: was prompts/clarity/suite.yaml, now"))
  }

  @Test("A renamed suite is found at its old path")
  func renamedSuite() async throws {
    let project = try ScratchProject.ofDemo()
    try project.makeRepository()
    try project.edit("prompts/tone/suite.yaml", replacing: "suite: tone", with: "suite: voice")
    let outcome = try await project.sluice("compare", "voice", "--base", "HEAD")
    #expect(outcome.exitCode == 0)
    #expect(outcome.output.contains(Self.same))
  }

  @Test("Suites that swapped folders are each compared with their own old version")
  func swappedSuites() async throws {
    let project = try ScratchProject.ofDemo()
    try project.makeRepository()
    for (old, new) in [("tone", "third"), ("category", "tone"), ("third", "category")] {
      try project.git("mv", "prompts/\(old)", "prompts/\(new)")
    }
    let outcome = try await project.sluice("compare", "--base", "HEAD", "--verbose")
    #expect(outcome.output.ranges(of: Self.same).count == 4)
  }

  @Test("A dataset that moved with its recordings is the same dataset")
  func movedDataset() async throws {
    let project = try ScratchProject.ofDemo()
    try project.makeRepository()
    try project.git("mv", "datasets/tone", "datasets/voice")
    try project.edit("prompts/tone/suite.yaml", replacing: "dataset: tone", with: "dataset: voice")
    let outcome = try await project.sluice("compare", "tone", "--base", "HEAD")
    #expect(outcome.exitCode == 0)
    #expect(outcome.output.contains(Self.same))
  }

  @Test("Windows line endings are not a change")
  func lineEnds() async throws {
    let project = try ScratchProject.ofDemo()
    try project.makeRepository()
    for path in ["prompts/tone/v1.yaml", "prompts/tone/suite.yaml", "datasets/tone/cases.yaml"] {
      try project.write(
        try project.read(path).replacingOccurrences(of: "\n", with: "\r\n"),
        to: path
      )
    }
    let outcome = try await project.sluice("compare", "tone", "--base", "HEAD")
    #expect(outcome.exitCode == 0)
    #expect(outcome.output.contains(Self.same))
    #expect(!outcome.output.contains("edited here"))
  }

  @Test("A lowered gate, a new label and a waiver are listed first and do not change the verdict")
  func edits() async throws {
    let project = try ScratchProject.ofDemo()
    try project.makeRepository()
    try project.dropInstruction()
    let suite = "prompts/clarity/suite.yaml"
    try project.edit(
      suite,
      replacing: "false-positive-rate beyond 20 points",
      with: "false-positive-rate beyond 50 points"
    )
    try project.edit(
      suite,
      replacing: "goals:",
      with: """
        waivers:
          - {gate: accuracy >= 80%, reason: soon, until: 2099-12-31}
        goals:
        """
    )
    let outcome = try await project.sluice("compare", "clarity", "--base", "HEAD")
    #expect(outcome.exitCode == 1)
    #expect(
      outcome.output.contains(
        """
        Also edited here; the comparison uses the old gates and labels
          gate removed: no regression in false-positive-rate beyond 20 points
          gate added: no regression in false-positive-rate beyond 50 points
          waiver added: accuracy >= 80% until 2099-12-31: soon

        """
      )
    )
  }

  @Test("--repeat applies to both sides")
  func repeatsWithBase() async throws {
    try await ScratchProject.withStandIn { project in
      #expect(
        try await project.sluice("record", "category", "--repeat", "2").exitCode == 0
      )
      #expect(try await project.sluice("recordings", "accept").exitCode == 0)
      try project.makeRepository()
      let outcome = try await project.sluice(
        "compare",
        "category",
        "--base",
        "HEAD",
        "--repeat",
        "2"
      )
      #expect(outcome.exitCode == 0)
      #expect(outcome.output.contains("category  2 configurations · 20 cases × 2 · margin"))
      #expect(!outcome.output.contains("edited here"))
    }
  }

  @Test("If answers are missing here, compare suggests the command that records them")
  func missingHere() async throws {
    try await ScratchProject.withStandIn { project in
      try project.makeRepository()
      try project.edit(
        "prompts/tone/v1.yaml",
        replacing: "You check",
        with: "Please check"
      )
      let outcome = try await project.sluice("compare", "tone", "category", "--base", "HEAD")
      #expect(outcome.exitCode == 3)
      #expect(
        outcome.output.hasSuffix(
          """
          Next: record the missing answers (this sends requests):
            sluice record tone

          """
        )
      )
      let command = try #require(CommandLineRunner.nextCommand(outcome.output))
      #expect(try await project.sluice.line(command).output.contains("recorded 20 of 20"))
      let again = try await project.sluice("compare", "tone", "--base", "HEAD")
      #expect(again.exitCode != 3)
      #expect(!again.output.contains("Next: record"))
    }
  }

  @Test("Answers missing at --head are reported without a suggestion to record them")
  func missingAtHead() async throws {
    let project = try ScratchProject.ofDemo()
    try project.makeRepository()
    try project.removeLines(
      of: "datasets/tone/recordings/stand-in.jsonl",
      holding: #""case":"TEST-2.10""#
    )
    try project.commit()
    let outcome = try await project.sluice(
      "compare",
      "tone",
      "--base",
      "HEAD~1",
      "--head",
      "HEAD"
    )
    #expect(outcome.exitCode == 3)
    #expect(outcome.output.contains("\ntone: at HEAD, 1 trial has no recording.\n"))
    #expect(!outcome.output.contains("Next:"))
  }

  @Test("Answers missing at --base are reported without a suggestion")
  func missingThere() async throws {
    let project = try ScratchProject.ofDemo()
    let path = "datasets/tone/recordings/stand-in.jsonl"
    let whole = try project.read(path)
    try project.removeLines(of: path, holding: #""case":"TEST-2.10""#)
    try project.makeRepository()
    try project.write(whole, to: path)
    let outcome = try await project.sluice("compare", "tone", "--base", "HEAD")
    #expect(outcome.exitCode == 3)
    #expect(outcome.output.contains("\ntone: at HEAD, 1 trial has no recording.\n"))
    #expect(!outcome.output.contains("Next:"))
  }
}
