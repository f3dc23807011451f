import Sluice

/// The largest chances of a wrong verdict over a grid of suites and changes.
struct WorstCases: Sendable {
  /// A suite and a change, with the chance of a wrong verdict.
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

  /// The worst over all discordances for each size and margin.
  let falsePasses: [Cell]
  let falseFails: [Cell]
  /// The number of computed combinations of size, margin and discordance.
  let count: Int

  /// Computes all cells.
  init(rule: RegressionRule, like change: PairedChange, threads: Int) async {
    let sizes = Array(Self.sizes)
    // The largest first, so that no thread has much to do when the others are done.
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
