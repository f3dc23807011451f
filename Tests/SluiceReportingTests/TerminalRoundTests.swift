import SampleProjects
@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceReporting
@testable import SluiceStatistics
import Testing

@Suite("Changes since the previous round")
struct TerminalRoundTests {
  private static let noRecording = Trial.Outcome.lost(.noRecording(RecordingMiss(reason: .newCase)))

  /// Returns a suite with the given outcomes, a gate and a goal.
  private static func suite(
    _ outcomes: KeyValuePairs<String, Trial.Outcome>,
    name: String = "clarity",
    prompt: String = "v1",
    gate: Verdict = .pass,
    goal: Verdict = .pass
  ) -> SuiteResult {
    let trials = outcomes.map { id, outcome in
      var trial = Trial.fixture(prompt, outcome)
      trial.caseID = id
      return trial
    }
    return SuiteResult(
      name: name,
      path: "prompts/\(name)/suite.yaml",
      source: .recorded,
      caseCount: trials.count,
      repetitions: 1,
      columns: [
        ColumnResult(
          prompt: prompt,
          promptPath: "prompts/\(name)/\(prompt).yaml",
          backend: "fast",
          isCandidate: true,
          trials: trials,
          metrics: [],
          gates: [.fixture("accuracy >= 85%", gate, Estimate(rate: 1, of: 2))],
          goals: [.fixture("accuracy >= 95%", goal, Estimate(rate: 1, of: 2))]
        )
      ]
    )
  }

  private static func text(_ earlier: [SuiteResult], _ later: [SuiteResult]) -> String {
    TerminalRound(
      RoundChange(from: earlier, to: later),
      style: TerminalStyle(isColored: false)
    ).text
  }

  @Test("Cases and gates with a different outcome are listed")
  func changed() {
    let before = Self.suite(["a": .passed, "b": .failed, "c": .passed, "d": .passed])
    let now = Self.suite(
      ["a": .failed, "b": .passed, "c": Self.noRecording, "e": .passed],
      gate: .fail,
      goal: .inconclusive
    )
    #expect(
      Self.text(
        [before, Self.suite(["x": .passed], name: "tone")],
        [now, Self.suite(["x": .passed], name: "tone")]
      )
        == """
        Since the previous round:
          clarity
            1 case newly failing: a
            1 case newly passing: b
            1 case has no outcome now: c
            1 case is new: e
            1 case was removed: d
            gate accuracy >= 85%: pass → fail
            goal accuracy >= 95%: pass → inconclusive

        """
    )
  }

  @Test("Many cases are counted, and the first ones are listed")
  func many() {
    let ids = (1...8).map { "case-\($0)" }
    func suite(_ outcome: Trial.Outcome) -> SuiteResult {
      var suite = Self.suite(["case-1": outcome])
      suite.columns[0].trials = ids.map { id in
        var trial = Trial.fixture("v1", outcome)
        trial.caseID = id
        return trial
      }
      return suite
    }
    #expect(
      Self.text([suite(.passed)], [suite(.failed)]) == """
        Since the previous round:
          clarity
            8 cases newly failing: case-1, case-2, case-3, case-4, case-5 and 3 more

        """
    )
  }

  @Test("If nothing changed, a line says so; suites of only one round are not compared")
  func same() {
    let suite = Self.suite(["a": .passed, "b": .failed])
    let nothing = "Since the previous round no case and no gate changed.\n"
    #expect(Self.text([suite], [suite]) == nothing)
    #expect(Self.text([suite], [suite, Self.suite(["x": .failed], name: "tone")]) == nothing)
  }

  @Test("A renamed prompt is compared with the one that it replaces")
  func renamed() {
    #expect(
      Self.text(
        [Self.suite(["a": .passed], prompt: "v1")],
        [Self.suite(["a": .failed], prompt: "v2")]
      ).contains("1 case newly failing: a")
    )
  }

  @Test(
    "Names and conditions cannot control the terminal",
    arguments: HostileText.all
  )
  func hostile(text: String) {
    var before = RunResult.everywhere(text).suites
    var now = before
    for index in now.indices {
      now[index].columns[0].gates[0].verdict = .pass
      now[index].columns[0].trials[0].outcome = .failed
      before[index].columns[0].trials = [before[index].columns[0].trials[0]]
    }
    let shown = Self.text(before, now)
    #expect(shown.split(separator: "\n").allSatisfy { $0.hasPrefix(" ") || $0.hasPrefix("Since") })
    #expect(!shown.contains("\u{1B}"))
  }
}
