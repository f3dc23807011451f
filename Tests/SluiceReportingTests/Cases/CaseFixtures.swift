import SampleProjects
@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceReporting
@testable import SluiceSupport

extension ShownAnswer {
  /// An answer to a case with the scores of two scorers.
  static func fixture(
    _ text: String?,
    _ outcome: Trial.Outcome = .passed,
    reason: String = "",
    prompt: String = "v1",
    repetition: Int = 1,
    refusal: String? = nil,
    source: RecordingStore.Kind? = nil
  ) -> ShownAnswer {
    var scores: [Trial.NamedScore] = []
    if outcome == .passed || outcome == .failed {
      scores = [
        .init(name: "json-schema", score: Score(.passed, explanation: "it has the form")),
        .init(
          name: "flags",
          score: Score(outcome == .passed ? .passed : .failed, explanation: reason)
        ),
        .init(name: "mentions", score: Score(.notApplicable, explanation: "")),
      ]
    }
    var output: Trial.Output?
    if text != nil || refusal != nil {
      output = Trial.Output(
        ModelResponse(
          text: text,
          refusal: refusal,
          usage: TokenUsage(input: 600, output: 73),
          provenance: Provenance(
            host: "https://models.test",
            model: "small-1",
            date: "2026-11-21T12:00:19Z"
          ),
          timings: ResponseTimings(total: 812)
        ),
        cost: 0.00031
      )
    }
    let trial = Trial(
      caseID: "board-link",
      caseDigest: "",
      tags: [],
      prompt: prompt,
      backend: "fast",
      repetition: repetition,
      requestKey: "",
      outcome: outcome,
      scores: scores,
      output: output
    )
    return ShownAnswer(trial: trial, text: text, refusal: refusal, source: source)
  }
}

extension CaseView {
  /// A case whose message is long, with answers of columns.
  static func fixture(
    question: String = "ana (designer) to ben (engineer): is the board link still the old one?",
    _ columns: [AnswerColumn]
  ) -> CaseView {
    CaseView(
      suite: "clarity",
      id: "board-link",
      tags: ["clean", "hard"],
      place: "datasets/clarity/cases.yaml:41",
      question: [Field("", question)],
      expected: [Field("flagged", "true"), Field("issues", "[{any-of: [link, old one]}]")],
      columns: columns
    )
  }
}

extension SentRequest {
  static func fixture(system: String) -> SentRequest {
    SentRequest(
      ModelRequest(
        backend: "fast",
        api: "openai-chat",
        model: "small-1",
        body: [
          "model": "small-1",
          "messages": [
            ["role": "system", "content": .string(system)],
            ["role": "user", "content": "is the board link still the old one?"],
          ],
          "temperature": 0, "max_tokens": 300,
        ]
      )
    )
  }
}
