import Sluice

/// The largest probabilities of a wrong verdict on a grid of case numbers, margins and
/// discordances.
struct WorstCases: Sendable {
  /// A point of the grid, with the probability of a wrong verdict.
  struct Cell: Sendable {
    var n: Int
    /// The margin in points.
    var margin: Int
    /// The share of cases that flip, in percent.
    var discordance: Int
    var chance: Double
  }

  static let sizes = 10...400
  static let margins = 2...10
  static let discordances = 2...30

  /// The worst case among all discordances, for each number of cases and margin.
  let falsePasses: [Cell]
  let falseFails: [Cell]
  /// The number of points of the grid.
  let count: Int

  /// Computes all cells.
  init(rule: RegressionRule, like change: PairedChange, threads: Int) async {
    let sizes = Array(Self.sizes)
    // Start with the largest sizes, so that all threads finish at about the same time.
    let rows = await Concurrency.map(count: sizes.count, inFlight: threads) { index in
      let n = sizes[sizes.count - 1 - index]
      return Self.margins.map { Self.cells(n, $0, rule, change) }
    }
    let all = rows.reversed().flatMap(\.self)
    falsePasses = all.compactMap { $0.passes.max { $0.chance < $1.chance } }
    falseFails = all.compactMap { $0.fails.max { $0.chance < $1.chance } }
    count = all.reduce(0) { $0 + $1.passes.count + $1.fails.count }
  }

  private static func cells(
    _ n: Int,
    _ margin: Int,
    _ rule: RegressionRule,
    _ change: PairedChange
  ) -> (passes: [Cell], fails: [Cell]) {
    let share = Double(margin) / 100
    var gate = GateBoundaries(n: n, margin: share, rule: rule, like: change)
    var passes: [Cell] = []
    var fails: [Cell] = []
    for discordance in discordances {
      let psi = Double(discordance) / 100
      if discordance >= margin {
        let chance = gate.pass(discordance: psi, difference: -share)
        passes.append(Cell(n: n, margin: margin, discordance: discordance, chance: chance))
      }
      let chance = gate.fail(discordance: psi, difference: 0)
      fails.append(Cell(n: n, margin: margin, discordance: discordance, chance: chance))
    }
    return (passes, fails)
  }
}
