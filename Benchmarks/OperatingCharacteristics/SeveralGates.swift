import Sluice

/// The probability that any of several independent gates fails although nothing changed.
enum SeveralGates {
  static let counts = [1, 2, 3, 5, 10, 15, 20, 26]
  static let sizes = [50, 100, 200]
  static let margin = 0.05
  static let discordance = 0.1
  /// The margin for the worst case.
  ///
  /// It is so small that the gate fails on any credible loss.
  static let worstMargin = 0.01
  static let discordances = 1...50

  struct Outcome: Sendable {
    var n: Int
    var gates: Int
    /// The probability without a correction.
    var alone: Double
    /// The probability with the correction of Holm (1979).
    var corrected: Double
    /// The largest probability with the correction, among all discordances.
    var worst: Cell
  }

  /// A probability, with the discordance that it belongs to.
  struct Cell: Sendable {
    var chance: Double
    /// The share of cases that flip, in percent.
    var discordance: Int
  }

  /// A number of flips with which a gate fails before the correction, with its p-value.
  private struct Failure {
    var harmful: Int
    var beneficial: Int
    var p: Double
  }

  /// Returns the exact probabilities for each number of gates.
  ///
  /// The p-value of a failing gate is the probability of a loss at least as large if nothing got
  /// worse. With Holm's correction, at least one gate fails if and only if the smallest p-value,
  /// multiplied by the number of gates, is at most 5%.
  static func outcomes(n: Int, _ rule: RegressionRule, like template: PairedChange) -> [Outcome] {
    let usual = failures(n: n, margin: margin, rule, like: template)
    let strict = failures(n: n, margin: worstMargin, rule, like: template)
    let alone = chances(usual, n, discordance, [1])[0]
    let corrected = chances(usual, n, discordance, counts)
    var worst = counts.map { _ in Cell(chance: 0, discordance: 0) }
    for percent in discordances {
      let chances = chances(strict, n, Double(percent) / 100, counts)
      for (index, chance) in chances.enumerated() {
        let any = anyOf(counts[index], chance)
        if any > worst[index].chance { worst[index] = Cell(chance: any, discordance: percent) }
      }
    }
    return counts.indices.map { index in
      Outcome(
        n: n,
        gates: counts[index],
        alone: anyOf(counts[index], alone),
        corrected: anyOf(counts[index], corrected[index]),
        worst: worst[index]
      )
    }
  }

  private static func failures(
    n: Int,
    margin: Double,
    _ rule: RegressionRule,
    like template: PairedChange
  ) -> [Failure] {
    var failures: [Failure] = []
    for harmful in 1...n {
      for beneficial in 0...(n - harmful) where beneficial < harmful {
        var change = template
        change.n = n
        change.margin = margin
        change.basis = .flips(harmful: harmful, beneficial: beneficial)
        change.difference = Double(beneficial - harmful) / Double(n)
        change.interval = Tango.interval(harmful: harmful, beneficial: beneficial, of: n)
        guard rule.judge(change).verdict == .fail else { continue }
        let p = NormalDistribution.cumulative(
          Tango.score(at: 0, harmful: harmful, beneficial: beneficial, of: n)
        )
        failures.append(Failure(harmful: harmful, beneficial: beneficial, p: p))
      }
    }
    return failures
  }

  /// Returns, for each number of gates, the probability that a gate fails at the strictest level of
  /// Holm's correction.
  private static func chances(
    _ failures: [Failure],
    _ n: Int,
    _ discordance: Double,
    _ counts: [Int]
  ) -> [Double] {
    var probabilities = [Double](repeating: 0, count: (n + 1) * (n + 1))
    let flips = TrinomialEnumeration(n: n, discordance: discordance, difference: 0)
    flips.forEach { harmful, beneficial, probability in
      probabilities[harmful * (n + 1) + beneficial] = probability
    }
    return counts.map { count in
      // With a single gate, the interval decides, not the p-value.
      failures.filter { count == 1 || $0.p <= Correction.familyLevel / Double(count) }
        .reduce(0) { $0 + probabilities[$1.harmful * (n + 1) + $1.beneficial] }
    }
  }

  /// Returns the probability of at least one of several independent events that are equally likely.
  private static func anyOf(_ count: Int, _ chance: Double) -> Double {
    1 - (0..<count).reduce(1) { rest, _ in rest * (1 - chance) }
  }
}

/// Simulated pairs of runs between which nothing changed, for suites with a gate for each tag.
///
/// The library decides each pair with the same code as for any other run, from trials to a verdict.
struct SimulatedGates: Sendable {
  /// The number of cases in the suite whose gates share cases.
  static let sharedCases = 200
  private let suite: ResolvedSuite
  private let trials: [Trial]
  private let baseline: Baseline

  /// Creates a suite whose gates share no cases.
  init(gates: Int, casesEach: Int) throws {
    try self.init(
      gates: gates,
      tags: (0..<gates).flatMap { Array(repeating: [$0], count: casesEach) }
    )
  }

  /// Creates a suite whose gates share cases: each case counts for half of the gates.
  init(gates: Int, sharing cases: Int) throws {
    var random = SeededGenerator(seed: 26)
    let tags = (0..<cases).map { _ in (0..<gates).filter { _ in random.uniform() < 0.5 } }
    try self.init(gates: gates, tags: tags)
  }

  /// Creates a suite.
  ///
  /// Each element of `tags` is a case, with the gates that it counts for.
  private init(gates: Int, tags: [[Int]]) throws {
    let cases = tags.enumerated().map { number, gates in
      "- {id: c\(number), tags: [\(gates.map { "g\($0)" }.joined(separator: ", "))], "
        + "input: {message: hello}, expected: {flagged: false}}\n"
    }
    let files = InMemoryFileSystem([
      "sluice.yaml": "backends:\n  some: {type: openai, model: some-1}\n",
      "prompts/many/suite.yaml": """
      suite: many
      prompt: v1.yaml
      dataset: many
      backend: some
      scorers:
        - flags: {path: warning, when: non-empty}
      gates:
      \((0..<gates).map { "  - no regression in accuracy[tag=g\($0)] beyond 5 points" }
        .joined(separator: "\n"))

      """,
      "prompts/many/v1.yaml": "messages:\n  - user: \"{{message}}\"\n",
      "datasets/many/cases.yaml": cases.joined(),
    ])
    let loaded = ProjectLoader.load(from: files)
    guard let suite = loaded.suites.first else {
      throw Trouble("the simulated suite: \(loaded.diagnostics.map(\.message))")
    }
    self.suite = suite
    trials = suite.plan.unansweredTrials().map { trial in
      var trial = trial
      trial.scores = []
      trial.outcome = .passed
      return trial
    }
    // Each pair later replaces the trials of the baseline.
    baseline = try Baseline.of(suite.plan, [])
  }

  /// Returns the share of pairs in which any gate fails although nothing changed.
  func falseAlarms(pairs: Int, seed: UInt64, threads: Int) async -> Double {
    let failed = await Concurrency.map(count: threads, inFlight: threads) { thread in
      (0..<pairs).count { pair in
        pair % threads == thread && fails(seed &+ UInt64(pair) &* 0x9E37_79B9)
      }
    }
    return Double(failed.reduce(0, +)) / Double(pairs)
  }

  private func fails(_ seed: UInt64) -> Bool {
    var random = SeededGenerator(seed: seed)
    var (before, after) = (trials, trials)
    for index in trials.indices {
      // Half of the flips are harmful, and most cases without a flip pass.
      switch random.uniform() {
      case ..<(SeveralGates.discordance / 2): after[index].outcome = .failed
      case ..<SeveralGates.discordance: before[index].outcome = .failed
      case 0.85...:
        before[index].outcome = .failed
        after[index].outcome = .failed
      default: break
      }
    }
    var baseline = baseline
    baseline.trials = before
    let result = ColumnJudge(suite, source: .recorded)
      .result(after, baselines: [baseline.backend: baseline])
    return result.verdict == .fail
  }
}
