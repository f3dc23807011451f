import SampleProjects
@testable import Sluice
@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceStatistics
import Testing

@Suite("Comparing configurations")
struct ConfigurationComparerTests {
  private typealias Comparer = ConfigurationComparer

  /// Returns a configuration with a letter for each case (passed, failed or lost) and the same cost
  /// for each answer.
  private func side(_ name: String, _ letters: String, cost: Double? = nil) -> Comparer.Side {
    let trials = StatisticsTrials.cases(letters).map { trial in
      var trial = trial
      if !trial.isLost { trial.output = StatisticsTrials.output(cost: cost) }
      return trial
    }
    return side(name, trials)
  }

  private func side(_ name: String, _ trials: [Trial], counted: [Trial]? = nil) -> Comparer.Side {
    let counted = counted ?? trials
    return Comparer.Side(
      name: name,
      column: ColumnResult(
        prompt: name,
        promptPath: "",
        backend: "fast",
        isCandidate: true,
        trials: trials,
        metrics: ColumnResult.metrics(SuiteMetrics([]).all, of: counted),
        gates: [],
        goals: []
      ),
      counted: Pairing.Side(trials: counted, scorers: [:])
    )
  }

  private func compare(
    _ sides: [Comparer.Side],
    margin: Double = 0.05,
    pairs: Comparer.Pairs = .reference
  ) -> ConfigurationComparison {
    SuiteComparison.compare(
      sides,
      suite: "triage",
      source: .recorded,
      repetitions: 1,
      metrics: SuiteMetrics([]),
      margin: margin,
      pairs: pairs
    )
  }

  private func letters(passing: Int, of n: Int) -> String {
    String(repeating: "f", count: n - passing) + String(repeating: "p", count: passing)
  }

  // MARK: The front

  /// Configurations by the number of passing cases of ten, and by the cost of an answer.
  struct Front: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var sides: [(passing: Int, cost: Double?)]
    var isOnFront: [Bool?]
  }

  static let fronts: [Front] = [
    Front(
      testDescription: "lower quality at a higher cost is dominated",
      sides: [(9, 1), (8, 2)],
      isOnFront: [true, false]
    ),
    Front(
      testDescription: "higher quality at a higher cost: both are on the front",
      sides: [(9, 2), (8, 1)],
      isOnFront: [true, true]
    ),
    Front(
      testDescription: "equal quality at an equal cost: neither dominates",
      sides: [(9, 1), (9, 1)],
      isOnFront: [true, true]
    ),
    Front(
      testDescription: "equal quality at a higher cost is dominated",
      sides: [(9, 2), (9, 1)],
      isOnFront: [false, true]
    ),
    Front(
      testDescription: "lower quality at an equal cost is dominated",
      sides: [(8, 1), (9, 1), (10, 3)],
      isOnFront: [false, true, true]
    ),
    Front(
      testDescription: "a configuration with an unknown cost is undecided",
      sides: [(8, 1), (10, nil)],
      isOnFront: [true, nil]
    ),
    Front(testDescription: "one alone is on the front", sides: [(0, 0)], isOnFront: [true]),
  ]

  @Test(
    "The front contains the configurations that no other beats in accuracy and cost",
    arguments: fronts
  )
  func front(front: Front) {
    let comparison = compare(
      front.sides.map { side("v", letters(passing: $0.passing, of: 10), cost: $0.cost) }
    )
    #expect(comparison.configurations.map(\.isOnFront) == front.isOnFront)
  }

  @Test(
    "The cost per right answer is the cost of all answers divided by the right ones",
    arguments: [
      ("pppp", 2.0, 2.0, nil), ("ppff", 2.0, 4.0, nil), ("pfff", 2.0, 8.0, nil),
      ("ffff", 2.0, nil, "no answer passes"), ("pllf", 2.0, 4.0, nil),
      ("llll", 2.0, nil, "there are no answers"),
      ("pp", nil, nil, "the server sent no usage"),
    ] as [(String, Double?, Double?, String?)]
  )
  func costPerRightAnswer(letters: String, cost: Double?, expected: Double?, unknown: String?) {
    let estimate = compare([side("v", letters, cost: cost)]).configurations[0].costPerRightAnswer
    #expect(estimate.value == expected)
    if let unknown { #expect(estimate.unknown == unknown) }
  }

  // MARK: Standings

  private func accuracy(_ comparison: ConfigurationComparison) -> [ConfigurationComparison.Judged] {
    comparison.pairs.compactMap { pair in pair.changes.first { $0.name == "accuracy" } }
  }

  @Test(
    "A configuration is worse, better, not worse beyond the margin, or undecided",
    arguments: [
      ("a loss that is credible", 40, 30, 0, 100, 0.05, .worse),
      ("a gain that is credible", 40, 0, 30, 100, 0.05, .better),
      ("the same answers to many cases", 90, 0, 0, 100, 0.05, .same),
      ("the same answers to few cases", 9, 0, 0, 10, 0.05, .same),
      ("few flips that could be noise", 40, 6, 4, 50, 0.05, .undecided),
      ("the same flips within a wide margin", 40, 6, 4, 50, 0.3, .asGood),
      ("a small loss, credible though within the margin", 90, 8, 0, 100, 0.3, .worse),
      ("one case", 1, 1, 0, 1, 0.05, .undecided),
    ] as [(String, Int, Int, Int, Int, Double, ConfigurationComparison.Standing)]
  )
  func standing(
    what: String,
    passing: Int,
    harmful: Int,
    beneficial: Int,
    n: Int,
    margin: Double,
    expected: ConfigurationComparison.Standing
  ) {
    let before = letters(passing: passing, of: n)
    let after = String(
      before.enumerated().map { index, letter in
        // Fixes the first failures and breaks the last passes.
        if letter == "f", index < beneficial { return "p" }
        if letter == "p", index >= n - harmful { return "f" }
        return letter
      } as [Character]
    )
    let comparison = compare([side("a", before), side("b", after)], margin: margin)
    #expect(accuracy(comparison).map(\.standing) == [expected])
  }

  @Test("A mean without a margin is the same, credibly different, or undecided")
  func series() {
    func timed(_ name: String, _ milliseconds: (Int) -> Double) -> Comparer.Side {
      side(
        name,
        (0..<30).map { index in
          StatisticsTrials.trial(
            "case-\(index)",
            output: StatisticsTrials.output(milliseconds: milliseconds(index))
          )
        }
      )
    }
    let comparison = compare([
      timed("a") { 100 + Double($0 % 5) },
      timed("b") { 100 + Double($0 % 5) },
      timed("c") { 150 + Double($0 % 7) },
      timed("d") { 50 + Double($0 % 7) },
      timed("e") { 100 + Double(($0 + 1) % 5) },
    ])
    let standings = comparison.pairs.map { pair in
      pair.changes.first { $0.name == "mean(latency)" }?.standing
    }
    #expect(standings == [.same, .worse, .better, .same])
    let noisy = compare([
      timed("a") { 100 + Double($0 % 5) }, timed("b") { 100.1 + Double(($0 * 3) % 5) },
    ])
    #expect(
      noisy.pairs[0].changes.first { $0.name == "mean(latency)" }?.standing == .undecided
    )
  }

  @Test("With several pairs, a change that is credible alone can become undecided")
  func holm() {
    // Seven flips one way and one the other way: a two-sided p of 0.034 alone.
    let before = letters(passing: 50, of: 60)
    func after(breaking: Int, mending: Int) -> String {
      String(
        before.enumerated().map { index, letter in
          if letter == "f", index < mending { return "p" }
          if letter == "p", index >= 60 - breaking { return "f" }
          return letter
        } as [Character]
      )
    }
    let alone = compare([side("a", before), side("b", after(breaking: 7, mending: 1))])
    let judged = accuracy(alone)[0]
    #expect(judged.change.p == 2 * judged.change.pWorse)
    #expect(judged.change.p < 0.05)
    #expect(judged.change.p > 0.025)
    #expect(judged.adjustedP == judged.change.p)
    #expect(judged.standing == .worse)
    let together = compare([
      side("a", before), side("b", after(breaking: 7, mending: 1)),
      side("c", after(breaking: 5, mending: 5)),
    ])
    let both = accuracy(together)
    #expect(both[0].adjustedP == 2 * judged.change.p)
    #expect(both.map(\.standing) == [.undecided, .undecided])
    // If another pair is clearly decided, this pair is judged as if it were alone.
    let besideWorse = compare([
      side("a", before), side("b", after(breaking: 7, mending: 1)),
      side("c", after(breaking: 40, mending: 0)),
    ])
    #expect(accuracy(besideWorse).map(\.standing) == [.worse, .worse])
  }

  @Test("P values are two-sided and intervals are 95% intervals, whichever side is worse")
  func convention() throws {
    let (good, bad) = (letters(passing: 50, of: 60), letters(passing: 44, of: 60))
    let loss = accuracy(compare([side("a", good), side("b", bad)]))[0].change
    let gain = accuracy(compare([side("a", bad), side("b", good)]))[0].change
    // Six flips one way: the normal test at sqrt(6) standard deviations, 0.0143 two-sided.
    for change in [loss, gain] {
      #expect((change.p - 0.014_306).magnitude < 1e-6)
      #expect(change.confidence == 0.95)
    }
    #expect(loss.interval == Tango.interval(harmful: 6, beneficial: 0, of: 60, confidence: 0.95))
    #expect(gain.interval == Tango.interval(harmful: 0, beneficial: 6, of: 60, confidence: 0.95))
    let pairing = Pairing(
      baseline: side("a", good).counted,
      candidate: side("b", bad).counted
    )
    let gate = try #require(
      PairedEvaluator(
        baseline: MetricEvaluator(pairing.baseline),
        candidate: MetricEvaluator(pairing.candidate)
      ).change(Metric(.accuracy), margin: .usual)
    )
    #expect(gate.confidence == 0.9)
    #expect(gate.interval == Tango.interval(harmful: 6, beneficial: 0, of: 60))
  }

  @Test("A change is not worse if its 95% interval stays within the margin")
  func asGood() {
    // One of 100 cases breaks: the 90% interval ends at -4.4 points, the 95% interval at -5.4.
    let (before, after) = (letters(passing: 90, of: 100), letters(passing: 89, of: 100))
    func standing(_ margin: Double) -> ConfigurationComparison.Standing? {
      accuracy(compare([side("a", before), side("b", after)], margin: margin)).first?.standing
    }
    #expect(standing(0.05) == .undecided)
    #expect(standing(0.06) == .asGood)
  }

  @Test(
    "With all pairs, each configuration is compared with each other one, corrected over all pairs"
  )
  func allPairs() {
    let sides = [
      side("a", letters(passing: 50, of: 60)), side("b", letters(passing: 44, of: 60)),
      side("c", letters(passing: 30, of: 60)),
    ]
    let usual = compare(sides)
    #expect(usual.pairs.map { usual.title($0) } == ["B against A", "C against A"])
    let all = compare(sides, pairs: .all)
    #expect(all.pairs.map { all.title($0) } == ["B against A", "C against A", "C against B"])
    #expect(all.pairs.map(\.comparison.reference) == ["a", "a", "b"])
    #expect(
      all.convention
        == "95% intervals, two-sided p, corrected for the pairs of each metric (Holm's method)"
    )
    let judged = accuracy(all)
    #expect(
      judged.map(\.adjustedP) == MultipleTesting.holm(judged.map(\.change.p))
    )
    #expect(judged.map(\.change.difference) == [-0.1, -1.0 / 3, -14.0 / 60])
    #expect(compare(Array(sides.prefix(2)), pairs: .all).convention == "95% intervals, two-sided p")
  }

  @Test("The metrics of a changed scorer are not compared, and the scorer is named")
  func changedScorer() {
    var (a, b) = (side("a", "ppff"), side("b", "pfpf"))
    a.counted.scorers = ["kind": "1"]
    b.counted.scorers = ["kind": "2"]
    let pair = compare([a, b]).pairs[0]
    #expect(pair.comparison.changedScorers == ["kind"])
    #expect(!pair.changes.contains { $0.name == "accuracy" })
  }

  // MARK: Disagreements

  @Test("Configurations disagree on a case if the majorities of its judged repeats differ")
  func disagreements() {
    func side(_ name: String, _ cases: [String]) -> Comparer.Side {
      self.side(
        name,
        cases.enumerated().flatMap { StatisticsTrials.trials("case-\($0)", $1) }
      )
    }
    let comparison = compare([
      side("a", ["ppp", "ppf", "pff", "lll", "ppl", "pff"]),
      side("b", ["ppp", "ppp", "fff", "fff", "ffl", "ppf"]),
      side("c", ["ppf", "pff", "lll", "lll", "lpl"]),
    ])
    #expect(comparison.disagreements.map(\.caseID) == ["case-1", "case-4", "case-5"])
    #expect(
      comparison.disagreements.map(\.outcomes) == [
        [.passed, .passed, .failed], [.passed, .failed, .passed], [.failed, .passed, nil],
      ]
    )
  }

  @Test("Without cases, or with one configuration, nothing is compared")
  func nothing() {
    #expect(compare([]).pairs.isEmpty)
    #expect(compare([]).disagreements.isEmpty)
    #expect(compare([side("a", "pp")]).pairs.isEmpty)
    let empty = compare([side("a", ""), side("b", "")])
    #expect(empty.pairs[0].changes == [])
    #expect(!empty.pairs[0].comparison.isIdentical)
    #expect(empty.configurations.map(\.isOnFront) == [nil, nil])
  }
}
