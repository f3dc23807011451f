package import Sluice

extension RunResult {
  /// Returns a run with a given text in every place that a file, a server, a model or a scorer
  /// fills.
  ///
  /// Its column has a failed gate, a gate without a verdict, two goals and four trials: passed,
  /// failed, lost, and a second repeat that failed.
  package static func everywhere(_ text: String, source: AnswerSource = .recorded) -> RunResult {
    RunResult(
      suites: [
        SuiteResult(
          name: text,
          path: "prompts/\(text)/suite.yaml",
          source: source,
          caseCount: 3,
          repetitions: 2,
          columns: [
            ColumnResult(
              prompt: text,
              promptPath: "prompts/\(text).yaml",
              backend: text,
              isCandidate: true,
              trials: [
                .fixture(text, .passed), .fixture(text, .failed),
                .fixture(text, .lost(.noRecording(RecordingMiss(reason: .unusable(text))))),
                .fixture(text, .failed, repetition: 2),
              ],
              metrics: [
                .init(name: "accuracy", quantity: .rate, estimate: Estimate(rate: 1, of: 2)),
                .init(name: text, quantity: .rate, estimate: Estimate(rate: 1, of: 2)),
                .init(name: text, quantity: .rate, estimate: Estimate(unknown: text)),
              ],
              gates: [
                .fixture(text, .fail, Estimate(rate: 1, of: 2)),
                .fixture(text, .noVerdict, Estimate(unknown: text)),
              ],
              goals: [
                .fixture(text, .inconclusive, Estimate(rate: 1, of: 2)),
                .fixture(text, .noVerdict, Estimate(unknown: text)),
              ]
            )
          ]
        )
      ],
      mixes: [.fixture(text)]
    )
  }
}

extension MixResult {
  /// Returns a mix of a suite that ran and one that did not, with a goal.
  package static func fixture(_ text: String) -> MixResult {
    MixResult(
      mix: Mix(name: text, calls: [.init(suite: text, count: 40), .init(suite: "b", count: 6)]),
      backend: text,
      figures: [
        .init(
          name: "cost",
          quantity: .money,
          estimate: Estimate(0.25, interval: Interval(low: 0.2, high: 0.3), n: 12)
        ),
        .init(name: "tokens", quantity: .count, estimate: Estimate(unknown: text)),
      ],
      goals: [
        .fixture(
          text,
          .pass,
          Estimate(0.25, interval: Interval(low: 0.2, high: 0.3), n: 12),
          metric: Metric(.series(.cost, .sum)),
          bound: 0.4
        )
      ]
    )
  }
}

extension Trial {
  package static func fixture(_ text: String, _ outcome: Outcome, repetition: Int = 1) -> Trial {
    // The answer does not come from a stand-in, because a stand-in has no times or costs.
    let response = ModelResponse(
      text: text,
      provenance: Provenance(host: text, model: text, date: "2026-11-21T12:00:19Z"),
      timings: ResponseTimings(total: 250.5)
    )
    let score = Score(outcome == .passed ? .passed : .failed, explanation: text)
    return Trial(
      caseID: text,
      caseDigest: "",
      tags: [text, "plain"],
      prompt: text,
      backend: text,
      repetition: repetition,
      requestKey: "",
      outcome: outcome,
      scores: [NamedScore(name: text, score: score)],
      output: Output(response, cost: nil)
    )
  }
}

extension Decision {
  package static func fixture(
    _ text: String,
    _ verdict: Verdict,
    _ estimate: Estimate,
    metric: Metric = Metric(.accuracy),
    bound: Double = 0.85
  ) -> Decision {
    Decision(
      condition: Condition(
        text: text,
        reference: MetricReference(aggregate: nil, name: "accuracy"),
        demand: .comparison(.atLeast, bound, confidence: nil),
        isLive: false
      ),
      metric: metric,
      estimate: estimate,
      verdict: verdict,
      reason: .met,
      explanation: estimate.unknown.map { "unknown: \($0)" } ?? text
    )
  }
}
