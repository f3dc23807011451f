import Sluice

/// A number of cases and a true change, for which the gates' verdicts are computed.
struct Scenario: Sendable {
  var n: Int
  /// The true change of the pass rate in points; negative is worse.
  var points: Int
  /// The share of cases that flip, in percent.
  var discordance: Int

  static let margin = 0.05

  /// The scenarios in the table of the specification.
  static let specified = [
    Scenario(n: 30, points: 0, discordance: 10), Scenario(n: 50, points: 0, discordance: 10),
    Scenario(n: 100, points: 0, discordance: 10), Scenario(n: 200, points: 0, discordance: 10),
    Scenario(n: 50, points: -10, discordance: 12), Scenario(n: 100, points: -10, discordance: 12),
    Scenario(n: 30, points: -20, discordance: 22), Scenario(n: 50, points: -20, discordance: 22),
  ]

  /// Further scenarios that teams ask about.
  static let others = [
    Scenario(n: 150, points: 0, discordance: 10), Scenario(n: 400, points: 0, discordance: 10),
    Scenario(n: 50, points: -5, discordance: 10), Scenario(n: 150, points: -5, discordance: 10),
    Scenario(n: 400, points: -5, discordance: 10), Scenario(n: 150, points: -10, discordance: 12),
    Scenario(n: 200, points: -10, discordance: 12), Scenario(n: 150, points: -20, discordance: 22),
    Scenario(n: 50, points: 5, discordance: 10), Scenario(n: 150, points: 5, discordance: 10),
  ]

  /// The probabilities of the gates' verdicts.
  struct Outcome: Sendable {
    var odds: RegressionRule.Odds
    var anyCaseBroke = 0.0
    var meanFell = 0.0
    var fivePointDrop = 0.0
    var bootstrapPass = 0.0
  }

  func outcome(_ rule: RegressionRule) -> Outcome {
    let psi = Double(discordance) / 100
    let difference = Double(points) / 100
    var outcome = Outcome(
      odds: rule.odds(n: n, discordance: psi, difference: difference, margin: Self.margin)
    )
    TrinomialEnumeration(n: n, discordance: psi, difference: difference).forEach {
      harmful,
      beneficial,
      probability in
      if NaiveGates.anyCaseBroke(harmful: harmful, beneficial: beneficial) {
        outcome.anyCaseBroke += probability
      }
      if NaiveGates.meanFell(harmful: harmful, beneficial: beneficial) {
        outcome.meanFell += probability
      }
      if NaiveGates.fivePointDrop(harmful: harmful, beneficial: beneficial, of: n) {
        outcome.fivePointDrop += probability
      }
    }
    var bootstrap = PercentileBootstrapGate(n: n, margin: Self.margin)
    outcome.bootstrapPass = bootstrap.pass(discordance: psi, difference: difference)
    return outcome
  }
}
