import Foundation
import SampleProjects
import Sluice
import Testing
import TestSupport

/// Step-by-step runs of the files of `sluice init --ci`, as in a CI service, but without its
/// network.
@Suite("The CI templates, step by step")
struct CITemplateTests {
  /// A repository with a service's files, a release of the program, and a cache.
  private struct Stage {
    let project: ScratchProject
    /// The folder that contains the release, the cache and the runner.
    let outside: ScratchProject
    let checksum: String

    init(_ service: String) async throws {
      project = try ScratchProject.ofDemo()
      outside = try ScratchProject()
      let outcome = try await project.sluice("init", "--ci", service)
      #expect(outcome.exitCode == 0, "\(outcome.error)")
      // The release contains a program that starts the program under test.
      try outside.write(
        "#!/bin/sh\nexec '\(try CommandLineRunner.program.path)' \"$@\"\n",
        to: "sluice-9.9.9/sluice"
      )
      try Self.makeExecutable("sluice-9.9.9/sluice", in: outside)
      for name in ["cache/none", "home/none"] { try outside.write("", to: name) }
      // This replacement for GitHub's program writes its calls to a log. There must be no calls,
      // since the steps have no key.
      try outside.write("#!/bin/sh\necho \"$*\" >> \"$STAGE/gh.log\"\n", to: "bin/gh")
      try Self.makeExecutable("bin/gh", in: outside)
      let tar = try ChildProcess(
        ["tar", "-czf", "release.tar.gz", "sluice-9.9.9"],
        in: outside.folder.path,
        environment: ["PATH": Self.path]
      )
      #expect(try await tar.outcome().exitCode == 0)
      let bytes = try Data(contentsOf: outside.folder.appending(path: "release.tar.gz"))
      checksum = SHA256.hexadecimal(bytes)
      try fill("SLUICE_RELEASE", "file://\(outside.folder.path)/release.tar.gz")
      try fill("SLUICE_RELEASE_SHA256", checksum)
      try project.write(
        "reports/runs/\nreports/latest/\n.sluice-tool/\n.sluice/bin/\n",
        to: ".gitignore"
      )
      try project.git("init", "--quiet", "--initial-branch=main", ".")
      try project.commit()
      try project.git("update-ref", "refs/remotes/origin/main", "HEAD")
      try project.git("checkout", "--quiet", "-b", "change")
    }

    static let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"

    private static func makeExecutable(_ path: String, in project: ScratchProject) throws {
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o755],
        ofItemAtPath: project.folder.appending(path: path).path
      )
    }

    /// Fills in a line of the script that installs the program.
    func fill(_ name: String, _ value: String) throws {
      let path = "scripts/install-sluice"
      let text = try project.read(path)
      let line = try #require(text.firstMatch(of: try Regex("\(name)=\\$\\{\(name):-[^}]*\\}")))
      try project.write(
        text.replacingCharacters(in: line.range, with: "\(name)=${\(name):-\(value)}"),
        to: path
      )
    }

    /// Runs a shell line as a step, with the variables of a pull request from a fork.
    func run(
      _ script: String,
      path extra: [String] = [],
      variables: [String: String] = [:]
    ) async throws -> ChildProcess.Outcome {
      let folder = project.folder.path
      let process = try ChildProcess(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script],
        in: folder,
        environment: [
          "PATH": (extra + [outside.folder.appending(path: "bin").path, Self.path])
            .joined(separator: ":"),
          "LD_LIBRARY_PATH": ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"] ?? "",
          "HOME": outside.folder.appending(path: "home").path, "STAGE": outside.folder.path,
          "CI": "true", "GITHUB_ACTIONS": "true", "GITHUB_WORKSPACE": folder,
          "GITHUB_PATH": outside.folder.appending(path: "github-path").path,
          "GITHUB_BASE_REF": "main", "CI_PROJECT_DIR": folder, "PROJECT": ".",
          "RUNNER_TEMP": outside.folder.appending(path: "home").path,
          "GITHUB_STEP_SUMMARY": outside.folder.appending(path: "summary.md").path,
          "SLUICE_PROGRESS": "off",
        ].merging(variables) { $1 }
      )
      return try await process.outcome()
    }

    /// The event of a pull request or of a push to the base branch.
    enum Event { case pullRequest, push }

    /// Runs the steps of the GitHub job that checks the gates, including its cache.
    func gate(_ event: Event = .pullRequest) async throws
      -> [(name: String, outcome: ChildProcess.Outcome)]
    {
      let commit = try project.git("rev-parse", event == .push ? "HEAD" : "origin/main")
      let text = try project.read(".github/workflows/sluice.yml")
      let workflow = try #require(YAMLReader.read(Array(text.utf8)).root).json
      let steps = try #require(workflow.value(at: "jobs.gate.steps")?.array)
      var outcomes: [(name: String, outcome: ChildProcess.Outcome)] = []
      var cached: [String] = []
      for step in steps {
        if step["uses"]?.string?.hasPrefix("actions/cache@") == true {
          cached = try #require(step.value(at: "with.path")?.string).split(separator: "\n")
            .map(String.init)
          try copy(cached, from: outside.folder.appending(path: "cache"), to: project.folder)
        }
        guard let script = step["run"]?.string, let name = step["name"]?.string else { continue }
        // After a failure, only steps whose condition allows it run.
        let condition = step["if"]?.string ?? ""
        if event == .push, condition.contains("== 'pull_request'") { continue }
        let isInstalled = outcomes.first?.outcome.exitCode == 0
        let hasFailed = outcomes.contains { $0.outcome.exitCode != 0 }
        if condition.contains("failure()") && !hasFailed { continue }
        if hasFailed,
          !condition.contains("!cancelled()") && !condition.contains("failure()")
            || condition.contains("steps.install.outcome == 'success'") && !isInstalled
        {
          continue
        }
        // GitHub fills in the commit, so no earlier step can change it.
        let variables = step["env"]?.object?.members ?? []
        let values = [
          "${{ github.event.pull_request.base.sha || github.sha }}",
          "${{ github.event.pull_request.base.sha }}",
        ]
        #expect(
          variables.allSatisfy {
            $0.name == "SLUICE_BASE" && values.contains($0.value.string ?? "")
          },
          "a step of the gate has other variables of its own"
        )
        let paths = (try? outside.read("github-path"))?.split(separator: "\n").map(String.init)
        let outcome = try await run(
          script,
          path: paths ?? [],
          variables: variables.isEmpty
            ? [:] : ["SLUICE_BASE": commit.trimmingCharacters(in: .whitespacesAndNewlines)]
        )
        outcomes.append((name, outcome))
      }
      try copy(cached, from: project.folder, to: outside.folder.appending(path: "cache"))
      return outcomes
    }

    private func copy(_ paths: [String], from: URL, to: URL) throws {
      let files = FileManager.default
      for path in paths where files.fileExists(atPath: from.appending(path: path).path) {
        let target = to.appending(path: path)
        try files.createDirectory(
          at: target.deletingLastPathComponent(),
          withIntermediateDirectories: true
        )
        try? files.removeItem(at: target)
        try files.copyItem(at: from.appending(path: path), to: target)
      }
    }

    func remove(_ path: String) throws {
      try FileManager.default.removeItem(at: project.folder.appending(path: path))
    }
  }

  private static let steps = [
    "Install sluice", "Look for secrets and damage in the recordings", "Run the suites",
    "Compare with the base",
  ]

  @Test("GitHub: a pull request from a fork without keys is checked, with and without a cache")
  func github() async throws {
    let stage = try await Stage("github")
    let first = try await stage.gate()
    #expect(first.map(\.name) == Self.steps)
    for (name, outcome) in first {
      #expect(outcome.exitCode == 0, "\(name): \(outcome.output)\(outcome.error)")
    }
    let address = "file://\(stage.outside.folder.path)/release.tar.gz"
    #expect(first[0].outcome.error.contains("install-sluice: downloaded \(address)\n"))
    #expect(first[3].outcome.output.contains("PASS"))
    // The job never called GitHub, which would need a key.
    #expect((try? stage.outside.read("gh.log")) == nil)

    // The next job starts with the cache, but without the program and the release.
    try stage.remove(".sluice-tool")
    try FileManager.default.removeItem(at: stage.outside.folder.appending(path: "release.tar.gz"))
    let start = ContinuousClock.now
    let second = try await stage.gate()
    #expect(second.map(\.outcome.exitCode) == [0, 0, 0, 0])
    #expect(!second[0].outcome.error.contains("downloaded"))
    print("the steps of the gate took \(ContinuousClock.now - start) with the file at hand")
  }

  @Test("GitHub: a release with the wrong checksum is refused, and no further step runs")
  func wrongChecksum() async throws {
    let stage = try await Stage("github")
    let wrong = String(repeating: "0", count: 64)
    try stage.fill("SLUICE_RELEASE_SHA256", wrong)
    let outcomes = try await stage.gate()
    #expect(outcomes.map(\.name) == ["Install sluice"])
    #expect(outcomes[0].outcome.exitCode == 64)
    #expect(
      outcomes[0].outcome.error
        == "install-sluice: the release has the SHA-256 \(stage.checksum), not \(wrong): "
        + "nothing was installed\n"
    )
    let tool = stage.project.folder.appending(path: ".sluice-tool")
    #expect(try TemplateFolder.files(of: tool) == [".gitignore": Data("*\n".utf8)])
  }

  @Test("A cache that was tampered with does not replace the program")
  func tamperedCache() async throws {
    let stage = try await Stage("github")
    _ = try await stage.gate()
    try stage.remove(".sluice-tool")
    try stage.outside.write("not a release", to: "cache/.sluice-tool/release.archive")
    try stage.outside.write("#!/bin/sh\necho evil\n", to: "cache/.sluice-tool/sluice")
    let outcomes = try await stage.gate()
    #expect(outcomes.map(\.outcome.exitCode) == [0, 0, 0, 0])
    #expect(outcomes[0].outcome.error.contains("downloaded"))
    #expect(!outcomes.contains { $0.outcome.output.contains("evil") })
  }

  @Test("If a change fails a gate, its step ends with 1, and the comparison still runs")
  func failing() async throws {
    let stage = try await Stage("github")
    try stage.project.dropInstruction()
    try stage.project.commit()
    let outcomes = try await stage.gate()
    #expect(
      outcomes.map(\.name) == [
        Self.steps[0], Self.steps[1], Self.steps[2], Self.errorStep, Self.steps[3],
      ]
    )
    #expect(outcomes.map(\.outcome.exitCode) == [0, 0, 1, 0, 1])
    #expect(outcomes[2].outcome.output.contains("::error file=prompts/clarity/v1.yaml"))
  }

  private static let errorStep = "Show an error that left no report"

  @Test("A pending set that was committed is an annotation, a summary and the comment's text")
  func pendingSet() async throws {
    let stage = try await Stage("github")
    let path = "datasets/clarity/recordings/stand-in.jsonl"
    let pending = "datasets/clarity/recordings/pending/stand-in.jsonl"
    try stage.project.write(try stage.project.read(path), to: pending)
    try stage.project.write("an earlier report", to: "reports/latest/report.md")
    try stage.project.commit()
    let outcomes = try await stage.gate()
    #expect(
      outcomes.map(\.name) == [
        Self.steps[0], Self.steps[1], Self.steps[2], Self.errorStep, Self.steps[3],
      ]
    )
    #expect(outcomes.map(\.outcome.exitCode) == [0, 0, 64, 0, 64])
    let error =
      "\(pending): error: a set of recordings is pending; CI judges only accepted recordings"
    #expect(outcomes[3].outcome.output == "::error title=Sluice::\(error)\n")
    let report = """
      <!-- sluice-report -->
      ## Sluice: no verdict

      The files cannot be judged:

          \(error)
            fix: read it with 'sluice recordings review', then accept or reject it

      """
    #expect(try stage.project.read("reports/latest/report.md") == report)
    #expect(try stage.outside.read("summary.md") == report)
  }

  @Test("An error in a file is shown as well, with what a command would read as its own escaped")
  func errorInFile() async throws {
    let stage = try await Stage("github")
    let path = "prompts/clarity/suite.yaml"
    try stage.project.write(try stage.project.read(path) + "100%0A: x\n", to: path)
    try stage.project.commit()
    let outcomes = try await stage.gate()
    let shown = try #require(outcomes.first { $0.name == Self.errorStep })
    #expect(shown.outcome.exitCode == 0)
    #expect(shown.outcome.output.hasPrefix("::error title=Sluice::prompts/clarity/suite.yaml:"))
    #expect(shown.outcome.output.contains("error: unknown key '100%250A'"))
    #expect(try stage.outside.read("summary.md").hasPrefix("<!-- sluice-report -->\n## Sluice"))
  }

  @Test("A gate that fails has its own report, which the step for errors leaves alone")
  func failingReport() async throws {
    let stage = try await Stage("github")
    try stage.project.dropInstruction()
    try stage.project.commit()
    let outcomes = try await stage.gate()
    let shown = try #require(outcomes.first { $0.name == Self.errorStep })
    #expect(shown.outcome.output == "")
    let report = try stage.project.read("reports/latest/report.md")
    #expect(report.hasPrefix("<!-- sluice-report -->\n## "))
  }

  @Test("The workflow blocks on too few cases, as the page says")
  func inconclusive() async throws {
    for path in [".github/workflows/sluice.yml", ".gitlab-ci.yml"] {
      let stage = try await Stage(path.contains("gitlab") ? "gitlab" : "github")
      #expect(!(try stage.project.read(path).contains("--inconclusive")))
    }
  }

  @Test("GitLab: the job's lines run in order without a key")
  func gitlab() async throws {
    let stage = try await Stage("gitlab")
    let text = try stage.project.read(".gitlab-ci.yml")
    let file = try #require(YAMLReader.read(Array(text.utf8)).root).json
    let script = try Self.gitlabScript(file)
    let outcome = try await stage.run(script)
    #expect(outcome.exitCode == 0, "\(outcome.output)\(outcome.error)")
    #expect(outcome.error.contains("downloaded"))
    #expect(outcome.output.contains("PASS"))
    #expect(file["sluice"]?["variables"] == nil)
    // Only the job without a key keeps a built program.
    #expect(file[".sluice"]?["cache"]?["key"]?["files"] == ["scripts/install-sluice"])
    #expect(file[".sluice"]?["cache"]?["paths"] == [".sluice-tool/release.archive"])
    #expect(file["sluice-record"]?["cache"] == nil && file["sluice-drift"]?["cache"] == nil)
    #expect(file["sluice"]?["cache"]?["key"]?["prefix"] == "sluice-build")
  }

  @Test("GitLab: after a gate that fails, the comparison still runs, and the job ends with 1")
  func gitlabFailing() async throws {
    let stage = try await Stage("gitlab")
    try stage.project.dropInstruction()
    try stage.project.commit()
    let text = try stage.project.read(".gitlab-ci.yml")
    let file = try #require(YAMLReader.read(Array(text.utf8)).root).json
    let base = "export CI_MERGE_REQUEST_DIFF_BASE_SHA=origin/main\n"
    let script = try Self.gitlabScript(file)
    let outcome = try await stage.run(base + script)
    #expect(outcome.exitCode == 1, "\(outcome.output)\(outcome.error)")
    #expect(try stage.project.read("reports/latest/compare.md").contains("sluice-compare"))
  }

  /// Returns the lines of the GitLab job that checks the gates.
  private static func gitlabScript(_ file: JSONValue) throws -> String {
    // The member's name contains a dot, and paths are split at dots.
    let before = try #require(file[".sluice"]?["before_script"]?.array).compactMap(\.string)
    let script = try #require(file["sluice"]?["script"]?.array).compactMap(\.string)
    return (before + script).joined(separator: "\n")
  }

  // MARK: Programs

  /// Adds a scorer that is a program to the base, and returns the text of the scorer.
  private static func addProgram(to stage: Stage) throws -> String {
    let project = stage.project
    try project.git("checkout", "--quiet", "main")
    try project.edit(
      BranchProgramsTests.suite,
      replacing: "scorers:\n",
      with: "scorers:\n  - exec: {command: [sh, judge.sh], fingerprint: [judge.sh]}\n"
    )
    try project.removeLines(of: BranchProgramsTests.suite, holding: "no regression in accuracy")
    try FileManager.default.removeItem(
      at: project.folder.appending(path: "reports/baselines/category.stand-in.jsonl")
    )
    let script = BranchProgramsTests.script(project)
    try project.write(script, to: BranchProgramsTests.judge)
    try project.commit()
    try project.git("update-ref", "refs/remotes/origin/main", "HEAD")
    try project.git("checkout", "--quiet", "-B", "change")
    return script
  }

  /// Commits a scorer that makes the branch its own base, a lower gate, and a forged answer.
  private static func attack(_ project: ScratchProject) throws {
    try project.edit(
      BranchProgramsTests.suite,
      replacing: "accuracy >= 80%",
      with: "accuracy >= 5%"
    )
    let move = """
      git -C '\(project.folder.path)' update-ref refs/remotes/origin/main HEAD
      git -C '\(project.folder.path)' update-ref refs/heads/main HEAD
      for file in "$GITHUB_ENV" "$RUNNER_TEMP"/*; do echo SLUICE_BASE=HEAD >> "$file"; done
      """
    try project.write(
      BranchProgramsTests.script(project, move),
      to: BranchProgramsTests.judge
    )
    let prompt = "prompts/category/v1.yaml"
    try project.write(try project.read(prompt) + "# a note\n", to: prompt)
    try project.commit()
  }

  @Test("GitHub: a branch whose scorer moves the base is not its own judge")
  func githubAttack() async throws {
    let stage = try await Stage("github")
    _ = try Self.addProgram(to: stage)
    let base = try stage.project.git("rev-parse", "main")
    try Self.attack(stage.project)
    let outcomes = try await stage.gate()
    #expect(!BranchProgramsTests.hasRun(stage.project))
    #expect(try stage.project.git("rev-parse", "origin/main") == base)
    let run = try #require(outcomes.first { $0.name == Self.steps[2] }).outcome
    #expect(run.exitCode == 3)
    #expect(run.output.contains("program not run"))
    let compare = try #require(outcomes.first { $0.name == Self.steps[3] }).outcome
    #expect(compare.exitCode == 3)
    #expect(compare.output.contains("accuracy >= 5%"), "\(compare.output)")
  }

  @Test("GitHub: a branch that changes only a prompt keeps its gate, and so does the base branch")
  func githubPrograms() async throws {
    let stage = try await Stage("github")
    let script = try Self.addProgram(to: stage)
    let prompt = "prompts/category/v1.yaml"
    try stage.project.write(try stage.project.read(prompt) + "# a note\n", to: prompt)
    try stage.project.commit()
    let outcomes = try await stage.gate()
    #expect(outcomes.map(\.outcome.exitCode) == [0, 0, 0, 0])
    #expect(BranchProgramsTests.hasRun(stage.project))
    // After the merge of another scorer, the job of the base branch gates it.
    try stage.remove(BranchProgramsTests.trace)
    try stage.project.write(script + "true\n", to: BranchProgramsTests.judge)
    try stage.project.commit()
    let pushed = try await stage.gate(.push)
    #expect(pushed.map(\.outcome.exitCode) == [0, 0, 0])
    #expect(BranchProgramsTests.hasRun(stage.project))
  }

  @Test("GitLab: the same holds, and programs cannot read the token in the address of git")
  func gitlabAttack() async throws {
    let stage = try await Stage("gitlab")
    _ = try Self.addProgram(to: stage)
    let project = stage.project
    let base = try project.git("rev-parse", "main").trimmingCharacters(in: .newlines)
    let text = try project.read(".gitlab-ci.yml")
    let script = try Self.gitlabScript(try #require(YAMLReader.read(Array(text.utf8)).root).json)
    try project.git("remote", "add", "origin", "https://gitlab-ci-token:secret@example.org/x.git")
    let variables = [
      "CI_MERGE_REQUEST_DIFF_BASE_SHA": base, "CI_PROJECT_URL": "https://example.org/x",
      "CI_COMMIT_SHA": "HEAD",
    ]
    #expect(try await stage.run(script, variables: variables).exitCode == 0)
    #expect(BranchProgramsTests.hasRun(project))
    #expect(!(try project.read(".git/config").contains("secret")))
    try stage.remove(BranchProgramsTests.trace)
    try Self.attack(project)
    let attacked = try await stage.run(script, variables: variables)
    #expect(attacked.exitCode == 3, "\(attacked.output)\(attacked.error)")
    #expect(!BranchProgramsTests.hasRun(project))
    #expect(attacked.output.contains("accuracy >= 5%"))
    // A pipeline of the default branch.
    let merged = try await stage.run(script, variables: ["CI_COMMIT_SHA": "HEAD"])
    #expect(merged.exitCode == 0, "\(merged.output)\(merged.error)")
    #expect(BranchProgramsTests.hasRun(project))
  }

  @Test(
    "A missing base commit is an error, not a skipped comparison",
    arguments: ["github", "gitlab"]
  )
  func missingBase(service: String) async throws {
    let stage = try await Stage(service)
    let missing = String(repeating: "1", count: 40)
    let path = service == "github" ? ".github/workflows/sluice.yml" : ".gitlab-ci.yml"
    let text = try stage.project.read(path)
    let file = try #require(YAMLReader.read(Array(text.utf8)).root).json
    let script: String
    if service == "github" {
      #expect(try await stage.run("bash scripts/install-sluice .sluice-tool").exitCode == 0)
      let steps = try #require(file.value(at: "jobs.gate.steps")?.array)
      let step = steps.first { $0["name"]?.string == Self.steps[3] }
      script = "PATH=$PWD/.sluice-tool:$PATH\n" + (try #require(step?["run"]?.string))
    } else {
      script = try Self.gitlabScript(file)
    }
    let outcome = try await stage.run(
      script,
      variables: ["SLUICE_BASE": missing, "CI_MERGE_REQUEST_DIFF_BASE_SHA": missing]
    )
    #expect(outcome.exitCode == 64, "\(outcome.output)\(outcome.error)")
    #expect(outcome.error.contains("the repository has no commit '\(missing)'"))
  }

  @Test("pre-commit: the hook checks the suites that a commit affects")
  func preCommit() async throws {
    let stage = try await Stage("pre-commit")
    let text = try stage.project.read(".pre-commit-config.yaml")
    let hook = try #require(YAMLReader.read(Array(text.utf8)).root).json
      .value(at: "repos.0.hooks.0")
    #expect(hook?["entry"] == "bash")
    let script = try #require(hook?["args"]?.array?.first?.string)
    let missing = try await stage.run("bash \(script)")
    #expect(missing.exitCode == 64)
    #expect(
      missing.error == """
        sluice-pre-commit: the program 'sluice' is not on the PATH
          fix: bash scripts/install-sluice .sluice/bin

        """
    )
    #expect(try await stage.run("bash scripts/install-sluice .sluice/bin").exitCode == 0)
    let untouched = try await stage.run("bash \(script)")
    #expect(untouched.exitCode == 0, "\(untouched.output)\(untouched.error)")
    #expect(untouched.output.contains("no suite is affected since origin/main; 4 skipped"))
    try stage.project.dropInstruction()
    // An edit that the commit does not contain would get a verdict that the commit does not have.
    let unstaged = try await stage.run("bash \(script)")
    #expect(unstaged.exitCode == 64)
    #expect(unstaged.error.contains("\n    prompts/clarity/v1.yaml\n"), "\(unstaged.error)")
    try stage.project.git("add", "--all")
    let failing = try await stage.run("bash \(script)")
    #expect(failing.exitCode == 1, "\(failing.output)\(failing.error)")
    #expect(failing.output.contains("1 of 4 suites affected since origin/main"))
    try await gitHook(stage)
  }

  /// Checks the git hook that docs/gate-ci.md shows, in the main working tree and in another one.
  private func gitHook(_ stage: Stage) async throws {
    let pages = ScratchProject.repository.appending(path: "docs/gate-ci.md")
    let page = try String(contentsOf: pages, encoding: .utf8)
    let block = try #require(page.firstMatch(of: /```sh\n(hook=(?:.*\n)*?)```/))
    #expect(try await stage.run(String(block.1)).exitCode == 0)
    let git = "git -c user.name=Ana -c user.email=a@b"
    let commit = try await stage.run("\(git) commit -qam x")
    #expect(commit.exitCode == 1, "\(commit.output)\(commit.error)")
    let bad = try stage.project.read("prompts/clarity/v1.yaml")
    try stage.outside.write(bad, to: "bad.yaml")
    let other = try await stage.run(
      """
      git reset --quiet --hard
      git worktree add --quiet -b other "$STAGE/other"
      cp -r .sluice "$STAGE/other/"
      cd "$STAGE/other"
      cp "$STAGE/bad.yaml" prompts/clarity/v1.yaml
      \(git) commit -qam x
      """
    )
    #expect(other.exitCode == 1, "\(other.output)\(other.error)")
    #expect((other.output + other.error).contains("1 of 4 suites affected"))
  }

  @Test(
    "The address of the release must begin with https:// or file://",
    arguments: ["http://x", "ftp://x", "/x", "-o/x"]
  )
  func address(_ address: String) async throws {
    let stage = try await Stage("github")
    try stage.fill("SLUICE_RELEASE", address)
    let outcome = try await stage.run("bash scripts/install-sluice tool")
    #expect(outcome.exitCode == 64)
    #expect(outcome.error.contains("an https:// or file:// address, not '\(address)'"))
  }
}
