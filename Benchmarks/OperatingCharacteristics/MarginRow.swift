import Sluice

/// A table row that shows how often gates pass a candidate whose true loss equals the margin of 5
/// points.
struct MarginRow: Sendable {
  var n: Int
  /// The share of cases that flip, in percent.
  var discordance: Int

  static let all = [
    MarginRow(n: 20, discordance: 5), MarginRow(n: 30, discordance: 5),
    MarginRow(n: 30, discordance: 10), MarginRow(n: 50, discordance: 10),
    MarginRow(n: 100, discordance: 10), MarginRow(n: 200, discordance: 10),
  ]

  struct Outcome: Sendable {
    var row: MarginRow
    /// The chance that the gate with a percentile bootstrap passes.
    var bootstrap: Double
    /// The chance that Sluice's gate, which uses Tango's interval, passes.
    var gate: Double
  }

  func outcome(_ rule: RegressionRule) -> Outcome {
    let psi = Double(discordance) / 100
    var bootstrap = PercentileBootstrapGate(n: n, margin: Scenario.margin)
    let odds = rule.odds(
      n: n,
      discordance: psi,
      difference: -Scenario.margin,
      margin: Scenario.margin
    )
    return Outcome(
      row: self,
      bootstrap: bootstrap.pass(discordance: psi, difference: -Scenario.margin),
      gate: odds.pass
    )
  }
}
