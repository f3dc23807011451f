import TestSupport
import Foundation
import SampleProjects
import Sluice
import Testing

@Suite("sluice compare")
struct CompareTests {
  /// The output for two configurations without a difference.
  private static let same = "\n  B against A\n    identical\n"

  // MARK: Revisions

  @Test(
    "An instruction that was dropped since a revision is a credible regression, with exit code 1"
  )
  func droppedInstruction() async throws {
    let project = try ScratchProject.ofDemoWithDroppedInstruction()
    let outcome = try await project.sluice("compare", "clarity", "--base", "HEAD~1")
    #expect(outcome.exitCode == 1)
    #expect(outcome.error == "")
    #expect(
      outcome.output.hasPrefix(
        """
        FAIL  clarity  2 configurations · 24 cases · margin 20.0 points
              v1 here is worse than v1 at HEAD~1 by 29.2 points (11.3 to 49.2) and uses
              4% fewer tokens per call.

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

  @Test("Without a network, a revision is compared all the same")
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

  @Test("All suites are compared, and those that did not change are identical")
  func all() async throws {
    let project = try ScratchProject.ofDemoWithDroppedInstruction()
    let outcome = try await project.sluice("compare", "--base", "HEAD~1")
    #expect(outcome.exitCode == 1)
    #expect(outcome.output.hasPrefix("FAIL  4 suites · 84 cases compared\n\nFAIL  clarity  "))
    #expect(outcome.output.contains("\nIdentical on both sides: action-items, category, tone\n"))
    let verbose = try await project.sluice("compare", "--base", "HEAD~1", "--verbose")
    #expect(verbose.output.ranges(of: Self.same).count == 3)
  }

  @Test("Edits that are not committed count as here")
  func uncommitted() async throws {
    let project = try ScratchProject.ofDemo()
    try project.makeRepository()
    let same = try await project.sluice("compare", "clarity", "--base", "HEAD")
    #expect(same.exitCode == 0)
    #expect(same.output.contains(Self.same))
    try project.dropInstruction()
    #expect(try await project.sluice("compare", "clarity", "--base", "HEAD").exitCode == 1)
  }

  @Test("--head judges a revision in place of the files as they stand")
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

  @Test("From a folder inside of a project inside of a repository, paths are meant for there")
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

  @Test("In a working tree of its own and without a branch, revisions are those of the repository")
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
    "A revision that is not there is a wrong command line, with the nearest that is",
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

  @Test("Outside of a repository there is no revision to compare with")
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

  @Test("What is wrong with the files of a revision is told with it, and there is no verdict")
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

  @Test("A revision from before there was a project has nothing to compare with")
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

  @Test("Live answers that do not come are lost, with the reason")
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
    #expect(outcome.output.contains("  A  unknown, unknown, unknown  24 trials lost\n     "))
    #expect(outcome.output.contains(": no connection to http://127.0.0.1:1\n"))
    #expect(!outcome.output.contains("Next:"))
  }

  @Test("A suite that is new here has nothing to be compared with")
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

  @Test("A suite that is gone here has no verdict, unless another one fails")
  func goneSuite() async throws {
    let project = try ScratchProject.ofDemo()
    try project.makeRepository()
    try FileManager.default.removeItem(at: project.folder.appending(path: "prompts/tone"))
    let outcome = try await project.sluice("compare", "--base", "HEAD")
    #expect(outcome.exitCode == 3)
    #expect(
      outcome.output.contains(
        "\ntone: the suite was removed on this side; cannot be compared.\n"
      )
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
    #expect(!outcome.output.contains("new here"))
    #expect(!outcome.output.contains("gone here"))
  }

  @Test("A suite whose name another one took is still judged by what it was")
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

  @Test("A suite that was given another name is found where it stands")
  func renamedSuite() async throws {
    let project = try ScratchProject.ofDemo()
    try project.makeRepository()
    try project.edit("prompts/tone/suite.yaml", replacing: "suite: tone", with: "suite: voice")
    let outcome = try await project.sluice("compare", "voice", "--base", "HEAD")
    #expect(outcome.exitCode == 0)
    #expect(outcome.output.contains(Self.same))
  }

  @Test("Suites that changed places are each compared with what they were")
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

  @Test("Line ends of Windows are no change")
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

  @Test("A lowered gate, a new label and a waiver are told first and help nobody")
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

  @Test("Repeats that are asked for are those of both sides")
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

  @Test("What no recording answers here is named by a command that records it")
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

  @Test("What was not recorded with --head cannot be recorded now, and is said")
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

  @Test("What no recording answers there cannot be put right, and is said")
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

  // MARK: Prompts and backends

  private static let otherPrompt = "prompts/clarity/without-conversation.yaml"

  @Test("A prompt is compared with the suite's own, shown and not decided")
  func prompt() async throws {
    let project = try ScratchProject.ofDemo()
    let outcome = try await project.sluice("compare", "clarity", "--prompt", Self.otherPrompt)
    #expect(outcome.exitCode == 0)
    #expect(outcome.error == "")
    #expect(
      outcome.output.hasPrefix(
        """
        WORSE  clarity  2 configurations · 24 cases · margin 20.0 points
              without-conversation is worse than v1 by 29.2 points (11.3 to 49.2) and
              uses 4% fewer tokens per call.

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
    // No run was made, so no log was kept.
    #expect(
      !FileManager.default.fileExists(atPath: project.folder.appending(path: "reports/runs").path)
    )
  }

  @Test("With --pairs all every configuration is compared with every other, in all files")
  func allPairs() async throws {
    let project = try ScratchProject.ofDemo()
    let prompt = try project.read("prompts/clarity/v1.yaml")
    // The same requests under another name are answered by the same recordings.
    try project.write(prompt, to: "prompts/clarity/again.yaml")
    let prompts = ["v1", "without-conversation", "again"]
      .flatMap { ["--prompt", "prompts/clarity/\($0).yaml"] }
    let outcome = try await project.sluice.run(["compare", "clarity", "--pairs", "all"] + prompts)
    #expect(outcome.exitCode == 0)
    let lines = outcome.output.split(separator: "\n").map(String.init)
    #expect(
      lines.filter { $0.contains("against ") || $0.contains("two-sided") } == [
        "What changed, B against A: system message, in 24 of 24 requests",
        "  95% intervals, two-sided p, corrected for the pairs of each metric (Holm)",
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

  @Test("Several prompts are compared with each other; --reference says with which")
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
        WORSE  clarity  2 configurations · 24 cases · margin 20.0 points
              without-conversation is worse than v1 by 29.2 points (11.3 to 49.2) and
              uses 4% fewer tokens per call.

        """
      )
    )
  }

  @Test(
    "What is missing is recorded by the command that is shown, and by no more",
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

  @Test("Missing answers of a backend and of repeats are named with them")
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
    "With one configuration there is nothing to compare",
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

  @Test("Two prompts of one name from different folders are told apart by nobody, and refused")
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

  @Test("Prompts of the same content share their answers and are the same")
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

  @Test("Of all suites those are compared that have something to compare")
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

  // MARK: Run logs

  /// Returns the paths of the logs of runs, by command.
  private func logs(_ project: ScratchProject, _ runs: [[String]]) async throws -> [String] {
    var logs: [String] = []
    for (index, run) in runs.enumerated() {
      _ = try await project.sluice.run(["run"] + run)
      let folder = project.folder.appending(path: "reports/runs")
      let name = try #require(FileManager.default.contentsOfDirectory(atPath: folder.path).first)
      try FileManager.default.moveItem(
        at: folder.appending(path: name),
        to: project.folder.appending(path: "\(index).jsonl")
      )
      logs.append("\(index).jsonl")
    }
    return logs
  }

  @Test("Two logs are decided by the suite's gates")
  func logs() async throws {
    let project = try ScratchProject.ofDemo()
    let logs = try await logs(project, [["clarity"], ["clarity", "--prompt", Self.otherPrompt]])
    let outcome = try await project.sluice.run(["compare"] + logs)
    #expect(outcome.exitCode == 1)
    #expect(
      outcome.output.hasPrefix(
        """
        FAIL  clarity  2 configurations · 24 cases · margin 20.0 points
              without-conversation on stand-in in 1.jsonl is worse than v1 on stand-in
              in 0.jsonl by 29.2 points (11.3 to 49.2) and uses 4% fewer tokens per
              call.

        """
      )
    )
    let turned = try await project.sluice.run(["compare"] + logs.reversed())
    #expect(turned.exitCode == 0)
    // A log is a file like any other: it need not lie in the project, and paths are the person's.
    var sluice = project.sluice
    sluice.folder = project.folder.appending(path: "prompts/tone")
    let elsewhere = try await sluice.run(["compare"] + logs.map { "../../\($0)" })
    #expect(elsewhere.exitCode == 1)
    let reports = "Reports: ../../reports/latest/compare.html, compare.md, compare.json\n"
    #expect(elsewhere.output.hasSuffix(reports))
  }

  @Test("Logs of one name from two folders are told apart by their paths")
  func namesakes() async throws {
    let project = try ScratchProject.ofDemo()
    let log = try project.read(try #require(try await logs(project, [["category"]]).first))
    for folder in ["old", "new"] { try project.write(log, to: "\(folder)/run.jsonl") }
    let outcome = try await project.sluice(
      "compare",
      "old/run.jsonl",
      "new/run.jsonl",
      "--reference",
      "v1 on stand-in in new/run.jsonl"
    )
    #expect(outcome.exitCode == 0)
    #expect(
      outcome.output.contains(
        """
          A  v1 on stand-in in new/run.jsonl  the reference
          B  v1 on stand-in in old/run.jsonl

        """
      )
    )
  }

  @Test("Logs of different suites, and a log beside a suite, are not compared")
  func differentSuites() async throws {
    let project = try ScratchProject.ofDemo()
    let logs = try await logs(project, [["clarity"], ["tone"]])
    let outcome = try await project.sluice.run(["compare"] + logs)
    #expect(outcome.exitCode == 64)
    #expect(
      outcome.error == """
        sluice: error: the logs are of different suites: clarity, tone
          fix: name logs of one suite

        """
    )
    let mixed = try await project.sluice("compare", logs[0], "clarity")
    #expect(mixed.exitCode == 64)
    #expect(
      mixed.error.contains(
        "Run logs and suites cannot be compared with each other; name only one kind."
      )
    )
    let alone = try await project.sluice("compare", logs[0])
    #expect(alone.exitCode == 64)
    #expect(
      alone.error == """
        sluice: error: the logs contain only one configuration, v1 on stand-in in 0.jsonl
          fix: name two logs

        """
    )
  }

  @Test("Of damaged, empty and absent logs each is told of")
  func damagedLogs() async throws {
    let project = try ScratchProject.ofDemo()
    let log = try #require(try await logs(project, [["category"]]).first)
    let text = try project.read(log)
    try project.write(text + "<<<<<<< HEAD\n", to: "damaged.jsonl")
    try project.write("", to: "empty.jsonl")
    try project.write("{\"kind\":\"baseline\"}\n", to: "baseline.jsonl")
    let outcome = try await project.sluice(
      "compare",
      log,
      "damaged.jsonl",
      "empty.jsonl",
      "baseline.jsonl",
      "absent.jsonl"
    )
    #expect(outcome.exitCode == 64)
    #expect(outcome.output == "")
    #expect(
      outcome.error == """
        damaged.jsonl:23:1: error: the line is not valid JSON: expected a JSON value
        empty.jsonl:1:1: error: the file is empty, so it is not a run log
        baseline.jsonl:1:1: error: the first line is not the header of a run log
        absent.jsonl: error: cannot be read: no such file
        4 errors

        """
    )
  }

  @Test("A log that was cut off is compared as far as it goes, with a warning and no verdict")
  func cutOff() async throws {
    let project = try ScratchProject.ofDemo()
    let log = try #require(try await logs(project, [["category"]]).first)
    let lines = try project.read(log).split(separator: "\n", omittingEmptySubsequences: false)
    try project.write(lines.prefix(12).joined(separator: "\n"), to: "cut.jsonl")
    let outcome = try await project.sluice("compare", log, "cut.jsonl")
    #expect(outcome.exitCode == 3)
    #expect(
      outcome.error == """
        cut.jsonl: warning: the log has no footer: the run did not finish
          fix: only the trials in the log are compared
        1 warning

        """
    )
    // The header and the truncated line at the end are not trials.
    #expect(outcome.output.contains("    10 removed; cannot be compared: "))
  }

  // MARK: Options

  @Test(
    "Options that do not go together are a wrong command line",
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

  @Test("In CI nothing is sent unless it is asked for")
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

  @Test("An unknown reference and an unknown suite name the nearest")
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
    "--inconclusive says how a comparison that decides nothing ends",
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
