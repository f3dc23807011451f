import TestSupport
import Foundation
import Sluice
import Testing

@Suite("sluice init")
struct InitTests {
  @Test("In an empty folder, init writes a project that runs, validates and plans")
  func emptyFolder() async throws {
    let folder = try ScratchProject()
    let outcome = try await folder.sluice("init")
    #expect(outcome.exitCode == 0)
    #expect(outcome.error == "")
    #expect(
      outcome.output == """
        Wrote
          sluice.yaml
          prompts/mailbox/suite.yaml
          prompts/mailbox/v1.yaml
          prompts/mailbox/answer.schema.json
          datasets/mailbox/cases.yaml
          datasets/mailbox/README.md
          datasets/mailbox/recordings/stand-in.jsonl
          datasets/mailbox/recordings/ledger/stand-in.jsonl
          prices/openai.json
          .sluice/schemas/
          .gitignore
          .gitattributes

        The recorded answers come from a rule-based stand-in, not from a model.
        sluice.yaml explains how to use a real model.

        Next:
          sluice run
          less reports/latest/report.md

        """
    )
    let run = try await folder.sluice("run")
    #expect(run.exitCode == 0)
    #expect(run.error == "")
    #expect(run.output.contains("Recorded answers of stand-in-1, a stand-in (not a model) at"))
    #expect(run.output.contains("\nPASS: "))
    // Some labels are wrong on purpose, so that the example run shows failures.
    #expect(run.output.contains("\nFailed, 3 cases\n"))
    let validate = try await folder.sluice("validate")
    #expect(validate.exitCode == 0)
    #expect(validate.error == "")
    #expect(validate.output == "1 suite, 16 cases: no problems found\n")
    let plan = try await folder.sluice("plan")
    #expect(plan.exitCode == 0)
    #expect(plan.error == "")
    let verify = try await folder.sluice("recordings", "verify")
    #expect(verify.exitCode == 0)
    #expect(verify.output == "16 recordings in 1 file: no secrets, no damage\n")
  }

  @Test("init writes exactly the files of the source tree")
  func sameFiles() async throws {
    let folder = try ScratchProject()
    let outcome = try await folder.sluice("init", "--ci", "github", "--ci", "gitlab")
    #expect(outcome.exitCode == 0)
    var expected: [String: Data] = [:]
    for group in ["project", "ci", "github", "gitlab"] {
      expected.merge(try TemplateFolder.files(of: TemplateFolder.url.appending(path: group))) { $1 }
    }
    // The schemas are the ones in docs/schemas.
    let schemas = ScratchProject.repository.appending(path: "docs/schemas")
    for (name, data) in try TemplateFolder.files(of: schemas) {
      expected[".sluice/schemas/\(name)"] = data
    }
    #expect(try TemplateFolder.files(of: folder.folder) == expected)
  }

  @Test("A missing folder is created, and the next step changes to it")
  func missingFolder() async throws {
    let folder = try ScratchProject()
    let outcome = try await folder.sluice("init", "my app/evals", "--ci", "gitlab")
    #expect(outcome.exitCode == 0)
    #expect(outcome.output.hasPrefix("Wrote\n  my app/evals/sluice.yaml\n  my app/evals/prompts/"))
    #expect(
      outcome.output.hasSuffix(
        """
          my app/evals/.gitattributes
          my app/evals/scripts/install-sluice
          my app/evals/.gitlab-ci.yml

        The recorded answers come from a rule-based stand-in, not from a model.
        sluice.yaml explains how to use a real model.

        my app/evals/scripts/install-sluice installs sluice. Fill in either
        SLUICE_RELEASE and SLUICE_RELEASE_SHA256, or SLUICE_URL and SLUICE_REF there, then commit.

        Next:
          cd 'my app/evals'
          sluice run
          less reports/latest/report.md

        """
      )
    )
    var sluice = folder.sluice
    sluice.folder = folder.folder.appending(path: "my app/evals")
    #expect(try await sluice("run").exitCode == 0)
  }

  @Test("If files are in the way, all are listed and nothing is written")
  func filesInTheWay() async throws {
    let folder = try ScratchProject()
    try folder.write("mine\n", to: "prompts/mailbox/v1.yaml")
    try folder.write("mine\n", to: "datasets")
    try folder.write("mine\n", to: "prices/openai.json/deeper")
    try folder.write("mine\n", to: ".github/workflows/sluice.yml")
    try folder.write("mine\n", to: "evals")
    try FileManager.default.createSymbolicLink(
      atPath: folder.folder.appending(path: "scripts").path,
      withDestinationPath: "nowhere"
    )
    let before = try TemplateFolder.files(of: folder.folder)
    let outcome = try await folder.sluice("init", "--ci", "github")
    #expect(outcome.exitCode == 64)
    #expect(outcome.output == "")
    #expect(
      outcome.error == """
        sluice: error: existing files are in the way, so nothing was written:
            .github/workflows/sluice.yml
            datasets (a file, not a folder)
            prices/openai.json (a folder)
            prompts/mailbox/v1.yaml
            scripts (a link whose target does not exist)
          fix: move them away, or use a new folder:
          sluice init --ci github evals-2

        """
    )
    #expect(try TemplateFolder.files(of: folder.folder) == before)
    #expect(try await folder.sluice("init", "--ci", "github", "evals-2").exitCode == 0)
  }

  @Test("A file in place of the folder or of a parent folder is reported")
  func fileForFolder() async throws {
    let folder = try ScratchProject()
    try folder.write("mine\n", to: "notes")
    let outcome = try await folder.sluice("init", "notes")
    #expect(outcome.exitCode == 64)
    #expect(
      outcome.error == "sluice: error: notes is a file, not a folder\n  fix: name a folder\n"
    )
    let above = try await folder.sluice("init", "notes/evals")
    #expect(above.exitCode == 64)
    #expect(above.error.hasSuffix("/notes is a file, not a folder\n  fix: name a folder\n"))
    #expect(try TemplateFolder.files(of: folder.folder).keys.sorted() == ["notes"])
  }

  @Test("Lines for git are added to its files once")
  func patterns() async throws {
    let folder = try ScratchProject()
    try folder.write("build/", to: ".gitignore")
    try folder.write(
      """
      *.png binary
      datasets/**/recordings/*.jsonl merge=union
      datasets/**/recordings/ledger/*.jsonl merge=union
      """,
      to: ".gitattributes"
    )
    let attributes = try folder.read(".gitattributes")
    let outcome = try await folder.sluice("init")
    #expect(outcome.exitCode == 0)
    let end = "  prices/openai.json\n  .sluice/schemas/\nAdded lines to\n  .gitignore\n\n"
    #expect(outcome.output.contains(end))
    let lines = try TemplateFolder.text("project/.gitignore")
    #expect(try folder.read(".gitignore") == "build/\n\n" + lines)
    #expect(try folder.read(".gitattributes") == attributes)
  }

  @Test("init keeps the files of an interrupted init and writes the rest")
  func cutOff() async throws {
    let folder = try ScratchProject()
    let suite = "prompts/mailbox/suite.yaml"
    try folder.write(try TemplateFolder.text("project/" + suite), to: suite)
    let outcome = try await folder.sluice("init")
    #expect(outcome.exitCode == 0)
    #expect(!outcome.output.contains(suite))
    #expect(try await folder.sluice("run").exitCode == 0)
  }

  @Test("In an existing project, init is refused and suggests the command for CI files")
  func existingProject() async throws {
    let folder = try ScratchProject()
    try folder.write("backends: {}\n", to: "sluice.yaml")
    let outcome = try await folder.sluice("init")
    #expect(outcome.exitCode == 64)
    #expect(
      outcome.error == """
        sluice: error: the folder already contains a project: sluice.yaml
          fix: to add a suite, add a folder under prompts/; to add the files for CI:
          sluice init --ci github

        """
    )
    #expect(try TemplateFolder.files(of: folder.folder).keys.sorted() == ["sluice.yaml"])
  }

  @Test("A folder inside a project is refused")
  func insideOfProject() async throws {
    let folder = try ScratchProject()
    try folder.write("backends: {}\n", to: "sluice.yaml")
    let outcome = try await folder.sluice("init", "tools/evals")
    #expect(outcome.exitCode == 64)
    #expect(
      outcome.error == """
        sluice: error: tools/evals is already inside a project: sluice.yaml
          fix: name a folder outside that project. To add a suite, add a folder under its prompts/. To add the files for CI:
          sluice init --ci github

        """
    )
    try folder.write("", to: "tools/notes")
    var sluice = folder.sluice
    sluice.folder = folder.folder.appending(path: "tools")
    let within = try await sluice("init", "--ci", "gitlab")
    #expect(within.exitCode == 64)
    #expect(
      within.error.hasPrefix(
        "sluice: error: this folder is already inside a project: ../sluice.yaml\n"
      )
    )
    #expect(within.error.hasSuffix("  sluice init --ci gitlab ..\n"))
    #expect(
      try TemplateFolder.files(of: folder.folder).keys.sorted() == ["sluice.yaml", "tools/notes"]
    )
  }

  @Test("A read-only folder is left unchanged, with exit code 70")
  func readOnlyFolder() async throws {
    let folder = try ScratchProject()
    try folder.write("", to: "shut/notes")
    let shut = folder.folder.appending(path: "shut").path
    var sluice = folder.sluice
    // The superuser may write everywhere, but an unmapped user in a user namespace may not.
    if geteuid() == 0 { sluice.launcher = ["unshare", "--user"] }
    guard (try? await sluice("--version"))?.exitCode == 0 else {
      print("skipped: this machine does not allow a namespace of users")
      return
    }
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: shut)
    defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: shut) }
    let outcome = try await sluice("init", "shut")
    #expect(outcome.exitCode == 70)
    #expect(outcome.output == "")
    #expect(
      outcome.error == """
        sluice: error: cannot write shut/.gitattributes: permission denied; no project was created, and the new files were removed again
          fix: name a folder with write permission

        """
    )
    #expect(try TemplateFolder.files(of: folder.folder).keys.sorted() == ["shut/notes"])
  }
}
