import SampleProjects
import Sluice
import Testing

@Suite("Gate policy")
struct GatePolicyTests {
  private let path = ProjectFixture.suite
  private static let today = Timestamp(seconds: 1_795_263_619)

  private func load(_ lines: String) throws -> LoadedProject {
    let fixture = try ProjectFixture().replacing(
      "goals:",
      with: lines + "\ngoals:",
      in: path
    )
    return ProjectLoader.load(from: fixture.system, today: Self.today)
  }

  private func report(_ lines: String) throws -> String {
    try load(lines).diagnostics.map(\.description).joined()
  }

  private func policy(_ lines: String) throws -> GatePolicy {
    let loaded = try load(lines)
    #expect(loaded.diagnostics == [])
    return try #require(loaded.suites.first).policy
  }

  @Test("By default, a suite exempts nothing, and a credible loss fails")
  func plain() throws {
    let policy = try policy("")
    #expect(policy.rule == RegressionRule(policy: .fail))
    #expect(policy.quarantine.isEmpty)
    #expect(policy.waivers.isEmpty)
  }

  @Test("Quarantined cases and waived gates keep their reason and end date")
  func exemptions() throws {
    let policy = try policy(
      """
      on-credible-regression: warn
      quarantine:
        - {case: rude, reason: "flaky since the model changed", until: 2026-12-31}
      waivers:
        - gate: accuracy >= 85%
          reason: a new dataset is on its way
          until: 2026-11-21
      """
    )
    #expect(policy.rule == RegressionRule(policy: .warn))
    #expect(
      policy.quarantine == [
        "rude": Exemption(reason: "flaky since the model changed", until: "2026-12-31")
      ]
    )
    // An exemption includes its last day.
    #expect(
      policy.waivers == [
        "accuracy >= 85%": Exemption(reason: "a new dataset is on its way", until: "2026-11-21")
      ]
    )
  }

  @Test("Exempting a case or gate twice is an error")
  func twice() throws {
    let loaded = try load(
      """
      quarantine:
        - {case: rude, reason: flaky, until: 2026-12-31}
        - {case: rude, reason: still flaky, until: 2027-12-31}
      """
    )
    #expect(
      loaded.diagnostics.map(\.description).joined() == """
        prompts/tone/suite.yaml:13:12: error: the case 'rude' has two exemptions
          13 |   - {case: rude, reason: still flaky, until: 2027-12-31}
             |            ^
          fix: remove one of the two lines

        """
    )
  }

  @Test("An exemption that has ended gives a warning and has no effect")
  func ended() throws {
    let loaded = try load(
      """
      quarantine:
        - {case: rude, reason: flaky, until: 2026-11-20}
      waivers:
        - {gate: accuracy >= 85%, reason: soon, until: 2025-12-31}
      """
    )
    #expect(
      loaded.diagnostics.map(\.description).joined() == """
        prompts/tone/suite.yaml:12:12: warning: the exemption of the case 'rude' expired on 2026-11-20
          12 |   - {case: rude, reason: flaky, until: 2026-11-20}
             |            ^
          fix: remove the line, or extend its date if the reason is still valid
        prompts/tone/suite.yaml:14:12: warning: the exemption of the gate 'accuracy >= 85%' expired on 2025-12-31
          14 |   - {gate: accuracy >= 85%, reason: soon, until: 2025-12-31}
             |            ^
          fix: remove the line, or extend its date if the reason is still valid

        """
    )
    let policy = try #require(loaded.suites.first).policy
    #expect(policy.quarantine.isEmpty)
    #expect(policy.waivers.isEmpty)
  }

  @Test("An exempted case or gate that the suite does not have is an error, with the nearest name")
  func unknown() throws {
    #expect(
      try report(
        """
        quarantine:
          - {case: rud, reason: flaky, until: 2026-12-31}
        waivers:
          - {gate: accuracy > 85%, reason: soon, until: 2026-12-31}
        """
      ) == """
        prompts/tone/suite.yaml:12:12: error: the suite has no case 'rud'
          12 |   - {case: rud, reason: flaky, until: 2026-12-31}
             |            ^
          fix: did you mean 'rude'?
        prompts/tone/suite.yaml:14:12: error: the suite has no gate 'accuracy > 85%'
          14 |   - {gate: accuracy > 85%, reason: soon, until: 2026-12-31}
             |            ^
          fix: did you mean 'accuracy >= 85%'?

        """
    )
  }

  @Test("A goal cannot be waived, since it never blocks")
  func goal() throws {
    #expect(
      try report("waivers: [{gate: false-positive-rate < 5%, reason: x, until: 2026-12-31}]")
        .contains("error: the suite has no gate 'false-positive-rate < 5%'\n")
    )
  }

  @Test("An unknown policy is an error")
  func unknownPolicy() throws {
    #expect(
      try report("on-credible-regression: ignore") == """
        prompts/tone/suite.yaml:11:25: error: 'on-credible-regression' must be 'fail' or 'warn', not 'ignore'
          11 | on-credible-regression: ignore
             |                         ^
          fix: remove the line to use 'fail'

        """
    )
  }

  @Test("Quarantined cases do not count toward the cases that a claim needs")
  func reach() throws {
    let text = "accuracy >= 20% at 95% confidence"
    let fixture = try ProjectFixture()
      .replacing("- accuracy >= 85%", with: "- \(text)", in: path)
    func report(_ fixture: ProjectFixture) -> String {
      ProjectLoader.load(from: fixture.system, today: Self.today)
        .diagnostics.map(\.description).joined()
    }
    #expect(report(fixture) == "")
    let quarantined = try fixture.replacing(
      "goals:",
      with: "quarantine: [{case: rude, reason: flaky, until: 2026-12-31}]\ngoals:",
      in: path
    )
    #expect(
      report(quarantined)
        .contains("warning: 1 case cannot prove this claim, whatever the answers are\n")
    )
  }

  @Test("Each metric counts the cases on which a claim about it rests")
  func reachOfMetrics() throws {
    let fixture = try ProjectFixture()
      .replacing("- accuracy >= 85%", with: "- accuracy >= 1%", in: path)
    let suite = try #require(fixture.load().suites.first)
    let reach = GateReach(suite.plan, policy: suite.policy)
    let catalog = MetricCatalog(scorers: suite.plan.scorers, tags: ["clean", "harsh"])
    func count(_ metric: String) throws -> Int? {
      let condition = try ConditionParser.parse(
        "\(metric) >= 0\(metric.contains("cy)") ? " s" : "")"
      )
      return reach.count(try catalog.metric(condition.reference))
    }
    #expect(try count("accuracy") == 2)
    #expect(try count("accuracy[tag=clean]") == 1)
    #expect(try count("false-positive-rate") == 1)
    #expect(try count("flags.recall") == 1)
    #expect(try count("flags.precision") == 1)
    #expect(try count("classification.recall[class=calm]") == 1)
    #expect(try count("classification.invalid-label-rate") == 2)
    #expect(try count("json-schema.pass-rate") == 2)
    #expect(try count("flags.f1") == nil)
    #expect(try count("mean(latency)") == nil)
  }
}
