import SampleProjects
@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceStatistics
import Testing

@Suite("Suite results")
struct SuiteResultTests {
  private func column(
    _ trials: [Trial],
    gates: [Verdict] = [.pass],
    goals: [Verdict] = [],
    isCandidate: Bool = true
  ) throws -> ColumnResult {
    let condition = try ConditionParser.parse("accuracy >= 85%")
    func decisions(_ verdicts: [Verdict]) -> [Decision] {
      verdicts.map {
        Decision(
          condition: condition,
          metric: Metric(.accuracy),
          estimate: Estimate(rate: 1, of: 1),
          verdict: $0,
          reason: .met,
          explanation: ""
        )
      }
    }
    return ColumnResult(
      prompt: "v1",
      promptPath: "prompts/a/v1.yaml",
      backend: "fast",
      isCandidate: isCandidate,
      trials: trials,
      metrics: [],
      gates: decisions(gates),
      goals: decisions(goals)
    )
  }

  private func suite(_ columns: [ColumnResult]) -> SuiteResult {
    SuiteResult(
      name: "a",
      path: "prompts/a/suite.yaml",
      source: .recorded,
      caseCount: 1,
      repetitions: 1,
      columns: columns
    )
  }

  private let missed = StatisticsTrials.trial(
    "missed",
    .lost(.noRecording(RecordingMiss(reason: .newCase)))
  )

  @Test("Trials are counted by outcome")
  func counts() throws {
    let column = try column(StatisticsTrials.cases("pppffl"))
    #expect([column.passed, column.failed, column.lost] == [3, 2, 1])
  }

  @Test("Only gates decide, never goals")
  func gatesDecide() throws {
    let trials = StatisticsTrials.cases("p")
    #expect(
      try column(trials, gates: [.pass, .pass], goals: [.fail, .noVerdict]).verdict == .pass
    )
    #expect(try column(trials, gates: [.pass, .fail, .noVerdict]).verdict == .fail)
    #expect(try column(trials, gates: [.inconclusive, .pass]).verdict == .inconclusive)
  }

  @Test("Without gates or without trials, there is no verdict")
  func nothing() throws {
    #expect(try column(StatisticsTrials.cases("p"), gates: []).verdict == .noVerdict)
    #expect(try column([], gates: [.pass]).verdict == .noVerdict)
    #expect(suite([]).verdict == .noVerdict)
  }

  @Test("A missing recording leaves no verdict unless a gate fails")
  func misses() throws {
    let trials = StatisticsTrials.cases("p") + [missed]
    #expect(try column(trials).verdict == .noVerdict)
    #expect(try column(trials, gates: [.inconclusive]).verdict == .noVerdict)
    #expect(try column(trials, gates: [.fail]).verdict == .fail)
    #expect(suite([try column(trials)]).misses == [missed])
  }

  @Test("Other lost trials leave the verdict to the gates")
  func losses() throws {
    let column = try column(StatisticsTrials.cases("pl"))
    #expect(column.verdict == .pass)
    #expect(suite([column]).misses == [])
  }

  @Test("Only the candidate's columns decide, and all of them")
  func candidates() throws {
    let trials = StatisticsTrials.cases("p")
    let old = try column(trials, gates: [.fail], isCandidate: false)
    let good = try column(trials)
    let open = try column(trials, gates: [.inconclusive])
    #expect(suite([old, good]).verdict == .pass)
    #expect(suite([old, good, open]).verdict == .inconclusive)
    #expect(suite([old]).verdict == .noVerdict)
  }

  @Test("Each source of answers is listed once per day, in order of first appearance")
  func provenances() throws {
    func trial(_ provenance: Provenance) -> Trial {
      StatisticsTrials.trial(
        "a",
        output: Trial.Output(ModelResponse(text: "", provenance: provenance), cost: nil)
      )
    }
    let first = Provenance(host: "https://a", model: "m", date: "2026-11-20T23:59:59Z")
    let later = Provenance(host: "https://a", model: "m", date: "2026-11-20T01:00:00Z")
    let standIn = Provenance(host: "http://b", model: "m", standIn: "rules", date: nil)
    let next = Provenance(host: "https://a", model: "m", date: "2026-11-21T00:00:00Z")
    #expect(
      try column([trial(first), missed, trial(standIn), trial(later), trial(next)]).provenances == [
        Provenance(host: "https://a", model: "m", date: "2026-11-20"), standIn,
        Provenance(host: "https://a", model: "m", date: "2026-11-21"),
      ]
    )
  }
}
