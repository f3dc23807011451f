import SampleProjects
@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceReporting
@testable import SluiceStatistics
@testable import SluiceSupport
import Testing

@Suite("History in a terminal")
struct TerminalHistoryTests {
  private func text(_ lines: [History.Line], reports: String? = nil) -> String {
    TerminalHistory(
      History(lines: lines),
      style: TerminalStyle(isColored: false),
      reports: reports
    ).text
  }

  @Test("Each point has a row with date, source, changes, value, interval, n and a drawing")
  func whole() {
    var line = SampleHistory.line([
      SampleHistory.measurement(0, .baseline(commit: "4f2a91c07be34d5a"), passed: 78),
      SampleHistory.measurement(60, prompt: ("v2", "p2"), passed: 84),
      SampleHistory.measurement(120, prompt: ("v2", "p2"), passed: 84),
      SampleHistory.measurement(
        7_200,
        .run(log: ProjectPath("reports/runs/b.jsonl"), isLive: true),
        prompt: ("v2", "p3"),
        models: ["m-2"],
        passed: 91,
        cases: ["a": "1", "b": "2", "c": "1"]
      ),
    ])
    line.hasOlder = true
    #expect(
      text([line], reports: "reports/latest") == """
        clarity  v2 on fast · older points are not shown
          accuracy
            gate: accuracy >= 80%
            2026-11-18 11:06  4f2a91c0       78.0% [68.9%, 85.0%] n 100  ├────●───┤
            2026-11-18 11:07  run ×2   P     84.0% [75.6%, 89.9%] n 100      ├───●──┤
            2026-11-18 13:06  live     PMD   91.0% [83.8%, 95.2%] n 100          ├───●─┤
          p95(latency)
            2026-11-18 11:06  4f2a91c0       unknown  n 0
            2026-11-18 11:07  run ×2   P     unknown  n 0
            2026-11-18 13:06  live     PMD   unknown  n 0
          changes
            2026-11-18 11:07  prompt v1 → v2
            2026-11-18 13:06  prompt v2 edited; model m-1 → m-2; dataset: 1 new, 1
                              changed

        Letters show what changed since the point before: P prompt, M model, D dataset,
        S scorers, R repeats. Times are UTC.

        At its newest point the suite misses no gate.
        Reports: reports/latest/history.html, history.json

        """
    )
  }

  @Test("A point that misses a gate is marked, with an explanation below")
  func missed() throws {
    var measurements = [
      SampleHistory.measurement(0, passed: 78), SampleHistory.measurement(3_600, passed: 84),
    ]
    measurements[0].missed = [SampleHistory.metrics[0].gates, []]
    var line = SampleHistory.line(measurements)
    line.metrics.removeLast()
    line.prompt = "v9"
    line.isTried = true
    #expect(
      text([line]) == """
        clarity  v9 on fast · tried with --prompt
          accuracy
            gate: accuracy >= 80%
          ✗ 2026-11-18 11:06  run            78.0% [68.9%, 85.0%] n 100  ├─────●────┤
            2026-11-18 12:06  run            84.0% [75.6%, 89.9%] n 100      ├─────●───┤

        ✗ misses a gate as it is written today. Times are UTC.

        At its newest point the suite misses no gate.

        """
    )
    let json = try JSONReader.value(HistoryJSON(History(lines: [line])).bytes)
    let found = json["lines"]?.array?.first
    #expect(found?["tried"] == true)
    let points = try #require(found?["points"]?.array)
    #expect(points[0]["metrics"]?.array?.first?["missed"] == ["accuracy >= 80%"])
    #expect(points[1]["metrics"]?.array?.first?["missed"] == nil)
  }

  @Test("In 120 columns, the drawings are wider and no text is wrapped")
  func wide() {
    let line = SampleHistory.line([
      SampleHistory.measurement(0, .baseline(commit: "4f2a91c07be34d5a"), passed: 78),
      SampleHistory.measurement(60, prompt: ("v2", "p2"), passed: 84),
    ])
    let text = TerminalLines.$width.withValue(120) { self.text([line], reports: "reports/latest") }
    #expect(
      text == """
        clarity  v2 on fast
          accuracy
            gate: accuracy >= 80%
            2026-11-18 11:06  4f2a91c0       78.0% [68.9%, 85.0%] n 100  ├─────────●───────┤
            2026-11-18 11:07  run      P     84.0% [75.6%, 89.9%] n 100         ├─────────●─────┤
          p95(latency)
            2026-11-18 11:06  4f2a91c0       unknown  n 0
            2026-11-18 11:07  run      P     unknown  n 0
          changes
            2026-11-18 11:07  prompt v1 → v2

        Letters show what changed since the point before: P prompt, M model, D dataset, S scorers, R repeats. Times are UTC.

        At its newest point the suite misses no gate.
        Reports: reports/latest/history.html, history.json

        """
    )
  }

  @Test("Every row fits into 80 columns, whatever is measured")
  func columns() {
    let line = History.Line(
      suite: String(repeating: "suite-", count: 20),
      backend: String(repeating: "backend-", count: 20),
      prompt: "v1",
      metrics: [
        History.Metric(name: "mean(cost)", quantity: .money),
        History.Metric(name: "sum(tokens)", quantity: .count),
        History.Metric(name: "p95(latency)", quantity: .time),
      ],
      measurements: (0..<3).map { number in
        var measurement = SampleHistory.measurement(number)
        let value = 0.000_001_234 * Double(number + 1)
        measurement.estimates = [
          Estimate(value, interval: Interval(low: value / 2, high: value * 2), n: 1_000_000),
          Estimate(1e12 * value, interval: Interval(low: 0, high: 1e12), n: 1_000_000),
          Estimate(900 * Double(number), interval: Interval(low: 0, high: .infinity), n: 3),
        ]
        return measurement
      },
      limit: 50
    )
    for row in text([line]).split(separator: "\n") {
      #expect(TerminalText.width(of: String(row)) <= 80, "\(row)")
    }
  }

  @Test("Names cannot control the terminal", arguments: HostileText.all)
  func hostile(text hostile: String) {
    let shown = text([SampleHistory.everywhere(hostile)])
    #expect(!shown.contains("\u{1B}"))
    #expect(!shown.contains("\u{202E}"))
    #expect(shown.split(separator: "\n").allSatisfy { !$0.drop { $0 == " " }.hasPrefix("::") })
  }

  @Test("The JSON file has every point with all its numbers")
  func json() throws {
    let line = SampleHistory.line([
      SampleHistory.measurement(0, .baseline(commit: "4f2a91c07be34d5a"), passed: 78),
      SampleHistory.measurement(60, prompt: ("v2", "p2"), passed: 84),
      SampleHistory.measurement(120, prompt: ("v2", "p2"), passed: 84),
    ])
    let json = try JSONReader.value(HistoryJSON(History(lines: [line])).bytes)
    #expect(json["schema"] == 1)
    let found = json["lines"]?.array?.first
    #expect(found?["suite"] == "clarity")
    #expect(found?["prompt"] == .null)
    #expect(
      found?["metrics"]?.array?.first
        == ["name": "accuracy", "unit": "share", "gates": ["accuracy >= 80%"]]
    )
    let points = try #require(found?["points"]?.array)
    #expect(points.count == 2)
    #expect(points[0]["commit"] == "4f2a91c07be34d5a")
    #expect(points[0]["date"] == "2026-11-18T11:06:40Z")
    #expect(points[0]["changes"] == [])
    #expect(points[1]["log"] == "reports/runs/a.jsonl")
    #expect(points[1]["answers"] == "recorded")
    #expect(points[1]["count"] == 2)
    #expect(points[1]["last-date"] == "2026-11-18T11:08:40Z")
    #expect(points[1]["changes"] == [["kind": "prompt", "from": "v1", "to": "v2"]])
    #expect(points[1]["metrics"]?.array?.first?["value"] == 0.84)
    #expect(points[1]["metrics"]?.array?.first?["n"] == 100)
    #expect(points[1]["metrics"]?.array?.last?["unknown"] == "no trial has a latency")
  }
}
