import SampleProjects
import Sluice
import Testing

@Suite("Exemptions")
struct ExemptionTests {
  private func report(_ lines: String) throws -> String {
    let fixture = try ProjectFixture()
      .replacing("goals:", with: lines + "\ngoals:", in: ProjectFixture.suite)
    return ProjectLoader.load(from: fixture.system, today: Timestamp(seconds: 1_795_263_619))
      .diagnostics.map(\.description).joined()
  }

  @Test("An exemption needs its target, a reason and a last day")
  func required() throws {
    let quarantine = try report("quarantine: [{case: rude}]")
    #expect(
      quarantine == """
        prompts/tone/suite.yaml:11:14: error: an entry of 'quarantine' needs 'reason'
          11 | quarantine: [{case: rude}]
             |              ^
          fix: add 'reason: …'
        prompts/tone/suite.yaml:11:14: error: an entry of 'quarantine' needs 'until'
          11 | quarantine: [{case: rude}]
             |              ^
          fix: add 'until: …'

        """
    )
    let waiver = try report("waivers: [{reason: x, until: 2026-12-31}]")
    #expect(
      waiver == """
        prompts/tone/suite.yaml:11:11: error: an entry of 'waivers' needs 'gate'
          11 | waivers: [{reason: x, until: 2026-12-31}]
             |           ^
          fix: add 'gate: …'

        """
    )
  }

  @Test(
    "A last day must be a complete calendar date",
    arguments: [
      "2026-13-01", "2026-02-30", "tomorrow", "2026-1-1", "31.12.2026", "2026-12-31T00:00:00Z",
    ]
  )
  func dates(_ date: String) throws {
    #expect(
      try report("quarantine: [{case: rude, reason: x, until: \(date)}]") == """
        prompts/tone/suite.yaml:11:45: error: '\(date)' is not a date
          11 | quarantine: [{case: rude, reason: x, until: \(date)}]
             |                                             ^
          fix: write the last day of the exemption, such as 2026-12-31

        """
    )
  }

  @Test("A leap day is a valid date")
  func leapDay() throws {
    #expect(try report("quarantine: [{case: rude, reason: x, until: 2028-02-29}]") == "")
  }

  @Test("A misspelled key and a value that is not a list are errors")
  func shape() throws {
    #expect(
      try report("quarantine: [{case: rude, reasn: x, until: 2026-12-31}]")
        .contains("error: unknown key 'reasn' in an entry of 'quarantine'\n")
    )
    #expect(try report("quarantine: rude").contains("error: 'quarantine' must be a list"))
    #expect(try report("waivers: [accuracy >= 85%]").contains("error: an entry of 'waivers'"))
    #expect(try report("waivers: []") == "")
  }
}
