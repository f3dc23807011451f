import Sluice

/// The comparison of stricter rules for passing a regression gate with the gate's own rule, on the
/// grid of `WorstCases`.
struct StricterRules: Sendable {
  /// A rule for passing: the change is credibly not worse by the margin or more.
  enum Rule: CaseIterable, Sendable {
    case tango90
    case tango92
    case tango93
    case corrected
    case maximized
    case estimated
  }

  /// A combination of cases and margin for which a rule has less power than the gate.
  struct Loss: Sendable {
    var n: Int
    /// The margin in points.
    var margin: Int
    /// The share of cases that flip, in percent.
    var discordance: Int
    /// The probability that an unchanged prompt passes the gate.
    var gatePower: Double
    /// The loss of power: the gate's probability of passing minus the rule's.
    var power: Double
  }

  /// The figures of one rule.
  struct Result: Sendable {
    var rule: Rule
    /// The largest probability of a false PASS on the grid.
    var worst: WorstCases.Cell
    /// The largest probability of a false PASS for each number of cases and margin.
    var falsePasses: [Double]
    var largestLoss: Loss
    /// The number of combinations of cases and margin that lose more power than ``allowedLoss``.
    var countOfLosses: Int
    /// The number of these combinations for which the gate's own rule never exceeds the level.
    var countOfNeedlessLosses: Int
    /// The probability of passing for each of `rows`.
    var powers: [Double]
    /// The minimum number of cases that pass without any flip, for each of `marginsWithoutFlip`.
    var casesWithoutFlip: [Int]

    /// Returns the number of combinations whose probability of a false PASS exceeds a level.
    func count(above level: Double) -> Int { falsePasses.count { $0 > level } }
  }

  static let lossDiscordances = [2, 5, 10, 15, 20]
  static let marginsWithoutFlip = [2, 3, 5, 10]
  /// The largest loss of power that is acceptable for a stricter rule.
  static let allowedLoss = 0.03
  static let rows =
    [30, 50, 100, 150, 200].map { Scenario(n: $0, points: 0, discordance: 10) }
    + [50, 150].map { Scenario(n: $0, points: 5, discordance: 10) }

  /// The figures of each rule; the gate's own rule comes first.
  let results: [Result]
  /// The number of combinations of cases and margin.
  let count: Int

  /// Computes all figures.
  ///
  /// - Parameters:
  ///   - gate: The worst cases of the gate itself, which must equal those of the first rule.
  ///   - threads: The number of threads.
  /// - Throws: `Trouble` if a figure differs from its known value.
  init(gate: WorstCases, threads: Int) async throws {
    try Self.checkExactTests()
    let sizes = Array(WorstCases.sizes)
    // Start with the largest sizes, so that all threads finish at about the same time.
    let cells = await Concurrency.map(count: sizes.count, inFlight: threads) { index in
      WorstCases.margins.map { Cell(n: sizes[sizes.count - 1 - index], margin: $0) }
    }
    .reversed().flatMap(\.self)
    try Self.check(cells, against: gate)
    let powers = await Concurrency.map(count: Self.rows.count, inFlight: threads) { index in
      let row = Self.rows[index]
      let regions = Self.regions(n: row.n, margin: Scenario.margin)
      return regions.map { region in
        region.chance(
          discordance: Double(row.discordance) / 100,
          difference: Double(row.points) / 100
        )
      }
    }
    let rules = Rule.allCases
    let casesWithoutFlip = await Concurrency.map(count: rules.count, inFlight: threads) { index in
      Self.marginsWithoutFlip.map {
        Self.casesWithoutFlip(rules[index], margin: Double($0) / 100)
      }
    }
    count = cells.count
    results = rules.indices.compactMap { index in
      let losses = cells.map { cell in (cell, cell.largestLoss(index)) }
      guard
        let worst = cells.map({ $0.worst[index] }).max(by: { $0.chance < $1.chance }),
        let largestLoss = losses.map(\.1).max(by: { $0.power < $1.power })
      else { return nil }
      let beyond = losses.filter { $0.1.power > Self.allowedLoss }
      return Result(
        rule: rules[index],
        worst: worst,
        falsePasses: cells.map { $0.worst[index].chance },
        largestLoss: largestLoss,
        countOfLosses: beyond.count,
        countOfNeedlessLosses: beyond.count { $0.0.worst[0].chance <= ExactTest.level },
        powers: powers.map { $0[index] },
        casesWithoutFlip: casesWithoutFlip[index]
      )
    }
    for result in results.dropFirst()
    where result.count(above: ExactTest.level) == 0 && result.countOfLosses == 0 {
      throw Trouble("\(result.rule) meets the criterion, and the page says that no rule does")
    }
  }

  // MARK: Rules

  /// The continuity correction of Tango's score, which is subtracted in its numerator.
  static let continuityCorrection = 0.25

  /// Returns the outcomes that pass, for each rule.
  private static func regions(n: Int, margin: Double) -> [Region] {
    let test = ExactTest(n: n, margin: margin)
    return Rule.allCases.map { rule in
      switch rule {
      case .tango90, .tango92, .tango93, .corrected:
        Region(n: n) { passes(rule, $0, $1, test.score($0, $1), n, margin) }
      case .maximized: test.maximizedRegion()
      case .estimated: test.estimatedRegion()
      }
    }
  }

  /// Returns true if an outcome passes a rule that depends only on its score.
  private static func passes(
    _ rule: Rule,
    _ harmful: Int,
    _ beneficial: Int,
    _ score: Double,
    _ n: Int,
    _ margin: Double
  ) -> Bool {
    switch rule {
    case .tango90: return score > criticalValue90
    case .tango92: return score > criticalValue92
    case .tango93: return score > criticalValue93
    case .corrected:
      let distance = Double(beneficial - harmful) + Double(n) * margin
      return distance > continuityCorrection
        && score * (1 - continuityCorrection / distance) > criticalValue90
    case .maximized, .estimated:
      preconditionFailure("an exact test compares an outcome with all others")
    }
  }

  private static let criticalValue90 = -NormalDistribution.quantile(0.05)
  private static let criticalValue92 = -NormalDistribution.quantile(0.04)
  private static let criticalValue93 = -NormalDistribution.quantile(0.035)

  /// Returns the minimum number of cases that pass if no case flips.
  private static func casesWithoutFlip(_ rule: Rule, margin: Double) -> Int {
    var n = 1
    while true {
      let passes =
        switch rule {
        case .tango90, .tango92, .tango93, .corrected:
          passes(
            rule,
            0,
            0,
            Tango.score(at: -margin, harmful: 0, beneficial: 0, of: n),
            n,
            margin
          )
        case .maximized:
          ExactTest(n: n, margin: margin).maximizedPValue(harmful: 0, beneficial: 0)
            <= ExactTest.level
        case .estimated:
          ExactTest(n: n, margin: margin).estimatedPValue(harmful: 0, beneficial: 0)
            <= ExactTest.level
        }
      if passes { return n }
      n += 1
    }
  }

  // MARK: Grid

  /// The figures of all rules for one number of cases and one margin.
  private struct Cell: Sendable {
    /// The worst case among all discordances, for each rule.
    let worst: [WorstCases.Cell]
    private let powers: [[Double]]

    init(n: Int, margin: Int) {
      let share = Double(margin) / 100
      let regions = StricterRules.regions(n: n, margin: share)
      worst = regions.map { region in
        var worst = WorstCases.Cell(n: n, margin: margin, discordance: margin, chance: 0)
        for discordance in margin...WorstCases.discordances.upperBound {
          let chance = region.chance(discordance: Double(discordance) / 100, difference: -share)
          if chance > worst.chance { (worst.discordance, worst.chance) = (discordance, chance) }
        }
        return worst
      }
      powers = regions.map { region in
        StricterRules.lossDiscordances.map {
          region.chance(discordance: Double($0) / 100, difference: 0)
        }
      }
    }

    /// Returns the largest loss of power, among all discordances, of a rule compared with the
    /// gate's rule.
    func largestLoss(_ rule: Int) -> Loss {
      var largest = Loss(
        n: worst[rule].n,
        margin: worst[rule].margin,
        discordance: 0,
        gatePower: 0,
        power: -.infinity
      )
      for (index, discordance) in StricterRules.lossDiscordances.enumerated() {
        let gatePower = powers[0][index]
        let power = gatePower - powers[rule][index]
        guard power > largest.power else { continue }
        (largest.discordance, largest.gatePower, largest.power) = (discordance, gatePower, power)
      }
      return largest
    }
  }

  // MARK: Checks

  /// P-values of the E+M test that another program computed by enumerating all outcomes.
  private static let knownPValues: [KnownPValue] = [
    KnownPValue(harmful: 0, beneficial: 0, n: 58, margin: 0.05, pValue: 0.051047),
    KnownPValue(harmful: 0, beneficial: 0, n: 59, margin: 0.05, pValue: 0.048495),
    KnownPValue(harmful: 0, beneficial: 0, n: 28, margin: 0.1, pValue: 0.052335),
    KnownPValue(harmful: 0, beneficial: 0, n: 29, margin: 0.1, pValue: 0.047101),
    KnownPValue(harmful: 1, beneficial: 0, n: 50, margin: 0.09, pValue: 0.053238),
    KnownPValue(harmful: 1, beneficial: 0, n: 52, margin: 0.09, pValue: 0.045554),
    KnownPValue(harmful: 2, beneficial: 3, n: 100, margin: 0.05, pValue: 0.015742),
    KnownPValue(harmful: 4, beneficial: 4, n: 100, margin: 0.05, pValue: 0.057460),
    KnownPValue(harmful: 5, beneficial: 4, n: 150, margin: 0.05, pValue: 0.029066),
    KnownPValue(harmful: 3, beneficial: 0, n: 150, margin: 0.05, pValue: 0.054794),
    KnownPValue(harmful: 7, beneficial: 0, n: 150, margin: 0.05, pValue: 0.538115),
    KnownPValue(harmful: 12, beneficial: 4, n: 400, margin: 0.05, pValue: 0.005468),
  ]

  private struct KnownPValue {
    var harmful: Int
    var beneficial: Int
    var n: Int
    var margin: Double
    var pValue: Double
  }

  private static func checkExactTests() throws {
    for known in knownPValues {
      let pValue = ExactTest(n: known.n, margin: known.margin)
        .estimatedPValue(harmful: known.harmful, beneficial: known.beneficial)
      guard abs(pValue - known.pValue) < 2e-6 else {
        throw Trouble("the E+M test gives \(pValue) for \(known)")
      }
    }
  }

  /// Checks that the first rule has the same outcomes and probabilities as the gate.
  private static func check(_ cells: [Cell], against gate: WorstCases) throws {
    let known = Dictionary(
      uniqueKeysWithValues: gate.falsePasses.map { ([$0.n, $0.margin], $0.chance) }
    )
    for cell in cells.map({ $0.worst[0] }) {
      guard let chance = known[[cell.n, cell.margin]], abs(chance - cell.chance) < 1e-10 else {
        throw Trouble("the first of the stricter rules is not the gate's: \(cell)")
      }
    }
  }
}
