import SampleProjects
@testable import Sluice
@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceReporting
@testable import SluiceStatistics
@testable import SluiceSupport
import Testing

@Suite("Plans in a terminal")
struct TerminalPlanTests {
  private func text(_ projects: [RecordingProject]) throws -> String {
    let forecasts = try projects.map { project in
      let suite = try project.suite()
      return RunForecast(suite, try #require(project.replay().suites.first))
    }
    return TerminalPlan(forecasts, style: TerminalStyle(isColored: false)).text
  }

  @Test(
    "A plan shows what would run, its cost, and what each condition can decide",
    arguments: [80, 120]
  )
  func whole(columns: Int) async throws {
    let suite = """
      repeat: 2
      gates:
        - accuracy >= 60%
        - unusable-rate < 5% at 95% confidence
        - accuracy >= 100% at 95% confidence
        - no regression in accuracy beyond 5 points
        - p95(latency) < 1 s (live)
      goals:
        - no regression in accuracy beyond 1 points
        - mean(cost) <= $0.004

      """
    let project = try TwoRevisions(cases: 100, suite: suite).here
    _ = try await project.record()
    try project.edit(RecordingProject.casesPath, replacing: "Number 7?", with: "Number 777?")
    let prompt = try project.text(of: RecordingProject.promptPath)
    try project.files.write(
      Array(prompt.replacing("Say", with: "Tell").utf8),
      to: ProjectPath("prompts/triage/v2.yaml")
    )
    try project.edit(
      RecordingProject.suitePath,
      replacing: "prompt: v1.yaml",
      with: "prompts: [v1.yaml, v2.yaml]"
    )
    let text = try TerminalLines.$width.withValue(columns) { try self.text([project]) }
    let expected = try Snapshot.text("plan.terminal.\(columns).txt")
    #expect(text == expected)
    for line in text.split(separator: "\n") {
      #expect(TerminalText.width(of: String(line)) <= columns, "\(line)")
      #expect(line.last != " ", "\(line)")
    }
  }

  @Test("An unknown cost is shown as unknown, also in the total")
  func unknown() throws {
    let text = try text([try TwoRevisions(cases: 2, suite: "gates: [accuracy >= 60%]").here])
    #expect(
      text == """
        2 requests, 2 to record (cost unknown); cost of a whole live run unknown

        triage  2 cases × 1 prompt × 1 backend × 1 repetition = 2 requests
          v1 on server: 0 recorded, 2 to record
            cost unknown: there are no recordings to estimate the usage from
          gates
            accuracy >= 60%
              2 cases: at the threshold the 95% interval is ±40.3 points

        Next: record the missing answers (this sends requests):
          sluice record triage

        """
    )
  }

  @Test("The cost of missing answers is known even if that of recorded ones is not")
  func partlyUnknown() async throws {
    let priced = try TwoRevisions(cases: 2).here
    _ = try await priced.record()
    try priced.edit(RecordingProject.casesPath, replacing: "Number 1?", with: "Number 11?")
    let unpriced = try TwoRevisions(cases: 2).here
    _ = try await unpriced.record()
    try unpriced.files.write(Array("{}".utf8), to: ProjectPath("prices.json"))
    let text = try text([priced, unpriced])
    #expect(
      text == """
        4 requests in 2 suites, 1 to record (cost $0.00030); cost of a whole live run
        unknown

        suite   requests  to record  a live run  drop found
        triage         2          1    $0.00060        none
        triage         2          0     unknown        none

        Drop found: the smallest drop that a regression gate finds four times out of
        five if 5% of the cases flip. To see one suite in full, name it; to see all of
        them, use --verbose.

        Next: record the missing answers (this sends requests):
          sluice record triage

        """
    )
  }

  /// A forecast whose names the test replaces.
  private static let plain = Result<RunForecast?, any Error> {
    let project = try TwoRevisions(cases: 3).here
    let suite = try project.suite()
    return try project.replay().suites.first.map { RunForecast(suite, $0) }
  }

  @Test("Names cannot control the terminal", arguments: HostileText.all)
  func hostile(hostile: String) throws {
    var forecast = try #require(try Self.plain.get())
    for name in [hostile, String(repeating: hostile, count: 25)] {
      forecast.suite = name
      forecast.columns = [
        .init(
          prompt: name,
          backend: name,
          recorded: 1,
          missing: 1,
          costPerAnswer: Estimate(0.1, n: 1),
          costIsOf: name
        ),
        .init(
          prompt: name,
          backend: name,
          recorded: 1,
          missing: 1,
          costPerAnswer: Estimate(unknown: name)
        ),
      ]
      forecast.measuredDiscordance = [(name, 0.1)]
      let text = TerminalPlan([forecast], style: TerminalStyle(isColored: false)).text
      for line in text.split(separator: "\n") {
        #expect(TerminalText.width(of: String(line)) <= 80, "\(line)")
        #expect(!line.drop { $0 == " " }.hasPrefix("::"), "\(line)")
      }
      for scalar in text.unicodeScalars where scalar != "\n" {
        #expect(scalar.properties.generalCategory != .control)
      }
    }
  }

  @Test("A project without suites has nothing to plan")
  func nothing() throws {
    #expect(try text([]) == "0 requests; a whole live run costs $0.00000\n")
  }
}
