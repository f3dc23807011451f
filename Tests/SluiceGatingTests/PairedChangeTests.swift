import SampleProjects
@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceReporting
@testable import SluiceStatistics
@testable import SluiceSupport
import Testing
import TestSupport

@Suite("Paired changes")
struct PairedChangeTests {
  private func compared(
    _ metric: Metric,
    _ before: [Trial],
    _ after: [Trial],
    margin: Margin = Margin(0.05),
    fill: PairedEvaluator.Fill = .none
  ) -> PairedChange? {
    PairedEvaluator(baseline: MetricEvaluator(before), candidate: MetricEvaluator(after))
      .change(metric, margin: margin, fill: fill)
  }

  // MARK: Rates

  /// The trials of one side; each word has the outcomes of a case's repeats as letters.
  private func side(_ words: [String], clusters: [String?]) -> [Trial] {
    zip(words, clusters).enumerated().flatMap { index, entry in
      StatisticsTrials.trials("case-\(index)", entry.0, tags: index % 2 == 0 ? ["even"] : [])
        .map { trial in
          var trial = trial
          trial.cluster = entry.1
          return trial
        }
    }
  }

  /// Returns the share of judged trials that passed, or `nil` if there are none.
  private func share(_ letters: String) -> Double? {
    let judged = letters.filter { $0 != "l" }
    return judged.isEmpty ? nil : Double(judged.count { $0 == "p" }) / Double(judged.count)
  }

  /// Computes the change between two sides in the simplest way.
  private func counted(_ before: [String], _ after: [String]) -> (
    difference: Double, harmful: Int, beneficial: Int, n: Int
  ) {
    var (difference, harmful, beneficial, n) = (0.0, 0, 0, 0)
    for (was, now) in zip(before, after) {
      guard let was = share(was), let now = share(now) else { continue }
      n += 1
      difference += now - was
      harmful += now < was - 1e-9 ? 1 : 0
      beneficial += now > was + 1e-9 ? 1 : 0
    }
    return (difference, harmful, beneficial, n)
  }

  @Test("Means and percentiles compare only the cases that both sides answered")
  func lostCases() throws {
    // The slowest cases are lost, which must not look like a speedup.
    let before = StatisticsTrials.answered(
      (1...100).map { StatisticsTrials.output(milliseconds: Double($0)) }
    )
    let after = before.enumerated().map { number, trial in
      number < 90 ? trial : StatisticsTrials.trial(trial.caseID, StatisticsTrials.loss)
    }
    let paired = PairedEvaluator(
      baseline: MetricEvaluator(before),
      candidate: MetricEvaluator(after)
    )
    for aggregate in [MetricReference.Aggregate.mean, .percentile(95)] {
      let change = try #require(
        paired.change(Metric(.series(.latency, aggregate)), margin: Margin(0.1, isRelative: true))
      )
      #expect(change.n == 90)
      #expect(change.baseline == change.candidate)
      #expect(change.difference == 0)
    }
  }

  @Test("The difference is the mean over cases, with any clusters, repeats and losses")
  func random() throws {
    var random = SeededGenerator(seed: 5)
    for _ in 0..<300 {
      let count = Int.random(in: 1...25, using: &random)
      func words() -> [String] {
        (0..<count).map { _ in
          String(
            (0..<Int.random(in: 1...4, using: &random)).map { _ in
              "ppppffl".randomElement(using: &random) ?? "p"
            }
          )
        }
      }
      let (before, after) = (words(), words())
      let clusters = (0..<count).map { _ -> String? in
        Int.random(in: 0..<3, using: &random) == 0
          ? "cluster \(Int.random(in: 0..<4, using: &random))" : nil
      }
      let expected = counted(before, after)
      let change = compared(
        Metric(.accuracy),
        side(before, clusters: clusters),
        side(after, clusters: clusters)
      )
      guard expected.n > 0 else {
        #expect(change == nil)
        continue
      }
      let found = try #require(change)
      #expect(
        found.basis == .flips(harmful: expected.harmful, beneficial: expected.beneficial)
      )
      #expect(found.n == expected.n)
      #expect(isClose(found.difference, expected.difference / Double(expected.n), 1e-9))
      #expect(isClose(found.candidate - found.baseline, found.difference, 1e-9))
      #expect(found.interval.low <= found.difference + 1e-9)
      #expect(found.interval.high >= found.difference - 1e-9)
    }
  }

  @Test("Only cases with the tag are compared")
  func tags() throws {
    let clusters = [String?](repeating: nil, count: 4)
    let change = try #require(
      compared(
        Metric(.accuracy, tag: "even"),
        side(["p", "p", "p", "p"], clusters: clusters),
        side(["f", "f", "p", "f"], clusters: clusters)
      )
    )
    #expect(change.basis == .flips(harmful: 1, beneficial: 0))
    #expect(change.n == 2)
  }

  @Test("For a metric that prefers small numbers, an increase is harmful")
  func prefersSmall() throws {
    func trials(_ flags: [Bool]) -> [Trial] {
      StatisticsTrials.scored(
        flags.map { [["clean": true, "false-alarm": .bool($0)]] }
      )
    }
    let metric = Metric(
      .scorer("s", .share(of: .init("false-alarm"), among: [.init("clean")])),
      prefersSmall: true
    )
    let change = try #require(
      compared(metric, trials([true, false, false, false]), trials([false, true, true, false]))
    )
    #expect(change.basis == .flips(harmful: 2, beneficial: 1))
    #expect((change.baseline, change.candidate) == (0.25, 0.5))
    #expect(change.difference == -0.25)
  }

  @Test("Lost trials can be filled with the worst or the best outcome on either side")
  func fill() throws {
    let (before, after) = (StatisticsTrials.cases("plpf"), StatisticsTrials.cases("pplf"))
    let metric = Metric(.accuracy)
    func basis(_ fill: PairedEvaluator.Fill) -> PairedChange.Basis? {
      compared(metric, before, after, fill: fill)?.basis
    }
    #expect(basis(.none) == .flips(harmful: 0, beneficial: 0))
    #expect(basis(.worst) == .flips(harmful: 1, beneficial: 0))
    #expect(basis(.best) == .flips(harmful: 0, beneficial: 1))
    #expect(compared(metric, before, after)?.n == 2)
    #expect(compared(metric, before, after, fill: .worst)?.n == 4)
  }

  @Test("A margin in percent is relative to the baseline's value")
  func relativeMargin() throws {
    let trials = StatisticsTrials.cases("ppff")
    let change = compared(
      Metric(.accuracy),
      trials,
      trials,
      margin: Margin(0.1, isRelative: true)
    )
    #expect(change?.margin == 0.05)
  }

  @Test("If nothing changed, the probability of a loss is 50%")
  func noChange() throws {
    let trials = StatisticsTrials.cases(String(repeating: "p", count: 30))
    let change = try #require(compared(Metric(.accuracy), trials, trials))
    #expect(change.pWorse == 0.5)
    #expect(change.pBeyondMargin > 0.5)
    #expect(change.isNothing)
  }

  @Test("A p value is below 5% exactly if the interval's end is below 0 or the margin")
  func duality() {
    for n in [10, 30, 100] {
      for harmful in 0...min(n, 12) {
        for beneficial in 0...min(n - harmful, 6) {
          let change = PairedChange.fixture(harmful, beneficial, n)
          if abs(change.pWorse - 0.05) > 1e-9 {
            #expect((change.pWorse < 0.05) == (change.interval.high < 0))
          }
          if abs(change.pBeyondMargin - 0.05) > 1e-9 {
            #expect((change.pBeyondMargin < 0.05) == (change.interval.high < -0.05))
          }
        }
      }
    }
  }

  // MARK: Cases that count by their answers

  @Test("A drop in precision by new false alarms is detected even if no hit is lost")
  func precision() throws {
    func flagged(_ hits: Int, _ alarms: Int) -> [Trial] {
      StatisticsTrials.scored(
        (0..<60).map { index in
          let isPositive = index < 30
          let flags = isPositive ? index < hits : index - 30 < alarms
          return [
            [
              "positive": .bool(isPositive), "clean": .bool(!isPositive),
              "hit": .bool(isPositive && flags), "false-alarm": .bool(!isPositive && flags),
            ]
          ]
        }
      )
    }
    let metric = Metric(
      .scorer("s", .share(of: .init("hit"), among: [.init("hit"), .init("false-alarm")]))
    )
    let worse = try #require(compared(metric, flagged(30, 0), flagged(30, 30)))
    #expect((worse.baseline, worse.candidate) == (1, 0.5))
    #expect(abs(worse.difference - -0.5) < 1e-12)
    #expect(worse.basis == .contributions)
    #expect(worse.n == 60)
    #expect(worse.interval.high < -0.05)
    #expect(RegressionRule().judge(worse).verdict == .fail)
    let better = try #require(compared(metric, flagged(30, 30), flagged(30, 0)))
    #expect(RegressionRule().judge(better) == (.pass, .improved))
    // If both sides flag the same cases, precision is compared like any other rate.
    let same = try #require(compared(metric, flagged(20, 5), flagged(20, 5)))
    #expect(same.basis == .flips(harmful: 0, beneficial: 0))
    #expect(same.n == 25)
  }

  @Test("The precision of a class drops if other cases are newly given that class")
  func classPrecision() throws {
    func labelled(_ wrong: Int) -> [Trial] {
      StatisticsTrials.scored(
        (0..<80).map { index in
          let expected = index < 40 ? "a" : "b"
          let predicted = index < 40 || index - 40 < wrong ? "a" : "b"
          return [["expected": .string(expected), "predicted": .string(predicted)]]
        }
      )
    }
    let metric = Metric(.scorer("s", .perClass(.precision)), classLabel: "a")
    let worse = try #require(compared(metric, labelled(0), labelled(40)))
    #expect((worse.baseline, worse.candidate) == (1, 0.5))
    #expect(RegressionRule().judge(worse).verdict == .fail)
  }

  // MARK: Sums

  private func latencies(_ values: [Double]) -> [Trial] {
    StatisticsTrials.answered(values.map { StatisticsTrials.output(milliseconds: $0) })
  }

  @Test("Means are compared case by case with Student's t, and slower is worse")
  func means() throws {
    let before = [100.0, 220, 340, 180, 260, 90, 400, 310]
    let after = [120.0, 230, 330, 220, 280, 95, 480, 300]
    let differences = zip(before, after).map { $0 - $1 }
    let mean = differences.reduce(0, +) / 8
    let squares = differences.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    let half = StudentT.quantile(0.95, degreesOfFreedom: 7) * (squares / 7 / 8).squareRoot()
    let change = try #require(
      compared(
        Metric(.series(.latency, .mean)),
        latencies(before),
        latencies(after),
        margin: Margin(0.1, isRelative: true)
      )
    )
    #expect(change.basis == .contributions)
    #expect(abs(change.difference - mean) < 1e-9)
    #expect(abs(change.interval.low - (mean - half)) < 1e-9)
    #expect(abs(change.interval.high - (mean + half)) < 1e-9)
    #expect(abs(change.margin - 23.75) < 1e-9)
    #expect(change.n == 8)
  }

  @Test("A ratio includes cases that only one side counts")
  func ratios() throws {
    func trials(_ sums: [(Double, Double)]) -> [Trial] {
      StatisticsTrials.scored(sums.map { [["hit": .number($0.0), "all": .number($0.1)]] })
    }
    let metric = Metric(.scorer("s", .ratio(of: [.init("hit")], to: [.init("all")])))
    let change = try #require(
      compared(metric, trials([(1, 1), (1, 2), (0, 0)]), trials([(1, 1), (0, 0), (2, 2)]))
    )
    #expect(abs(change.baseline - 2.0 / 3) < 1e-12)
    #expect(change.candidate == 1)
    #expect(change.n == 3)
    #expect(change.interval.low < change.difference && change.difference < change.interval.high)
  }

  @Test(
    "An unchanged ratio has an interval, not a point, at any size",
    arguments: [5, 300]
  )
  func unchangedRatio(_ n: Int) throws {
    let trials = StatisticsTrials.scored(
      (0..<n).map { [["hit": .number(Double($0 % 3)), "all": 2]] }
    )
    let metric = Metric(.scorer("s", .ratio(of: [.init("hit")], to: [.init("all")])))
    let change = try #require(compared(metric, trials, trials))
    #expect(change.difference == 0)
    #expect(change.isNothing)
    #expect(change.interval.low < 0 && change.interval.high > 0)
    #expect(RegressionRule().judge(change).verdict == (n == 5 ? .inconclusive : .pass))
  }

  @Test("A metric that is unknown on one side is not compared")
  func unknown() {
    let known = latencies([1, 2, 3])
    let unknown = StatisticsTrials.answered((0..<3).map { _ in StatisticsTrials.output() })
    for aggregate in [MetricReference.Aggregate.mean, .percentile(95)] {
      #expect(compared(Metric(.series(.latency, aggregate)), unknown, known) == nil)
      #expect(compared(Metric(.series(.latency, aggregate)), known, unknown) == nil)
    }
    #expect(compared(Metric(.series(.latency, .max)), known, known) == nil)
    #expect(compared(Metric(.accuracy), [], []) == nil)
  }

  @Test("Extremely large numbers cause no crash")
  func enormous() throws {
    let before = latencies([1e308, 1, 1e308, 0])
    let after = latencies([1e308, 1e308, 2, 1e-308])
    for aggregate in [MetricReference.Aggregate.mean, .percentile(50), .percentile(95)] {
      let metric = Metric(.series(.latency, aggregate))
      let evaluator = MetricEvaluator(after)
      _ = NumberText.text(evaluator.estimate(metric).value ?? 0, .time)
      _ = evaluator.bounds(metric, confidence: 0.95)
      for margin in [Margin(0.1, isRelative: true), Margin(1e300, isRelative: true)] {
        guard let change = compared(metric, before, after, margin: margin) else { continue }
        _ = ChangeText.drawing(change)
        _ = ChangeText.difference(change, .time)
        let verdict = RegressionRule().judge(change).verdict
        #expect(verdict != .fail || aggregate != .mean)
        _ = RegressionRule().casesNeeded(change)
      }
    }
  }

  // MARK: Percentiles

  @Test("A percentile is compared by the cases over the baseline's percentile plus the margin")
  func percentiles() throws {
    let before = (0..<200).map { Double($0 % 100) * 10 + 100 }
    let metric = Metric(.series(.latency, .percentile(95)))
    // Fourteen cases become slow, and three slow cases become fast.
    var after = before
    for index in 0..<14 { after[index] = 5_000 }
    let slow = before.indices.filter { before[$0] > 1_050 }.prefix(3)
    for index in slow { after[index] = 100 }
    let margin = Margin(0, isRelative: true)
    let change = try #require(
      compared(metric, latencies(before), latencies(after), margin: margin)
    )
    let limit = try #require(Percentile.of(95, in: before))
    #expect(change.basis == .exceedances(harmful: 14, beneficial: 3, limit: limit))
    #expect(change.n == 200)
    #expect(abs(change.difference - -0.055) < 1e-12)
    #expect(RegressionRule().judge(change).verdict == .fail)
  }

  @Test("The specification's example of 11 against 3 of 200 cases rises by 1.0 to 7.5 points")
  func exceedanceVector() {
    let change = PairedChange.fixture(11, 3, 200)
    #expect(abs(-change.interval.high - 0.010) < 5e-4)
    #expect(abs(-change.interval.low - 0.075) < 5e-4)
  }

  @Test("A case with repeats counts as over the limit by its share of slow repeats")
  func repeatedPercentile() throws {
    func trials(_ values: [[Double]]) -> [Trial] {
      values.enumerated().flatMap { index, values in
        values.enumerated().map { repetition, value in
          StatisticsTrials.trial(
            "case-\(index)",
            repetition: repetition + 1,
            output: StatisticsTrials.output(milliseconds: value)
          )
        }
      }
    }
    let change = try #require(
      compared(
        Metric(.series(.latency, .percentile(50))),
        trials([[100], [100], [100]]),
        trials([[100, 100, 900], [100, 900, 900], [100]]),
        margin: Margin(0.5, isRelative: true)
      )
    )
    #expect(change.basis == .exceedances(harmful: 2, beneficial: 0, limit: 150))
    #expect(isClose(change.difference, -1.0 / 3))
  }

  @Test("A percentile is unchanged only if both sides have the same values")
  func unchangedPercentile() throws {
    let metric = Metric(.series(.latency, .percentile(50)))
    let before = latencies([100, 200, 300])
    let margin = Margin(0.6, isRelative: true)
    #expect(try #require(compared(metric, before, before, margin: margin)).isNothing)
    let after = latencies([110, 210, 310])
    let slower = try #require(compared(metric, before, after, margin: margin))
    #expect(slower.basis == .exceedances(harmful: 0, beneficial: 0, limit: 320))
    #expect(!slower.isNothing)
  }
}

/// Tests of the interval of a change at any confidence.
@Suite("Intervals of paired changes")
struct PairedIntervalTests {
  @Test("Flips have Tango's interval at every confidence; the shown one is at 90%")
  func flips() {
    let change = PairedChange.fixture(11, 3, 200)
    #expect(change.interval(confidence: 0.9) == change.interval)
    #expect(
      change.interval(confidence: 0.98)
        == Tango.interval(harmful: 11, beneficial: 3, of: 200, confidence: 0.98)
    )
  }

  @Test("Contributions have Student's interval at every confidence; the shown one is at 90%")
  func contributions() throws {
    func trials(_ milliseconds: (Int) -> Double) -> [Trial] {
      (0..<60).map {
        StatisticsTrials.trial(
          "case-\($0)",
          output: StatisticsTrials.output(milliseconds: milliseconds($0))
        )
      }
    }
    let differences = (0..<60).map { Double($0 * $0 % 37) }
    let change = try #require(
      PairedEvaluator(
        baseline: MetricEvaluator(trials { _ in 100 }),
        candidate: MetricEvaluator(trials { 100 + differences[$0] })
      ).change(Metric(.series(.latency, .mean)), margin: Margin(0.1, isRelative: true))
    )
    #expect(change.basis == .contributions)
    #expect(change.interval(confidence: 0.9) == change.interval)
    let wide = change.interval(confidence: 0.99)
    let expected = try #require(MeanEstimate(differences.map { -$0 })?.interval(confidence: 0.99))
    #expect(abs(wide.low - expected.low) < 1e-9)
    #expect(abs(wide.high - expected.high) < 1e-9)
  }
}
