import SampleProjects
@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceReporting
@testable import SluiceStatistics
import Testing

@Suite("Regression conditions")
struct DeciderRegressionTests {
  private let scorers = ["s": "1"]

  private func side(_ trials: [Trial], _ scorers: [String: String]? = nil) -> Pairing.Side {
    Pairing.Side(trials: trials, scorers: scorers ?? self.scorers)
  }

  private func decide(
    _ text: String,
    _ before: [Trial],
    _ after: [Trial],
    metric: Metric = Metric(.accuracy),
    scorers: [String: String]? = nil,
    rule: RegressionRule = RegressionRule()
  ) throws -> Decision {
    let pairing = Pairing(baseline: side(before, scorers), candidate: side(after))
    return Decider(after, against: pairing, rule: rule)
      .decide(try ConditionParser.parse(text), on: metric)
  }

  private func said(_ decision: Decision) -> String {
    "\(decision.verdict.rawValue), \(decision.reason): \(decision.explanation)"
  }

  private let condition = "no regression in accuracy beyond 5 points"

  /// Cases, each with a different answer: passed, failed or lost.
  private func cases(_ letters: String, answer: String = "") -> [Trial] {
    StatisticsTrials.cases(letters).map { trial in
      var trial = trial
      if !trial.isLost {
        let text = trial.outcome == .passed ? "right" : "wrong" + answer
        trial.output = Trial.Output(ModelResponse(text: text), cost: nil)
      }
      return trial
    }
  }

  /// The letters of a baseline that always passes, and of a candidate.
  private func letters(_ harmful: Int, _ beneficial: Int, _ n: Int) -> (String, String) {
    let same = String(repeating: "p", count: n - harmful - beneficial)
    return (
      String(repeating: "p", count: harmful) + String(repeating: "f", count: beneficial) + same,
      String(repeating: "f", count: harmful) + String(repeating: "p", count: beneficial) + same
    )
  }

  private static let decisions:
    [(harmful: Int, beneficial: Int, n: Int, said: String, needed: Int?)] = [
      (
        1, 0, 30,
        "inconclusive, margin-too-tight: 30 cases can pass this margin only if all answers are "
          + "the same; 52 needed",
        52
      ),
      (
        3, 3, 60,
        "inconclusive, underpowered: too few cases to distinguish a loss from noise; about 64 "
          + "more cases needed",
        124
      ),
      (1, 1, 80, "pass, within-margin: no loss beyond the margin is credible", nil),
      (1, 9, 100, "pass, improved: the gain is credible", nil),
      (
        12, 4, 400,
        "pass, small-credible-regression: a loss is credible, but smaller than the margin", nil
      ),
      (
        9, 2, 100,
        "fail, credible-regression-size-unknown: a loss is credible, and the measured loss "
          + "reaches the margin",
        nil
      ),
      (15, 1, 100, "fail, credible-regression: a loss beyond the margin is credible", nil),
    ]

  @Test(
    "Each outcome has its reason, and the number of cases that would decide",
    arguments: decisions
  )
  func outcomes(harmful: Int, beneficial: Int, n: Int, said: String, needed: Int?) throws {
    let (before, after) = letters(harmful, beneficial, n)
    let decision = try decide(condition, cases(before), cases(after))
    #expect(self.said(decision) == said)
    #expect(decision.casesNeeded == needed)
    #expect(decision.change?.basis == .flips(harmful: harmful, beneficial: beneficial))
    #expect(decision.estimate == Estimate(rate: n - harmful, of: n))
  }

  @Test("With 'warn', a credible loss that may be within the margin is inconclusive")
  func warn() throws {
    let (before, after) = letters(9, 2, 100)
    let decision = try decide(
      condition,
      cases(before),
      cases(after),
      rule: RegressionRule(policy: .warn)
    )
    #expect(decision.verdict == .inconclusive)
    #expect(decision.reason == .credibleRegressionSizeUnknown)
    #expect(
      decision.explanation.hasPrefix("a loss is credible and may exceed the margin; about ")
    )
  }

  @Test("Identical answers pass with any number of cases", arguments: [1, 2, 30, 200])
  func identical(_ n: Int) throws {
    let trials = cases(String(repeating: "pf", count: n))
    let decision = try decide(condition, trials, trials)
    #expect(said(decision) == "pass, identical: identical to the baseline")
    #expect(decision.change?.isNothing == true)
  }

  @Test("Identical answers with different latencies do not prove equal latency")
  func identicalAnswersAtOtherTimes() throws {
    func answered(_ milliseconds: Double) -> [Trial] {
      StatisticsTrials.answered(
        (0..<10).map { _ in StatisticsTrials.output(milliseconds: milliseconds) }
      )
    }
    let metric = Metric(.series(.latency, .percentile(95)))
    let text = "no regression in p95(latency) beyond 10%"
    #expect(
      said(try decide(text, answered(100), answered(100), metric: metric))
        == "pass, identical: identical to the baseline"
    )
    #expect(
      try decide(text, answered(100), answered(105), metric: metric).verdict == .inconclusive
    )
  }

  @Test("Without a baseline, there is no verdict")
  func noBaseline() throws {
    let decision = Decider(cases("ppp")).decide(
      try ConditionParser.parse(condition),
      on: Metric(.accuracy)
    )
    #expect(said(decision) == "no-verdict, no-baseline: there is no baseline to compare with")
  }

  @Test("If a scorer changed, only the metrics that depend on it have no verdict")
  func changedScorers() throws {
    let trials = cases(String(repeating: "p", count: 60))
    #expect(
      said(try decide(condition, trials, trials, scorers: ["s": "0"]))
        == "no-verdict, mismatch: the scorer 's' changed since the baseline"
    )
    #expect(
      said(try decide(condition, trials, trials, scorers: ["s": "0", "t": "0"]))
        == "no-verdict, mismatch: the scorers 's', 't' changed since the baseline"
    )
    let timed = StatisticsTrials.answered(
      (0..<60).map { StatisticsTrials.output(milliseconds: Double($0)) }
    )
    let latency = try decide(
      "no regression in mean(latency) beyond 10%",
      timed,
      timed,
      metric: Metric(.series(.latency, .mean)),
      scorers: ["s": "0"]
    )
    #expect(latency.verdict == .pass)
  }

  @Test(
    "A regression of a percentile is explained by the cases over the limit",
    arguments: [
      (
        20,
        "pass, small-credible-regression: "
          + "the number of cases over the limit credibly rose, "
          + "but by less than the percentile allows"
      ),
      (
        80,
        "fail, credible-regression: "
          + "the number of cases over the limit credibly rose by more than the percentile allows"
      ),
      (
        0,
        "pass, within-margin: "
          + "the number of cases over the limit did not "
          + "credibly rise by more than the percentile allows"
      ),
    ]
  )
  func percentiles(slower: Int, outcome: String) throws {
    func answers(_ slower: Int) -> [Trial] {
      StatisticsTrials.answered(
        (0..<100).map { StatisticsTrials.output(milliseconds: $0 < slower ? 60 : 50) }
      )
    }
    // One faster case makes the two runs differ.
    var after = answers(slower)
    after[99].output?.timings.total = 49
    after[99].output?.digest = "another"
    let decision = try decide(
      "no regression in p50(latency) beyond 10%",
      answers(0),
      after,
      metric: Metric(.series(.latency, .percentile(50)))
    )
    #expect(said(decision) == outcome)
  }

  @Test("Relabeling a flagged clean case as positive does not hide a false positive")
  func relabelled() throws {
    func trials(flagging flagged: Range<Int>, positive: Range<Int>) -> [Trial] {
      (0..<100).map { number in
        let isPositive = positive.contains(number)
        let isFlagged = flagged.contains(number)
        var trial = StatisticsTrials.trial(
          "case-\(number)",
          scores: [
            .init(
              name: "s",
              score: Score(
                .passed,
                explanation: "",
                measurements: [
                  "positive": .bool(isPositive), "clean": .bool(!isPositive),
                  "hit": .bool(isPositive && isFlagged),
                  "false-alarm": .bool(!isPositive && isFlagged),
                ]
              )
            )
          ],
          output: Trial.Output(ModelResponse(text: "\(isFlagged)"), cost: nil)
        )
        trial.caseDigest = "\(isPositive)"
        return trial
      }
    }
    let rate = Metric(
      .scorer(
        "s",
        .share(of: .init("false-alarm"), among: [.init("clean")])
      ),
      prefersSmall: true
    )
    let before = trials(flagging: 0..<0, positive: 0..<0)
    let text = "no regression in false-positive-rate beyond 5 points"
    let open = try decide(text, before, trials(flagging: 0..<11, positive: 0..<0), metric: rate)
    #expect(open.verdict == .fail)
    let hidden = try decide(text, before, trials(flagging: 0..<11, positive: 0..<11), metric: rate)
    #expect(
      said(hidden)
        == "no-verdict, mismatch: 11 cases that changed or were removed could change the outcome"
    )
  }

  @Test("A changed or removed case leaves no verdict only if it could change the outcome")
  func changedCases() throws {
    var changed = cases(String(repeating: "p", count: 60))
    let same = changed
    changed[0].caseDigest = "another"
    #expect(
      said(try decide(condition, same, changed))
        == "no-verdict, mismatch: 1 case that changed or were removed could change the outcome"
    )
    #expect(
      said(try decide(condition, same, Array(same.dropLast(2))))
        == "no-verdict, mismatch: 2 cases that changed or were removed could change the outcome"
    )
    var many = cases(String(repeating: "p", count: 200))
    let before = many
    many[0].caseDigest = "another"
    #expect(try decide(condition, before, many).reason == .withinMargin)
    // Here the gate fails whatever the outcome of the changed case.
    let (base, candidate) = letters(30, 0, 100)
    var failing = cases(candidate)
    failing[99].caseDigest = "another"
    #expect(try decide(condition, cases(base), failing).verdict == .fail)
  }

  @Test("If every case changed, nothing is compared")
  func allChanged() throws {
    let before = cases("ppp")
    let after = before.map { trial in
      var trial = trial
      trial.caseDigest = "another"
      return trial
    }
    #expect(
      said(try decide(condition, before, after))
        == "no-verdict, mismatch: there are no cases to compare: 3 cases changed since the baseline"
    )
    #expect(
      said(try decide(condition, [], after)) == "no-verdict, mismatch: the baseline has none of "
        + "the cases"
    )
  }

  @Test("New cases are not compared and change no verdict")
  func newCases() throws {
    let before = cases(String(repeating: "p", count: 60))
    let after = before + StatisticsTrials.trials("new", "f")
    let decision = try decide(condition, before, after)
    #expect(decision.verdict == .pass)
    #expect(decision.change?.n == 60)
    #expect(decision.estimate.n == 61)
  }

  @Test("Lost trials on either side leave no verdict if they could change the outcome")
  func lost() throws {
    let all = String(repeating: "p", count: 60)
    let some = "l" + all.dropFirst()
    let could = "no-verdict, lost-trials: 1 lost trial could change the outcome"
    #expect(said(try decide(condition, cases(all), cases(some))) == could)
    #expect(said(try decide(condition, cases(some), cases("f" + all.dropFirst()))) == could)
    // A case that passes now cannot be worse.
    #expect(try decide(condition, cases(some), cases(all)).verdict == .pass)
    let (base, candidate) = letters(30, 0, 100)
    #expect(
      try decide(condition, cases(base), cases(candidate.dropLast() + "l")).verdict == .fail
    )
    let means = try decide(
      "no regression in mean(cost) beyond 5%",
      StatisticsTrials.answered([0.1, 0.2].map { StatisticsTrials.output(cost: $0) }),
      StatisticsTrials.answered([StatisticsTrials.output(cost: 0.1)])
        + [StatisticsTrials.trial("case-1", StatisticsTrials.loss)],
      metric: Metric(.series(.cost, .mean))
    )
    #expect(said(means) == could)
  }

  @Test("No outcome of the lost trials would have changed a verdict")
  func fillings() throws {
    var random = SeededGenerator(seed: 29)
    let wide = "no regression in accuracy beyond 30 points"
    func fillings(_ word: String) -> [String] {
      word.reduce([""]) { starts, letter in
        starts.flatMap { start in
          (letter == "l" ? "pf" : String(letter)).map { start + String($0) }
        }
      }
    }
    var stood = 0
    for _ in 0..<150 {
      func word() -> String {
        var lost = 0
        return String(
          (0..<12).map { _ -> Character in
            let letter = "pppppfffl".randomElement(using: &random) ?? "p"
            if letter != "l" { return letter }
            lost += 1
            return lost > 2 ? "p" : letter
          }
        )
      }
      let (before, after) = (word(), word())
      guard before.contains("l") || after.contains("l") else { continue }
      let decision = try decide(wide, cases(before, answer: "1"), cases(after, answer: "2"))
      guard decision.verdict != .noVerdict else { continue }
      stood += 1
      for filledBefore in fillings(before) {
        for filledAfter in fillings(after) {
          let filled = try decide(
            wide,
            cases(filledBefore, answer: "1"),
            cases(filledAfter, answer: "2")
          )
          #expect(filled.verdict == decision.verdict, "\(before) \(after)")
        }
      }
    }
    #expect(stood > 3)
  }

  @Test("Cases with different numbers of repeats are compared by the majority of their repeats")
  func repeats() throws {
    let before = (0..<60).flatMap { StatisticsTrials.trials("case-\($0)", "p") }
    let after = (0..<60).flatMap {
      StatisticsTrials.trials("case-\($0)", $0 == 0 ? "fff" : "ppf")
    }
    let decision = try decide(condition, before, after)
    #expect(decision.change?.basis == .flips(harmful: 1, beneficial: 0))
    #expect(decision.change?.n == 60)
  }

  @Test("A metric that is unknown in the baseline is not compared")
  func unknownBaseline() throws {
    let known = StatisticsTrials.answered([StatisticsTrials.output(cost: 0.1)])
    let unknown = StatisticsTrials.answered([StatisticsTrials.output()])
    let metric = Metric(.series(.cost, .mean))
    let text = "no regression in mean(cost) beyond 5%"
    let decision = try decide(text, unknown, known, metric: metric)
    #expect(said(decision) == "no-verdict, unknown: the baseline does not have this metric")
    #expect(decision.outcomeText(isGoal: false) == decision.explanation)
    #expect(
      said(try decide(text, known, unknown, metric: metric))
        == "no-verdict, unknown: unknown: the server sent no usage"
    )
  }
}
