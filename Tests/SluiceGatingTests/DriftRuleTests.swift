import SampleProjects
@testable import SluiceGating
import SluiceStatistics
import Testing

@Suite("Drift")
struct DriftRuleTests {
  private static func change(_ harmful: Int, _ beneficial: Int, of n: Int) -> PairedChange {
    let before = 0.8
    return PairedChange(
      baseline: before,
      candidate: before + Double(beneficial - harmful) / Double(n),
      flips: (harmful, beneficial),
      n: n,
      basis: .flips(harmful: harmful, beneficial: beneficial),
      margin: 0.05,
      prefersSmall: false,
      confidence: DriftRule.confidence
    )
  }

  private static func decide(
    _ change: PairedChange,
    fills: [PairedChange] = [],
    isIdentical: Bool = false
  ) -> DriftRule.Outcome? {
    DriftRule.usual.outcomes(
      of: [DriftRule.Test(change, fills: fills, isIdentical: isIdentical)]
    ).first
  }

  struct Example: CustomTestStringConvertible, Sendable {
    var flips: (harmful: Int, beneficial: Int)
    var n: Int
    var standing: DriftRule.Standing
    var reason: DriftRule.Reason
    var needed: Int?
    var testDescription: String { "\(flips.harmful) worse, \(flips.beneficial) better of \(n)" }

    init(
      _ harmful: Int,
      _ beneficial: Int,
      of n: Int,
      _ standing: DriftRule.Standing,
      _ reason: DriftRule.Reason,
      needed: Int? = nil
    ) {
      (flips, self.n, self.standing) = ((harmful, beneficial), n, standing)
      (self.reason, self.needed) = (reason, needed)
    }
  }

  @Test(
    "Scores have moved, are still, or are undecided",
    arguments: [
      // Without a flip, the 95% interval ends at z² / (n + z²), so 73 cases keep it within 5
      // points.
      Example(0, 0, of: 73, .still, .withinMargin),
      Example(0, 0, of: 72, .undecided, .tooFew, needed: 73),
      Example(0, 0, of: 10, .undecided, .tooFew, needed: 73),
      Example(1, 1, of: 200, .still, .withinMargin),
      Example(10, 0, of: 100, .moved, .credible),
      Example(0, 10, of: 100, .moved, .credible),
      Example(20, 5, of: 100, .moved, .credible),
      Example(5, 5, of: 100, .undecided, .tooFew, needed: 180),
      // A move of 1.2 points on a thousand cases is real but within the margin.
      Example(12, 0, of: 1_000, .moved, .credibleWithinMargin),
    ]
  )
  func examples(example: Example) throws {
    let change = Self.change(example.flips.harmful, example.flips.beneficial, of: example.n)
    let outcome = try #require(Self.decide(change))
    #expect(outcome.standing == example.standing)
    #expect(outcome.reason == example.reason)
    #expect(outcome.casesNeeded == example.needed)
  }

  @Test("Identical answers did not move, however few there are")
  func identical() throws {
    let outcome = try #require(Self.decide(Self.change(0, 0, of: 3), isIdentical: true))
    #expect(outcome.standing == .still)
    #expect(outcome.reason == .identical)
  }

  @Test("Lost answers leave drift undecided only if they could change the outcome")
  func lost() throws {
    let open = try #require(
      Self.decide(
        Self.change(0, 0, of: 80),
        fills: [Self.change(4, 0, of: 84), Self.change(0, 4, of: 84)]
      )
    )
    #expect(open.standing == .undecided)
    #expect(open.reason == .lostAnswers)
    #expect(open.casesNeeded == nil)
    let still = try #require(
      Self.decide(
        Self.change(0, 0, of: 300),
        fills: [Self.change(2, 0, of: 302), Self.change(0, 2, of: 302)]
      )
    )
    #expect(still.standing == .still)
    let moved = try #require(
      Self.decide(
        Self.change(30, 0, of: 100),
        fills: [Self.change(32, 0, of: 102), Self.change(30, 2, of: 102)]
      )
    )
    #expect(moved.standing == .moved)
  }

  @Test("Several tests are corrected together, so that one weak move among many is not an alarm")
  func holm() {
    let weak = DriftRule.Test(Self.change(7, 1, of: 100))
    let none = DriftRule.Test(Self.change(1, 1, of: 400))
    #expect(DriftRule.usual.outcomes(of: [weak]).map(\.standing) == [.moved])
    let outcomes = DriftRule.usual.outcomes(of: [weak, none])
    #expect(outcomes.map(\.standing) == [.undecided, .still])
    #expect(outcomes[0].adjustedP == 2 * weak.change.p)
    let strong = DriftRule.Test(Self.change(20, 0, of: 100))
    #expect(DriftRule.usual.outcomes(of: [strong, none]).map(\.standing) == [.moved, .still])
  }

  @Test("With too few clusters, drift is undecided")
  func clusters() throws {
    var change = Self.change(20, 0, of: 100)
    change.effectiveClusters = 7.5
    let outcome = try #require(Self.decide(change))
    #expect(outcome.standing == .undecided)
    #expect(outcome.reason == .tooFewClusters)
  }

  @Test("A wider margin needs fewer cases")
  func margins() throws {
    let test = DriftRule.Test(Self.change(0, 0, of: 40))
    #expect(DriftRule(margin: 0.1).outcomes(of: [test]).map(\.standing) == [.still])
    #expect(DriftRule(margin: 0.05).outcomes(of: [test]).map(\.standing) == [.undecided])
  }

  @Test("The margin does not affect whether scores moved", arguments: [0.01, 0.05, 0.1, 1])
  func movesAtAnyMargin(_ margin: Double) {
    for harmful in 0...20 {
      let flips = [(harmful, 3), (3, harmful), (2, 2)]
      let tests = flips.map { DriftRule.Test(Self.change($0, $1, of: 100)) }
      func moved(_ rule: DriftRule) -> [Bool] {
        rule.outcomes(of: tests).map { $0.standing == .moved }
      }
      #expect(moved(DriftRule(margin: margin)) == moved(.usual), "\(harmful)")
    }
  }

  // MARK: Simulation

  /// Draws the flips of cases between two runs.
  ///
  /// Each case passes with its own probability, to which the second run adds the shift.
  private static func flips(
    _ n: Int,
    passes: ClosedRange<Double>,
    shift: Double,
    _ random: inout SeededGenerator
  ) -> (harmful: Int, beneficial: Int) {
    var flips = (harmful: 0, beneficial: 0)
    for _ in 0..<n {
      let rate = passes.lowerBound + random.uniform() * (passes.upperBound - passes.lowerBound)
      let before = random.uniform() < rate
      let after = random.uniform() < max(0, min(1, rate + shift))
      if before, !after { flips.harmful += 1 }
      if !before, after { flips.beneficial += 1 }
    }
    return flips
  }

  /// The share of simulated checks of some suites that report moved scores.
  private static func alarms(suites: Int, n: Int, passes: ClosedRange<Double>, shift: Double)
    -> Double
  {
    var random = SeededGenerator(seed: 20_261_123)
    // The margin has no effect on whether scores moved. With the widest margin, the rule does not
    // compute how many more cases are needed, which saves time.
    let widest = DriftRule(margin: 1)
    let draws = 2_000
    let alarms = (0..<draws).count { _ in
      let tests = (0..<suites).map { suite in
        let flips = flips(n, passes: passes, shift: suite == 0 ? shift : 0, &random)
        return DriftRule.Test(change(flips.harmful, flips.beneficial, of: n))
      }
      return widest.outcomes(of: tests).contains { $0.standing == .moved }
    }
    return Double(alarms) / Double(draws)
  }

  @Test(
    "If nothing changed, at most about 5% of checks report moved scores",
    arguments: [1, 4],
    [30, 100, 300]
  )
  func falseAlarms(suites: Int, n: Int) {
    for passes in [0.5...1, 0.8...1, 0...1] {
      let rate = Self.alarms(suites: suites, n: n, passes: passes, shift: 0)
      // Two standard errors of 2,000 draws are about one point.
      #expect(rate <= 0.06, "\(passes): \(rate)")
    }
  }

  @Test("Most checks of 100 cases detect a move of 15 points, and nearly all detect one of 20")
  func power() {
    #expect(Self.alarms(suites: 1, n: 100, passes: 0.85...1, shift: -0.15) >= 0.85)
    #expect(Self.alarms(suites: 1, n: 100, passes: 0.85...1, shift: -0.2) >= 0.95)
    #expect(Self.alarms(suites: 3, n: 100, passes: 0.85...1, shift: -0.2) >= 0.9)
    #expect(Self.alarms(suites: 1, n: 100, passes: 0.5...0.85, shift: 0.2) >= 0.8)
  }

  @Test("At most about 2.5% of checks call a move beyond the margin still")
  func equivalence() {
    var random = SeededGenerator(seed: 7)
    let draws = 2_000
    let misses = (0..<draws).count { _ in
      let flips = Self.flips(300, passes: 0.9...1, shift: -0.06, &random)
      let change = Self.change(flips.harmful, flips.beneficial, of: 300)
      return Self.decide(change)?.standing == .still
    }
    #expect(Double(misses) / Double(draws) <= 0.03, "\(misses)")
  }
}
