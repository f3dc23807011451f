import Sluice
import Testing

@Suite("Metric references")
struct MetricReferenceTests {
  @Test(
    "A metric reference is written as in conditions and can be read back",
    arguments: [
      "accuracy", "flags.recall", "mean(cost)", "max(first-text)", "min(latency)", "sum(tokens)",
      "p95(latency)", "p99.9(latency)", "accuracy[tag=long]", "recall[class=urgent]",
      "category.recall[urgent]", "p50(latency)[tag=v1.2]", "recall[class=not sure / other]",
    ]
  )
  func description(_ text: String) throws {
    let value =
      text.contains("latency") || text.contains("first-text")
      ? "1 s" : text.contains("cost") ? "$1" : text.contains("tokens") ? "9" : "50%"
    let condition = try ConditionParser.parse("\(text) >= \(value)")
    #expect(condition.reference.description == text)
  }

  @Test(
    "Each series has the right quantity",
    arguments: [
      (.latency, .time), (.firstText, .time), (.cost, .money), (.tokens, .count),
      (.inputTokens, .count), (.outputTokens, .count),
    ] as [(Series, Quantity)]
  )
  func quantity(_ series: Series, _ quantity: Quantity) {
    #expect(series.quantity == quantity)
    #expect(Metric(.series(series, .mean)).quantity == quantity)
  }

  @Test("All other metrics are rates")
  func rates() {
    let kinds: [Metric.Kind] = [
      .accuracy, .unusableRate, .passRate(scorer: "s"), .scorer("s", .perClass(.f1)),
    ]
    for kind in kinds { #expect(Metric(kind).quantity == .rate) }
  }
}
