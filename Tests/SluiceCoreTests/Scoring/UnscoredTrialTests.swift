@testable import Sluice
@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceSupport
import Testing

@Suite("Unscored trials")
struct UnscoredTrialTests {
  private func plan(_ suite: String, _ cases: String) throws -> SuitePlan {
    let project = ProjectLoader.load(
      from: InMemoryFileSystem([
        "sluice.yaml": "backends: {fast: {type: openai, model: m, base-url: \"http://a.test/v1\"}}",
        "prompts/a/suite.yaml": """
        suite: a
        prompt: v1.yaml
        dataset: a
        backend: fast
        \(suite)
        gates: [accuracy >= 85%]
        """,
        "prompts/a/v1.yaml": "messages: [{user: \"{{message}}\"}]",
        "datasets/a/cases.yaml": cases,
      ])
    )
    #expect(project.diagnostics.map(\.description).joined() == "")
    return try #require(project.suites.first).plan
  }

  private func judged(_ plan: SuitePlan, _ text: String) -> Trial {
    TrialJudge(plan: plan).judged(ModelResponse(text: text), plan.slot(0), key: "")
  }

  private let expensive = String(repeating: "a", count: 40) + "!"

  @Test("A scorer's pattern that is too expensive loses the trial, even if another scorer fails it")
  func suiteScorer() throws {
    let plan = try plan(
      #"scorers: [{contains: zzz}, {regex: '^(a|aa)+\1$'}]"#,
      "[{id: x, input: {message: hi}}]"
    )
    let trial = judged(plan, expensive)
    #expect(
      trial.outcome
        == .lost(
          .unscored(
            #"regex: it is too expensive to match /^(a|aa)+\1$/"#
          )
        )
    )
    #expect(judged(plan, "zzz").outcome == .failed)
    #expect(judged(plan, "zzz aa").outcome == .failed)

    let decision = try Decider([trial]).decide(
      ConditionParser.parse("accuracy >= 0%"),
      on: Metric(.accuracy)
    )
    #expect(decision.verdict == .noVerdict)
  }

  @Test("A case assertion's pattern that is too expensive also loses the trial")
  func assertion() throws {
    let plan = try plan(
      "scorers: [{not-contains: zzz}]",
      #"[{id: x, input: {message: hi}, assert: [{not-regex: '^(a|aa)+\1$'}]}]"#
    )
    #expect(
      judged(plan, expensive).outcome
        == .lost(.unscored(#"assert.not-regex: it is too expensive to match /^(a|aa)+\1$/"#))
    )
    #expect(judged(plan, "fine").outcome == .passed)
  }
}
