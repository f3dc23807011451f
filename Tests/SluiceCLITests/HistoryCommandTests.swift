import TestSupport
import Foundation
import SampleProjects
import Sluice
import Testing

/// Tests of `sluice history` on run logs and on a repository's committed baselines.
@Suite("sluice history")
struct HistoryCommandTests {
  private static let baseline = "reports/baselines/clarity.stand-in.jsonl"

  /// Replaces each date and time with DAY and each commit with COMMIT.
  private func timeless(_ text: String) -> String {
    text.replacing(/\d{4}-\d\d-\d\d \d\d:\d\d/, with: "DAY")
      .replacing(/DAY  [0-9a-f]{8}\b/, with: "DAY  COMMIT")
  }

  private func points(_ project: ScratchProject) throws -> [JSONValue] {
    let json = try JSONReader.value(Array(project.read("reports/latest/history.json").utf8))
    #expect(try ReportSchema.history.violations(of: json) == [])
    return json["lines"]?.array?.first?["points"]?.array ?? []
  }

  @Test("history shows runs, committed baselines and the changes between them in order of time")
  func whole() async throws {
    let project = try ScratchProject.ofDemo()
    #expect(try await project.sluice("run", "clarity", "tone").exitCode == 0)
    #expect(try await project.sluice("run", "clarity").exitCode == 0)
    try project.makeRepository()
    try project.dropInstruction()
    #expect(try await project.sluice("baseline", "accept", "clarity").exitCode == 0)
    try project.commit()
    let outcome = try await project.sluice("history", "clarity")
    #expect(outcome.exitCode == 0)
    #expect(outcome.error == "")
    let rows = timeless(outcome.output).split(separator: "\n").map { String($0) }
    #expect(rows.first == "clarity  v1 on stand-in")
    #expect(rows[1] == "  accuracy")
    #expect(rows.contains("    DAY  COMMIT       87.5% [69.0%, 95.7%] n 24          ├────●─┤"))
    #expect(rows.contains("  ✗ DAY  COMMIT P     58.3% [38.8%, 75.5%] n 24  ├────●────┤"))
    #expect(rows.contains("    DAY  run ×2         87.5% [69.0%, 95.7%] n 24          ├────●─┤"))
    #expect(rows.contains("    DAY  prompt v1 edited"))
    #expect(rows.last == "Reports: reports/latest/history.html, history.json")
    let page = try project.read("reports/latest/history.html")
    #expect(page.contains("<h3 class=\"line\">clarity: v1 on stand-in</h3>"))
    #expect(page.contains("aria-label=\"accuracy, 3 points, from 87.5% to 58.3%, lowest 58.3%, "))
    let points = try points(project)
    #expect(points.count == 3)
    let commits = try project.git("log", "--format=%H", "--reverse").split(separator: "\n")
    #expect(points.dropFirst().map { $0["commit"]?.string } == commits.map { String($0) })
  }

  @Test(
    "Invalid logs are left out, with a warning if they are unusual"
  )
  func odd() async throws {
    let project = try ScratchProject.ofDemo()
    #expect(try await project.sluice("run", "clarity").exitCode == 0)
    let folder = project.folder.appending(path: "reports/runs")
    let name = try #require(
      FileManager.default.contentsOfDirectory(atPath: folder.path).first {
        $0.hasPrefix("clarity-")
      }
    )
    let log = try project.read("reports/runs/\(name)")
    let lines = log.split(separator: "\n", omittingEmptySubsequences: false)
    try project.write("note", to: "reports/runs/notes.jsonl")
    try project.write("not JSON\n", to: "reports/runs/clarity-20260101T000000Z.jsonl")
    try project.write(
      log.replacingOccurrences(of: #""schema":1"#, with: #""schema":9"#),
      to: "reports/runs/clarity-20260102T000000Z.jsonl"
    )
    try project.write(
      lines.prefix(20).joined(separator: "\n") + "\n",
      to: "reports/runs/clarity-20260103T000000Z.jsonl"
    )
    try project.write("", to: "reports/runs/clarity-20260104T000000Z.jsonl")
    let outcome = try await project.sluice("history", "clarity")
    #expect(outcome.exitCode == 0)
    #expect(
      outcome.error == """
        reports/baselines: warning: earlier baselines are not shown: '\(project.folder.path)' is not in a git repository
          fix: run sluice in a clone of the project; a copy without .git has no revisions
        reports/runs/notes.jsonl: warning: the file name is not the name of a run log; the file is not used
        reports/runs/clarity-20260101T000000Z.jsonl:1:1: warning: the line is not valid JSON: expected a JSON value; the file is not used
        reports/runs/clarity-20260102T000000Z.jsonl:1:1: warning: this version reads only schema 1 of a run log; the file is not used
        4 warnings

        """
    )
    #expect(try points(project).map { $0["log"]?.string } == ["reports/runs/\(name)"])
  }

  @Test("A prompt run with --prompt has a separate line that does not affect the suite's line")
  func tried() async throws {
    let project = try ScratchProject.ofDemo()
    let other = "prompts/clarity/without-conversation.yaml"
    for options in [[], ["--prompt", other], ["--prompt", "prompts/clarity/v1.yaml"]] {
      let code = try await project.sluice.run(["run", "clarity"] + options).exitCode
      #expect(code == (options.last == other ? 1 : 0))
    }
    let outcome = try await project.sluice("history", "clarity")
    #expect(outcome.exitCode == 0)
    let rows = timeless(outcome.output).split(separator: "\n").map { String($0) }
    #expect(
      rows.filter { $0.hasPrefix("clarity") || $0.contains("DAY") } == [
        "clarity  v1 on stand-in",
        "    DAY  run ×2         87.5% [69.0%, 95.7%] n 24  ├─────────●────┤",
        "    DAY  run ×2         6.7% [1.2%, 29.8%] n 15  ├──●─────────────┤",
        "clarity  without-conversation on stand-in · tried with --prompt",
        "  ✗ DAY  run            58.3% [38.8%, 75.5%] n 24  ├───────●──────┤",
        "  ✗ DAY  run            53.3% [30.1%, 75.2%] n 15  ├───────●──────┤",
      ]
    )
    let json = try JSONReader.value(Array(project.read("reports/latest/history.json").utf8))
    #expect(try ReportSchema.history.violations(of: json) == [])
    let lines = json["lines"]?.array ?? []
    #expect(lines.map { $0["tried"] } == [false, true])
    #expect(lines.map { $0["prompt"] } == [.null, "without-conversation"])
    #expect(
      lines.last?["points"]?.array?.first?["metrics"]?.array?.map { $0["missed"] } == [
        ["accuracy >= 80%"], ["false-positive-rate <= 10%"],
      ]
    )
  }

  @Test("--limit keeps the newest points")
  func limit() async throws {
    let project = try ScratchProject.ofDemo()
    try project.makeRepository()
    // Each commit changes the file but not its meaning.
    for _ in 1...2 {
      try project.edit(Self.baseline, replacing: "\n", with: "\n\n")
      try project.commit()
    }
    #expect(try await project.sluice("history", "clarity").exitCode == 0)
    #expect(try points(project).count == 3)
    let outcome = try await project.sluice("history", "clarity", "--limit", "2")
    #expect(outcome.exitCode == 0)
    #expect(outcome.output.hasPrefix("clarity  v1 on stand-in · older points are not shown\n"))
    #expect(try points(project).count == 2)
    #expect(try await project.sluice("history", "--limit", "0").exitCode == 64)
  }

  @Test("A commit that removed a baseline adds no point; one that broke it causes a warning")
  func broken() async throws {
    let project = try ScratchProject.ofDemo()
    try project.makeRepository()
    try project.write("{}\n", to: Self.baseline)
    try project.commit()
    let broken = try project.git("rev-parse", "HEAD").prefix(8)
    try project.git("rm", "--quiet", Self.baseline)
    try project.commit()
    let outcome = try await project.sluice("history", "clarity")
    #expect(outcome.exitCode == 0)
    #expect(
      outcome.error == """
        \(Self.baseline):1:1: warning: in the commit \(broken): the first line is not the header of a \
        baseline; the file is not used
        1 warning

        """
    )
    #expect(try points(project).count == 1)
  }

  @Test("Without runs or baselines, history suggests how to begin")
  func nothing() async throws {
    let project = try ScratchProject.ofDemo()
    let outcome = try await project.sluice("history", "clarity")
    #expect(outcome.exitCode == 0)
    #expect(
      outcome.output == """
        Reports: reports/latest/history.html, history.json
        There are no finished runs in reports/runs/ and no committed baselines yet.
        Next: run the suites; each run writes a log:
          sluice run clarity

        """
    )
    let page = try project.read("reports/latest/history.html")
    #expect(page.contains("<h2 id=\"nothing-title\">Nothing yet</h2>"))
  }
}
