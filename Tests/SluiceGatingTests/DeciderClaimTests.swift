import SampleProjects
@testable import SluiceCore
@testable import SluiceGating
import Testing

@Suite("Conditions that claim")
struct DeciderClaimTests {
  private func said(_ text: String, _ kind: Metric.Kind, _ trials: [Trial]) throws -> String {
    let decision = Decider(trials).decide(try ConditionParser.parse(text), on: Metric(kind))
    let needed = decision.casesNeeded.map { " (\($0))" } ?? ""
    return "\(decision.verdict.rawValue), \(decision.reason): \(decision.explanation)\(needed)"
  }

  private func cases(_ passed: Int, _ failed: Int, lost: Int = 0) -> [Trial] {
    StatisticsTrials.cases(
      String(repeating: "p", count: passed) + String(repeating: "f", count: failed)
        + String(repeating: "l", count: lost)
    )
  }

  private static let claims: [(text: String, passed: Int, failed: Int, said: String)] = [
    ("accuracy >= 85% at 95% confidence", 60, 0, "pass, claimed: proven at 95% confidence"),
    (
      "accuracy >= 85% at 95% confidence", 10, 0,
      "inconclusive, too-few: 10 cases cannot prove this claim; 19 needed (19)"
    ),
    (
      "accuracy >= 85% at 95% confidence", 1, 0,
      "inconclusive, too-few: 1 case cannot prove this claim; 19 needed (19)"
    ),
    (
      "accuracy >= 85% at 95% confidence", 10, 30,
      "fail, claim-excluded: ruled out at 95% confidence"
    ),
    (
      "accuracy >= 85% at 95% confidence", 36, 4,
      "inconclusive, unclaimed: undecided: about 94 more cases needed (134)"
    ),
    (
      "accuracy >= 85% at 95% confidence", 34, 6,
      "inconclusive, unclaimed: undecided: 20 times as many cases would still be inconclusive"
    ),
    (
      "accuracy >= 100% at 95% confidence", 40, 0,
      "inconclusive, too-few: 40 cases cannot prove this claim"
    ),
    ("accuracy < 20% at 99% confidence", 0, 40, "pass, claimed: proven at 99% confidence"),
    // Few cases can still rule out a claim.
    (
      "accuracy >= 85% at 95% confidence", 0, 3, "fail, claim-excluded: ruled out at 95% confidence"
    ),
  ]

  @Test(
    "A claim on a rate passes, fails, or estimates how many cases would decide",
    arguments: claims
  )
  func rates(text: String, passed: Int, failed: Int, said: String) throws {
    let found = try self.said(text, .accuracy, cases(passed, failed))
    #expect(found == said)
  }

  @Test("A claim on a percentile uses order statistics")
  func percentiles() throws {
    func latencies(_ count: Int) -> [Trial] {
      StatisticsTrials.answered(
        (0..<count).map { StatisticsTrials.output(milliseconds: Double($0)) }
      )
    }
    let kind = Metric.Kind.series(.latency, .percentile(95))
    func outcome(_ value: String, _ count: Int) throws -> String {
      try said("p95(latency) < \(value) at 95% confidence", kind, latencies(count))
    }
    #expect(try outcome("59 ms", 59) == "pass, claimed: proven at 95% confidence")
    #expect(
      try outcome("59 ms", 58)
        == "inconclusive, too-few: 58 measurements cannot give an interval for this percentile; "
        + "59 needed (59)"
    )
    #expect(try outcome("40 ms", 59) == "fail, claim-excluded: ruled out at 95% confidence")
    #expect(try outcome("57 ms", 59) == "inconclusive, unclaimed: undecided")
  }

  @Test("A claim on a mean uses Student's t, so a single measurement is not enough")
  func means() throws {
    let kind = Metric.Kind.series(.latency, .mean)
    func outcome(_ values: [Double]) throws -> String {
      let trials = StatisticsTrials.answered(
        values.map { StatisticsTrials.output(milliseconds: $0) }
      )
      return try said("mean(latency) < 200 ms at 95% confidence", kind, trials)
    }
    #expect(try outcome([90, 100, 110]) == "pass, claimed: proven at 95% confidence")
    #expect(try outcome([390, 400, 410]) == "fail, claim-excluded: ruled out at 95% confidence")
    #expect(
      try outcome([90, 200, 310]) == "inconclusive, unclaimed: undecided"
    )
    #expect(
      try outcome([100]) == "inconclusive, too-few: there are too few measurements for an interval"
    )
  }

  @Test("If lost trials could change the outcome of a claim, there is no verdict")
  func lost() throws {
    let text = "accuracy >= 85% at 95% confidence"
    let could = "no-verdict, lost-trials: 1 lost trial could change the outcome"
    #expect(try said(text, .accuracy, cases(19, 0, lost: 1)) == could)
    #expect(
      try said(text, .accuracy, cases(60, 0, lost: 1)) == "pass, claimed: proven at 95% confidence"
    )
    #expect(
      try said(text, .accuracy, cases(1, 30, lost: 1))
        == "fail, claim-excluded: ruled out at 95% confidence"
    )
    #expect(
      try said(text, .accuracy, cases(0, 0, lost: 3))
        == "no-verdict, lost-trials: unknown: all trials for this metric were lost"
    )
    let latency = StatisticsTrials.answered([StatisticsTrials.output(milliseconds: 1)])
    #expect(
      try said(
        "p95(latency) < 1 s at 95% confidence",
        .series(.latency, .percentile(95)),
        latency + [StatisticsTrials.trial("lost", StatisticsTrials.loss)]
      ) == could
    )
  }
}
