import Foundation
import Sluice
import Testing
import TestSupport

@Suite("sluice init --ci")
struct InitCITests {
  @Test(
    "In a project, --ci writes only CI files, and a second service keeps the edited ones"
  )
  func onlyCI() async throws {
    let folder = try ScratchProject()
    try folder.write("backends: {}\n", to: "sluice.yaml")
    let outcome = try await folder.sluice("init", "--ci", "github")
    #expect(outcome.exitCode == 0)
    #expect(
      outcome.output == """
        Wrote
          scripts/install-sluice
          .github/workflows/sluice.yml
          .github/workflows/sluice-comment.yml
          .github/workflows/sluice-record.yml
          .github/workflows/sluice-drift.yml

        scripts/install-sluice installs sluice. Fill in either
        SLUICE_RELEASE and SLUICE_RELEASE_SHA256, or SLUICE_URL and SLUICE_REF there, then commit.

        """
    )
    try folder.edit("scripts/install-sluice", replacing: "SLUICE_URL:-", with: "SLUICE_URL:-mine")
    let next = try await folder.sluice("init", "--ci", "gitlab")
    #expect(next.exitCode == 0)
    #expect(next.output.hasPrefix("Wrote\n  .gitlab-ci.yml\n\n"))
    #expect(try folder.read("scripts/install-sluice").contains("SLUICE_URL:-mine"))
    try folder.edit(".gitlab-ci.yml", replacing: "TASK: diff", with: "TASK: record")
    let again = try await folder.sluice("init", "--ci", "gitlab")
    #expect(again.exitCode == 64)
    #expect(
      again.error == """
        sluice: error: existing files are in the way, so nothing was written:
            .gitlab-ci.yml
          fix: move them away, then run the command again

        """
    )
  }

  @Test("If a team already uses pre-commit, its file is kept, and the entry to add is printed")
  func existingHooks() async throws {
    let folder = try ScratchProject()
    try folder.write("backends: {}\n", to: "sluice.yaml")
    try folder.write("repos: []\n", to: ".pre-commit-config.yaml")
    let outcome = try await folder.sluice("init", "--ci", "pre-commit")
    #expect(outcome.exitCode == 0, "\(outcome.error)")
    #expect(
      outcome.output == """
        Wrote
          scripts/install-sluice
          scripts/sluice-pre-commit

        scripts/install-sluice installs sluice. Fill in either
        SLUICE_RELEASE and SLUICE_RELEASE_SHA256, or SLUICE_URL and SLUICE_REF there, then commit.

        .pre-commit-config.yaml was not changed.
        Add this entry to its list 'repos:':

          - repo: local
            hooks:
              - id: sluice
                name: sluice
                language: system
                entry: bash
                args: ["scripts/sluice-pre-commit"]
                always_run: true
                pass_filenames: false

        Next:
          pre-commit install

        """
    )
    #expect(try folder.read(".pre-commit-config.yaml") == "repos: []\n")
  }

  @Test("In a subfolder of a repository, CI files go to its root and name the project's folder")
  func folderOfRepository() async throws {
    let repository = try ScratchProject()
    try repository.git("init", "--quiet", ".")
    try repository.write("", to: "evals/mine \"too\"/notes")
    var sluice = repository.sluice
    sluice.folder = repository.folder.appending(path: "evals/mine \"too\"")
    let outcome = try await sluice("init", "--ci", "github", "--ci", "gitlab")
    #expect(outcome.exitCode == 0)
    #expect(
      outcome.output.contains(
        """
          .gitattributes
          scripts/install-sluice
          ../../.github/workflows/sluice.yml
          ../../.github/workflows/sluice-comment.yml
          ../../.github/workflows/sluice-record.yml
          ../../.github/workflows/sluice-drift.yml
          ../../.gitlab-ci.yml

        """
      )
    )
    for (file, template) in [
      (".github/workflows/sluice.yml", "github/.github/workflows/sluice.yml"),
      (".github/workflows/sluice-record.yml", "github/.github/workflows/sluice-record.yml"),
      (".github/workflows/sluice-drift.yml", "github/.github/workflows/sluice-drift.yml"),
      (".gitlab-ci.yml", "gitlab/.gitlab-ci.yml"),
    ] {
      let place = #"PROJECT: "evals/mine \"too\"""#
      let expected = try TemplateFolder.text(template).replacing(#"PROJECT: ".""#, with: place)
        .replacing(
          #""scripts/install-sluice""#,
          with: #""evals/mine \"too\"/scripts/install-sluice""#
        )
      #expect(try repository.read(file) == expected)
      #expect(expected.contains(place))
    }
  }

  @Test("An unknown service is an invalid command line, and nothing is written")
  func unknownService() async throws {
    let folder = try ScratchProject()
    let outcome = try await folder.sluice("init", "--ci", "jenkins")
    #expect(outcome.exitCode == 64)
    #expect(outcome.error.contains("'jenkins'"))
    #expect(outcome.error.contains("'pre-commit'"), "\(outcome.error)")
    #expect(try await folder.sluice("init", "").exitCode == 64)
    #expect(try TemplateFolder.files(of: folder.folder) == [:])
  }

  @Test("The CI files are valid YAML and grant jobs only read permissions")
  func workflows() throws {
    for path in [
      "github/.github/workflows/sluice.yml", "github/.github/workflows/sluice-record.yml",
      "github/.github/workflows/sluice-drift.yml", "gitlab/.gitlab-ci.yml",
    ] {
      let text = try TemplateFolder.text(path)
      #expect(YAMLReader.read(Array(text.utf8)).problems.isEmpty, "\(path)")
      #expect(text.contains(#"PROJECT: ".""#))
      #expect(!text.contains("write-all"))
      for action in text.matches(of: /uses: (\S+)@/) {
        #expect(
          ["actions/checkout", "actions/upload-artifact", "actions/cache"].contains(action.1)
        )
      }
      for action in text.matches(of: /uses: (\S+)@(\S+)/) {
        #expect(action.2.count == 40 && action.2.allSatisfy(\.isHexDigit), "\(action.0)")
      }
    }
    let gate = try TemplateFolder.text("github/.github/workflows/sluice.yml")
    #expect(gate.contains("\npermissions:\n  contents: read\n"))
    #expect(!gate.contains("secrets."))
  }

  @Test("Only workflows that no pull request can start use secrets")
  func secrets() throws {
    for name in ["sluice", "sluice-comment", "sluice-record", "sluice-drift"] {
      let text = try TemplateFolder.text("github/.github/workflows/\(name).yml")
      let isOpen = text.contains("pull_request:") || text.contains("workflow_run:")
      #expect(text.contains("secrets.") == !isOpen, "\(name)")
      // A job with a key restores only the archive of a release, whose checksum the script checks.
      if text.contains("secrets.") {
        #expect(text.contains("          path: .sluice-tool/release.archive\n"), "\(name)")
        #expect(!text.contains(".sluice-tool/sluice"), "\(name)")
      }
      #expect(!text.contains("pull_request_target:"))
    }
  }

  @Test(
    "The nightly job samples other cases each night within a budget, with a valid command"
  )
  func drift() async throws {
    let command =
      "sluice recordings diff --network --sample \"$SAMPLE\" --seed \"$(date -u +%Y%m%d)\" --max-cost 1"
    for path in ["github/.github/workflows/sluice-drift.yml", "gitlab/.gitlab-ci.yml"] {
      #expect(try TemplateFolder.text(path).contains(command), "\(path)")
    }
    // On a schedule, the variable TASK decides which of the two GitLab jobs runs.
    let gitlab = try TemplateFolder.text("gitlab/.gitlab-ci.yml")
    #expect(gitlab.contains(#"$CI_PIPELINE_SOURCE == "schedule" && $TASK != "drift""#))
    #expect(gitlab.contains(#"$CI_PIPELINE_SOURCE == "schedule" && $TASK == "drift""#))
    try await TriageProject.with { project in
      try await project.record()
      var sluice = project.sluice
      sluice.environment = ["CI": "true"]
      let outcome = try await sluice(
        "recordings",
        "diff",
        "--network",
        "--sample",
        "100",
        "--seed",
        "20261124",
        "--max-cost",
        "1"
      )
      #expect(outcome.exitCode == 0, "\(outcome.error)")
    }
  }

  // MARK: The script that builds sluice

  /// A repository that the script takes for Sluice's, and a compiler that only prints its
  /// arguments.
  private struct Workshop {
    let project = try? ScratchProject()
    let commits: [String]

    init() throws {
      let folder = try #require(project)
      try folder.write("echo set-up >&2\n", to: "sluice/scripts/set-up")
      try folder.write(
        """
        #!/bin/sh
        echo "swift $*" >&2
        mkdir -p "$3/.build/release"
        printf '#!/bin/sh\\necho 1.2.3\\n' > "$3/.build/release/sluice"
        chmod +x "$3/.build/release/sluice"

        """,
        to: "bin/swift"
      )
      for path in ["bin/swift", "sluice/scripts/set-up"] {
        try FileManager.default.setAttributes(
          [.posixPermissions: 0o755],
          ofItemAtPath: folder.folder.appending(path: path).path
        )
      }
      try folder.git("init", "--quiet", "--initial-branch=main", "sluice")
      var commits: [String] = []
      for _ in 0..<2 {
        try folder.git("-C", "sluice", "add", "--all")
        try folder.git("-C", "sluice", "commit", "--quiet", "--allow-empty", "--message=change")
        commits.append(try folder.git("-C", "sluice", "rev-parse", "HEAD"))
      }
      self.commits = commits
    }

    func install(_ arguments: String..., revision: String) async throws -> ChildProcess.Outcome {
      let folder = try #require(project).folder
      let script = TemplateFolder.url.appending(path: "ci/scripts/install-sluice").path
      let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
      let process = try ChildProcess(
        ["bash", script] + arguments,
        in: folder.path,
        environment: [
          "PATH": folder.appending(path: "bin").path + ":" + path,
          "SLUICE_URL": "file://" + folder.appending(path: "sluice").path,
          "SLUICE_REF": revision,
          "GIT_CONFIG_GLOBAL": "/dev/null",
        ]
      )
      return try await process.outcome()
    }
  }

  @Test("The install script builds the configured revision once, and again if the revision changes")
  func install() async throws {
    let workshop = try Workshop()
    let folder = try #require(workshop.project).folder.path
    for commit in workshop.commits {
      let first = try await workshop.install("tool", revision: commit)
      #expect(first.exitCode == 0)
      #expect(first.error.contains("set-up\nswift build --package-path \(folder)/tool/source "))
      let end = "install-sluice: \(folder)/tool/sluice, sluice 1.2.3 of \(commit)\n"
      #expect(first.error.hasSuffix(end))
      let again = try await workshop.install("tool", revision: commit)
      #expect(again.exitCode == 0)
      #expect(again.error == "set-up\n" + end)
    }
    // Git ignores the folder with the program.
    let ignored = try String(contentsOfFile: "\(folder)/tool/.gitignore", encoding: .utf8)
    #expect(ignored == "*\n")
  }

  @Test("The install script reports what is missing, with an exit code other than 0 or 1")
  func nothingFilledIn() async throws {
    let workshop = try Workshop()
    let empty = try await workshop.install("tool", revision: "")
    #expect(empty.exitCode == 64)
    #expect(
      empty.error
        == "install-sluice: fill in SLUICE_RELEASE and SLUICE_RELEASE_SHA256, or SLUICE_URL and "
        + "SLUICE_REF, at the top of scripts/install-sluice\n"
    )
    let nameless = try await workshop.install(revision: workshop.commits[0])
    #expect(nameless.exitCode == 64)
    #expect(
      nameless.error == "install-sluice: name one folder: bash scripts/install-sluice FOLDER\n"
    )
    let unknown = try await workshop.install("tool", revision: "no-such-revision")
    #expect(![0, 1].contains(unknown.exitCode))
  }
}
