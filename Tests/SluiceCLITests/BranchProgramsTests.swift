import Foundation
import Sluice
import Testing
import TestSupport

/// Tests of the rule that in CI, a branch that changes more than data starts no program.
@Suite("Programs of a branch in CI", .timeLimit(.minutes(5)))
struct BranchProgramsTests {
  static let suite = "prompts/category/suite.yaml"
  static let judge = "prompts/category/judge.sh"
  /// A file that tells whether the scorer ran, in a folder that no commit contains.
  static let trace = ".git/ran"

  /// A repository with a scorer that is a program, whose branch `change` is checked out.
  static func project(in folder: String? = nil) throws -> (ScratchProject, CommandLineRunner) {
    let demo = try ScratchProject.ofDemo()
    var project = demo
    if let folder {
      project = try ScratchProject()
      try FileManager.default.copyItem(
        at: demo.folder,
        to: project.folder.appending(path: folder)
      )
    }
    let prefix = folder.map { $0 + "/" } ?? ""
    try project.edit(
      prefix + suite,
      replacing: "scorers:\n",
      with: "scorers:\n  - exec: {command: [sh, judge.sh], fingerprint: [judge.sh]}\n"
    )
    // The baseline was judged without the program.
    try project.removeLines(of: prefix + suite, holding: "no regression in accuracy")
    try project.write(script(project), to: prefix + judge)
    try project.write("reports/runs/\nreports/latest/\n*.log\n", to: ".gitignore")
    try project.git("init", "--quiet", "--initial-branch=main", ".")
    try project.commit()
    try project.git("update-ref", "refs/remotes/origin/main", "HEAD")
    try project.git("checkout", "--quiet", "-b", "change")
    var sluice = project.sluice
    if let folder { sluice.folder = project.folder.appending(path: folder) }
    sluice.environment = ["CI": "true", "SLUICE_BASE": "origin/main"]
    return (project, sluice)
  }

  /// A scorer that passes each answer and leaves a trace.
  static func script(_ project: ScratchProject, _ more: String = "") -> String {
    """
    cat > /dev/null
    echo ran >> '\(project.folder.path)/\(trace)'
    \(more)
    echo '{"outcome": "passed", "explanation": "fine"}'

    """
  }

  static func hasRun(_ project: ScratchProject) -> Bool {
    FileManager.default.fileExists(atPath: project.folder.appending(path: trace).path)
  }

  // MARK: What counts as a difference

  /// An edit of a branch.
  struct Edit: Sendable, CustomTestStringConvertible {
    var name: String
    var make: @Sendable (ScratchProject) throws -> Void
    var testDescription: String { name }

    init(_ name: String, _ make: @escaping @Sendable (ScratchProject) throws -> Void) {
      (self.name, self.make) = (name, make)
    }

    static func append(_ text: String, to path: String) -> Edit {
      Edit("\(path) + \(text.debugDescription)") { project in
        try project.write(((try? project.read(path)) ?? "") + text, to: path)
      }
    }
  }

  static let data: [Edit] = [
    Edit("nothing") { _ in },
    .append("# a note\n", to: "datasets/category/cases.yaml"),
    .append("# a note\n", to: "datasets/tone/cases.yaml"),
    .append("# a note\n", to: "prompts/category/v1.yaml"),
    .append("# a note\n", to: "prompts/clarity/v1.yaml"),
    .append("", to: "datasets/category/recordings/other.jsonl"),
    .append("", to: "datasets/tone/recordings/ledger/other.jsonl"),
    Edit("a removed recording") { project in
      let path = "datasets/category/recordings/stand-in.jsonl"
      var lines = try project.read(path).split(separator: "\n")
      lines.removeLast()
      try project.write(lines.joined(separator: "\n") + "\n", to: path)
    },
    Edit("an ignored, untracked file") { project in
      try project.write("x", to: "prompts/category/json.log")
    },
    Edit("a rewritten file with the same content") { project in
      try project.write(try project.read(judge), to: judge)
    },
    Edit("reports of an earlier step") { project in
      try project.write("{}", to: "reports/latest/report.json")
    },
  ]

  @Test(
    "Recordings, datasets and prompts may differ from the base",
    arguments: data,
    [true, false]
  )
  func dataEdits(edit: Edit, isCommitted: Bool) async throws {
    let (project, sluice) = try Self.project()
    try edit.make(project)
    if isCommitted { try project.commit() }
    let outcome = try await sluice("run", "category")
    #expect(Self.hasRun(project), "\(outcome.output)\(outcome.error)")
    #expect(!(outcome.output + outcome.error).contains("program not run"))
  }

  static let code: [Edit] = [
    .append("# a note\n", to: suite),
    .append("# a note\n", to: "prompts/tone/suite.yaml"),
    .append("# a note\n", to: "sluice.yaml"),
    .append("# a note\n", to: judge),
    .append("x = 1\n", to: "prompts/category/json.py"),
    .append("x = 1\n", to: "datasets/category/json.py"),
    .append("x = 1\n", to: "datasets/category/recordings/json.py"),
    .append("x = 1\n", to: "datasets/category/recordings/ledger/json.py"),
    .append("", to: "datasets/category/recordings/deeper/other.jsonl"),
    .append("", to: "datasets/unknown/recordings/other.jsonl"),
    .append("- {}\n", to: "datasets/category/more.yaml"),
    .append("# a note\n", to: "prompts/category/v2.yaml"),
    .append("\n", to: "prompts/category/category.schema.json"),
    .append("\n", to: "prices/openai.json"),
    .append("", to: "reports/baselines/other.jsonl"),
    .append("*.py\n", to: ".gitignore"),
    .append("*.sh ident\n", to: ".gitattributes"),
    .append("x = 1\n", to: "tools/helper.py"),
    .append("x = 1\n", to: "sitecustomize.py"),
    Edit("a removed file") { project in
      try FileManager.default.removeItem(
        at: project.folder.appending(path: "prompts/category/category.schema.json")
      )
      try project.write("", to: ".keep")
    },
    Edit("an executable dataset") { project in
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o755],
        ofItemAtPath: project.folder.appending(path: "datasets/category/cases.yaml").path
      )
    },
    Edit("a dataset that is a link") { project in
      let path = project.folder.appending(path: "datasets/category/cases.yaml")
      try project.write(try project.read("datasets/category/cases.yaml"), to: "datasets/category/x")
      try FileManager.default.removeItem(at: path)
      try FileManager.default.createSymbolicLink(
        atPath: path.path,
        withDestinationPath: "x"
      )
    },
    Edit("an edit that is marked as unchanged") { project in
      try project.git("update-index", "--assume-unchanged", judge)
      try project.write(script(project, "true"), to: judge)
    },
  ]

  @Test("Any other difference stops all programs", arguments: code, [true, false])
  func codeEdits(edit: Edit, isCommitted: Bool) async throws {
    let (project, sluice) = try Self.project()
    try edit.make(project)
    if isCommitted { try project.commit() }
    let outcome = try await sluice("run", "category")
    #expect(!Self.hasRun(project), "\(outcome.output)\(outcome.error)")
    #expect(outcome.exitCode == 3 || outcome.exitCode == 64, "\(outcome.output)\(outcome.error)")
  }

  @Test("A file that git ignores counts if a commit contains it anyway")
  func trackedThoughIgnored() async throws {
    let (project, sluice) = try Self.project()
    try project.write("x", to: "prompts/category/json.log")
    try project.git("add", "--force", "prompts/category/json.log")
    try project.commit()
    #expect(try await sluice("run", "category").exitCode == 3)
    #expect(!Self.hasRun(project))
  }

  @Test("Another commit of a submodule counts, whatever .gitmodules says")
  func submodule() async throws {
    let (project, sluice) = try Self.project()
    let commit = try project.git("rev-parse", "HEAD").trimmingCharacters(in: .newlines)
    try project.write(
      "[submodule \"tools\"]\npath = tools\nurl = ./x\nignore = all\n",
      to: ".gitmodules"
    )
    try FileManager.default.createDirectory(
      at: project.folder.appending(path: "tools"),
      withIntermediateDirectories: true
    )
    try project.git("add", ".gitmodules")
    try project.git("commit", "--quiet", "--message=x")
    try project.git("update-ref", "refs/remotes/origin/main", "HEAD")
    try project.git("update-index", "--add", "--cacheinfo", "160000,\(commit),tools")
    try project.git("commit", "--quiet", "--message=x")
    #expect(try await sluice("run", "category").exitCode == 3)
    #expect(!Self.hasRun(project))
  }

  @Test("Files outside of the project's folder count", arguments: ["lib.py", "evals/lib.py"])
  func outsideOfProject(path: String) async throws {
    let (project, sluice) = try Self.project(in: "evals")
    try project.write("# a note\n", to: "evals/prompts/category/v1.yaml.orig.log")
    try project.edit("evals/prompts/category/v1.yaml", replacing: "\n", with: "\n# a note\n")
    try project.commit()
    #expect(try await sluice("run", "category").exitCode != 64)
    #expect(Self.hasRun(project))
    try FileManager.default.removeItem(at: project.folder.appending(path: Self.trace))
    try project.write("x = 1\n", to: path)
    #expect(try await sluice("run", "category").exitCode == 3)
    #expect(!Self.hasRun(project))
  }

  @Test("A data file that a command names counts as a program")
  func namedInCommand() async throws {
    let (project, sluice) = try Self.project()
    try project.git("checkout", "--quiet", "main")
    try project.edit(
      Self.suite,
      replacing: "[sh, judge.sh]",
      with: "[sh, judge.sh, --cases=../../datasets/category/cases.yaml]"
    )
    try project.commit()
    try project.git("update-ref", "refs/remotes/origin/main", "HEAD")
    #expect(try await sluice("run", "category").exitCode == 0)
    #expect(Self.hasRun(project))
    try FileManager.default.removeItem(at: project.folder.appending(path: Self.trace))
    try Edit.append("# a note\n", to: "datasets/category/cases.yaml").make(project)
    #expect(try await sluice("run", "category").exitCode == 3)
    #expect(!Self.hasRun(project))
  }

  @Test("Files that only the base changed since the branch started are not the branch's")
  func staleBranch() async throws {
    let (project, sluice) = try Self.project()
    try Edit.append("# a note\n", to: "prompts/category/v1.yaml").make(project)
    try project.commit()
    try project.git("checkout", "--quiet", "main")
    try Edit.append("# a note\n", to: Self.suite).make(project)
    try project.commit()
    try project.git("update-ref", "refs/remotes/origin/main", "HEAD")
    try project.git("checkout", "--quiet", "change")
    _ = try await sluice("run", "category")
    #expect(Self.hasRun(project))
    // The merge that GitHub checks out.
    try FileManager.default.removeItem(at: project.folder.appending(path: Self.trace))
    try project.git("checkout", "--quiet", "--detach", "main")
    try project.git("merge", "--quiet", "--no-ff", "--message=merge", "change")
    _ = try await sluice("run", "category")
    #expect(Self.hasRun(project))
  }

  // MARK: The base

  @Test(
    "The base is known from SLUICE_BASE or the CI service, and is pinned by a commit",
    arguments: [
      (["SLUICE_BASE": "MAIN"], false), (["SLUICE_BASE": "HEAD"], true),
      (["CI_MERGE_REQUEST_DIFF_BASE_SHA": "MAIN"], false),
      (["CI_COMMIT_BRANCH": "main", "CI_DEFAULT_BRANCH": "main", "CI_COMMIT_SHA": "HEAD"], true),
      (["CI_COMMIT_BRANCH": "main", "CI_DEFAULT_BRANCH": "main", "CI_COMMIT_SHA": "MAIN"], false),
      (
        ["CI_COMMIT_BRANCH": "change", "CI_DEFAULT_BRANCH": "main", "CI_COMMIT_SHA": "HEAD"], false
      ),
      (["GITHUB_BASE_REF": "main"], false),
      (["GITHUB_EVENT_NAME": "schedule", "GITHUB_SHA": "HEAD"], true),
      (["GITHUB_EVENT_NAME": "schedule", "GITHUB_SHA": "MAIN"], false),
      (["EVENT": #"{"pull_request":{"base":{"sha":"MAIN"}}}"#, "GITHUB_SHA": "HEAD"], false),
      (["EVENT": #"{"merge_group":{"base_sha":"MAIN"}}"#, "GITHUB_SHA": "HEAD"], false),
      (
        [
          "EVENT": #"{"repository":{"default_branch":"main"}}"#, "GITHUB_REF": "refs/heads/main",
          "GITHUB_SHA": "HEAD",
        ], true
      ),
      // The event workflow_run names the default branch, although a job may check out another one.
      (
        [
          "EVENT": #"{"repository":{"default_branch":"main"}}"#, "GITHUB_REF": "refs/heads/main",
          "GITHUB_SHA": "MAIN",
        ], false
      ),
      (
        [
          "EVENT": #"{"repository":{"default_branch":"main"}}"#, "GITHUB_REF": "refs/heads/change",
          "GITHUB_SHA": "HEAD",
        ], false
      ),
      ([:], false),
    ]
  )
  func base(variables: [String: String], isBaseBranch: Bool) async throws {
    var (project, sluice) = try Self.project()
    try Edit.append("# a note\n", to: Self.judge).make(project)
    try project.commit()
    func filled(_ text: String) throws -> String {
      let main = try project.git("rev-parse", "main").trimmingCharacters(in: .newlines)
      let head = try project.git("rev-parse", "HEAD").trimmingCharacters(in: .newlines)
      return text.replacingOccurrences(of: "MAIN", with: main)
        .replacingOccurrences(of: "HEAD", with: head)
    }
    sluice.environment = try ["CI": "true"].merging(variables.mapValues(filled)) { $1 }
    if let event = sluice.environment.removeValue(forKey: "EVENT") {
      try project.write(event, to: ".git/event.json")
      sluice.environment["GITHUB_EVENT_PATH"] =
        project.folder.appending(path: ".git/event.json").path
    }
    let outcome = try await sluice("run", "category")
    #expect(Self.hasRun(project) == isBaseBranch, "\(outcome.output)\(outcome.error)")
    #expect(outcome.exitCode == (isBaseBranch ? 0 : 3), "\(outcome.output)\(outcome.error)")
  }

  @Test(
    "An unknown base counts as different, and the message says how to fetch it",
    arguments: [
      ("", "the base of this branch is unknown. Set SLUICE_BASE to its commit, and "),
      (
        String(repeating: "1", count: 40),
        "the base '\(String(repeating: "1", count: 40))' is unknown here: the repository has no "
          + "commit '\(String(repeating: "1", count: 40))'. If it is right, "
      ),
    ]
  )
  func unknownBase(base: String, reason: String) async throws {
    var (project, sluice) = try Self.project()
    sluice.environment["SLUICE_BASE"] = base
    let outcome = try await sluice("run", "category")
    #expect(outcome.exitCode == 3)
    #expect(!Self.hasRun(project))
    #expect(
      outcome.error.contains(
        "sluice: warning: no program of this branch is run: \(reason)fetch all commits (GitHub: "
          + "'fetch-depth: 0', GitLab: 'GIT_DEPTH: \"0\"'). In CI, a branch that changes more than "
          + "recordings, datasets and prompts starts no program without --programs\n"
      ),
      "\(outcome.error)"
    )
  }

  @Test("In a shallow clone without the base, no program runs")
  func shallow() async throws {
    let (project, _) = try Self.project()
    try Edit.append("# a note\n", to: "prompts/category/v1.yaml").make(project)
    try project.commit()
    let clone = try ScratchProject()
    try clone.git(
      "clone",
      "--quiet",
      "--depth=1",
      "--no-single-branch",
      "file://\(project.folder.path)",
      "x"
    )
    var sluice = clone.sluice
    sluice.folder = clone.folder.appending(path: "x")
    sluice.environment = ["CI": "true", "SLUICE_BASE": "origin/main"]
    let outcome = try await sluice("run", "category")
    #expect(outcome.exitCode == 3)
    #expect(!Self.hasRun(project))
    #expect(outcome.error.contains("have no common ancestor; the clone is shallow"))
    #expect(outcome.error.contains("'fetch-depth: 0'"))
  }

  @Test("compare --base and run --affected name the base, if the CI service does not")
  func namedBase() async throws {
    var (project, sluice) = try Self.project()
    sluice.environment["SLUICE_BASE"] = nil
    try Edit.append("# a note\n", to: "prompts/category/v1.yaml").make(project)
    try project.commit()
    #expect(try await sluice("run", "category").exitCode == 3)
    #expect(!Self.hasRun(project))
    for line in [["compare", "category", "--base", "main"], ["run", "--affected", "main"]] {
      let outcome = try await sluice.run(line)
      #expect(Self.hasRun(project), "\(line): \(outcome.output)\(outcome.error)")
      try FileManager.default.removeItem(at: project.folder.appending(path: Self.trace))
    }
  }

  // MARK: The options

  @Test("--programs starts the programs of any branch, and --no-programs starts none anywhere")
  func options() async throws {
    var (project, sluice) = try Self.project()
    #expect(try await sluice("run", "category", "--no-programs").exitCode == 3)
    #expect(!Self.hasRun(project))
    try Edit.append("# a note\n", to: Self.suite).make(project)
    #expect(try await sluice("run", "category", "--programs").exitCode == 0)
    #expect(Self.hasRun(project))
    try FileManager.default.removeItem(at: project.folder.appending(path: Self.trace))
    sluice.environment = [:]
    let outcome = try await sluice("run", "category", "--no-programs")
    #expect(outcome.exitCode == 3)
    #expect(!Self.hasRun(project))
    #expect(outcome.error == "")
    #expect(try await sluice("run", "category").exitCode == 0)
    #expect(Self.hasRun(project))
  }

  @Test(
    "Each command that can start a program takes both options, but not at once",
    arguments: [
      "run", "compare", "try", "record", "recordings diff", "recordings review", "baseline accept",
      "health", "noise", "plan", "explain", "show x", "backends check x", "mcp",
    ]
  )
  func bothOptions(command: String) async throws {
    let (_, sluice) = try Self.project()
    let words = command.split(separator: " ").map(String.init)
    let outcome = try await sluice.run(words + ["--programs", "--no-programs"])
    #expect(outcome.exitCode == 64)
    #expect(outcome.error.contains("--no-programs"), "\(outcome.error)")
    let help = try await sluice.run(words + ["--help"])
    #expect(help.output.contains("--programs/--no-programs"))
  }

  // MARK: Losses

  @Test("What needs a program is lost by name in all reports, and the gates have no verdict")
  func reports() async throws {
    let (project, sluice) = try Self.project()
    try Edit.append("# a note\n", to: Self.judge).make(project)
    try Edit.append("# a note\n", to: Self.suite).make(project)
    let outcome = try await sluice("run", "category")
    #expect(outcome.exitCode == 3)
    let base = try project.git("rev-parse", "--short=12", "main")
      .trimmingCharacters(in: .newlines)
    let reason =
      "program not run: exec:sh of the scorer: prompts/category/judge.sh and 1 more differ from "
      + "the base \(base). In CI, a branch that changes more than recordings, datasets and prompts "
      + "starts no program without --programs"
    #expect(outcome.output.contains("NO VERDICT"))
    let json = try JSONReader.value(Array(project.read("reports/latest/report.json").utf8))
    #expect(json.jsonText.contains(reason))
    for name in ["report.md", "report.html", "junit.xml"] {
      let text = try project.read("reports/latest/\(name)")
      #expect(text.contains("program not run"), "\(name)")
    }
    #expect(outcome.output.contains("program not run"), "\(outcome.output)")
  }

  @Test("A scorer whose program keeps running is not started either")
  func keptProgram() async throws {
    let (project, sluice) = try Self.project()
    try project.edit(
      Self.suite,
      replacing: "fingerprint: [judge.sh]}",
      with: "fingerprint: [judge.sh], keep-running: true}"
    )
    let outcome = try await sluice("run", "category")
    #expect(outcome.exitCode == 3)
    #expect(outcome.output.contains("program not run"), "\(outcome.output)")
    #expect(!Self.hasRun(project))
  }

  @Test("The tools of the agents' server take the server's option", arguments: [true, false])
  func agents(isAllowed: Bool) async throws {
    var (project, sluice) = try Self.project()
    if isAllowed { try Edit.append("# a note\n", to: Self.judge).make(project) }
    if !isAllowed { sluice.environment = [:] }
    let call = AgentServerTests.call(1, "run", #"{"suites":["category"]}"#)
    sluice.input = Data("\(AgentServerTests.hello)\n\(call)\n".utf8)
    let outcome = try await sluice("mcp", isAllowed ? "--programs" : "--no-programs")
    #expect(Self.hasRun(project) == isAllowed, "\(outcome.output)")
    #expect(outcome.output.contains(isAllowed ? #""exit-code":0"# : "--no-programs forbids it"))
  }

  @Test(
    "Commands that judge recorded answers start no program either",
    arguments: [
      ["try", "category", "--offline", "--base", "main"], ["explain", "category"],
      ["show", "category-heart-only"], ["baseline", "accept", "category", "--write"],
      ["health", "category"], ["noise", "category"], ["plan", "category"],
      ["compare", "category", "--backend", "stand-in"],
    ]
  )
  func otherCommands(line: [String]) async throws {
    let (project, sluice) = try Self.project()
    try Edit.append("# a note\n", to: Self.judge).make(project)
    let outcome = try await sluice.run(line)
    #expect(!Self.hasRun(project), "\(outcome.output)")
    #expect(outcome.exitCode != 1, "\(outcome.output)\(outcome.error)")
    _ = try await sluice.run(
      [line[0]] + (line[0] == "baseline" ? ["accept"] : [])
        + line.dropFirst(line[0] == "baseline" ? 2 : 1) + ["--programs"]
    )
    #expect(Self.hasRun(project), "the command takes --programs")
  }

  @Test("In a live run and while recording, the answers of a program are lost")
  func backends() async throws {
    let (project, sluice) = try Self.project()
    try project.edit(
      "sluice.yaml",
      replacing: "backends:\n",
      with: """
        backends:
          own: {type: exec, command: [sh, answer.sh], fingerprint: [answer.sh]}

        """
    )
    try project.write(
      "echo ran >> .git/ran\necho '{\"text\": \"{}\"}'\n",
      to: "answer.sh"
    )
    for line in [
      ["run", "category", "--live", "--network", "--backend", "own", "--first", "1"],
      ["record", "category", "--network", "--write", "--backend", "own", "--first", "1"],
      ["backends", "check", "own", "--network"],
    ] {
      let outcome = try await sluice.run(line)
      #expect(outcome.exitCode == 3, "\(line): \(outcome.output)\(outcome.error)")
      let text = (outcome.output + outcome.error).split(whereSeparator: \.isWhitespace)
        .joined(separator: " ")
      #expect(text.contains("program not run: exec:sh of the backend 'own': "), "\(line): \(text)")
      #expect(!Self.hasRun(project), "\(line)")
    }
  }

  @Test("The command that prints a key is not run")
  func keyCommand() async throws {
    let (project, sluice) = try Self.project()
    try project.edit(
      "sluice.yaml",
      replacing: "backends:\n",
      with: """
        backends:
          own: {type: openai, base-url: "http://127.0.0.1:1/v1", model: x, key: {command: [sh, key.sh]}}

        """
    )
    try project.write("echo ran >> .git/ran\necho token\n", to: "key.sh")
    let outcome = try await sluice("backends", "check", "own", "--network", "--once")
    #expect(outcome.exitCode == 3, "\(outcome.output)\(outcome.error)")
    #expect(!Self.hasRun(project))
    #expect(
      outcome.output.contains("program not run: sh, the key of the backend 'own': "),
      "\(outcome.output)"
    )
  }

  // MARK: Comparisons

  @Test("Without its program, neither side of a comparison has a verdict")
  func comparison() async throws {
    let (project, sluice) = try Self.project()
    try Edit.append("# a note\n", to: Self.judge).make(project)
    try project.commit()
    let outcome = try await sluice("compare", "category", "--base", "main")
    #expect(outcome.exitCode == 3, "\(outcome.output)")
    #expect(!Self.hasRun(project))
    #expect((outcome.output + outcome.error).contains("without --programs"))
  }

  /// Lowers a gate, and moves every reference and file that a comparison reads.
  private func attack(_ project: ScratchProject) throws {
    let root = project.folder.path
    try project.edit(Self.suite, replacing: "accuracy >= 80%", with: "accuracy >= 5%")
    let more = """
      cd '\(root)'
      commit=$(git rev-parse HEAD)
      git update-ref refs/remotes/origin/main "$commit"
      git update-ref refs/heads/main "$commit"
      for base in $(git rev-list "$commit"); do
        [ "$base" = "$commit" ] || git replace --force "$base" "$commit" 2>/dev/null
      done
      sed -i.old 's/>= 5%/>= 80%/' \(Self.suite)
      : > datasets/category/recordings/stand-in.jsonl
      """
    try project.write(Self.script(project, more), to: Self.judge)
    try project.commit()
  }

  @Test("A program that moves the base between two commands does not run, so the gate edit is seen")
  func movedBase() async throws {
    let (project, sluice) = try Self.project()
    try attack(project)
    #expect(try await sluice("run", "category").exitCode == 3)
    let outcome = try await sluice("compare", "category", "--base", "origin/main")
    #expect(outcome.exitCode == 3, "\(outcome.output)")
    #expect(outcome.output.contains("accuracy >= 5%"), "\(outcome.output)")
    #expect(!Self.hasRun(project))
  }

  @Test("A tag or branch with the name of the base is not the base", arguments: ["tag", "branch"])
  func namesake(kind: String) async throws {
    var (project, sluice) = try Self.project()
    try attack(project)
    try project.git(kind, "origin/main", "HEAD")
    for variables in [["SLUICE_BASE": "origin/main"], ["GITHUB_BASE_REF": "main"]] {
      sluice.environment = ["CI": "true"].merging(variables) { $1 }
      #expect(try await sluice("run", "category").exitCode == 3)
    }
    let commands = [
      ["compare", "category"], ["try", "category", "--offline"], ["recordings", "verify"],
    ]
    for command in commands + [["run"]] {
      let option = command == ["run"] ? "--affected" : "--base"
      let outcome = try await sluice.run(command + [option, "origin/main"])
      #expect(outcome.exitCode == 64, "\(command)")
      #expect(
        outcome.error.contains(
          "the repository has several branches or tags with the name 'origin/main'\n  fix: write "
            + "the id of the commit, or the full name, such as 'refs/remotes/origin/main'"
        ),
        "\(command): \(outcome.error)"
      )
    }
    #expect(!Self.hasRun(project))
  }

  @Test("A program that may run and moves the base does not change a comparison with a commit")
  func allowedProgram() async throws {
    let (project, sluice) = try Self.project()
    let base = try project.git("rev-parse", "main").trimmingCharacters(in: .newlines)
    try attack(project)
    #expect(try await sluice("run", "category", "--programs").exitCode == 0)
    #expect(Self.hasRun(project))
    try project.git("checkout", "--quiet", "HEAD", "--", ".")
    let outcome = try await sluice("compare", "category", "--programs", "--base", base)
    #expect(outcome.output.contains("accuracy >= 5%"), "\(outcome.output)")
  }

  @Test("compare reads the base before a program runs")
  func readBeforePrograms() async throws {
    let (project, sluice) = try Self.project()
    try attack(project)
    let outcome = try await sluice("compare", "category", "--programs", "--base", "origin/main")
    #expect(Self.hasRun(project))
    #expect(outcome.output.contains("accuracy >= 5%"), "\(outcome.output)")
    // The recordings that the program emptied were read before, too.
    #expect(!outcome.output.contains("lost"), "\(outcome.output)")
  }

  @Test("With --head, whose commands would start files of the working copy, no program runs")
  func head() async throws {
    let (project, sluice) = try Self.project()
    try Edit.append("# a note\n", to: Self.judge).make(project)
    try project.commit()
    try project.git("checkout", "--quiet", "main")
    let outcome = try await sluice("compare", "category", "--base", "main", "--head", "change")
    #expect(outcome.exitCode == 3, "\(outcome.output)")
    #expect(!Self.hasRun(project))
  }
}
