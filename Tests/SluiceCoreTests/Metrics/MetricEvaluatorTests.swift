import SampleProjects
@testable import SluiceCore
@testable import SluiceStatistics
@testable import SluiceSupport
import Testing
import TestSupport

@Suite("Metric evaluator")
struct MetricEvaluatorTests {
  private let nothing = Estimate(unknown: "there is nothing to count")

  private func estimate(
    _ trials: [Trial],
    _ kind: Metric.Kind,
    tag: String? = nil,
    classLabel: String? = nil,
    fill: MetricEvaluator.Fill = .none
  ) -> Estimate {
    MetricEvaluator(trials, fill: fill)
      .estimate(Metric(kind, tag: tag, classLabel: classLabel))
  }

  /// Returns the estimate without the interval, which other tests check.
  private func number(_ estimate: Estimate) -> Estimate {
    var estimate = estimate
    estimate.interval = nil
    return estimate
  }

  // MARK: Rates by case

  @Test(
    "Accuracy is the share of cases that pass, without lost cases",
    arguments: [
      ("pppf", 3, 4), ("p", 1, 1), ("ff", 0, 2), ("plfl", 1, 2), ("pl", 1, 1),
    ]
  )
  func accuracy(_ letters: String, _ passed: Int, _ n: Int) {
    #expect(
      estimate(StatisticsTrials.cases(letters), .accuracy) == Estimate(rate: passed, of: n)
    )
  }

  @Test("Without a judged trial, accuracy is unknown", arguments: ["", "l", "lll"])
  func unknownAccuracy(_ letters: String) {
    #expect(estimate(StatisticsTrials.cases(letters), .accuracy) == nothing)
  }

  @Test(
    "A case with repeats counts once, by the share of its judged repeats that pass",
    arguments: [
      ("p", 1), ("pp", 1), ("pf", 0.5), ("ppf", 2.0 / 3), ("pff", 1.0 / 3), ("ppff", 0.5),
      ("pppff", 0.6), ("pl", 1), ("pfl", 0.5), ("ppfl", 2.0 / 3), ("pll", 1), ("fll", 0),
    ] as [(String, Double)]
  )
  func share(_ letters: String, _ share: Double) {
    let estimate = estimate(StatisticsTrials.trials("a", letters), .accuracy)
    #expect(isClose(estimate.value, share))
    #expect(estimate.n == 1)
  }

  @Test("pass@k counts cases in which any repeat passes, and pass^k those in which all pass")
  func ofRepeats() {
    let trials = ["ppp", "ppf", "fff", "pl"].enumerated().flatMap {
      StatisticsTrials.trials("case-\($0)", $1)
    }
    #expect(estimate(trials, .ofRepeats(.any)) == Estimate(rate: 3, of: 4))
    #expect(estimate(trials, .ofRepeats(.all)) == Estimate(rate: 2, of: 4))
  }

  @Test("An interval is based on cases, not on trials")
  func casesNotTrials() {
    let trials = ["ppp", "ppf", "fff"].enumerated().flatMap {
      StatisticsTrials.trials("case-\($0)", $1)
    }
    #expect(isClose(estimate(trials, .accuracy).value, 5.0 / 9))
    #expect(estimate(trials, .accuracy).n == 3)
  }

  @Test("An answer is unusable if any scorer could not use it")
  func unusable() {
    func trial(_ id: String, _ flags: [Bool]) -> Trial {
      StatisticsTrials.trial(
        id,
        .failed,
        scores: flags.enumerated().map {
          .init(name: "s\($0)", score: Score(.failed, isUnusable: $1, explanation: ""))
        }
      )
    }
    let trials = [
      trial("a", [false, true]), trial("b", [false, false]), trial("c", []),
      StatisticsTrials.trial("d", StatisticsTrials.loss),
    ]
    #expect(estimate(trials, .unusableRate) == Estimate(rate: 1, of: 3))
  }

  @Test("A pass rate excludes cases to which the scorer does not apply")
  func passRate() {
    func trial(_ id: String, _ outcome: Score.Outcome, _ repetition: Int = 1) -> Trial {
      StatisticsTrials.trial(
        id,
        repetition: repetition,
        scores: [
          .init(name: "other", score: Score(.failed, explanation: "")),
          .init(name: "s", score: Score(outcome, explanation: "")),
        ]
      )
    }
    let trials = [
      trial("a", .passed), trial("b", .failed), trial("c", .notApplicable),
      trial("d", .passed, 1), trial("d", .failed, 2), StatisticsTrials.trial("e"),
    ]
    #expect(estimate(trials, .passRate(scorer: "s")).value == 0.5)
    #expect(estimate(trials, .passRate(scorer: "s")).n == 3)
    #expect(estimate(trials, .passRate(scorer: "other")).value == 0)
    #expect(estimate(trials, .passRate(scorer: "other")).n == 4)
    #expect(estimate(trials, .passRate(scorer: "none")) == nothing)
  }

  // MARK: Shares of measurements

  private func measured(_ kind: String, _ flagged: Bool) -> JSONObject {
    [
      "clean": .bool(kind == "clean"), "positive": .bool(kind == "positive"),
      "flagged": .bool(flagged),
    ]
  }

  private let falsePositives = Metric.Kind.scorer(
    "s",
    .share(of: .init("flagged"), among: [.init("clean")])
  )
  private let recall = Metric.Kind.scorer(
    "s",
    .share(of: .init("flagged"), among: [.init("positive")])
  )
  private let precision = Metric.Kind.scorer(
    "s",
    .share(of: .init("positive"), among: [.init("flagged")])
  )

  @Test("A share counts only the cases to which it applies")
  func share() {
    let trials = StatisticsTrials.scored([
      [measured("clean", true)], [measured("clean", false)], [measured("clean", false)],
      [measured("positive", true)], [measured("positive", false)], [nil],
    ])
    #expect(estimate(trials, falsePositives) == Estimate(rate: 1, of: 3))
    #expect(estimate(trials, recall) == Estimate(rate: 1, of: 2))
    #expect(estimate(trials, precision) == Estimate(rate: 1, of: 2))
    let all = Metric.Kind.scorer("s", .share(of: .init("flagged")))
    #expect(estimate(trials, all) == Estimate(rate: 2, of: 5))
  }

  @Test("A clean or positive case counts by the share of its repeats that are flagged")
  func repetitions() {
    let trials = StatisticsTrials.scored([
      [measured("clean", false), measured("clean", true), measured("clean", false)],
      [measured("clean", false), measured("clean", false), measured("clean", false)],
      [measured("positive", false), measured("positive", true), measured("positive", false)],
      [measured("positive", true), measured("positive", true), measured("positive", false)],
    ])
    #expect(isClose(estimate(trials, falsePositives).value, 1.0 / 6))
    #expect(isClose(estimate(trials, recall).value, 0.5))
    #expect(estimate(trials, recall).n == 2)
  }

  @Test("A share of no cases is unknown")
  func emptyShare() {
    let trials = StatisticsTrials.scored([[measured("positive", true)]])
    #expect(estimate(trials, falsePositives) == nothing)
    #expect(estimate(StatisticsTrials.scored([[[:]], [nil]]), recall) == nothing)
  }

  // MARK: Sums

  @Test("A ratio divides sums over all trials, and true counts as 1")
  func ratio() {
    let trials = StatisticsTrials.scored([
      [["hit": true, "all": 2]], [["hit": false, "all": 3]], [["hit": 1, "all": 0]], [nil],
      [["hit": "many", "all": nil]],
    ])
    let ratio = MetricDefinition.Formula.ratio(
      of: [.init("hit", times: 2)],
      to: [.init("all"), .init("hit")]
    )
    // 2 · (1 + 0 + 1) / (2 + 3 + 0 + 1 + 0 + 1), from three trials with a nonzero denominator.
    #expect(number(estimate(trials, .scorer("s", ratio))) == Estimate(4.0 / 7, n: 3))
  }

  @Test("A ratio with a denominator of zero is unknown, not zero")
  func emptyRatio() {
    let ratio = MetricDefinition.Formula.ratio(of: [.init("hit")], to: [.init("all")])
    #expect(estimate([], .scorer("s", ratio)) == nothing)
    #expect(
      estimate(StatisticsTrials.scored([[["hit": 0, "all": 0]]]), .scorer("s", ratio)) == nothing
    )
  }

  @Test("A label statistic is about one class, or is the mean over all classes")
  func classes() {
    let trials = StatisticsTrials.scored([
      [["expected": "fan", "predicted": "fan"]], [["expected": "fan", "predicted": "spam"]],
      [["expected": "spam", "predicted": "spam"]], [["expected": "spam", "predicted": nil]],
    ])
    let recall = Metric.Kind.scorer("s", .perClass(.recall))
    #expect(estimate(trials, recall, classLabel: "fan") == Estimate(rate: 1, of: 2))
    #expect(number(estimate(trials, recall)) == Estimate(0.5, n: 4))
    let precision = Metric.Kind.scorer("s", .perClass(.precision))
    #expect(number(estimate(trials, precision, classLabel: "fan")) == Estimate(1, n: 1))
    #expect(estimate(trials, precision, classLabel: "business") == nothing)
  }

  // MARK: Series

  @Test("A series is aggregated as requested")
  func aggregates() {
    let trials = StatisticsTrials.answered(
      [300, 100, 200, 400].map { StatisticsTrials.output(milliseconds: $0) }
    )
    func latency(_ aggregate: MetricReference.Aggregate) -> Estimate {
      number(estimate(trials, .series(.latency, aggregate)))
    }
    #expect(latency(.mean) == Estimate(250, n: 4))
    #expect(latency(.sum) == Estimate(1_000, n: 4))
    #expect(latency(.max) == Estimate(400, n: 4))
    #expect(latency(.min) == Estimate(100, n: 4))
    #expect(latency(.percentile(50)) == Estimate(250, n: 4))
    #expect(latency(.percentile(75)) == Estimate(325, n: 4))
  }

  @Test("Token counts are those that the server sent")
  func tokens() {
    let trials = StatisticsTrials.answered([
      StatisticsTrials.output(usage: TokenUsage(input: 10, output: 5)),
      StatisticsTrials.output(usage: TokenUsage(input: 20, output: 7)),
    ])
    #expect(estimate(trials, .series(.inputTokens, .sum)) == Estimate(30, n: 2))
    #expect(number(estimate(trials, .series(.outputTokens, .mean))) == Estimate(6, n: 2))
    #expect(estimate(trials, .series(.tokens, .max)) == Estimate(27, n: 2))
  }

  @Test("One unknown cost makes every cost metric unknown, not smaller")
  func unknownCost() {
    let outputs = [0.001, nil, 0.002].map { StatisticsTrials.output(cost: $0) }
    let unknown = Estimate(unknown: "the server sent no usage", n: 2)
    for aggregate in [MetricReference.Aggregate.mean, .sum, .max, .min, .percentile(95)] {
      #expect(
        estimate(StatisticsTrials.answered(outputs), .series(.cost, aggregate)) == unknown
      )
    }
    let known = StatisticsTrials.answered([outputs[0], outputs[2]])
    #expect(estimate(known, .series(.cost, .sum)) == Estimate(0.003, n: 2))
  }

  @Test(
    "An unknown cost states whether price or usage is missing, with counts if both are",
    arguments: [
      ([TokenUsage(input: 10, output: 2)], "no price for the model"),
      ([nil, nil], "the server sent no usage"),
      ([TokenUsage(input: 10)], "the server sent only a part of the usage"),
      (
        [TokenUsage(input: 10, output: 2), nil, TokenUsage(input: 9, output: 1)],
        "no price for the model (2 answers), the server sent no usage (1 answer)"
      ),
    ] as [([TokenUsage?], String)]
  )
  func whyCostIsUnknown(_ usages: [TokenUsage?], _ reason: String) {
    let outputs = usages.map { StatisticsTrials.output(usage: $0) }
    for aggregate in [MetricReference.Aggregate.mean, .sum, .percentile(95)] {
      #expect(
        estimate(StatisticsTrials.answered(outputs), .series(.cost, aggregate))
          == Estimate(unknown: reason)
      )
    }
    // Known values of other trials do not affect the reason.
    let priced = StatisticsTrials.output(cost: 0.1)
    #expect(
      estimate(StatisticsTrials.answered(outputs + [priced]), .series(.cost, .sum))
        == Estimate(unknown: reason, n: 1)
    )
  }

  @Test("A cost of zero is known")
  func freeOfCharge() {
    let trials = StatisticsTrials.answered([StatisticsTrials.output(cost: 0)])
    #expect(estimate(trials, .series(.cost, .mean)) == Estimate(0, n: 1))
  }

  @Test(
    "An unknown series states the reason",
    arguments: [
      (.latency, "the latency was not recorded"), (.firstText, "the answers were not streamed"),
      (.longestGap, "the answers were not streamed"),
      (.userLatency, "the latency was not recorded"),
      (.reportedCost, "the server did not report the cost of the answers"),
      (.cost, "the server sent no usage"), (.tokens, "the server sent no usage"),
      (.inputTokens, "the server sent no usage"), (.outputTokens, "the server sent no usage"),
    ] as [(Series, String)]
  )
  func unknownSeries(_ series: Series, _ reason: String) {
    let trials = StatisticsTrials.answered([StatisticsTrials.output()])
    #expect(estimate(trials, .series(series, .mean)) == Estimate(unknown: reason))
    let lost = [StatisticsTrials.trial("a", StatisticsTrials.loss)]
    #expect(estimate(lost, .series(series, .mean)) == Estimate(unknown: "there are no answers"))
  }

  @Test("The sum of tokens is unknown if one of the two counts is missing")
  func halfUsage() {
    let trials = StatisticsTrials.answered([StatisticsTrials.output(usage: TokenUsage(input: 10))])
    #expect(estimate(trials, .series(.inputTokens, .sum)) == Estimate(10, n: 1))
    #expect(
      estimate(trials, .series(.tokens, .sum)) == Estimate(unknown: "the server sent no usage")
    )
  }

  @Test("The interval of a percentile counts only answered cases")
  func percentileOfSome() {
    let answered = StatisticsTrials.answered(
      (0..<60).map { StatisticsTrials.output(milliseconds: Double($0)) }
    )
    let lost = [StatisticsTrials.trial("lost", StatisticsTrials.loss)]
    for percent in [5.0, 50, 95] {
      let kind = Metric.Kind.series(.latency, .percentile(percent))
      #expect(estimate(answered + lost, kind) == estimate(answered, kind))
      #expect(
        MetricEvaluator(answered + lost).bounds(Metric(kind), confidence: 0.95)
          == MetricEvaluator(answered).bounds(Metric(kind), confidence: 0.95)
      )
    }
    let median = Metric.Kind.series(.latency, .percentile(50))
    #expect(estimate(answered, median).interval == Interval(low: 21, high: 38))
    #expect(estimate(Array(answered[..<1]) + lost, median) == Estimate(0, n: 1))
  }

  @Test("Repeats do not narrow the interval of a percentile")
  func repeatedPercentile() {
    let once = StatisticsTrials.answered(
      (0..<60).map { StatisticsTrials.output(milliseconds: Double($0)) }
    )
    let thrice = once.flatMap { trial in
      (1...3).map { repetition in
        var trial = trial
        trial.repetition = repetition
        return trial
      }
    }
    let median = Metric.Kind.series(.latency, .percentile(50))
    #expect(estimate(thrice, median).interval == estimate(once, median).interval)
    #expect(estimate(thrice, median).n == 60)
  }

  // MARK: Slices

  @Test("A tag selects the cases that have it")
  func tags() {
    let trials =
      StatisticsTrials.trials("a", "p", tags: ["long", "draft"])
      + StatisticsTrials.trials("b", "f", tags: ["long"])
      + StatisticsTrials.trials("c", "f", tags: ["longer"])
    #expect(estimate(trials, .accuracy, tag: "long") == Estimate(rate: 1, of: 2))
    #expect(estimate(trials, .accuracy, tag: "draft") == Estimate(rate: 1, of: 1))
    #expect(estimate(trials, .accuracy, tag: "short") == nothing)
  }

  // MARK: Lost trials

  @Test(
    "Lost trials can be filled with their best or worst possible result",
    arguments: [("ppfl", 3, 2, 4), ("l", 1, 0, 1), ("pf", 1, 1, 2), ("llll", 4, 0, 4)]
  )
  func fill(_ letters: String, _ best: Int, _ worst: Int, _ n: Int) {
    let trials = StatisticsTrials.cases(letters)
    #expect(estimate(trials, .accuracy, fill: .holding) == Estimate(rate: best, of: n))
    #expect(estimate(trials, .accuracy, fill: .notHolding) == Estimate(rate: worst, of: n))
  }

  @Test(
    "Within a case, a lost repeat changes the share by one repeat",
    arguments: [
      ("pfl", 2.0 / 3, 1.0 / 3), ("ppl", 1, 2.0 / 3), ("ffl", 1.0 / 3, 0), ("pl", 1, 0.5),
      ("pppfl", 0.8, 0.6),
    ] as [(String, Double, Double)]
  )
  func fillRepetitions(_ letters: String, _ best: Double, _ worst: Double) {
    let trials = StatisticsTrials.trials("a", letters)
    #expect(isClose(estimate(trials, .accuracy, fill: .holding).value, best))
    #expect(isClose(estimate(trials, .accuracy, fill: .notHolding).value, worst))
  }

  @Test("A lost clean case can change the false-positive rate; a lost positive case cannot")
  func lostCases() {
    let judged = StatisticsTrials.scored([[measured("clean", true)], [measured("clean", false)]])
    let positive = StatisticsTrials.lost("p", given: ["positive": true, "clean": false])
    let clean = StatisticsTrials.lost("c", given: ["positive": false, "clean": true])
    for fill in [MetricEvaluator.Fill.none, .holding, .notHolding] {
      #expect(
        estimate(judged + [positive], falsePositives, fill: fill) == Estimate(rate: 1, of: 2)
      )
    }
    #expect(estimate(judged + [clean], falsePositives) == Estimate(rate: 1, of: 2))
    #expect(estimate(judged + [clean], falsePositives, fill: .holding) == Estimate(rate: 2, of: 3))
    #expect(
      estimate(judged + [clean], falsePositives, fill: .notHolding) == Estimate(rate: 1, of: 3)
    )
  }

  @Test("The measurements of a lost trial are ignored")
  func lostScores() {
    let lost = StatisticsTrials.lost(
      "a",
      given: ["clean": true, "flagged": true, "hit": 1, "all": 1]
    )
    #expect(lost.score(of: "s") == nil)
    #expect(estimate([lost], falsePositives) == nothing)
    #expect(
      estimate([lost], .scorer("s", .ratio(of: [.init("hit")], to: [.init("all")]))) == nothing
    )
    #expect(estimate([lost], .passRate(scorer: "s")) == nothing)
    #expect(estimate([lost], .unusableRate) == nothing)
  }

  @Test("A metric is affected by lost trials only if it uses them")
  func touchesLostTrials() {
    let trials =
      StatisticsTrials.trials("a", "pl", tags: ["long"])
      + StatisticsTrials.trials("b", "p", tags: ["draft"])
    let evaluator = MetricEvaluator(trials)
    #expect(evaluator.touchesLostTrials(Metric(.accuracy)))
    #expect(evaluator.touchesLostTrials(Metric(.accuracy, tag: "long")))
    #expect(!evaluator.touchesLostTrials(Metric(.accuracy, tag: "draft")))
  }
}
