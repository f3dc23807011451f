import SampleProjects
@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceStatistics
import Testing

@Suite("Decider")
struct DeciderTests {
  private func decide(_ text: String, _ kind: Metric.Kind, _ trials: [Trial], tag: String? = nil)
    throws -> Decision
  {
    try Decider(trials).decide(ConditionParser.parse(text), on: Metric(kind, tag: tag))
  }

  /// The verdict, reason and explanation as one text.
  private func said(_ decision: Decision) -> String {
    "\(decision.verdict.rawValue), \(decision.reason): \(decision.explanation)"
  }

  private func latencies(_ count: Int, _ milliseconds: Double = 500) -> [Trial] {
    StatisticsTrials.answered(
      (0..<count).map { _ in StatisticsTrials.output(milliseconds: milliseconds) }
    )
  }

  // MARK: Comparisons

  @Test(
    "A comparison is decided by the point estimate",
    arguments: [
      ("accuracy >= 75%", "pass, met: met"), ("accuracy > 75%", "fail, not-met: not met"),
      ("accuracy <= 75%", "pass, met: met"), ("accuracy < 75%", "fail, not-met: not met"),
      ("accuracy >= 76%", "fail, not-met: not met"), ("accuracy >= 0.7", "pass, met: met"),
    ]
  )
  func comparisons(_ text: String, _ outcome: String) throws {
    let decision = try decide(text, .accuracy, StatisticsTrials.cases("pppf"))
    #expect(said(decision) == outcome)
    #expect(decision.estimate == Estimate(rate: 3, of: 4))
    #expect(decision.condition.text == text)
    #expect(decision.metric == Metric(.accuracy))
  }

  @Test("A rate of exactly 58.7% meets a bound of 58.7% without rounding errors")
  func exactBounds() throws {
    let letters = String(repeating: "p", count: 587) + String(repeating: "f", count: 413)
    let trials = StatisticsTrials.cases(letters)
    for text in ["accuracy >= 58.7%", "accuracy <= 58.7%", "accuracy >= 0.587"] {
      #expect(try decide(text, .accuracy, trials).verdict == .pass)
    }
    for text in ["accuracy > 58.7%", "accuracy < 58.7%"] {
      #expect(try decide(text, .accuracy, trials).verdict == .fail)
    }
  }

  @Test("A condition on a tag counts only cases with that tag")
  func tags() throws {
    let trials =
      StatisticsTrials.trials("a", "p", tags: ["long"]) + StatisticsTrials.trials("b", "f")
    #expect(
      try decide("accuracy[tag=long] >= 85%", .accuracy, trials, tag: "long").verdict == .pass
    )
    #expect(try decide("accuracy >= 85%", .accuracy, trials).verdict == .fail)
  }

  // MARK: Unknown

  @Test("A condition on an unknown value has no verdict, and explains why")
  func unknown() throws {
    #expect(
      said(try decide("accuracy >= 0%", .accuracy, []))
        == "no-verdict, unknown: unknown: there is nothing to count"
    )
    let unpriced = StatisticsTrials.answered([StatisticsTrials.output()])
    #expect(
      said(try decide("mean(cost) <= $1", .series(.cost, .mean), unpriced))
        == "no-verdict, unknown: unknown: the server sent no usage"
    )
    #expect(
      said(try decide("mean(tokens) <= 1", .series(.tokens, .mean), unpriced))
        == "no-verdict, unknown: unknown: the server sent no usage"
    )
    #expect(
      said(try decide("max(first-text) < 1 s", .series(.firstText, .max), unpriced))
        == "no-verdict, unknown: unknown: the answers were not streamed"
    )
  }

  @Test("A loss of every trial is the reason only if these trials would have made the value known")
  func unknownByLoss() throws {
    let lost = StatisticsTrials.trial("lost", StatisticsTrials.loss)
    let everything = "no-verdict, lost-trials: unknown: all trials for this metric were lost"
    let falsePositives = Metric.Kind.scorer(
      "s",
      .share(of: .init("flagged"), among: [.init("clean")])
    )
    let judged = StatisticsTrials.scored([[["clean": false, "positive": true, "flagged": true]]])
    let clean = StatisticsTrials.lost("c", given: ["clean": true, "positive": false])
    let positive = StatisticsTrials.lost("p", given: ["clean": false, "positive": true])
    #expect(said(try decide("s.x < 5%", falsePositives, judged + [clean])) == everything)
    #expect(
      said(try decide("s.x < 5%", falsePositives, judged + [positive]))
        == "no-verdict, unknown: unknown: there is nothing to count"
    )
    #expect(said(try decide("mean(cost) < $1", .series(.cost, .mean), [lost])) == everything)
    let unpriced = StatisticsTrials.answered([StatisticsTrials.output()])
    #expect(
      said(try decide("mean(cost) < $1", .series(.cost, .mean), unpriced + [lost]))
        == "no-verdict, unknown: unknown: the server sent no usage"
    )
    let ratio = Metric.Kind.scorer("s", .ratio(of: [.init("hit")], to: [.init("all")]))
    #expect(said(try decide("s.x < 5%", ratio, [lost])) == everything)
  }

  // MARK: Live

  @Test("A condition marked (live) is decided only on live answers")
  func live() throws {
    let condition = try ConditionParser.parse("accuracy >= 80% (live)")
    let trials = StatisticsTrials.cases("pppf")
    #expect(
      said(Decider(trials).decide(condition, on: Metric(.accuracy)))
        == "not-evaluated, live-only: decided only on live answers"
    )
    #expect(
      said(Decider(trials, source: .live).decide(condition, on: Metric(.accuracy)))
        == "fail, not-met: not met"
    )
    // Even an unknown value does not matter.
    #expect(
      said(Decider([]).decide(condition, on: Metric(.accuracy)))
        == "not-evaluated, live-only: decided only on live answers"
    )
  }

  // MARK: Percentiles

  @Test(
    "A percentile with too few measurements is inconclusive, met or not",
    arguments: [
      ("p95(latency) < 1 s", 95, 58, "58 measurements", 59),
      ("p95(latency) < 1 ms", 95, 58, "58 measurements", 59),
      ("p50(latency) <= 1 s", 50, 4, "4 measurements", 5),
      ("p90(latency) <= 1 s", 90, 1, "1 measurement", 29),
      ("p99(latency) <= 1 s", 99, 298, "298 measurements", 299),
      // A low percentile is as hard to bound from below as the mirrored high one from above.
      ("p5(latency) > 1 ms", 5, 58, "58 measurements", 59),
    ] as [(String, Double, Int, String, Int)]
  )
  func tooFew(_ text: String, _ percent: Double, _ n: Int, _ count: String, _ needed: Int) throws {
    let kind = Metric.Kind.series(.latency, .percentile(percent))
    #expect(
      said(try decide(text, kind, latencies(n)))
        == "inconclusive, too-few: \(count) cannot give an interval for this percentile; "
        + "\(needed) needed"
    )
    let enough = try decide(text, kind, latencies(needed))
    #expect(enough.verdict == (text.contains("< 1 ms") ? .fail : .pass))
  }

  @Test("A single measurement bounds a high percentile from below")
  func fromBelow() throws {
    let kind = Metric.Kind.series(.latency, .percentile(95))
    #expect(try decide("p95(latency) > 1 ms", kind, latencies(1)).verdict == .pass)
  }

  @Test("A percentile so close to 0 that no sample can bound it is inconclusive")
  func extremePercentile() throws {
    let zeros = String(repeating: "0", count: 40)
    let text = "p0.\(zeros)1(latency) > 1 ms"
    let condition = try ConditionParser.parse(text)
    let aggregate = try #require(condition.reference.aggregate)
    let decision = Decider(latencies(10)).decide(
      condition,
      on: Metric(.series(.latency, aggregate))
    )
    #expect(decision.verdict == .inconclusive)
  }

  @Test("Means, maxima, minima and sums need only one measurement")
  func noPercentile() throws {
    for aggregate in [MetricReference.Aggregate.mean, .max, .min, .sum] {
      let kind = Metric.Kind.series(.latency, aggregate)
      #expect(try decide("mean(latency) < 1 s", kind, latencies(1)).verdict == .pass)
    }
  }

  // MARK: Lost trials

  @Test(
    "A verdict that lost trials could change is withheld; any other is kept",
    arguments: [
      ("accuracy >= 50%", "pppl", "pass, met: met"),
      ("accuracy >= 50%", "pfl", "no-verdict, lost-trials: 1 lost trial could change the outcome"),
      (
        "accuracy >= 85%", "ppppppppll",
        "no-verdict, lost-trials: 2 lost trials could change the outcome"
      ),
      ("accuracy >= 80%", "ppppppppll", "pass, met: met"),
      (
        "accuracy >= 81%", "ppppppppll",
        "no-verdict, lost-trials: 2 lost trials could change the outcome"
      ),
      ("accuracy >= 85%", "fffffl", "fail, not-met: not met"),
      ("accuracy <= 20%", "ffffl", "pass, met: met"),
      ("accuracy < 20%", "ffffl", "no-verdict, lost-trials: 1 lost trial could change the outcome"),
      ("accuracy >= 0%", "pl", "pass, met: met"),
      ("accuracy > 100%", "pl", "fail, not-met: not met"),
      (
        "accuracy >= 0%", "ll",
        "no-verdict, lost-trials: unknown: all trials for this metric were lost"
      ),
    ]
  )
  func lost(_ text: String, _ letters: String, _ outcome: String) throws {
    #expect(said(try decide(text, .accuracy, StatisticsTrials.cases(letters))) == outcome)
  }

  @Test("A lost repeat matters only if it could change the outcome")
  func lostRepetitions() throws {
    let safe = StatisticsTrials.trials("a", "ppl") + StatisticsTrials.trials("b", "fffl")
    #expect(try decide("accuracy >= 33%", .accuracy, safe).verdict == .pass)
    #expect(try decide("accuracy >= 50%", .accuracy, safe).verdict == .noVerdict)
    let open = StatisticsTrials.trials("a", "pfl") + StatisticsTrials.trials("b", "fff")
    #expect(try decide("accuracy >= 30%", .accuracy, open).verdict == .noVerdict)
  }

  @Test("A lost trial without a condition's tag cannot change it")
  func lostElsewhere() throws {
    let trials =
      StatisticsTrials.trials("a", "p", tags: ["long"]) + StatisticsTrials.trials("b", "l")
    #expect(try decide("accuracy[tag=long] > 99%", .accuracy, trials, tag: "long").verdict == .pass)
    #expect(try decide("accuracy > 99%", .accuracy, trials).verdict == .noVerdict)
  }

  @Test("A lost clean case can change the false-positive rate, but a lost positive case cannot")
  func lostPositive() throws {
    let kind = Metric.Kind.scorer(
      "s",
      .share(of: .init("flagged"), among: [.init("clean")])
    )
    let judged = StatisticsTrials.scored(
      (0..<10).map { _ in [["clean": true, "positive": false, "flagged": false]] }
    )
    let positive = StatisticsTrials.lost("p", given: ["clean": false, "positive": true])
    let clean = StatisticsTrials.lost("c", given: ["clean": true, "positive": false])
    let text = "false-positive-rate < 5%"
    #expect(said(try decide(text, kind, judged + [positive])) == "pass, met: met")
    #expect(
      said(try decide(text, kind, judged + [clean]))
        == "no-verdict, lost-trials: 1 lost trial could change the outcome"
    )
    #expect(
      said(try decide("false-positive-rate < 10%", kind, judged + [clean])) == "pass, met: met"
    )
  }

  @Test("A lost trial's part of a sum or sample is unbounded, so there is no verdict")
  func lostFromSums() throws {
    let lost = StatisticsTrials.trial("lost", StatisticsTrials.loss)
    let could = "no-verdict, lost-trials: 1 lost trial could change the outcome"
    #expect(
      said(try decide("mean(latency) < 1 s", .series(.latency, .mean), latencies(99) + [lost]))
        == could
    )
    #expect(
      said(
        try decide("p95(latency) < 1 s", .series(.latency, .percentile(95)), latencies(9) + [lost])
      ) == could
    )
    let sums = StatisticsTrials.scored([[["hit": 1, "all": 1]]]) + [lost]
    let ratio = Metric.Kind.scorer("s", .ratio(of: [.init("hit")], to: [.init("all")]))
    #expect(said(try decide("s.f1 >= 50%", ratio, sums)) == could)
    let labels = StatisticsTrials.scored([[["expected": "fan", "predicted": "fan"]]]) + [lost]
    #expect(said(try decide("s.f1 >= 50%", .scorer("s", .perClass(.f1)), labels)) == could)
  }

  @Test("No outcome of the lost trials would have changed a verdict")
  func fillings() throws {
    // Tries all words of up to five cases with some lost trials, and all ways to fill those in.
    func words(_ length: Int, _ letters: String) -> [String] {
      (0..<length).reduce([""]) { words, _ in words.flatMap { word in letters.map { word + [$0] } }
      }
    }
    func fillings(_ word: String) -> [String] {
      word.reduce([""]) { filled, letter in
        filled.flatMap { start in (letter == "l" ? "pf" : String(letter)).map { start + [$0] } }
      }
    }
    let conditions = ["accuracy >= 50%", "accuracy > 50%", "accuracy <= 50%", "accuracy < 75%"]
    for text in conditions {
      for word in (1...5).flatMap({ words($0, "pfl") }) where word.contains("l") {
        let decision = try decide(text, .accuracy, StatisticsTrials.cases(word))
        let filled = try Set(
          fillings(word).map { try decide(text, .accuracy, StatisticsTrials.cases($0)).verdict }
        )
        if decision.verdict == .noVerdict {
          // If every trial was lost, there is never a verdict, even if all fillings agree.
          #expect(filled.count == 2 || !word.contains { $0 != "l" }, "\(text) of \(word)")
        } else {
          #expect(filled == [decision.verdict], "\(text) of \(word)")
        }
      }
    }
  }
}
