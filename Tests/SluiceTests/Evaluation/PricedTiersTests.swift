import SampleProjects
@testable import Sluice
@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceReporting
@testable import SluiceStatistics
@testable import SluiceSupport
import Testing

/// Service tiers and dates of prices, from recorded answers to reports.
@Suite("Service tiers and ages of prices in a run")
struct PricedTiersTests {
  private func project(tier: String? = nil, prices: String = "") async throws -> RecordingProject {
    let project = RecordingProject()
    try project.edit("prices.json", replacing: "}}", with: "\(prices)}}")
    try project.edit(
      RecordingProject.suitePath,
      replacing: "gates:",
      with: "gates:\n  - mean(cost) <= $0.01"
    )
    _ = try await project.record(
      from: RecordingHTTPClient { request throws(HTTPError) in
        var response = try RecordingProject.answer(to: request)
        if let tier {
          response.body = Array(
            String(decoding: response.body, as: UTF8.self)
              .replacing(#"{"model""#, with: #"{"service_tier":"\#(tier)","model""#).utf8
          )
        }
        return response
      }
    )
    return project
  }

  private func cost(_ result: RunResult) throws -> Estimate {
    let column = try #require(result.suites.first?.columns.first)
    return try #require(column.metrics.first { $0.name == "mean(cost)" }).estimate
  }

  @Test("A gate on the cost of a tier without prices has no verdict, with the reason")
  func unpriced() async throws {
    let result = try await project(tier: "priority").replay()
    let gate = try #require(result.suites.first?.columns.first?.gates.first)
    #expect(gate.verdict == .noVerdict)
    #expect(gate.explanation == "unknown: no price for the tier 'priority'")
    let terminal = TerminalReport(result, style: TerminalStyle(isColored: false)).text
    #expect(terminal.contains("\nCost unknown: no price for the tier 'priority'.\n"))
    let json = JSONReport(result).bytes
    #expect(try ReportSchema.report.violations(of: json) == [])
    let trial = try JSONReader.value(json).value(at: "suites.0.columns.0.results.0")
    #expect(trial?["service-tier"] == "priority")
    #expect(trial?["cost"] == .null)
  }

  @Test("A tier's prices determine the cost, and the standard tier has the usual prices")
  func priced() async throws {
    let prices =
      #", "input_cost_per_token_priority": 4e-6, "output_cost_per_token_priority": 2e-5"#
    let result = try await project(tier: "priority", prices: prices).replay()
    #expect(try cost(result).value == 0.0006)
    let standard = try await project(tier: "default", prices: prices).replay()
    #expect(try cost(standard).value == 0.0003)
  }

  @Test("Run logs and baselines store the tier, so that new prices apply to their answers")
  func stored() async throws {
    let project = try await project(tier: "flex")
    let result = try #require(try project.replay().suites.first)
    let log = try #require(result.log)
    let run = try LoggedRun(reading: Array(log.bytes(0..<log.count)), kind: RunLog.kind)
    try project.edit(
      "prices.json",
      replacing: "}}",
      with: #", "input_cost_per_token_flex": 1e-6, "output_cost_per_token_flex": 5e-6}}"#
    )
    let plan = try project.plan()
    let column = try #require(plan.candidates.first)
    let baseline = try Baseline(
      reading: FileContents(Baseline.bytes(plan, column: column, trials: run.trials))
    )
    #expect(run.trials.allSatisfy { $0.output?.serviceTier == "flex" && $0.cost == nil })
    for trials in [run.trials, baseline.trials] {
      let repriced = trials.map(plan.repriced)
      #expect(repriced.map(\.cost) == [0.00015, 0.00015, 0.00015, 0.00015])
    }
    try project.edit("prices.json", replacing: "_flex", with: "_fast")
    let unpriced = run.trials.map(try project.plan().repriced)
    let estimate = MetricEvaluator(unpriced).estimate(Metric(.series(.cost, .mean)))
    #expect(estimate.unknown == "no price for the tier 'flex'")
  }

  @Test("Cost forecasts use the tier that answered, except for batches")
  func draft() async throws {
    for (tier, cost) in [("flex", nil), ("batch", 0.0012)] {
      let project = try await project(tier: tier)
      let session = RecordingSession(try project.plan(), surroundings: project.surroundings)
      let draft = session.draft(RecordingRequest.Selection(scope: .all))
      #expect(draft.cost == cost)
      #expect(
        draft.unknown
          == (cost == nil ? "no price for the tier 'flex' for 'sorter-1'" : nil)
      )
    }
  }

  @Test("A dated model version has the price of the model's plain name")
  func versions() async throws {
    let project = RecordingProject()
    _ = try await project.record(
      from: RecordingHTTPClient { request throws(HTTPError) in
        var response = try RecordingProject.answer(to: request)
        response.body = Array(
          String(decoding: response.body, as: UTF8.self)
            .replacing(#""model":"sorter-1""#, with: #""model":"sorter-1-20261001""#).utf8
        )
        return response
      }
    )
    let session = RecordingSession(try project.plan(), surroundings: project.surroundings)
    #expect(session.draft(RecordingRequest.Selection(scope: .all)).cost == 0.0012)
    #expect(try cost(project.replay()).value == 0.0003)
  }

  @Test("A plan prices batch answers as single requests, unless the backend exchanges files")
  func plan() async throws {
    let prices =
      #", "input_cost_per_token_batches": 1e-6, "output_cost_per_token_batches": 5e-6"#
    let project = try await project(tier: "batch", prices: prices)
    let result = try #require(try project.replay().suites.first)
    #expect(try cost(RunResult(suites: [result])).value == 0.00015)
    let forecast = RunForecast(try project.suite(), result)
    #expect(forecast.columns.map(\.costPerAnswer.value) == [0.0003])
    try project.edit(
      "sluice.yaml",
      replacing: "type: openai,",
      with: "type: openai, asked: through-files,"
    )
    let files = try #require(try project.replay().suites.first)
    let through = RunForecast(try project.suite(), files)
    #expect(through.columns.map(\.costPerAnswer.value) == [0.00015])
  }

  @Test("Reports note prices that are much older than the answers")
  func old() async throws {
    let result = try await project(prices: #", "as-of": "2026-03-02""#).replay()
    let note = "prices of sorter-1 are from 2026-03-02, 264 days before the answers"
    let terminal = TerminalReport(result, style: TerminalStyle(isColored: false)).text
    #expect(terminal.contains("\nnote: \(note)\n"))
    let markdown = String(decoding: MarkdownReport(result).bytes, as: UTF8.self)
    #expect(markdown.contains("\n⚠️ \(note).\n"))
    #expect(HTMLPageFixture(result).text.contains(note))
    let json = JSONReport(result).bytes
    #expect(try ReportSchema.report.violations(of: json) == [])
    #expect(
      try JSONReader.value(json).value(at: "suites.0.price-ages.0") == [
        "model": "sorter-1", "as-of": "2026-03-02", "newest-answer": "2026-11-21", "days": 264,
      ]
    )
  }

  @Test("Reports do not note prices that are recent, undated or unused")
  func fresh() async throws {
    for prices in [
      "", #", "as-of": "2026-11-20""#,
      #"}, "other": {"input_cost_per_token": 1, "output_cost_per_token": 1, "as-of": "2026-03-02""#,
    ] {
      let result = try await project(prices: prices).replay()
      let terminal = TerminalReport(result, style: TerminalStyle(isColored: false)).text
      #expect(!terminal.contains("note: "))
      #expect(result.suites.first?.priceAges == [])
    }
  }
}
