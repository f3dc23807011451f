import SampleProjects
import Sluice
import Testing

/// Tests of the choice of the run to which `--failed` refers.
@Suite("The last run")
struct LastRunTests {
  private let project = RecordingProject()

  /// Runs the suite at a given time.
  private func run(
    at seconds: Int,
    _ change: (inout ResolvedSuite) -> Void = { _ in }
  ) throws {
    var suite = try project.suite()
    change(&suite)
    let surroundings = Surroundings(
      files: project.files,
      now: { Timestamp(seconds: RecordingProject.date.seconds + seconds) }
    )
    _ = Evaluation(suite, surroundings: surroundings).replay(concurrency: 1)
  }

  private func newest() throws -> String? {
    LastRun.newest(of: try project.plan(), in: project.files)?.path.name
  }

  @Test("The newest finished run of the whole suite counts, not a filtered run")
  func filtered() async throws {
    _ = try await project.record()
    try run(at: 0)
    try run(at: 60)
    try run(at: 120) { $0.plan = $0.plan.keeping(CaseFilter(cases: ["send"])) }
    #expect(try newest() == "triage-20261121T120119Z.jsonl")
    let last = try #require(LastRun.newest(of: try project.plan(), in: project.files))
    #expect(last.failed == ["polite"])
    #expect(last.lostCount == 0)
    #expect(
      project.files.names(in: ProjectPath("reports/filtered/runs"))
        == ["triage-20261121T120219Z.jsonl"]
    )
  }

  @Test("Truncated and empty logs, and logs of other suites, are skipped")
  func broken() async throws {
    _ = try await project.record()
    try run(at: 0)
    try run(at: 60)
    let path = ProjectPath("reports/runs/triage-20261121T120119Z.jsonl")
    let lines = try project.text(of: path.description).split(separator: "\n")
    try project.files.write(Array(lines.dropLast().joined(separator: "\n").utf8), to: path)
    for name in ["triage-20261121T130000Z.jsonl", "triage-20261121T140000Z.jsonl"] {
      let text = name.contains("13") ? "" : "{\"kind\":\"header\"}\n"
      try project.files.write(Array(text.utf8), to: ProjectPath("reports/runs/\(name)"))
    }
    try project.files.write([], to: ProjectPath("reports/runs/triage-more-20261121T150000Z.jsonl"))
    #expect(try newest() == "triage-20261121T120019Z.jsonl")
  }

  @Test("A run of the current prompt is preferred to a newer run of another prompt")
  func columns() async throws {
    _ = try await project.record()
    try run(at: 0)
    try run(at: 60) { $0.plan.prompts[0].name = "v9" }
    #expect(try newest() == "triage-20261121T120019Z.jsonl")
    try project.files.remove(ProjectPath("reports/runs/triage-20261121T120019Z.jsonl"))
    #expect(try newest() == "triage-20261121T120119Z.jsonl")
  }

  @Test("Without runs, there is no last run")
  func none() throws { #expect(try newest() == nil) }
}
