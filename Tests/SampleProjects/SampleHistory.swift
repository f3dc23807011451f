package import Sluice

/// Figures over time, as in a history of runs.
package enum SampleHistory {
  package static let metrics = [
    History.Metric(
      name: "accuracy",
      quantity: .rate,
      gates: [gate("accuracy >= 80%", .comparison(.atLeast, 0.8, confidence: nil))]
    ),
    History.Metric(name: "p95(latency)", quantity: .time),
  ]

  package static func gate(_ text: String, _ demand: Condition.Demand) -> Condition {
    Condition(
      text: text,
      reference: MetricReference(aggregate: nil, name: "accuracy"),
      demand: demand,
      isLive: false
    )
  }

  package static func measurement(
    _ second: Int,
    _ source: History.Source = .run(log: ProjectPath("reports/runs/a.jsonl"), isLive: false),
    prompt: (String, String) = ("v1", "p1"),
    models: [String] = ["m-1"],
    passed: Int = 80,
    cases: [String: String] = ["a": "1", "b": "1"],
    scorers: [String: String] = ["label": "s1"],
    repetitions: Int = 1
  ) -> History.Measurement {
    History.Measurement(
      source: source,
      date: Timestamp(seconds: 1_795_000_000 + second),
      prompt: LoggedRun.PromptVersion(name: prompt.0, digest: prompt.1),
      models: models,
      estimates: [
        Estimate(rate: passed, of: 100), Estimate(unknown: "no trial has a latency"),
      ],
      cases: cases,
      scorers: scorers,
      repetitions: repetitions,
      lost: 0
    )
  }

  package static func line(_ measurements: [History.Measurement], limit: Int = 50) -> History.Line {
    History.Line(
      suite: "clarity",
      backend: "fast",
      metrics: metrics,
      measurements: measurements,
      limit: limit
    )
  }

  /// Returns a line with a given text in every place that can have a text.
  package static func everywhere(_ text: String) -> History.Line {
    var unknown = measurement(2, prompt: (text, ""))
    unknown.estimates = [Estimate(unknown: text)]
    return History.Line(
      suite: text,
      backend: text,
      prompt: text,
      metrics: [
        History.Metric(
          name: text,
          quantity: .rate,
          gates: [gate(text, .comparison(.atLeast, 0.8, confidence: nil))]
        )
      ],
      measurements: [
        measurement(0),
        measurement(
          1,
          .baseline(commit: text),
          prompt: (text, ""),
          models: [text],
          scorers: [text: ""]
        ),
        unknown,
      ],
      limit: 50
    )
  }
}
