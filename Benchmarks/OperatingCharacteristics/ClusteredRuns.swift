import Sluice

/// Simulated pairs of runs of a suite whose cases form clusters.
///
/// The library decides each pair with the same code as for any other run, from trials to a verdict.
struct ClusteredRuns: Sendable {
  /// The sizes of a suite's clusters.
  struct Design: Sendable {
    var name: String
    /// The number of cases in each cluster.
    var sizes: [Int]

    /// The effective number of clusters: (Σn)²/Σn², where n is the number of cases in each cluster.
    var effectiveClusters: Double {
      let (sum, squares) = sizes.reduce((0.0, 0.0)) { sums, size in
        (sums.0 + Double(size), sums.1 + Double(size * size))
      }
      return sum * sum / squares
    }
  }

  /// The true difference between two runs.
  struct World: Sendable {
    /// The correlation between the outcomes of two cases in a cluster.
    var correlation: Double
    /// The true change of the pass rate in points; negative is worse.
    var points: Int
    /// The share of cases that flip, in percent.
    var discordance: Int
  }

  /// The counts of verdicts, and of accuracy intervals that contained the true value.
  struct Tally: Sendable {
    var pairs = 0
    /// The number of passes for each margin, in the order of ``margins``.
    var passed = [0, 0]
    var failed = [0, 0]
    var covered = 0

    static func + (left: Tally, right: Tally) -> Tally {
      Tally(
        pairs: left.pairs + right.pairs,
        passed: zip(left.passed, right.passed).map(+),
        failed: zip(left.failed, right.failed).map(+),
        covered: left.covered + right.covered
      )
    }
  }

  /// A design and a world, with the results of its pairs.
  struct Cell: Sendable {
    var design: Design
    var world: World
    var tally: Tally
  }

  /// The margins of the gates, in points.
  static let margins = [5, 10]
  static let designs =
    [3, 6, 8, 12, 20, 40].map { count in
      Design(name: "\(count) of 5", sizes: Array(repeating: 5, count: count))
    } + [
      Design(name: "8 of 20", sizes: Array(repeating: 20, count: 8)),
      Design(name: "40 of 2", sizes: Array(repeating: 2, count: 40)),
      Design(name: "1 of 43, 20 of 5", sizes: [43] + Array(repeating: 5, count: 20)),
      Design(name: "1 of 90, 40 of 5", sizes: [90] + Array(repeating: 5, count: 40)),
      Design(name: "1 of 50, 100 alone", sizes: [50] + Array(repeating: 1, count: 100)),
    ]
  static let worlds = [0, 0.3, 1].flatMap { correlation in
    [(0, 20), (-5, 10), (-10, 20)].map {
      World(correlation: correlation, points: $0.0, discordance: $0.1)
    }
  }

  private let design: Design
  private let suite: ResolvedSuite
  private let trials: [Trial]
  private let baseline: Baseline

  init(_ design: Design) throws {
    let cases = design.sizes.enumerated().flatMap { cluster, size in
      (0..<size).map { number in
        "- {id: c\(cluster)-\(number), cluster: k\(cluster), input: {message: hello}, "
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
      \(Self.margins.map { "  - no regression in accuracy beyond \($0) points" }
        .joined(separator: "\n"))

      """,
      "prompts/many/v1.yaml": "messages:\n  - user: \"{{message}}\"\n",
      "datasets/many/cases.yaml": cases.joined(),
    ])
    let loaded = ProjectLoader.load(from: files)
    guard let suite = loaded.suites.first else {
      throw Trouble("the clustered suite: \(loaded.diagnostics.map(\.message))")
    }
    self.design = design
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

  /// Simulates and decides pairs of runs for each design in each world.
  static func cells(pairs: Int, threads: Int) async throws -> [Cell] {
    var cells: [Cell] = []
    for design in designs {
      let runs = try ClusteredRuns(design)
      for world in worlds {
        let tally = await runs.tally(world, pairs: pairs, threads: threads)
        cells.append(Cell(design: design, world: world, tally: tally))
      }
    }
    return cells
  }

  private func tally(_ world: World, pairs: Int, threads: Int) async -> Tally {
    let parts = await Concurrency.map(count: threads, inFlight: threads) { thread in
      stride(from: thread, to: pairs, by: threads).reduce(Tally()) { tally, pair in
        tally + decided(world, seed: UInt64(pair) &* 0x9E37_79B9 &+ 11)
      }
    }
    return parts.reduce(Tally(), +)
  }

  /// The outcomes of a case in the two runs.
  private enum Fate {
    case harmful, beneficial, bothFail, bothPass
  }

  private func decided(_ world: World, seed: UInt64) -> Tally {
    var random = SeededGenerator(seed: seed)
    let psi = Double(world.discordance) / 100
    let difference = Double(world.points) / 100
    let harmful = (psi - difference) / 2
    let failing = 0.15 * (1 - psi)
    func fate(_ random: inout SeededGenerator) -> Fate {
      switch random.uniform() {
      case ..<harmful: .harmful
      case ..<psi: .beneficial
      case ..<(psi + failing): .bothFail
      default: .bothPass
      }
    }
    let copies = world.correlation.squareRoot()
    var (before, after) = (trials, trials)
    var place = 0
    for size in design.sizes {
      let shared = fate(&random)
      for _ in 0..<size {
        switch random.uniform() < copies ? shared : fate(&random) {
        case .harmful: after[place].outcome = .failed
        case .beneficial: before[place].outcome = .failed
        case .bothFail:
          before[place].outcome = .failed
          after[place].outcome = .failed
        case .bothPass: break
        }
        place += 1
      }
    }
    var baseline = baseline
    baseline.trials = before
    let result = ColumnJudge(suite, source: .recorded)
      .result(after, baselines: [baseline.backend: baseline])
    var tally = Tally(pairs: 1)
    for column in result.columns where column.isCandidate {
      for (place, gate) in column.gates.enumerated() {
        if gate.verdict == .pass { tally.passed[place] += 1 }
        if gate.verdict == .fail { tally.failed[place] += 1 }
      }
      let accuracy = 1 - harmful - failing
      let interval = column.metrics.first { $0.name == "accuracy" }?.estimate.interval
      if let interval, interval.low <= accuracy, accuracy <= interval.high { tally.covered += 1 }
    }
    return tally
  }
}
