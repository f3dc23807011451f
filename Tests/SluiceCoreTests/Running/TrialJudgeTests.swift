import SampleProjects
@testable import SluiceCore
@testable import SluiceReporting
@testable import SluiceSupport
import Testing

@Suite("Trial judge")
struct TrialJudgeTests {
  /// A scorer that returns fixed scores for any answer.
  private struct FixedScorer: SuiteScorer {
    var score: Score

    init(_ score: Score) { self.score = score }
    init?(_ arguments: ScorerArguments) { nil }

    func score(_ answer: Answer, for testCase: TestCase) -> Score { score }
    func given(_ testCase: TestCase) -> JSONObject { ["clean": true] }
  }

  private func plan(_ outcomes: [Score.Outcome]) throws -> SuitePlan {
    var plan = try RecordingProject().plan()
    plan.scorers = outcomes.enumerated().map { index, outcome in
      BoundScorer(
        name: "s\(index)",
        type: "fixed",
        scorer: FixedScorer(Score(outcome, explanation: "because \(index)")),
        arguments: nil
      )
    }
    return plan
  }

  private func judge(_ response: ModelResponse, _ outcomes: [Score.Outcome]) throws -> Trial {
    let plan = try plan(outcomes)
    return TrialJudge(plan: plan).judged(response, plan.slot(1), key: "key")
  }

  @Test(
    "A trial passes if a scorer applies and none fails it, and is lost if one could not judge it",
    arguments: [
      ([Score.Outcome.passed], Trial.Outcome.passed), ([], .unjudged),
      ([.passed, .notApplicable], .passed), ([.notApplicable], .unjudged),
      ([.notApplicable, .notApplicable], .unjudged), ([.failed, .notApplicable], .failed),
      ([.notApplicable, .unscored], .lost(.unscored("s1: because 1"))),
      ([.passed, .failed], .failed), ([.unscored, .failed], .lost(.unscored("s0: because 0"))),
      ([.failed, .unscored], .lost(.unscored("s1: because 1"))),
    ]
  )
  func outcomes(scores: [Score.Outcome], outcome: Trial.Outcome) throws {
    let trial = try judge(ModelResponse(text: "yes"), scores)
    #expect(trial.outcome == outcome)
    #expect(trial.scores.map(\.name) == scores.indices.map { "s\($0)" })
  }

  @Test(
    "An unusable answer fails, even if all scorers pass it",
    arguments: [
      ModelResponse(text: nil), ModelResponse(text: "yes", finishReason: "length"),
      ModelResponse(text: "yes", finishReason: "content_filter"),
      ModelResponse(text: nil, refusal: "No."),
    ]
  )
  func unusable(response: ModelResponse) throws {
    #expect(try judge(response, [.passed]).outcome == .failed)
    let unjudged = try judge(response, [])
    #expect(unjudged.outcome == .unjudged)
    #expect(unjudged.isUnusable)
  }

  @Test("A flaw that no scorer reports is reported once, and the answer counts as unusable")
  func flawWithoutScorer() throws {
    let trial = try judge(ModelResponse(text: "{", finishReason: "length"), [.notApplicable])
    #expect(trial.isUnusable)
    #expect(trial.faults.map(\.scorer) == ["answer"])
    #expect(trial.faults.map(\.explanation) == ["the answer was cut off at the token limit"])

    let plan = try RecordingProject().plan()
    let response = ModelResponse(text: "{", finishReason: "length")
    let named = TrialJudge(plan: plan).judged(response, plan.slot(0), key: "k")
    #expect(named.faults.map(\.scorer) == ["classification"])
  }

  @Test(
    "A finish reason other than a known failure does not fail the answer",
    arguments: [nil, "eos", "stop_sequence"]
  )
  func finishReasons(reason: String?) throws {
    let response = ModelResponse(text: "yes", finishReason: reason)
    #expect(try judge(response, [.passed]).outcome == .passed)
  }

  @Test("A lost trial keeps only the values that depend on the case, and has no score")
  func lost() throws {
    let plan = try plan([.passed])
    let loss = Trial.Loss.noAnswer(BackendError(.timedOut, "too late"))
    let trial = TrialJudge(plan: plan).lost(loss, plan.slot(1), key: "key")
    #expect(trial.outcome == .lost(loss))
    #expect(trial.isLost)
    #expect(!trial.isUnusable)
    #expect(
      trial.scores == [
        Trial.NamedScore(
          name: "s0",
          score: Score(.unscored, explanation: "too late", measurements: ["clean": true])
        )
      ]
    )
    #expect(trial.score(of: "s0") == nil)
    #expect(trial.output == nil)
  }

  @Test("A trial records its request, its cost and who answered")
  func facts() throws {
    let provenance = Provenance(host: "h", model: "sorter-1", date: "2026-11-21T12:00:19Z")
    let response = ModelResponse(
      text: "yes",
      usage: TokenUsage(input: 100, output: 10),
      provenance: provenance,
      timings: ResponseTimings(total: 250)
    )
    let trial = try judge(response, [.passed])
    #expect(trial.caseID == "send")
    #expect(trial.prompt == "v1")
    #expect(trial.backend == "server")
    #expect(trial.repetition == 1)
    #expect(trial.requestKey == "key")
    let output = try #require(trial.output)
    #expect(output.cost == 0.0003)
    #expect(output.provenance == provenance)
    #expect(output.timings == ResponseTimings(total: 250))
  }

  @Test(
    "The cost is that of the model that answered, or of the requested one if unnamed",
    arguments: [("sorter-2", nil), (nil, 0.0003)] as [(String?, Double?)]
  )
  func unnamedModel(model: String?, cost: Double?) throws {
    let response = ModelResponse(
      text: "yes",
      usage: TokenUsage(input: 100, output: 10),
      provenance: Provenance(model: model)
    )
    #expect(try #require(try judge(response, []).output).cost == cost)
  }
}

@Suite("Trial")
struct TrialTests {
  private func output(_ response: ModelResponse) -> Trial.Output {
    Trial.Output(response, cost: nil)
  }

  @Test("The digest is the SHA-256 of the complete text in UTF-8")
  func digest() {
    #expect(
      output(ModelResponse(text: "Grüße 🙂")).digest
        == "6cd49fd74509cdf416e14ea1676496f877dcc11cef509523451724defbc54cf3"
    )
    let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    #expect(output(ModelResponse(text: "")).digest == empty)
    #expect(output(ModelResponse(text: nil)).digest == empty)
    // Canonically equal, but different bytes.
    let composed = output(ModelResponse(text: "\u{E9}")).digest
    #expect(composed != output(ModelResponse(text: "e\u{301}")).digest)
    // A difference after the end of the excerpt.
    let long = String(repeating: "x", count: 5_000)
    #expect(
      output(ModelResponse(text: long)).digest != output(ModelResponse(text: long + "y")).digest
    )
  }

  @Test(
    "The excerpt is the first 4,000 scalars, and notes whether the text is longer",
    arguments: [
      (0, 0, false), (3_999, 3_999, false), (4_000, 4_000, false), (4_001, 4_000, true),
      (1_000_000, 4_000, true),
    ]
  )
  func excerpt(length: Int, kept: Int, isCut: Bool) {
    let output = output(ModelResponse(text: String(repeating: "🙂", count: length)))
    #expect(output.excerpt == String(repeating: "🙂", count: kept))
    #expect(output.isCut == isCut)
  }

  @Test("The text of a refusal is stored separately")
  func refusal() {
    let refused = output(ModelResponse(text: nil, refusal: "No."))
    #expect(refused.excerpt == "")
    #expect(refused.refusal == "No.")
    #expect(!refused.isCut)
    #expect(refused.digest == SHA256.hexadecimal("No.".utf8))
    #expect(output(ModelResponse(text: "", refusal: "No.")).excerpt == "")
  }

  @Test(
    "A loss states its reason in one phrase",
    arguments: [
      (Trial.Loss.noRecording(RecordingMiss(reason: .newCase)), "no recording: new case"),
      (.noAnswer(BackendError(.timedOut, "too late")), "too late"),
      (.unscored("regex: too expensive"), "regex: too expensive"),
    ]
  )
  func losses(loss: Trial.Loss, message: String) {
    #expect(loss.message == message)
  }
}
