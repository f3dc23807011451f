import Foundation

extension Page {
  /// The section about stricter rules for passing a gate.
  var stricterRules: String {
    let discordances = StricterRules.lossDiscordances.map { "\($0)%" }
    return """
      ## A stricter pass: what was tried

      The gate passes if the lower end of Tango's 90% interval lies above minus the margin. With this rule, a false PASS can
      be more likely than 5%. A stricter rule would have replaced today's rule if it had met both of these conditions:

      - A false PASS and a false FAIL are at most 5.0% likely for each n, margin and discordance.
      - Power falls by at most 3 points for each n, margin and discordance.

      None of the rules below meets both for PASS, so the table leaves out FAIL. It has the n, margins and discordances of
      the first table: \(thousands(stricter.count)) combinations of n and margin. Here, power is the chance to pass if nothing changed
      and \(discordances.dropLast().joined(separator: ", ")) or \(discordances.last ?? "") of cases flip. \
      A loss of power is needless if today's rule does not exceed
      5% at any discordance, for the same n and margin.

      \(table(
        [
          "rule", "worst false PASS", "where", "above 5%", "largest loss", "where",
          "loss above 3 points", "needless",
        ],
        stricter.results.map { gridRow($0) }
      ))

      The chance to pass, if the margin is 5 points and 10% of cases flip:

      \(table(
        ["rule"]
          + StricterRules.rows.map {
            "n \($0.n), " + ($0.points == 0 ? "no change" : "+\($0.points) points")
          },
        stricter.results.map { [title($0.rule)] + $0.powers.map { percent($0) } }
      ))

      The smallest number of cases with which the gate passes if no case flips:

      \(table(
        ["rule"] + StricterRules.marginsWithoutFlip.map { "margin \($0) points" },
        stricter.results.map { [title($0.rule)] + $0.casesWithoutFlip.map { "\($0)" } }
      ))

      Why none of them became the rule:

      \(reasons)

      All figures are exact. The p value of an exact test is the chance of an outcome that is at least as extreme. It is
      computed at the discordance (up to 100%) for which this chance is largest. The M test orders the outcomes by Tango's
      score. The E+M test (Lloyd & Moldovan 2008) orders them by the chance of such a score at the most likely discordance.

      """
  }

  private func gridRow(_ result: StricterRules.Result) -> [String] {
    let (worst, loss) = (result.worst, result.largestLoss)
    let figures = [
      title(result.rule), String(format: "%.3f%%", 100 * worst.chance),
      "n \(worst.n), margin \(worst.margin), \(worst.discordance)% flip",
      thousands(result.count(above: StricterRules.ExactTest.level)),
    ]
    if result.rule == .tango90 { return figures + ["", "", "", ""] }
    return figures + [
      points(loss.power), "n \(loss.n), margin \(loss.margin), \(loss.discordance)% flip",
      thousands(result.countOfLosses), thousands(result.countOfNeedlessLosses),
    ]
  }

  private var reasons: String {
    let byRule = Dictionary(uniqueKeysWithValues: stricter.results.map { ($0.rule, $0) })
    guard let today = byRule[.tango90], let wide = byRule[.tango93],
      let maximized = byRule[.maximized], let estimated = byRule[.estimated]
    else { return "" }
    let lossInRows = zip(today.powers, estimated.powers).map { $0 - $1 }.max() ?? 0
    let loss = estimated.largestLoss
    let withoutFlipAtMargin = pow(1 - Double(loss.margin) / 100, Double(loss.n))
    let withoutFlip = pow(1 - Double(loss.discordance) / 100, Double(loss.n))
    return """
      - The 92% interval and the continuity correction still exceed 5% in a few combinations.
      - The 93% interval and the M test never exceed 5%. Both lose more than 3 points in many combinations, and needlessly in
        \(wide.countOfNeedlessLosses) and \(maximized.countOfNeedlessLosses) of them.
      - The E+M test is the best of these rules. It never exceeds 5%, and loses at most \(points(lossInRows)) in the second table. But
        it loses \(points(loss.power)) at n \(loss.n) and a margin of \(loss.margin) points.

      No rule that never exceeds 5% avoids a large loss there. Today's rule passes \(loss.n) cases without a flip at this margin. A
      prompt that is worse by \(loss.margin) points has no flip in \(percent(withoutFlipAtMargin)) of comparisons, \
      if \(loss.margin)% of cases flip. So a rule that never
      exceeds 5% must not pass without a flip. But an unchanged prompt has no flip in \(percent(withoutFlip)) of comparisons,
      if \(loss.discordance)% of cases flip. Such a rule passes at most \(percent(1 - withoutFlip)) of these comparisons; today's rule passes \
      \(percent(loss.gatePower)).

      So no rule can meet both conditions, and Tango's 90% interval stays the rule. The price is that a false PASS is up to
      \(percent(today.worst.chance)) likely. It is likelier than 5% in \
      \(thousands(today.count(above: StricterRules.ExactTest.level))) combinations, and likelier than 5.5% in \
      \(thousands(today.count(above: 0.055))) of them.
      """
  }

  private func title(_ rule: StricterRules.Rule) -> String {
    switch rule {
    case .tango90: "today: Tango, 90% interval"
    case .tango92: "Tango, 92% interval"
    case .tango93: "Tango, 93% interval"
    case .corrected: "Tango, 90%, continuity correction \(StricterRules.continuityCorrection)"
    case .maximized: "exact M test"
    case .estimated: "exact E+M test"
    }
  }

  private func points(_ share: Double) -> String { String(format: "%.1f points", 100 * share) }
}
