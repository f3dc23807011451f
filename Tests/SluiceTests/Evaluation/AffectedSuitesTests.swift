import Foundation
import SampleProjects
@testable import Sluice
@testable import SluiceSupport
import Testing
import TestSupport

@Suite("Affected suites", .enabled(if: Git.isInstalled, "git is not installed"))
struct AffectedSuitesTests {
  /// An edit of the project in `evals/`, and the suites that it affects.
  struct Edit: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var suites: [String]
    var make: @Sendable (ScratchRepository) throws -> Void

    init(
      _ description: String,
      _ suites: [String],
      _ make: @escaping @Sendable (ScratchRepository) throws -> Void
    ) {
      (testDescription, self.suites, self.make) = (description, suites, make)
    }
  }

  static let all = ["action-items", "category", "clarity", "polite", "tone", "triage"]

  static let edits: [Edit] = [
    // Files that no suite reads.
    Edit("no edit", []) { _ in },
    Edit("a README beside the project", []) { try $0.append("README.md") },
    Edit("a README in a dataset's folder", []) { try $0.append("evals/datasets/tone/README.md") },
    Edit("a prompt that no suite names", []) { try $0.append("evals/prompts/tone/draft.yaml") },
    Edit("a notes file in a suite's folder", []) { try $0.append("evals/prompts/tone/notes.md") },
    Edit("a price file that is not named", []) { try $0.append("evals/prices/other.json") },
    Edit("a report that is ignored", []) { try $0.append("evals/reports/latest/report.md") },
    Edit("a run log that is ignored", []) { try $0.append("evals/reports/runs/tone-1.jsonl") },
    Edit("recordings of a backend that no suite asks", []) {
      try $0.append("evals/datasets/tone/recordings/gpt-4o.jsonl", "")
    },
    Edit("a baseline of another backend", []) {
      try $0.append("evals/reports/baselines/tone.gpt-4o.jsonl", "")
    },
    Edit("a file in a shared folder that nothing reads", []) { try $0.append("shared/more.md") },
    Edit("a file saved with the same bytes", []) {
      try $0.rewrite("evals/prompts/tone/v1.yaml") { $0 }
    },
    Edit("an edit that was reverted", []) {
      let path = "evals/prompts/tone/v1.yaml"
      let text = try $0.folder.text(path)
      try $0.append(path)
      try $0.commit()
      try $0.folder.write([path: text], under: "")
      try $0.commit()
    },
    Edit("an edit on the other branch alone", []) {
      try $0.git("checkout", "--quiet", "main")
      try $0.append("evals/prompts/tone/v1.yaml")
      try $0.commit()
      try $0.git("checkout", "--quiet", "work")
    },
    // Files of one suite.
    Edit("a suite file", ["tone"]) { try $0.append("evals/prompts/tone/suite.yaml") },
    Edit("a prompt", ["tone"]) { try $0.append("evals/prompts/tone/v1.yaml") },
    Edit("a prompt, committed", ["tone"]) {
      try $0.append("evals/prompts/tone/v1.yaml")
      try $0.commit()
    },
    Edit("a prompt, staged", ["tone"]) {
      try $0.append("evals/prompts/tone/v1.yaml")
      try $0.git("add", "--all")
    },
    Edit("a prompt, committed and again edited", ["tone"]) {
      try $0.append("evals/prompts/tone/v1.yaml")
      try $0.commit()
      try $0.append("evals/prompts/tone/v1.yaml")
    },
    Edit("a prompt that may now be run", ["tone"]) {
      try $0.folder.makeExecutable("evals/prompts/tone/v1.yaml")
    },
    Edit("a prompt marked as skip-worktree", ["tone"]) {
      try $0.git("update-index", "--skip-worktree", "evals/prompts/tone/v1.yaml")
      try $0.append("evals/prompts/tone/v1.yaml")
    },
    Edit("a prompt marked as assume-unchanged", ["tone"]) {
      try $0.git("update-index", "--assume-unchanged", "evals/prompts/tone/v1.yaml")
      try $0.append("evals/prompts/tone/v1.yaml")
    },
    Edit("a prompt with both marks, and more marked files", ["tone"]) {
      for path in [
        "evals/sluice.yaml", "evals/prompts/clarity/v1.yaml", "evals/prompts/tone/v1.yaml",
      ] {
        try $0.git("update-index", "--skip-worktree", "--assume-unchanged", path)
      }
      try $0.append("evals/prompts/tone/v1.yaml")
    },
    Edit("marked files without an edit", []) {
      try $0.git("update-index", "--skip-worktree", "evals/prompts/tone/v1.yaml")
      try $0.git("update-index", "--assume-unchanged", "evals/sluice.yaml")
    },
    Edit("a marked file that is gone", ["tone"]) {
      try $0.git("update-index", "--skip-worktree", "evals/prompts/tone/suggestions.schema.json")
      try $0.remove("evals/prompts/tone/suggestions.schema.json")
      try $0.folder.write(["evals/prompts/tone/suggestions.schema.json": "{}"], under: "")
    },
    Edit("a marked prompt in an index of version 4", ["tone"]) {
      try $0.git("update-index", "--index-version", "4")
      try $0.git("update-index", "--skip-worktree", "evals/prompts/tone/v1.yaml")
      try $0.append("evals/prompts/tone/v1.yaml")
    },
    Edit("a marked prompt in a split index", ["tone"]) {
      try $0.git("update-index", "--assume-unchanged", "evals/prompts/tone/v1.yaml")
      try $0.git("update-index", "--split-index")
      try $0.append("evals/prompts/tone/v1.yaml")
    },
    Edit("a marked link that leads to another file", ["triage"]) {
      try $0.git("update-index", "--skip-worktree", "evals/prompts/triage/v1.txt")
      try $0.remove("evals/prompts/triage/v1.txt")
      try $0.folder.link("evals/prompts/triage/v1.txt", to: "../../outputs.jsonl")
    },
    Edit("the schema of a prompt's answers", ["clarity"]) {
      try $0.append("evals/prompts/clarity/suggestions.schema.json", " \n")
    },
    Edit("a dataset", ["category"]) { try $0.append("evals/datasets/category/cases.yaml") },
    Edit("recordings", ["action-items"]) {
      try $0.append("evals/datasets/action-items/recordings/stand-in.jsonl", "\n")
    },
    Edit("the ledger of recordings", ["action-items"]) {
      try $0.append("evals/datasets/action-items/recordings/ledger/stand-in.jsonl", "\n")
    },
    Edit("a ledger that is gone", ["action-items"]) {
      try $0.remove("evals/datasets/action-items/recordings/ledger/stand-in.jsonl")
    },
    Edit("pending recordings, which git ignores", ["tone"]) {
      try $0.append("evals/datasets/tone/recordings/pending/stand-in.jsonl", "")
    },
    Edit("a baseline", ["clarity"]) {
      try $0.append("evals/reports/baselines/clarity.stand-in.jsonl", "\n")
    },
    Edit("a baseline that is gone", ["clarity"]) {
      try $0.remove("evals/reports/baselines/clarity.stand-in.jsonl")
    },
    Edit("a baseline where there was none", ["triage"]) {
      try $0.append("evals/reports/baselines/triage.given.jsonl", "")
    },
    Edit("recordings that are gone", ["category"]) {
      try $0.remove("evals/datasets/category/recordings/stand-in.jsonl")
    },
    Edit("a prompt and a dataset of two suites", ["clarity", "tone"]) {
      try $0.append("evals/prompts/tone/v1.yaml")
      try $0.append("evals/datasets/clarity/cases.yaml")
    },
    // Files that several suites share, or that are outside the suites' folders.
    Edit("the project's configuration", all) { try $0.append("evals/sluice.yaml") },
    Edit("the price file", all) { try $0.append("evals/prices/openai.json", " \n") },
    Edit("a dataset of two suites", ["polite", "triage"]) {
      try $0.append("evals/datasets/triage/cases.yaml")
    },
    Edit("a text that a case takes from a file", ["polite", "triage"]) {
      try $0.append("evals/datasets/triage/mails/late.txt")
    },
    Edit("a file of outputs", ["polite", "triage"]) { try $0.append("evals/outputs.jsonl", "\n") },
    Edit("a scoring program that a fingerprint names", ["polite"]) {
      try $0.append("evals/prompts/polite/polite.py")
    },
    Edit("a file outside of the project", ["triage"]) { try $0.append("shared/sort.txt") },
    Edit("a link that leads to another file", ["triage"]) {
      try $0.folder.write(["shared/other.txt": "Sort it: {{message}}\n"], under: "")
      try $0.remove("evals/prompts/triage/v1.txt")
      try $0.folder.link("evals/prompts/triage/v1.txt", to: "../../../shared/other.txt")
    },
    Edit("a file that replaces a link to the same text", ["triage"]) {
      let text = try $0.folder.text("shared/sort.txt")
      try $0.remove("evals/prompts/triage/v1.txt")
      try $0.folder.write(["evals/prompts/triage/v1.txt": text], under: "")
      try $0.git("add", "--all")
      try $0.commit()
    },
    // Added and removed suites.
    Edit("a new suite", ["more"]) {
      try $0.folder.write(
        [
          "suite.yaml": try $0.folder.text("evals/prompts/triage/suite.yaml")
            .replacing("suite: triage", with: "suite: more"),
          "v1.txt": "Sort: {{message}}\n",
        ],
        under: "evals/prompts/more"
      )
    },
    Edit("a suite that is gone", []) { try $0.remove("evals/prompts/category/suite.yaml") },
    Edit("a suite in a folder of another name", ["tone"]) {
      try $0.git("mv", "evals/prompts/tone", "evals/prompts/mood")
    },
    Edit("a dataset that became JSON", ["tone"]) {
      try $0.git("mv", "evals/datasets/tone/cases.yaml", "evals/datasets/tone/cases-1.yaml")
      try $0.rewrite("evals/prompts/tone/suite.yaml") {
        $0.replacing("dataset: tone", with: "dataset: ../../datasets/tone/cases-1.yaml")
      }
    },
  ]

  @Test("An edit affects exactly the suites that read the file", arguments: edits)
  func edit(_ edit: Edit) async throws {
    let repository = try Self.project()
    try edit.make(repository)
    let choice = try await Self.choose(repository)
    #expect(choice.chosen.map(\.suite.name).sorted() == edit.suites)
    let names = (choice.chosen.map(\.suite) + choice.skipped).map(\.name)
    #expect(Set(names).count == names.count)
  }

  @Test(
    "The choice is the same if the suites were checked before the edit, and after it",
    arguments: edits
  )
  func checkedBefore(_ edit: Edit) async throws {
    let repository = try Self.project()
    #expect(try await Self.choose(repository).isEmpty)
    #expect(try repository.folder.text(Self.memory).contains("\"complete\":true"))
    try edit.make(repository)
    let warm = try await Self.choose(repository)
    let again = try await Self.choose(repository)
    try repository.remove(Self.memory)
    let cold = try await Self.choose(repository)
    #expect(warm == cold)
    #expect(again == cold)
  }

  /// Edits of the files that the command of a program names, and that no fingerprint contains.
  static let programEdits: [Edit] = [
    Edit("no edit", []) { _ in },
    Edit("a script", ["polite"]) { try $0.append("evals/prompts/polite/check.sh") },
    Edit("an argument that is a file", ["polite"]) {
      try $0.append("evals/prompts/polite/rules/words.txt")
    },
    Edit("a script that is gone", ["polite"]) { try $0.remove("evals/prompts/polite/check.sh") },
    Edit("a script that may now be run", ["polite"]) {
      try $0.folder.makeExecutable("evals/prompts/polite/check.sh")
    },
    Edit("a file of the repository outside of the project", ["polite"]) {
      try $0.append("tools/list.txt")
    },
    Edit("a file where a word named none", ["polite"]) {
      try $0.append("evals/prompts/polite/--strict")
    },
    Edit("a file of the same name in the project's folder", []) { try $0.append("evals/check.sh") },
    Edit("a file that no word names", []) {
      try $0.append("evals/prompts/polite/rules/more.txt")
    },
  ]

  @Test(
    "An edit of a file that a program's command names affects the suite, before and after it was checked",
    arguments: programEdits
  )
  func programs(_ edit: Edit) async throws {
    let repository = try Self.project()
    try repository.rewrite("evals/prompts/polite/suite.yaml") {
      $0.replacing(
        "command: [python3, polite.py], fingerprint: [polite.py]",
        with: "command: [sh, ./check.sh, rules/words.txt, --strict, bin/python, "
          + "../../../tools/list.txt], "
          + "fingerprint: {version: \"1\"}"
      )
    }
    try repository.folder.write(
      ["check.sh": "echo '{}'\n", "rules/words.txt": "please\n"],
      under: "evals/prompts/polite"
    )
    try repository.folder.write(["list.txt": "please\n"], under: "tools")
    // A link to an installed program is not a file of the project.
    try repository.folder.link("evals/prompts/polite/bin/python", to: "/bin/sh")
    try repository.commit()
    try repository.git("branch", "--force", "main")
    #expect(try await Self.choose(repository).chosen.map(\.suite.name) == [])
    try edit.make(repository)
    let warm = try await Self.choose(repository)
    #expect(warm.chosen.map(\.suite.name).sorted() == edit.suites)
    try repository.remove(Self.memory)
    #expect(try await Self.choose(repository) == warm)
  }

  @Test("The program of a backend counts, relative to the project's folder")
  func backendProgram() async throws {
    let repository = try Self.project()
    try repository.rewrite("evals/sluice.yaml") {
      $0.replacing(
        "  given:",
        with:
          "  local: {type: exec, command: [sh, scripts/answer], fingerprint: {version: \"1\"}}\n"
          + "  given:"
      )
    }
    try repository.rewrite("evals/prompts/tone/suite.yaml") {
      $0.replacing("backend: stand-in", with: "backend: local")
    }
    try repository.folder.write(["scripts/answer": "cat\n"], under: "evals")
    try repository.commit()
    try repository.git("branch", "--force", "main")
    // Nothing is recorded for this backend.
    let reasons = try await Self.choose(repository).chosen.map(\.reasons)
    #expect(reasons == [[.missingRecordings(20)]])
    try repository.append("evals/prompts/tone/scripts/answer")
    #expect(try await Self.choose(repository).chosen.map(\.reasons) == reasons)
    try repository.append("evals/scripts/answer")
    let choice = try await Self.choose(repository)
    #expect(choice.chosen.map(\.suite.name) == ["tone"])
    #expect(choice.chosen.map(\.reasons) == [[.file("scripts/answer", .edited)]])
  }

  @Test("At least 40 kinds of edits are tested")
  func count() { #expect(Self.edits.count >= 40) }

  @Test("Each suite is chosen with its reasons")
  func reasons() async throws {
    let repository = try Self.project()
    try repository.append("evals/prompts/tone/v1.yaml")
    try repository.append("evals/prompts/tone/suite.yaml")
    try repository.remove("evals/reports/baselines/clarity.stand-in.jsonl")
    try repository.remove("evals/prompts/polite/suite.yaml")
    let choice = try await Self.choose(repository)
    #expect(
      choice.chosen == [
        .init(
          suite: .init(name: "clarity", path: "prompts/clarity/suite.yaml"),
          reasons: [.file("reports/baselines/clarity.stand-in.jsonl", .removed)]
        ),
        .init(
          suite: .init(name: "tone", path: "prompts/tone/suite.yaml"),
          reasons: [
            .file("prompts/tone/suite.yaml", .edited), .file("prompts/tone/v1.yaml", .edited),
          ]
        ),
      ]
    )
    #expect(choice.skipped.map(\.name) == ["action-items", "category", "triage"])
    #expect(choice.removed == ["prompts/polite/suite.yaml"])
  }

  @Test(
    "If the revision lacks the project's folder, all files are added",
    arguments: [[:], ["evals": "a file"], ["notes/evals": "a file elsewhere"]]
  )
  func newProject(files: [String: String]) async throws {
    let repository = try Self.project()
    let tree = try repository.git("rev-parse", "HEAD^{tree}")
    // A history whose first commit lacks the project.
    try repository.git("checkout", "--quiet", "--orphan", "first")
    try repository.git("rm", "-r", "--quiet", "--force", ".")
    let first = try repository.commit(files)
    let second = try repository.git("commit-tree", tree, "-p", first, "-m", "second")
    try repository.git("checkout", "--quiet", "--detach", second)
    try repository.git("branch", "--force", "main", first)
    let choice = try await Self.choose(repository)
    #expect(choice.chosen.map(\.suite.name) == Self.all)
    let tone = try #require(choice.chosen.first { $0.suite.name == "tone" })
    #expect(tone.reasons.contains(.file("prompts/tone/suite.yaml", .added)))
    #expect(
      tone.reasons.allSatisfy { if case .file(_, .added) = $0 { true } else { false } },
      "\(tone.reasons)"
    )
    #expect(choice.removed == [])
    #expect(choice.skipped == [])
  }

  @Test("A suite with missing recordings is never skipped")
  func missing() async throws {
    let repository = try Self.project()
    let path = "evals/datasets/category/recordings/stand-in.jsonl"
    try repository.rewrite(path) { text in
      text.split(separator: "\n").dropLast(2).map { "\($0)\n" }.joined()
    }
    try repository.commit()
    try repository.git("branch", "--force", "main")
    let choice = try await Self.choose(repository)
    #expect(choice.chosen.map(\.suite.name) == ["category"])
    #expect(choice.chosen.first?.reasons == [.missingRecordings(2)])
  }

  @Test("A file outside the repository is a reason to run, because git does not track it")
  func outside() async throws {
    let repository = try Self.project()
    let elsewhere = try ProjectFolder()
    try elsewhere.write(["sort.txt": "Sort: {{message}}\n"], under: "")
    try repository.remove("shared/sort.txt")
    try repository.folder.link("shared/sort.txt", to: elsewhere.path + "/sort.txt")
    try repository.commit()
    try repository.git("branch", "--force", "main")
    let choice = try await Self.choose(repository)
    #expect(choice.chosen.map(\.suite.name) == ["triage"])
    let reasons = choice.chosen.first?.reasons
    #expect(reasons?.contains(.file("prompts/triage/v1.txt", .outside)) == true, "\(reasons ?? [])")
  }

  @Test("A file in a submodule is a reason to run, because its earlier content is unknown")
  func submodule() async throws {
    let repository = try Self.project()
    let dataset = repository.path + "/evals/datasets/tone"
    try Git.run(["init", "--quiet"], in: dataset)
    try Git.run(["add", "--all"], in: dataset)
    try Git.run(["commit", "--quiet", "--message=dataset"], in: dataset)
    try repository.git("rm", "-r", "--quiet", "--cached", "evals/datasets/tone")
    try repository.commit()
    try repository.git("branch", "--force", "main")
    let choice = try await Self.choose(repository)
    #expect(choice.chosen.map(\.suite.name) == ["tone"])
    let reasons = try #require(choice.chosen.first?.reasons)
    #expect(reasons.contains(.file("datasets/tone/cases.yaml", .submodule)))
    #expect(
      reasons.allSatisfy { if case .file(_, .submodule) = $0 { true } else { false } },
      "\(reasons)"
    )
  }

  @Test("Only named suites are considered, and invalid files leave the choice to the loader")
  func selection() async throws {
    let repository = try Self.project()
    try repository.append("evals/prompts/tone/v1.yaml")
    var choice = try await Self.choose(repository, ["clarity", "prompts/tone"])
    #expect(choice.chosen.map(\.suite.name) == ["tone"])
    #expect(choice.skipped.map(\.name) == ["clarity"])
    choice = try await Self.choose(repository, ["clarity"])
    #expect(choice.isEmpty)
    try repository.append("evals/prompts/category/suite.yaml", "unknown-key: 1\n")
    #expect(try await Self.find(repository) == nil)
    #expect(try await Self.find(repository, ["nobody"]) == nil)
    // A mix names the removed suite, although no remaining suite reads a changed file.
    try repository.git("reset", "--quiet", "--hard")
    try repository.remove("evals/prompts/tone/suite.yaml")
    #expect(try await Self.find(repository) == nil)
  }

  @Test("The choice considers every file that a run reads")
  func completeness() async throws {
    let repository = try Self.project()
    let files = try #require(DiskFileSystem(root: repository.path + "/evals"))
    let loaded = ProjectLoader.load(from: files)
    let inspected = ReadTrackingFileSystem(files)
    let choice = AffectedSuites(
      try await GitChanges.since(
        "main",
        projectRoot: files.root,
        environment: Git.environment
      ),
      surroundings: Surroundings(files: inspected),
      layers: [.pending, .accepted],
      start: .now
    )
    _ = choice.choose(ProjectLoader.Selection(), since: "main")
    let run = ReadTrackingFileSystem(files)
    for suite in loaded.suites {
      _ = await Evaluation(suite, surroundings: Surroundings(files: run), keepsLog: false)
        .replayAsking(concurrency: 1)
    }
    var seen = Set(inspected.listing.entries.keys)
    for suite in loaded.suites { seen.formUnion(AffectedSuites.filesOfRun(suite.plan)) }
    let read = run.listing.withoutFolders.entries.keys
    #expect(read.count > 10)
    #expect(read.filter { !seen.contains($0) } == [])
  }

  @Test("Without marked files, git runs five times, and with them twice more")
  func processes() async throws {
    let repository = try Self.project()
    let log = repository.path + "/.git/log"
    let environment = try repository.environment(
      replacingGitWith: "echo \"$@\" >> '\(log)'; exec \"$GIT\" \"$@\""
    )
    func commands() async throws -> [String] {
      try? FileManager.default.removeItem(atPath: log)
      _ = try await GitChanges.since(
        "main",
        projectRoot: repository.path + "/evals",
        environment: environment
      )
      let known = ["rev-parse", "merge-base", "ls-tree", "cat-file", "diff", "ls-files"]
      return try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").compactMap {
        $0.split(separator: " ").map(String.init).first { (known + ["hash-object"]).contains($0) }
      }
    }
    let usual = ["rev-parse", "merge-base", "ls-tree", "cat-file", "diff"]
    #expect(try await commands() == usual)
    try repository.git("update-index", "--skip-worktree", "evals/sluice.yaml")
    #expect(try await commands() == usual + ["ls-files", "hash-object"])
  }

  @Test("A revision without a common commit is refused with a fix")
  func unrelated() async throws {
    let repository = try Self.project()
    try repository.git("checkout", "--quiet", "--orphan", "other")
    // The same files committed in the same second would be the same commit.
    try repository.append("README.md")
    try repository.commit()
    await #expect(throws: GitError.noCommonCommit(revision: "main", isShallow: false)) {
      try await Self.choose(repository)
    }
    let error = GitError.noCommonCommit(revision: "main", isShallow: true)
    #expect(
      error.message == """
        the current commit and 'main' have no common ancestor; the clone is shallow and lacks older commits
        """
    )
    #expect(error.fix == "fetch the whole history: git fetch --unshallow")
  }

  // MARK: The project

  /// The file that remembers the checked suites.
  static let memory = ".git/sluice/evals/checked-suites.json"

  static func choose(_ repository: ScratchRepository, _ suites: [String] = [])
    async throws -> SuiteSelection
  {
    try #require(try await find(repository, suites))
  }

  /// Chooses suites as if all files were older than the choice.
  ///
  /// Otherwise, a suite whose files were written within the same second is not remembered.
  private static func find(_ repository: ScratchRepository, _ suites: [String] = [])
    async throws -> SuiteSelection?
  {
    let files = try #require(DiskFileSystem(root: repository.path + "/evals"))
    let start = Timestamp(seconds: Timestamp.now.seconds + 1)
    return try await choose(suites, Surroundings(files: files), start: start, files.root)
  }

  /// Chooses among suites of a project on disk.
  static func choose(
    _ suites: [String],
    _ surroundings: Surroundings,
    start: Timestamp,
    _ root: String
  ) async throws -> SuiteSelection? {
    let changes = try await GitChanges.since(
      "main",
      projectRoot: root,
      environment: Git.environment
    )
    let chooser = AffectedSuites(
      changes,
      surroundings: surroundings,
      layers: [.pending, .accepted],
      start: start
    )
    let selection = ProjectLoader.Selection(suites: suites)
    return chooser.choose(selection, since: "main")
  }

  /// Four recorded suites and two with a file of outputs, on a branch without changes.
  static func project() throws -> ScratchRepository {
    let repository = try ScratchRepository()
    let fixture = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "SluiceCLITests/Fixtures/four-suites")
    try FileManager.default.copyItem(
      atPath: fixture.path,
      toPath: repository.path + "/evals"
    )
    try repository.rewrite("evals/sluice.yaml") {
      $0.replacing(
        "backends:\n",
        with: """
          allow-folders: [../shared, prompts/triage]
          mixes:
            day: {calls: {tone: 40, clarity: 1}}
          backends:
            given: {type: file, path: outputs.jsonl}

          """
      )
    }
    var texts = OutputsProject.texts
    texts["prompts/polite/suite.yaml"] = texts[OutputsProject.suitePath]?
      .replacing("suite: triage", with: "suite: polite")
      .replacing(
        "scorers:\n",
        with: "scorers:\n  - exec: {command: [python3, polite.py], fingerprint: [polite.py]}\n"
      )
    texts["prompts/polite/v1.txt"] = texts[OutputsProject.promptPath]
    texts["prompts/polite/polite.py"] = "print('{}')\n"
    texts[OutputsProject.casesPath] = texts[OutputsProject.casesPath]?
      .replacing("\"Where is it?\"", with: "{file: mails/late.txt}")
    texts["datasets/triage/mails/late.txt"] = "Where is it?\n"
    texts["prompts/tone/draft.yaml"] = "messages: []\n"
    for path in ["sluice.yaml", "sheet.csv", OutputsProject.promptPath] { texts[path] = nil }
    try repository.folder.write(texts, under: "evals")
    try repository.folder.write(
      [
        "shared/sort.txt": "Sort: {{message}}\n",
        ".gitignore": "reports/runs/\nreports/latest/\nrecordings/pending/\n",
      ],
      under: ""
    )
    try repository.folder.link("evals/prompts/triage/v1.txt", to: "../../../shared/sort.txt")
    try repository.commit()
    try repository.git("checkout", "--quiet", "-b", "work")
    return repository
  }
}

extension ScratchRepository {
  /// Appends to a file, creating it if it does not exist.
  func append(_ path: String, _ text: String = "\n# edited\n") throws {
    try folder.write([path: ((try? folder.text(path)) ?? "") + text], under: "")
  }

  func rewrite(_ path: String, _ change: (String) -> String) throws {
    try folder.write([path: change(try folder.text(path))], under: "")
  }

  fileprivate func remove(_ path: String) throws {
    try FileManager.default.removeItem(atPath: self.path + "/" + path)
  }
}

extension ProjectPath: ExpressibleByStringLiteral {
  package init(stringLiteral value: String) { self.init(value) }
}
