import Foundation
import SampleProjects
@testable import SluiceGating
@testable import SluiceReporting
@testable import SluiceStatistics
import Testing

@Suite("Plots of a page")
struct HTMLPlotTests {
  @Test("A condition is drawn whole: the refused side, the interval, the bound and the value")
  func decision() {
    let decision = Decision.fixture("accuracy >= 85%", .fail, Estimate(rate: 80, of: 100))
    #expect(
      HTMLPlot.decision(decision) == """
        <svg viewBox="0 0 320 46" width="320" height="46" role="img" aria-label="80.0%, interval [71.1%, \
        86.7%], at least 85.0% wanted"><rect class="refused" x="24.0" y="6.0" width="218.2" \
        height="22.0"/><path class="axis" d="M24.0 17.0H296.0"/><path class="interval" d="M55.4 11.0v12\
        M55.4 17.0H264.6M264.6 11.0v12"/><path class="bound" d="M242.2 3.0V31.0"/><circle \
        class="value" cx="174.9" cy="17" r="4.5"/><text x="242.2" y="43.0" text-anchor="middle">85.0%\
        </text></svg>
        """
    )
  }

  @Test("What is unknown, the same or not finite is not drawn")
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

  @Test("Every number of a plot is finite, however far the values lie apart or together")
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

  @Test("Who is best for their price is filled, the others are rings, and words say the same")
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
        "aria-label=\"Accuracy against cost of a call: A good 90.0% for $0.00400, nobody better for "
          + "less; B cheap 80.0% for $0.00100, nobody better for less; C neither 70.0% for $0.00300\""
      )
    )
    #expect(plot.components(separatedBy: "class=\"front\"").count == 3)
    #expect(plot.components(separatedBy: "class=\"behind\"").count == 2)
  }
}
