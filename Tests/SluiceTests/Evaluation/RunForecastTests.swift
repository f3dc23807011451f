import SampleProjects
@testable import Sluice
@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceReporting
@testable import SluiceSupport
import Testing
import TestSupport

/// The expected numbers were computed with SciPy 1.17.
@Suite("The cost and the power of a run")
struct RunForecastTests {
  private func forecast(_ project: RecordingProject) throws -> RunForecast {
    let suite = try project.suite()
    let result = try #require(project.replay().suites.first)
    return RunForecast(suite, result)
  }

  private func forecast(gate: String, cases: Int) throws -> GateForecast {
    let forecast = try forecast(
      try TwoRevisions(cases: cases, suite: "gates:\n  - \(gate)\n").here
    )
    return try #require(forecast.gates.first)
  }

  private func isClose(_ value: Double, _ expected: Double, _ tolerance: Double = 1e-6) -> Bool {
    (value - expected).magnitude < tolerance
  }

  @Test("A percentile on a tag counts only cases with that tag")
  func percentileOfTag() throws {
    let project = try TwoRevisions(
      cases: 100,
      suite: "gates:\n  - p95(latency)[tag=hard] < 1 s\n"
    ).here
    try project.edit(
      RecordingProject.casesPath,
      replacing: "{id: case-1,",
      with: "{id: case-1, tags: [hard],"
    )
    guard case .percentile(let cases, let needed) = try forecast(project).gates.first?.basis else {
      Issue.record("the gate is about a percentile")
      return
    }
    #expect(cases == 1)
    #expect(needed == 59)
  }

  // MARK: Costs

  @Test("The cost of missing answers is estimated from recorded ones")
  func missing() async throws {
    let project = try TwoRevisions(cases: 20).here
    _ = try await project.record()
    try project.edit(RecordingProject.casesPath, replacing: "Number 1?", with: "Number 100?")
    let column = try #require(try forecast(project).columns.first)
    #expect([column.recorded, column.missing] == [19, 1])
    // 100 tokens at $0.000002 and 10 at $0.00001.
    #expect(isClose(try #require(column.costPerAnswer.value), 0.0003))
    #expect(isClose(try #require(column.missingCost), 0.0003))
    #expect(isClose(try #require(column.wholeCost), 0.006))
    #expect(column.costIsOf == nil)
  }

  @Test("The cost of an unrecorded prompt is estimated from another prompt on the same backend")
  func otherPrompt() async throws {
    let project = try TwoRevisions(cases: 20).here
    _ = try await project.record()
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
    let forecast = try forecast(project)
    #expect(forecast.promptCount == 2)
    #expect(forecast.columns.map(\.costIsOf) == [nil, "v1"])
    #expect(forecast.columns.map(\.missing) == [0, 20])
    #expect(isClose(try #require(forecast.columns[1].missingCost), 0.006))
  }

  @Test("Without recordings, the cost is unknown")
  func nothing() throws {
    let column = try #require(try forecast(try TwoRevisions(cases: 3).here).columns.first)
    #expect(
      column.costPerAnswer.unknown == "there are no recordings to estimate the usage from"
    )
    #expect(column.missingCost == nil)
    #expect(column.wholeCost == nil)
  }

  @Test("If everything is recorded, recording costs nothing, even without prices")
  func complete() async throws {
    let project = try TwoRevisions(cases: 3).here
    _ = try await project.record()
    try project.files.write(Array("{}".utf8), to: ProjectPath("prices.json"))
    let column = try #require(try forecast(project).columns.first)
    #expect(column.costPerAnswer.unknown == "no price for the model")
    #expect(column.missingCost == 0)
    #expect(column.wholeCost == nil)
  }

  // MARK: Gates

  @Test(
    "For a plain condition, the forecast is half the interval's width at the threshold",
    arguments: [
      (60, 100, 0.094_298_063),
      // Five cases cannot have an accuracy of 90%: the width is still that of 90%.
      (90, 5, 0.263_263_032),
    ]
  )
  func estimate(percent: Int, count: Int, half: Double) throws {
    guard
      case .estimate(let cases, let width) =
        try forecast(gate: "accuracy >= \(percent)%", cases: count).basis
    else { Issue.record("not an estimate"); return }
    #expect(cases == count)
    #expect(isClose(width, half))
  }

  @Test(
    "For a claim, the forecast counts tolerated failures and needed cases",
    arguments: [
      ("accuracy > 90% at 95% confidence", 100, 4, [29, 46, 61, 76], 179),
      ("unusable-rate < 5% at 95% confidence", 100, 1, [59, 93, 124, 153], 361),
      ("unusable-rate < 5% at 95% confidence", 58, nil, [59, 93, 124, 153], 361),
    ] as [(String, Int, Int?, [Int], Int)]
  )
  func claim(gate: String, n: Int, most: Int?, needed: [Int], planned: Int) throws {
    guard
      case .claim(let cases, let allowed, let least, let plan) = try forecast(gate: gate, cases: n)
        .basis
    else { Issue.record("not a claim"); return }
    #expect(cases == n)
    #expect(allowed == most)
    #expect(least == needed)
    #expect(plan?.cases == planned)
  }

  @Test("For a claim that no number of cases can prove, the forecast has no numbers")
  func impossibleClaim() throws {
    guard
      case .claim(_, let most, let needed, let plan) = try forecast(
        gate: "accuracy >= 100% at 95% confidence",
        cases: 100
      ).basis
    else { Issue.record("not a claim"); return }
    #expect(most == nil)
    #expect(needed == [])
    #expect(plan == nil)
  }

  @Test("For a regression gate, the forecast has the detectable drop and the false alarms")
  func regression() throws {
    let gate = "no regression in accuracy beyond 5 points"
    guard
      case .regression(let cases, let least, let powers, _) = try forecast(gate: gate, cases: 100)
        .basis
    else { Issue.record("not a regression"); return }
    #expect(cases == 100)
    #expect(least == 52)
    #expect(powers.map(\.discordance) == [0.05, 0.1, 0.2])
    for (power, expected) in zip(
      powers,
      [
        (nil, 0.584_166_795, 0.021_430_283), (0.077_810_969, 0.436_250_559, 0.050_429_343),
        (0.110_041_328, 0.288_952_554, 0.048_834_065),
      ] as [(Double?, Double, Double)]
    ) {
      // With 5% of flips, no drop is detectable, since a detectable drop would need more flips.
      #expect((power.detectable == nil) == (expected.0 == nil))
      if let detectable = power.detectable, let drop = expected.0 {
        #expect(isClose(detectable, drop))
      }
      #expect(isClose(power.passes, expected.1))
      #expect(isClose(power.falseAlarm, expected.2))
    }
  }

  @Test(
    "For a percentile, the forecast has the number of needed measurements",
    arguments: [
      ("p95(latency) < 1 s", 59), ("p95(latency) < 1 s (live)", 59), ("p50(latency) < 1 s", 5),
      ("p99(latency) < 1 s at 99% confidence", 459), ("p5(latency) > 1 ms", 59),
    ]
  )
  func percentile(gate: String, expected: Int) throws {
    guard case .percentile(let cases, let needed) = try forecast(gate: gate, cases: 20).basis
    else { Issue.record("not a percentile"); return }
    #expect(cases == 20)
    #expect(needed == expected)
  }

  @Test(
    "For a condition that depends on the spread of values, the forecast says so",
    arguments: [
      "mean(cost) <= $0.004", "no regression in accuracy beyond 10%",
      "no regression in mean(cost) beyond 10%", "no regression in p95(latency) beyond 10%",
      "mean(cost) <= $0.004 at 95% confidence", "max(latency) < 10 s",
    ]
  )
  func spread(gate: String) throws {
    guard case .spread(let cases) = try forecast(gate: gate, cases: 20).basis
    else { Issue.record("not a spread"); return }
    #expect(cases == 20)
  }

  @Test("Quarantined cases do not count for gates")
  func quarantine() throws {
    let suite = """
      gates: [accuracy >= 60%]
      quarantine: [{case: case-0, reason: disputed, until: 2099-12-31}]
      """
    let forecast = try forecast(try TwoRevisions(cases: 20, suite: suite).here)
    #expect(forecast.caseCount == 20)
    guard case .estimate(let cases, _)? = forecast.gates.first?.basis
    else { Issue.record("not an estimate"); return }
    #expect(cases == 19)
  }

  @Test("The share of cases that flip against the baseline is measured")
  func measured() async throws {
    let project = try TwoRevisions(cases: 20).here
    _ = try await project.record()
    #expect(try forecast(project).measuredDiscordance.isEmpty)
    let plan = try project.plan()
    var trials = try #require(project.replay().suites.first?.columns.first?.trials)
    for index in 0..<3 { trials[index].outcome = .failed }
    try project.files.write(
      Baseline.bytes(plan, column: plan.columns[0], trials: trials),
      to: Baseline.path(suite: "triage", backend: "server")
    )
    let measured = try forecast(project).measuredDiscordance
    #expect(measured.map(\.backend) == ["server"])
    #expect(measured.map(\.share) == [0.15])
  }
}
