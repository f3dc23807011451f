import SampleProjects
@testable import SluiceCore
@testable import SluiceStatistics
import Testing

@Suite("Stream metrics")
struct StreamMetricsTests {
  private func streamed(_ firstText: Double, gap: Double? = 40, total: Double = 900) -> Trial.Output
  {
    output(ResponseTimings(firstText: firstText, longestGap: gap, total: total))
  }

  private func output(_ timings: ResponseTimings, reported: Double? = nil) -> Trial.Output {
    var response = ModelResponse(text: "", timings: timings)
    response.reportedCost = reported
    return Trial.Output(response, cost: nil)
  }

  private var fellBack: Trial.Output {
    var timings = ResponseTimings(total: 500)
    timings.user = 2_500
    var output = output(timings)
    output.fallback = StreamFallback(reason: .timedOut, milliseconds: 2_000)
    return output
  }

  private func estimate(_ outputs: [Trial.Output], _ kind: Metric.Kind) -> Estimate {
    MetricEvaluator(StatisticsTrials.answered(outputs)).estimate(Metric(kind))
  }

  @Test("The fallback rate counts only answers to streamed requests")
  func fallbackRate() {
    let plain = output(ResponseTimings(total: 100))
    let outputs = [streamed(100), fellBack, plain, streamed(100)]
    #expect(estimate(outputs, .fallbackRate) == Estimate(rate: 1, of: 3))
    #expect(
      estimate([plain], .fallbackRate)
        == estimate([], .fallbackRate)
    )
    #expect(estimate([plain], .fallbackRate).value == nil)
    #expect(Metric(.fallbackRate).prefersSmall)
    #expect(Metric(.fallbackRate).quantity == .rate)
  }

  @Test("After a fallback, the first text arrives with the complete answer")
  func firstText() {
    let outputs = [streamed(100), fellBack]
    #expect(estimate(outputs, .series(.firstText, .max)) == Estimate(2_500, n: 2))
    #expect(estimate(outputs, .series(.firstText, .min)) == Estimate(100, n: 2))
  }

  @Test("A single-piece answer has a gap of 0, and an answer after a fallback has no gap")
  func longestGap() {
    let outputs = [streamed(100), fellBack, streamed(100, gap: nil)]
    #expect(estimate(outputs, .series(.longestGap, .max)) == Estimate(40, n: 2))
    #expect(estimate(outputs, .series(.longestGap, .min)) == Estimate(0, n: 2))
    for aggregate in [MetricReference.Aggregate.max, .mean, .percentile(50)] {
      #expect(
        estimate([fellBack], .series(.longestGap, aggregate))
          == Estimate(unknown: "the answers were not streamed")
      )
    }
  }

  @Test("Without failed attempts, the user's latency is the latency of the answer")
  func userLatency() {
    #expect(
      estimate([streamed(100, total: 900), fellBack], .series(.userLatency, .mean)).value == 1_700
    )
    let plain = [100.0, 300].map { output(ResponseTimings(total: $0)) }
    #expect(
      estimate(plain, .series(.userLatency, .mean)) == estimate(plain, .series(.latency, .mean))
    )
  }

  @Test("One answer that was not streamed makes the stream timings unknown")
  func unknown() {
    let outputs = [streamed(100), output(ResponseTimings(total: 100))]
    for series in [Series.firstText, .longestGap] {
      #expect(
        estimate(outputs, .series(series, .max))
          == Estimate(unknown: "the answers were not streamed", n: 1)
      )
    }
  }

  @Test("The cost reported by servers is a separate metric, and replaces an unknown cost")
  func reportedCost() {
    let said = [0.25, 0.5].map { output(ResponseTimings(total: 1), reported: $0) }
    #expect(estimate(said, .series(.reportedCost, .sum)) == Estimate(0.75, n: 2))
    #expect(estimate(said, .series(.cost, .sum)) == Estimate(0.75, n: 2))
    var priced = said
    priced[0].cost = 0.125
    #expect(estimate(priced, .series(.cost, .sum)) == Estimate(0.625, n: 2))
    #expect(priced.map(\.isCostReported) == [false, true])
    #expect(
      estimate([output(ResponseTimings())], .series(.reportedCost, .sum))
        == Estimate(unknown: "the server did not report the cost of the answers")
    )
  }

  @Test("Unusual metrics are shown only if they have values")
  func shown() {
    func names(_ outputs: [Trial.Output]) -> [String] {
      SuiteMetrics.unusual(MetricEvaluator(StatisticsTrials.answered(outputs))).map(\.name)
    }
    let streams = [
      "fallback-rate", "p50(first-text)", "p95(first-text)", "p50(longest-gap)", "p95(longest-gap)",
    ]
    let waits = ["p50(user-latency)", "p95(user-latency)"]
    #expect(names([]) == [])
    #expect(names([output(ResponseTimings(total: 1, server: 1))]) == [])
    #expect(names([streamed(1)]) == streams)
    #expect(names([streamed(1), fellBack]) == streams + waits)
    #expect(
      names([output(ResponseTimings(), reported: 0)])
        == ["mean(reported-cost)", "sum(reported-cost)"]
    )
  }

  @Test("Two sides are compared by their fallback rates")
  func compared() throws {
    func trials(_ outputs: [Trial.Output]) -> MetricEvaluator {
      MetricEvaluator(StatisticsTrials.answered(outputs))
    }
    let before = trials(Array(repeating: streamed(100), count: 20))
    let after = trials(
      Array(repeating: streamed(100), count: 15) + Array(repeating: fellBack, count: 5)
    )
    let change = try #require(
      PairedEvaluator(baseline: before, candidate: after)
        .change(Metric(.fallbackRate), margin: .usual)
    )
    #expect(change.baseline == 0)
    #expect(change.candidate == 0.25)
    #expect(change.difference == -0.25)
  }
}
