import Foundation
import SampleProjects
@testable import SluiceGating
@testable import SluiceReporting
@testable import SluiceStatistics
import Testing

@Suite("Charts of a page")
struct HTMLPlotTests {
  @Test(
    "A rate is drawn from 0 to 100% with its interval, its bound and the refused side"
  )
  func decision() {
    let decision = Decision.fixture("accuracy >= 85%", .fail, Estimate(rate: 80, of: 100))
    #expect(
      HTMLPlot.decision(decision) == """
        <svg viewBox="0 0 360 50" width="360" height="50" role="img" aria-label="80.0%, interval [71.1%, \
        86.7%]; required: at least 85.0%"><rect class="refused" x="48.0" y="16.0" width="224.4" \
        height="16.0"/><path class="axis" d="M48.0 24.0H312.0"/><path class="axis" d="M48.0 20.0V28.0"/>\
        <path class="axis" d="M312.0 20.0V28.0"/><text class="quiet" x="38.0" y="28.0" text-anchor="end">0\
        </text><text class="quiet" x="322.0" y="28.0" text-anchor="start">100%</text><path class="bound" \
        d="M272.4 12.0V36.0"/><path class="interval" d="M235.7 18.0v12M235.7 24.0H276.8M276.8 18.0v12"/>\
        <circle class="value" cx="259.2" cy="24.0" r="4.5"/><text class="strong" x="259.2" y="10.0" \
        text-anchor="middle">80.0%</text><text class="limit" x="272.4" y="47.0" text-anchor="middle">\
        ≥ 85.0%</text></svg>
        """
    )
  }

  @Test("The baseline is a ring on the same scale and part of the accessible name")
  func ghost() {
    let decision = Decision.fixture("accuracy >= 85%", .fail, Estimate(rate: 80, of: 100))
    let plot = HTMLPlot.decision(decision, baseline: 0.9)
    // 90% of the way from 48 to 312.
    #expect(plot.contains("<circle class=\"ghost\" cx=\"285.6\" cy=\"24.0\" r=\"5.0\"/>"))
    #expect(plot.contains("[71.1%, 86.7%], baseline 90.0%; required: at least 85.0%"))
    let share = HTMLPlot.share(Estimate(rate: 80, of: 100), baseline: 0.5)
    #expect(share.contains("<circle class=\"ghost\" cx=\"80.0\""))
    #expect(share.contains("aria-label=\"80.0% [71.1%, 86.7%], baseline 50.0%\""))
  }

  @Test("A figure that is not a rate is drawn from 0, between labeled ends")
  func ends() {
    var decision = Decision.fixture(
      "mean(latency) <= 1 s",
      .pass,
      Estimate(800, n: 10),
      bound: 1_000
    )
    decision.metric = Metric(.series(.latency, .mean))
    let plot = HTMLPlot.decision(decision)
    #expect(plot.contains("text-anchor=\"end\">0</text>"))
    #expect(plot.contains("text-anchor=\"start\">1.02 s</text>"))
  }

  @Test("Unknown, equal or infinite values are not drawn")
  func nothing() {
    #expect(
      HTMLPlot.decision(.fixture("accuracy >= 85%", .noVerdict, Estimate(unknown: "no answers")))
        == ""
    )
    #expect(HTMLPlot.share(Estimate(unknown: "no answers")) == "")
    #expect(HTMLPlot.times([], name: "x") == "")
    #expect(HTMLPlot.times([.nan, .infinity], name: "x") == "")
    let alone = HTMLPlot.Candidate(name: "a", quality: 0.9, interval: nil, cost: 1)
    #expect(HTMLPlot.front([alone], cost: .money) == "")
    let free = HTMLPlot.Candidate(name: "b", quality: 0.8, interval: nil, cost: 0)
    #expect(HTMLPlot.front([free, free], cost: .money) == "")
  }

  @Test("Every number in a chart is finite, however far apart or close the values are")
  func finite() {
    let many: [Double] = Array(repeating: 3, count: 400) + [1e6]
    let samples: [[Double]] = [[0], [5, 5, 5], [1, 1e9], [0.001, 0.002], many]
    for times in samples {
      let plot = HTMLPlot.times(times, name: "x")
      #expect(!plot.contains("nan") && !plot.contains("inf"), "\(times.prefix(3))")
    }
    for value in [0, 1, 0.5, 1e-9] {
      let plot = HTMLPlot.decision(.fixture("x", .pass, Estimate(value, n: 3), bound: value))
      #expect(!plot.contains("nan") && !plot.contains("inf"), "\(value)")
    }
  }

  @Test("The best configurations for their price are filled, the others are rings")
  func front() {
    let plot = HTMLPlot.front(
      [
        .init(name: "good", quality: 0.9, interval: Interval(low: 0.85, high: 0.94), cost: 0.004),
        .init(name: "cheap", quality: 0.8, interval: nil, cost: 0.001),
        .init(name: "neither", quality: 0.7, interval: nil, cost: 0.003),
      ],
      cost: .money
    )
    #expect(
      plot.contains(
        "aria-label=\"Accuracy against cost per call: A good 90.0% for $0.00400, on the front; "
          + "B cheap 80.0% for $0.00100, on the front; C neither 70.0% for $0.00300\""
      )
    )
    #expect(plot.components(separatedBy: "class=\"front\"").count == 3)
    #expect(plot.components(separatedBy: "class=\"behind\"").count == 2)
  }
}
