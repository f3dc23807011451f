@testable import Sluice
import Testing

@Suite("History")
struct HistoryTests {
  static let metrics = [
    History.Metric(
      name: "accuracy",
      quantity: .rate,
      gates: [gate("accuracy >= 80%", .comparison(.atLeast, 0.8, confidence: nil))]
    ),
    History.Metric(name: "p95(latency)", quantity: .time),
  ]

  static func gate(_ text: String, _ demand: Condition.Demand) -> Condition {
    Condition(
      text: text,
      reference: MetricReference(aggregate: nil, name: "accuracy"),
      demand: demand,
      isLive: false
    )
  }

  static func measurement(
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

  static func line(_ measurements: [History.Measurement], limit: Int = 50) -> History.Line {
    History.Line(
      suite: "clarity",
      backend: "fast",
      metrics: metrics,
      measurements: measurements,
      limit: limit
    )
  }

  /// A line with a text in every place that has one.
  static func everywhere(_ text: String) -> History.Line {
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

  private static let changes: [(History.Measurement, [History.Change])] = [
    (measurement(1, passed: 81), []),
    (measurement(1, prompt: ("v1", "p2")), [.prompt(from: "v1", to: "v1")]),
    (measurement(1, prompt: ("v2", "p2")), [.prompt(from: "v1", to: "v2")]),
    (measurement(1, models: ["m-2"]), [.models(from: ["m-1"], to: ["m-2"])]),
    // Where all trials were lost, nobody answered.
    (measurement(1, models: []), []),
    (
      measurement(1, cases: ["a": "2", "c": "1", "d": "1"]),
      [.dataset(added: 2, removed: 1, changed: 1)]
    ),
    (measurement(1, scorers: ["label": "s2", "form": "s1"]), [.scorers(["form", "label"])]),
    (measurement(1, repetitions: 3), [.repetitions(from: 1, to: 3)]),
    (
      measurement(1, prompt: ("v2", "p2"), scorers: [:]),
      [.prompt(from: "v1", to: "v2"), .scorers(["label"])]
    ),
  ]

  @Test("A model is held against the last one that answered, past points where all was lost")
  func modelAfterLoss() {
    let line = Self.line([
      Self.measurement(0), Self.measurement(1, models: []),
      Self.measurement(2, models: ["m-2"]), Self.measurement(3, models: []),
      Self.measurement(4, models: ["m-2"], passed: 81),
    ])
    #expect(
      line.points.map(\.changes) == [[], [.models(from: ["m-1"], to: ["m-2"])], []]
    )
  }

  @Test("A point says what changed since the one before", arguments: changes)
  func marked(next: History.Measurement, expected: [History.Change]) {
    let line = Self.line([Self.measurement(0), next])
    #expect(line.points.last?.changes == expected)
    #expect(line.points.first?.changes == [])
  }

  @Test("Runs that say the same are one point; baselines, and where something changed, are not")
  func folded() {
    let line = Self.line([
      Self.measurement(0), Self.measurement(10), Self.measurement(20),
      Self.measurement(30, .baseline(commit: "abc")),
      Self.measurement(35, .baseline(commit: "def")),
      Self.measurement(40, passed: 81),
      Self.measurement(50, passed: 81), Self.measurement(60, prompt: ("v2", "p2"), passed: 81),
    ])
    #expect(line.points.map(\.count) == [3, 1, 1, 2, 1])
    #expect(!line.hasOlder)
    #expect(line.points[0].lastDate.seconds - line.points[0].date.seconds == 20)
    #expect(line.points[4].changes == [.prompt(from: "v1", to: "v2")])
  }

  @Test("Points are in the order of time, whatever the order they are read in")
  func ordered() {
    let line = Self.line([
      Self.measurement(50, passed: 3), Self.measurement(10, passed: 1),
      Self.measurement(30, passed: 2),
    ])
    #expect(line.points.map { $0.estimates[0].value } == [0.01, 0.02, 0.03])
  }

  @Test("The newest are kept, and what changed before the first of them is told")
  func limited() {
    let line = Self.line(
      (0..<10).map { Self.measurement($0, prompt: ("v\($0)", "p\($0)"), passed: $0) },
      limit: 3
    )
    #expect(line.hasOlder)
    #expect(line.points.map(\.prompt.name) == ["v7", "v8", "v9"])
    #expect(line.points[0].changes == [.prompt(from: "v6", to: "v7")])
    #expect(Self.line([]).points == [])
  }
}
