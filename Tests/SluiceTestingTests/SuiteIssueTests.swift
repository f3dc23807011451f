import SampleProjects
import Sluice
import SluiceTesting
import Testing
import TestSupport

/// Tests of the issues that a suite's test records, and of its estimates.
@Suite("Issues and estimates of a suite's test")
struct SuiteIssueTests {
  private let folder: ProjectFolder

  /// A project with three gates, whose recordings answer all four cases or none.
  private init() async throws { folder = try ProjectFolder() }

  private func write(isRecorded: Bool) async throws {
    let project = RecordingProject()
    if isRecorded { _ = try await project.record() }
    try project.edit(
      RecordingProject.suitePath,
      replacing: "gates:\n",
      with: "gates:\n  - accuracy >= 100%\n  - accuracy >= 99% at 95% confidence\n"
    )
    var paths = [
      "sluice.yaml", "prices.json", RecordingProject.suitePath, RecordingProject.promptPath,
      RecordingProject.casesPath, "prompts/triage/kind.schema.json",
    ]
    if isRecorded { paths.append(RecordingProject.recordingsPath.description) }
    for path in paths { try folder.write([path: try project.text(of: path)], under: "") }
  }

  private var suite: SuiteTest { SuiteTest("triage", in: folder.path) }

  /// Returns the issues that a check records, and their lines.
  private func issues(line: Int = #line) throws -> (texts: [String], lines: Set<Int?>) {
    let issues = Locked([Issue]())
    let location = Testing.SourceLocation(
      fileID: #fileID,
      filePath: #filePath,
      line: line,
      column: 1
    )
    try withKnownIssue {
      let result = try suite.check(sourceLocation: location)
      #expect(result.verdict != .pass)
    } matching: { issue in
      issues.withLock { $0.append(issue) }
      return true
    }
    let all = issues.withLock { $0 }
    return (
      all.flatMap { $0.comments.map(\.rawValue) }, Set(all.map { $0.sourceLocation?.line })
    )
  }

  @Test("Each gate that does not pass is one issue at the test's line, in the report's words")
  func perGate() async throws {
    try await write(isRecorded: true)
    let line = #line + 1
    let (texts, lines) = try issues(line: line)
    #expect(
      texts == [
        "triage: accuracy >= 100%: 75.0%, 25.0 points short",
        """
        triage: accuracy >= 99% at 95% confidence: 75.0%, at most 98.7%: ruled out at 95% confidence
        """,
      ]
    )
    #expect(lines == [line])
  }

  @Test("A suite without answers is one issue, with the command that records them")
  func unrecorded() async throws {
    try await write(isRecorded: false)
    let (texts, _) = try issues()
    #expect(texts.count == 1)
    let text = try #require(texts.first)
    #expect(text.hasPrefix("triage: "), "\(text)")
    #expect(text.contains("sluice record triage"), "\(text)")
  }

  @Test("An estimate has a value, an interval and the number of cases")
  func estimate() async throws {
    try await write(isRecorded: true)
    let result = try suite.run()
    let accuracy = try result.estimate("accuracy")
    #expect(accuracy.value == 0.75)
    #expect(accuracy.n == 4)
    let interval = try #require(accuracy.interval)
    #expect(interval.low < 0.75 && interval.high > 0.75)
    #expect(try result.estimate("accuracy", on: "server") == accuracy)
  }

  @Test("An unknown metric is an error with the nearest name and all known names")
  func unknownMetric() async throws {
    try await write(isRecorded: true)
    let result = try suite.run()
    let error = try #require(throws: SuiteTestError.self) { try result.estimate("acuracy") }
    #expect(
      error.description.hasPrefix(
        """
        the suite 'triage' has no metric 'acuracy'
          fix: did you mean 'accuracy'?
          known: accuracy
        """
      ),
      "\(error)"
    )
    let backend = try #require(throws: SuiteTestError.self) {
      try result.estimate("accuracy", on: "sever")
    }
    #expect(
      backend.description == """
        the suite 'triage' has no answers of a backend 'sever'
          fix: name one of: server
        """
    )
  }

  @Test("A metric without a value is an error with the reason")
  func unmeasured() async throws {
    try await write(isRecorded: false)
    let result = try suite.run()
    let error = try #require(throws: SuiteTestError.self) { try result.estimate("accuracy") }
    #expect(
      error.description.hasPrefix("the value of 'accuracy' of the suite 'triage' is unknown: "),
      "\(error)"
    )
  }
}
