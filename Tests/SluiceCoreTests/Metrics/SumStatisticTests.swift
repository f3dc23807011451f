import SampleProjects
@testable import SluiceCore
@testable import SluiceStatistics
@testable import SluiceSupport
import Testing

@Suite("Sum statistics")
struct SumStatisticTests {
  private func evaluator(_ trials: [Trial]) -> MetricEvaluator { MetricEvaluator(trials) }

  private func spread(_ values: [Double]) -> (mean: Double, error: Double) {
    let mean = values.reduce(0, +) / Double(values.count)
    let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    let count = Double(values.count)
    return (mean, (squares / (count - 1) / count).squareRoot())
  }

  @Test("A case contributes its value to a mean, so the standard error matches the textbook")
  func mean() throws {
    let values = [300.0, 100, 250, 400, 180, 220, 90]
    let trials = StatisticsTrials.answered(values.map { StatisticsTrials.output(milliseconds: $0) })
    let metric = Metric(.series(.latency, .mean))
    let contributions = evaluator(trials).sums(metric).contributions
    for (contribution, value) in zip(contributions, values) {
      #expect(abs(contribution.value - value) < 1e-9)
    }
    let (mean, error) = spread(values)
    let half = StudentT.quantile(0.975, degreesOfFreedom: 6) * error
    let interval = try #require(evaluator(trials).estimate(metric).interval)
    #expect(abs(interval.low - (mean - half)) < 1e-9)
    #expect(abs(interval.high - (mean + half)) < 1e-9)
    let bounds = try #require(evaluator(trials).bounds(metric, confidence: 0.95))
    let oneSided = StudentT.quantile(0.95, degreesOfFreedom: 6) * error
    #expect(abs(bounds.high - (mean + oneSided)) < 1e-9)
  }

  @Test("The interval of a value that cannot be negative ends at 0")
  func least() throws {
    let values = [0.5, 0.5, 1, 9]
    let trials = values.enumerated().map { index, value in
      var trial = StatisticsTrials.trial(
        "case-\(index)",
        output: StatisticsTrials.output(milliseconds: value)
      )
      let score = Score(.passed, explanation: "", measurements: ["miss": .number(value)])
      trial.scores = [Trial.NamedScore(name: "number", score: score)]
      return trial
    }
    func mean(_ unit: MetricDefinition.Unit) -> Metric {
      Metric(.scorer("number", .mean(of: "miss", in: unit)))
    }
    let evaluator = evaluator(trials)
    for metric in [mean(.distance), Metric(.series(.latency, .mean))] {
      #expect(evaluator.estimate(metric).value == 2.75)
      #expect(try #require(evaluator.estimate(metric).interval).low == 0)
      #expect(try #require(evaluator.bounds(metric, confidence: 0.99)).low == 0)
    }
    for metric in [mean(.number), mean(.deviation)] {
      #expect(try #require(evaluator.estimate(metric).interval).low < 0)
    }
    #expect(mean(.distance).quantity == .number)
  }

  @Test("The repeats of a case form one contribution, and clusters only widen the interval")
  func units() throws {
    var trials = (0..<12).flatMap { index in
      (1...3).map { repetition in
        StatisticsTrials.trial(
          "case-\(index)",
          repetition: repetition,
          output: StatisticsTrials.output(milliseconds: Double(index % 4 * 10 + repetition))
        )
      }
    }
    let metric = Metric(.series(.latency, .mean))
    let cases = evaluator(trials).sums(metric)
    #expect(cases.count == 12)
    // The contribution of each case is its mean.
    #expect(abs(cases.contributions[1].value - 12) < 1e-9)
    let alone = evaluator(trials).estimate(metric)
    #expect(alone.n == 12)
    #expect(alone.clusters == nil)
    // All cases of a cluster take the same time.
    for index in trials.indices { trials[index].cluster = "\(index / 3 % 4)" }
    let clustered = evaluator(trials).estimate(metric)
    #expect(evaluator(trials).sums(metric).count == 12)
    #expect(clustered.value == alone.value)
    #expect(clustered.n == 12)
    #expect(clustered.clusters == 4)
    let (narrow, wide) = (try #require(alone.interval), try #require(clustered.interval))
    #expect(wide.high - wide.low > narrow.high - narrow.low)
  }

  @Test("The interval of a ratio follows from its leave-one-out values")
  func ratio() throws {
    let sums: [(Double, Double)] = (0..<60).map {
      (Double($0 * 7 % 5), Double($0 * 11 % 6 + 4))
    }
    let trials = StatisticsTrials.scored(
      sums.map { [["hit": .number($0.0), "all": .number($0.1)]] }
    )
    let metric = Metric(.scorer("s", .ratio(of: [.init("hit")], to: [.init("all")])))
    let (top, bottom) = (sums.reduce(0) { $0 + $1.0 }, sums.reduce(0) { $0 + $1.1 })
    let values = sums.map { term in
      60 * top / bottom - 59 * (top - term.0) / (bottom - term.1)
    }
    let (mean, error) = spread(values)
    let half = StudentT.quantile(0.975, degreesOfFreedom: 59) * error
    let estimate = evaluator(trials).estimate(metric)
    #expect(abs(try #require(estimate.value) - top / bottom) < 1e-12)
    let interval = try #require(estimate.interval)
    #expect(abs(interval.low - (mean - half)) < 1e-9)
    #expect(abs(interval.high - (mean + half)) < 1e-9)
  }

  @Test("A class statistic depends only on the cases of its class")
  func classes() throws {
    func trials(_ others: Int) -> [Trial] {
      StatisticsTrials.scored(
        [("a", "a"), ("a", "b"), ("b", "a"), ("a", "a")].map {
          [["expected": .string($0.0), "predicted": .string($0.1)]]
        }
          + (0..<others).map { _ in [["expected": "c", "predicted": "c"]] }
      )
    }
    for statistic in [MetricDefinition.ClassStatistic.precision, .recall, .f1] {
      let metric = Metric(.scorer("s", .perClass(statistic)), classLabel: "a")
      #expect(
        evaluator(trials(0)).estimate(metric) == evaluator(trials(500)).estimate(metric)
      )
    }
    let all = Metric(.scorer("s", .perClass(.f1)))
    #expect(evaluator(trials(500)).sums(all).count == 504)
  }

  @Test("A perfect result on five cases has the wide interval of five cases")
  func small() throws {
    let trials = StatisticsTrials.scored(
      (0..<100).map { index in
        let label: JSONValue = index < 5 ? "rare" : "common"
        return [["expected": label, "predicted": label]]
      }
    )
    for statistic in [MetricDefinition.ClassStatistic.precision, .recall, .f1] {
      let metric = Metric(.scorer("s", .perClass(statistic)), classLabel: "rare")
      let interval = try #require(evaluator(trials).estimate(metric).interval)
      #expect(interval.low < 0.6, "\(statistic)")
      #expect(interval.high == 1)
    }
  }

  @Test("A single case has an interval only if its values are bounded")
  func single() throws {
    let ratio = Metric(.scorer("s", .ratio(of: [.init("hit")], to: [.init("all")])))
    let scored = StatisticsTrials.scored([[["hit": 1, "all": 2]]])
    let interval = try #require(evaluator(scored).estimate(ratio).interval)
    #expect(interval.low == 0)
    #expect(interval.high == 1)
    let answered = StatisticsTrials.answered([StatisticsTrials.output(milliseconds: 100)])
    let latency = Metric(.series(.latency, .mean))
    #expect(evaluator(answered).estimate(latency) == Estimate(100, n: 1))
    #expect(evaluator(answered).bounds(latency, confidence: 0.95) == nil)
  }

  @Test("An interval contains its value and stays within the bounds")
  func bounded() throws {
    var random = SeededGenerator(seed: 3)
    let metric = Metric(.scorer("s", .ratio(of: [.init("hit")], to: [.init("all")])))
    for _ in 0..<200 {
      let trials = StatisticsTrials.scored(
        (0..<Int.random(in: 1...70, using: &random)).map { _ in
          let all = Int.random(in: 0...3, using: &random)
          return [
            [
              "hit": .number(Double(Int.random(in: 0...all, using: &random))),
              "all": .number(Double(all)),
            ]
          ]
        }
      )
      let estimate = evaluator(trials).estimate(metric)
      guard let value = estimate.value, let interval = estimate.interval else { continue }
      #expect(interval.low <= value && value <= interval.high)
      #expect(interval.low >= 0 && interval.high <= 1)
    }
  }
}
