import SampleProjects
@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceStatistics
import SluiceSupport
import Testing

@Suite("Condition parser")
struct ConditionParserTests {
  /// A condition and its meaning.
  struct Row: Sendable, CustomStringConvertible {
    var text: String
    var reference: MetricReference
    var demand: Condition.Demand
    var isLive = false

    var description: String { text }
  }

  private static func comparison(
    _ text: String,
    _ reference: MetricReference,
    _ comparison: Condition.Comparison,
    _ value: Double,
    confidence: Double? = nil,
    isLive: Bool = false
  ) -> Row {
    Row(
      text: text,
      reference: reference,
      demand: .comparison(comparison, value, confidence: confidence),
      isLive: isLive
    )
  }

  private static func series(
    _ aggregate: MetricReference.Aggregate,
    _ name: String,
    _ selector: MetricReference.Selector? = nil
  ) -> MetricReference {
    MetricReference(aggregate: aggregate, name: name, selector: selector)
  }

  private static let accuracy = MetricReference(name: "accuracy")

  private static let table = [
    // Comparisons
    comparison("accuracy >= 85%", accuracy, .atLeast, 0.85),
    comparison("accuracy <= 85%", accuracy, .atMost, 0.85),
    comparison("accuracy > 85%", accuracy, .above, 0.85),
    comparison("accuracy < 85%", accuracy, .below, 0.85),
    comparison("accuracy>=85%", accuracy, .atLeast, 0.85),
    comparison("  accuracy\t>=  85 %  ", accuracy, .atLeast, 0.85),
    // Shares
    comparison("accuracy >= 0.85", accuracy, .atLeast, 0.85),
    comparison("accuracy >= 1", accuracy, .atLeast, 1),
    comparison("accuracy >= 100%", accuracy, .atLeast, 1),
    comparison("accuracy <= 0", accuracy, .atMost, 0),
    comparison("accuracy >= .5", accuracy, .atLeast, 0.5),
    comparison("accuracy >= 87.5%", accuracy, .atLeast, 0.875),
    // Units of series
    comparison("p95(latency) < 1 s", series(.percentile(95), "latency"), .below, 1_000),
    comparison("p95(latency) < 1s", series(.percentile(95), "latency"), .below, 1_000),
    comparison("max(latency) < 800 ms", series(.max, "latency"), .below, 800),
    comparison("min(first-text) < 1.005 s", series(.min, "first-text"), .below, 1_005),
    comparison("mean(cost) <= $0.004", series(.mean, "cost"), .atMost, 0.004),
    comparison("sum(cost) < $ 2", series(.sum, "cost"), .below, 2),
    comparison("mean(tokens) <= 512", series(.mean, "tokens"), .atMost, 512),
    comparison("max(input-tokens) < 4000", series(.max, "input-tokens"), .below, 4_000),
    comparison("sum(output-tokens) < 1.5", series(.sum, "output-tokens"), .below, 1.5),
    // Percentiles
    comparison("p50(latency) < 1 s", series(.percentile(50), "latency"), .below, 1_000),
    comparison("p99.9(latency) < 1 s", series(.percentile(99.9), "latency"), .below, 1_000),
    comparison("p0.5(latency) < 1 s", series(.percentile(0.5), "latency"), .below, 1_000),
    comparison("p95 ( latency ) < 1 s", series(.percentile(95), "latency"), .below, 1_000),
    // Names
    comparison(
      "false-positive-rate < 5%",
      MetricReference(name: "false-positive-rate"),
      .below,
      0.05
    ),
    comparison("items.f1 >= 75%", MetricReference(scorer: "items", name: "f1"), .atLeast, 0.75),
    comparison(
      "flags-2.recall > 1%",
      MetricReference(scorer: "flags-2", name: "recall"),
      .above,
      0.01
    ),
    comparison("größe_2 > 1%", MetricReference(name: "größe_2"), .above, 0.01),
    // Selectors
    comparison(
      "accuracy[tag=long] >= 80%",
      MetricReference(name: "accuracy", selector: .tag("long")),
      .atLeast,
      0.8
    ),
    comparison(
      "accuracy [ tag = v1.2 ] >= 80%",
      MetricReference(name: "accuracy", selector: .tag("v1.2")),
      .atLeast,
      0.8
    ),
    comparison(
      "category.recall[class=super_fan] >= 80%",
      MetricReference(scorer: "category", name: "recall", selector: .classLabel("super_fan")),
      .atLeast,
      0.8
    ),
    comparison(
      "recall[urgent] >= 80%",
      MetricReference(name: "recall", selector: .named("urgent")),
      .atLeast,
      0.8
    ),
    comparison(
      "recall[class=not sure / n.a. (yet)] >= 80%",
      MetricReference(name: "recall", selector: .classLabel("not sure / n.a. (yet)")),
      .atLeast,
      0.8
    ),
    comparison(
      "p95(latency)[tag=long] < 1 s",
      series(.percentile(95), "latency", .tag("long")),
      .below,
      1_000
    ),
    // Claims
    comparison(
      "accuracy >= 85% at 95% confidence",
      accuracy,
      .atLeast,
      0.85,
      confidence: 0.95
    ),
    comparison(
      "false-positive-rate < 5% at 99.9 % confidence",
      MetricReference(name: "false-positive-rate"),
      .below,
      0.05,
      confidence: 0.999
    ),
    // Live
    comparison(
      "p95(latency) < 1 s (live)",
      series(.percentile(95), "latency"),
      .below,
      1_000,
      isLive: true
    ),
    comparison(
      "accuracy >= 85% at 95% confidence (live)",
      accuracy,
      .atLeast,
      0.85,
      confidence: 0.95,
      isLive: true
    ),
    // Regressions
    Row(
      text: "no regression in accuracy beyond 5 points",
      reference: accuracy,
      demand: .noRegression(margin: 0.05, isRelative: false)
    ),
    Row(
      text: "no regression in accuracy beyond 1 point",
      reference: accuracy,
      demand: .noRegression(margin: 0.01, isRelative: false)
    ),
    Row(
      text: "no  regression in p95(latency) beyond 5.7% (live)",
      reference: series(.percentile(95), "latency"),
      demand: .noRegression(margin: 0.057, isRelative: true),
      isLive: true
    ),
    Row(
      text: "no regression in recall[class=fan] beyond 0 points",
      reference: MetricReference(name: "recall", selector: .classLabel("fan")),
      demand: .noRegression(margin: 0, isRelative: false)
    ),
    Row(
      text: "no regression in no beyond 5 points",
      reference: MetricReference(name: "no"),
      demand: .noRegression(margin: 0.05, isRelative: false)
    ),
  ]

  @Test("Every form of the grammar is parsed", arguments: table)
  func grammar(_ row: Row) throws {
    let condition = try ConditionParser.parse(row.text)
    #expect(condition.reference == row.reference)
    #expect(condition.demand == row.demand)
    #expect(condition.isLive == row.isLive)
    #expect(condition.text == row.text.trimmed)
  }

  @Test("Every form of the grammar conforms to the schema of suites", arguments: table)
  func schema(row: Row) throws {
    let suite: JSONValue = [
      "suite": "a", "prompt": "a.yaml", "dataset": "a", "backend": "a",
      "gates": [.string(row.text)], "goals": [.string(row.text)],
    ]
    #expect(try FileSchemas.suite.violations(of: suite) == [])
  }

  @Test("A percentage parses to exactly the fraction that counting gives")
  func exactShares() throws {
    for tenths in 0...1_000 {
      let condition = try ConditionParser.parse("accuracy >= \(tenths / 10).\(tenths % 10)%")
      #expect(condition.demand == .comparison(.atLeast, Double(tenths) / 1_000, confidence: nil))
    }
  }

  /// A condition, the position of its error, and the message.
  struct Fault: Sendable, CustomStringConvertible {
    var text: String
    var offset: Int
    var message: String
    var fix: String?

    var description: String { text }

    init(_ text: String, _ offset: Int, _ message: String, _ fix: String? = nil) {
      (self.text, self.offset, self.message, self.fix) = (text, offset, message, fix)
    }
  }

  private static let percentFix = "write a percentage such as 85%"
  private static let shareFix = "write a percentage such as 85%, or a share such as 0.85"
  private static let functions = "known: mean, max, min, sum, p50, p95"

  private static let faults = [
    // Metrics
    Fault("", 0, "expected the name of a metric"),
    Fault("   ", 2, "expected the name of a metric"),
    Fault(">= 85%", 0, "expected the name of a metric"),
    Fault("items. >= 85%", 7, "expected the name of a metric"),
    Fault("p95() < 1 s", 4, "expected the name of a metric"),
    Fault("p95(latency < 1 s", 11, "expected ')'"),
    Fault("p95(latency", 10, "expected ')'"),
    Fault("avg(latency) < 1 s", 0, "unknown function 'avg'", functions),
    Fault("  man(cost) < $1", 2, "unknown function 'man'", "did you mean 'mean'?"),
    Fault("p100(latency) < 1 s", 0, "unknown function 'p100'", "did you mean 'p50'?"),
    Fault("p0(latency) < 1 s", 0, "unknown function 'p0'", "did you mean 'p50'?"),
    Fault("p0x5(latency) < 1 s", 0, "unknown function 'p0x5'", "did you mean 'p95'?"),
    Fault("p1e1(latency) < 1 s", 0, "unknown function 'p1e1'", functions),
    Fault("pnan(latency) < 1 s", 0, "unknown function 'pnan'", "did you mean 'mean'?"),
    Fault("p 95(latency) < 1 s", 1, "expected >=, <=, > or <", "write 'p >= 85%'"),
    Fault("p(latency) < 1 s", 0, "unknown function 'p'", functions),
    Fault("accuracy (live)", 0, "unknown function 'accuracy'", functions),
    // Selectors
    Fault("accuracy[] >= 85%", 9, "expected a tag or a class"),
    Fault("accuracy[tag=] >= 85%", 13, "expected a tag or a class"),
    Fault("accuracy[=long] >= 85%", 9, "expected a tag or a class"),
    Fault("accuracy[", 8, "expected a tag or a class"),
    Fault("accuracy[tag=long >= 85%", 18, "expected ']'"),
    Fault("accuracy[tag=long", 16, "expected ']'"),
    Fault("accuracy[tag=a=b] >= 85%", 14, "expected ']'"),
    Fault("accuracy[ tags=long] >= 85%", 10, "unknown selector 'tags'", "did you mean 'tag'?"),
    Fault("accuracy[split=dev] >= 85%", 9, "unknown selector 'split'", "known: tag, class"),
    // Comparisons
    Fault("accuracy", 7, "expected >=, <=, > or <", "write 'accuracy >= 85%'"),
    Fault("accuracy 85%", 8, "expected >=, <=, > or <", "write 'accuracy >= 85%'"),
    Fault("accuracy = 85%", 8, "expected >=, <=, > or <", "write 'accuracy >= 85%'"),
    Fault("accuracy ≥ 85%", 8, "expected >=, <=, > or <", "write 'accuracy >= 85%'"),
    Fault("p95(latency)", 11, "expected >=, <=, > or <", "write 'p95(latency) < 1 s'"),
    Fault(
      "mean(cost)[tag=long]",
      19,
      "expected >=, <=, > or <",
      "write 'mean(cost)[tag=long] <= $0.004'"
    ),
    Fault("max(tokens) 9", 11, "expected >=, <=, > or <", "write 'max(tokens) <= 500'"),
    // Values
    Fault("accuracy >=", 10, "expected a number", "write 'accuracy >= 85%'"),
    Fault("accuracy >= high", 12, "expected a number"),
    Fault(
      "accuracy >= -5%",
      12,
      "'accuracy' is never below 0",
      "write a number of 0 or more"
    ),
    Fault("mean(cost) < -1", 13, "'cost' is never below 0", "write a number of 0 or more"),
    Fault("accuracy >= 1.2.3", 12, "expected a number"),
    Fault("accuracy >= .", 12, "expected a number"),
    Fault("accuracy == 85%", 8, "expected >=, <=, > or <", "write 'accuracy >= 85%'"),
    Fault("accuracy >== 85%", 11, "expected a number"),
    Fault("accuracy >= \(String(repeating: "9", count: 400))", 12, "expected a number"),
    Fault("accuracy >= 85", 12, "a share cannot be more than 100%", shareFix),
    Fault("accuracy >= 100.1%", 12, "a share cannot be more than 100%", shareFix),
    Fault("accuracy >= 85 points", 12, "a share cannot be more than 100%", shareFix),
    Fault("accuracy >= 1 s", 12, "the unit 's' cannot be used with 'accuracy'", percentFix),
    Fault("accuracy >=  $1", 13, "the unit '$' cannot be used with 'accuracy'", percentFix),
    Fault(
      "p95(latency) < 1",
      15,
      "a number without a unit cannot be used with 'latency'",
      "write a time such as 800 ms or 1 s"
    ),
    Fault(
      "p95(latency) < 5%",
      15,
      "the unit '%' cannot be used with 'latency'",
      "write a time such as 800 ms or 1 s"
    ),
    Fault(
      "p95(latency) < 1 sec",
      15,
      "a number without a unit cannot be used with 'latency'",
      "write a time such as 800 ms or 1 s"
    ),
    Fault(
      "mean(cost) < 0.004",
      13,
      "a number without a unit cannot be used with 'cost'",
      "write an amount such as $0.004"
    ),
    Fault(
      "mean(tokens) < 5 ms",
      15,
      "the unit 'ms' cannot be used with 'tokens'",
      "write a number without a unit"
    ),
    // Claims
    Fault("accuracy >= 85% at", 17, "expected a number"),
    Fault(
      "accuracy >= 85% at 95",
      20,
      "expected '% confidence'",
      "write 'at 95% confidence'"
    ),
    Fault(
      "accuracy >= 85% at 95% sure",
      22,
      "expected '% confidence'",
      "write 'at 95% confidence'"
    ),
    Fault(
      "accuracy >= 85% at 95 confidence",
      21,
      "expected '% confidence'",
      "write 'at 95% confidence'"
    ),
    Fault(
      "accuracy >= 85% at 50% confidence",
      19,
      "the confidence must be between 50% and 100%"
    ),
    Fault(
      "accuracy >= 85% at  100% confidence",
      20,
      "the confidence must be between 50% and 100%"
    ),
    // Regressions
    Fault(
      "no regresion in accuracy beyond 5 points",
      3,
      "expected 'regression in'",
      "write 'no regression in accuracy beyond 5 points'"
    ),
    Fault(
      "no regression of accuracy",
      3,
      "expected 'regression in'",
      "write 'no regression in accuracy beyond 5 points'"
    ),
    Fault("no regression in", 15, "expected the name of a metric"),
    Fault(
      "no regression in accuracy",
      24,
      "expected 'beyond'",
      "write 'no regression in accuracy beyond 5 points'"
    ),
    Fault(
      "no regression in accuracy >= 85%",
      25,
      "expected 'beyond'",
      "write 'no regression in accuracy beyond 5 points'"
    ),
    Fault("no regression in accuracy beyond", 31, "expected a number"),
    Fault(
      "no regression in accuracy beyond 5",
      33,
      "expected 'points' or '%'",
      "write 'beyond 5 points'"
    ),
    Fault(
      "no regression in accuracy beyond 5 pts",
      34,
      "expected 'points' or '%'",
      "write 'beyond 5 points'"
    ),
    // Text after a condition
    Fault(
      "accuracy >= 85% live",
      16,
      "unexpected 'live'",
      "remove the text after the condition's value"
    ),
    Fault(
      "accuracy >= 85% (Live) ",
      16,
      "unexpected '(Live)'",
      "remove the text after the condition's value"
    ),
    Fault(
      "accuracy >= 85% and items.f1 > 1%",
      16,
      "unexpected 'and items.f1 > 1%'",
      "write each condition as a separate entry"
    ),
    Fault(
      "no regression in accuracy beyond 5 points at 95% confidence",
      42,
      "unexpected 'at 95% confidence'",
      "remove the text after the condition's value"
    ),
    Fault("accuracy >= 85%%", 15, "unexpected '%'", "remove the text after the condition's value"),
    Fault("mean(cost) < $1 %", 16, "unexpected '%'", "remove the text after the condition's value"),
    Fault("\u{301}", 0, "expected >=, <=, > or <", "write '\u{301} >= 85%'"),
  ]

  @Test("Every error has its position, and a fix if there is one", arguments: faults)
  func fault(_ fault: Fault) {
    #expect(
      throws: ConditionParser.Problem(
        offset: fault.offset,
        message: fault.message,
        fix: fault.fix
      )
    ) {
      try ConditionParser.parse(fault.text)
    }
  }

  @Test("For any text, the parser ends, and its errors point into the text", arguments: 0..<200)
  func random(_ seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let parts = [
      "accuracy", "p95(", "latency", ")", "[", "tag", "=", "]", ">=", "<", "85", "%", " ", "ms",
      "$", "at", "confidence", "(live)", "no", "regression", "in", "beyond", "points", ".", "🙂",
      "p", "1", "\u{301}",
    ]
    for _ in 0..<50 {
      let text = (0..<Int.random(in: 0...9, using: &random))
        .map { _ in parts[Int.random(in: 0..<parts.count, using: &random)] }
        .joined(separator: Bool.random(using: &random) ? " " : "")
      do throws(ConditionParser.Problem) {
        let condition = try ConditionParser.parse(text)
        #expect(condition.text == text.trimmed)
      } catch {
        let last = max(text.unicodeScalars.count - 1, 0)
        #expect((0...last).contains(error.offset), "\(text.debugDescription)")
      }
    }
  }

  @Test("A metric with a unit of the user's choice is compared with a number without a unit")
  func ownUnits() throws {
    let condition = try ConditionParser.parse("number.mean-absolute-error <= 12.5") { _ in .number }
    #expect(condition.demand == .comparison(.atMost, 12.5, confidence: nil))
    let problem = ConditionParser.Problem(
      offset: 8,
      message: "the unit '%' cannot be used with 'bias'",
      fix: "write a number without a unit"
    )
    #expect(throws: problem) { try ConditionParser.parse("bias <= 5%") { _ in .number } }
  }
}
