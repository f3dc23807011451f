import Foundation
import Sluice
import Testing
import TestSupport

/// The workflow step that comments on pull requests, run against a fake GitHub.
@Suite("The workflow that comments on pull requests")
struct CommentWorkflowTests {
  /// The programs that the step calls: a replacement for GitHub's that returns prepared answers and
  /// logs its calls, and the one that unpacks an archive.
  private struct Stage {
    let project: ScratchProject
    let script: String

    init(report: [UInt8]) throws {
      project = try ScratchProject()
      let text = try TemplateFolder.text("github/.github/workflows/sluice-comment.yml")
      let workflow = try #require(YAMLReader.read(Array(text.utf8)).root).json
      script = try #require(workflow.value(at: "jobs.comment.steps.0.run")?.string)
      try project.write("", to: "log")
      try Data(report).write(to: project.folder.appending(path: "report"))
      try add(
        "gh",
        """
        #!/bin/bash
        printf '%s\\n' "$*" >> "$STAGE/log"
        case "$*" in
          *"/pulls -f"*) printf '%s' "$NUMBER" ;;
          *"/artifacts -f"*) printf '%s' "$ARTIFACT" ;;
          *"/zip") echo archive ;;
          *"/comments --jq"*) printf '%s' "$COMMENT" ;;
          *body=@*) cat comment.md > "$STAGE/comment" ;;
        esac

        """
      )
      try add("unzip", "#!/bin/bash\ncat \"$STAGE/report\"\n")
    }

    private func add(_ name: String, _ text: String) throws {
      try project.write(text, to: "bin/\(name)")
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o755],
        ofItemAtPath: project.folder.appending(path: "bin/\(name)").path
      )
    }

    /// Runs the step with GitHub's variables for the run.
    func run(_ variables: [String: String] = [:]) async throws -> ChildProcess.Outcome {
      let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
      let environment = [
        "PATH": project.folder.appending(path: "bin").path + ":" + path,
        "STAGE": project.folder.path, "GH_TOKEN": "none", "REPOSITORY": "owner/mail", "RUN": "7",
        "RUN_URL": "https://github.test/owner/mail/actions/runs/7", "COMMIT": "0123456789abcdef",
        "OWNER": "stranger", "BRANCH": "$(touch \"$STAGE/ran\")", "NUMBER": "17", "ARTIFACT": "99",
        "COMMENT": "",
      ].merging(variables) { $1 }
      let process = try ChildProcess(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script],
        in: project.folder.path,
        environment: environment
      )
      return try await process.outcome()
    }

    var calls: [Substring] { get throws { try project.read("log").split(separator: "\n") } }
    var comment: String? { try? project.read("comment") }
    func hasFile(_ name: String) -> Bool {
      FileManager.default.fileExists(atPath: project.folder.appending(path: name).path)
    }
  }

  private static let report = "<!-- sluice-report -->\n## ❌ Sluice: fail\n\n$(touch ran) `x`\n"

  @Test("The first run posts a comment with the marker, a link to the run, and the report")
  func first() async throws {
    let stage = try Stage(report: Array(Self.report.utf8))
    let outcome = try await stage.run()
    #expect(outcome.exitCode == 0, "\(outcome.error)")
    #expect(
      stage.comment == """
        <!-- sluice-report -->
        *Report of [this run](https://github.test/owner/mail/actions/runs/7) for commit 0123456789.*

        ## ❌ Sluice: fail

        $(touch ran) `x`

        """
    )
    let calls = try stage.calls
    #expect(calls.count == 5)
    #expect(
      calls[0].hasPrefix(
        "api --method GET repos/owner/mail/pulls -f state=open -f head=stranger:$("
      )
    )
    #expect(calls[0].contains(#".head.sha == "0123456789abcdef""#))
    #expect(calls[1].contains("repos/owner/mail/actions/runs/7/artifacts -f name=sluice-comment"))
    #expect(calls[2] == "api repos/owner/mail/actions/artifacts/99/zip")
    #expect(calls[3].contains("repos/owner/mail/issues/17/comments --jq"))
    #expect(calls[3].contains("github-actions[bot]"))
    #expect(
      calls[4]
        == "api --method POST repos/owner/mail/issues/17/comments -F body=@comment.md --silent"
    )
    // The branch name and the report contain a shell command.
    #expect(!stage.hasFile("ran"))
  }

  @Test("A later run replaces the comment")
  func later() async throws {
    let stage = try Stage(report: Array(Self.report.utf8))
    #expect(try await stage.run(["COMMENT": "5\n6\n"]).exitCode == 0)
    #expect(
      try stage.calls.last
        == "api --method PATCH repos/owner/mail/issues/comments/5 -F body=@comment.md --silent"
    )
  }

  /// Files that a run may leave behind but that are not reports, with the expected messages.
  private static let others: [(report: [UInt8], why: String)] = {
    let marker = Array("<!-- sluice-report -->\n".utf8)
    func long(_ count: Int) -> [UInt8] { marker + [UInt8](repeating: 0x78, count: count) }
    return [
      (Array("## Sluice\n".utf8), "the report does not start with its marker"),
      (Array("x".utf8) + marker, "the report does not start with its marker"),
      ([], "the report does not start with its marker"),
      (marker + [0xFF, 0xFE, 0x0A], "the report is not UTF-8"),
      (marker + [0x61, 0x00, 0x62, 0x0A], "the report is not text"),
      (long(300_000), "the report is too long"),
      (long(65_500), "the report is too long"),
    ]
  }()

  @Test("A file that is not a report becomes no comment", arguments: others)
  func noReport(report: [UInt8], why: String) async throws {
    let stage = try Stage(report: report)
    let outcome = try await stage.run()
    #expect(outcome.exitCode == 0, "\(outcome.error)")
    #expect(outcome.output == "\(why): no comment\n")
    #expect(stage.comment == nil)
  }

  @Test("Without an open pull request at the commit, or without a report, there is no comment")
  func nothing() async throws {
    let stage = try Stage(report: Array(Self.report.utf8))
    let closed = try await stage.run(["NUMBER": ""])
    #expect(closed.exitCode == 0)
    #expect(closed.output == "no open pull request is at 0123456789abcdef: no comment\n")
    let empty = try await stage.run(["ARTIFACT": ""])
    #expect(empty.exitCode == 0)
    #expect(empty.output == "the run left no report of up to 1 MB: no comment\n")
    #expect(stage.comment == nil)
  }

  @Test("The workflow checks out nothing, uses no action and may write only to pull requests")
  func rights() throws {
    let text = try TemplateFolder.text("github/.github/workflows/sluice-comment.yml")
    let workflow = try #require(YAMLReader.read(Array(text.utf8)).root).json
    #expect(workflow["permissions"] == [:])
    #expect(
      workflow.value(at: "jobs.comment.permissions")
        == ["actions": "read", "pull-requests": "write"]
    )
    #expect(!text.contains("uses:"))
    let script = try #require(workflow.value(at: "jobs.comment.steps.0.run")?.string)
    #expect(!script.contains("${{"))
  }
}
