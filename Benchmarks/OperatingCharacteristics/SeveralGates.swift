import Sluice

/// How often any of several independent gates fails although nothing changed.
enum SeveralGates {
  static let counts = [1, 2, 3, 5, 10]
  static let margin = 0.05
  static let discordance = 0.1
  /// The level at which the library holds the chance of any false alarm.
  private static let level = 0.05

  struct Outcome: Sendable {
    var gates: Int
    /// If each gate decided by itself.
    var alone: Double
    /// With the correction of Holm (1979).
    var corrected: Double
  }

  /// The exact chances.
  ///
  /// A gate that fails has the probability of its loss, had nothing got worse, as its p-value. Holm's
  /// correction lets any of them fail exactly when it lets the smallest, which is multiplied by how many
  /// there are.
  static func outcomes(n: Int, _ rule: RegressionRule, like template: PairedChange) -> [Outcome] {
    counts.map { count in
      var alone = 0.0
      var corrected = 0.0
      let flips = TrinomialEnumeration(n: n, discordance: discordance, difference: 0)
      flips.forEach { harmful, beneficial, probability in
        var change = template
        change.n = n
        change.margin = margin
        change.basis = .flips(harmful: harmful, beneficial: beneficial)
        change.difference = Double(beneficial - harmful) / Double(n)
        change.interval = Tango.interval(harmful: harmful, beneficial: beneficial, of: n)
        guard rule.judge(change).verdict == .fail else { return }
        alone += probability
        let p = NormalDistribution.cumulative(
          Tango.score(at: 0, harmful: harmful, beneficial: beneficial, of: n)
        )
        let adjusted = MultipleTesting.holm([p] + Array(repeating: 1, count: count - 1))
        if adjusted[0] <= level { corrected += probability }
      }
      return Outcome(
        gates: count,
        alone: anyOf(count, alone),
        corrected: anyOf(count, corrected)
      )
    }
  }

  /// The chance of any of several independent events of the same chance.
  private static func anyOf(_ count: Int, _ chance: Double) -> Double {
    1 - (0..<count).reduce(1) { rest, _ in rest * (1 - chance) }
  }
}

/// The same by simulation: suites with one gate for each of several tags, decided by the library's own
/// path from trials to a verdict.
struct SimulatedGates: Sendable {
  private let suite: ResolvedSuite
  private let trials: [Trial]
  private let baseline: Baseline

  init(gates: Int, casesEach: Int) throws {
    let cases = (0..<gates).flatMap { gate in
      (0..<casesEach).map { number in
        "- {id: c\(gate)-\(number), tags: [g\(gate)], input: {message: hello}, "
          + "expected: {flagged: false}}\n"
      }
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
    trials = suite.plan.unansweredTrials.map { trial in
      var trial = trial
      trial.scores = []
      trial.outcome = .passed
      return trial
    }
    // The trials of the baseline are put in pair by pair.
    baseline = try Baseline.of(suite.plan, [])
  }

  /// The share of pairs in which any gate fails although nothing changed.
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
      // Half of the flips are harmful, and of the others most pass.
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
