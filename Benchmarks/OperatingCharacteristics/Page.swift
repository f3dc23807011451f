import Foundation
import Sluice

/// The page `docs/operating-characteristics.md`, with all measurements.
struct Page: Sendable {
  var worst: WorstCases
  var specified: [Row]
  var others: [Row]
  var atMargin: [MarginRow.Outcome]
  var stricter: StricterRules
  var several: [Several]
  /// The simulated rate at which any of many gates on the same cases fails although nothing
  /// changed.
  var shared: Double
  var clustered: [ClusteredRuns.Cell]
  var repeated: [Repeated]
  var noise: [Noise]
  var itself: [Itself]
  var pairs: Int

  struct Row: Sendable {
    var scenario: Scenario
    var outcome: Scenario.Outcome
  }

  struct Several: Sendable {
    var outcome: SeveralGates.Outcome
    var simulated: Double?
  }

  struct Noise: Sendable {
    var suite: String
    var share: Double
    var tally: NoisyRuns.Tally
  }

  struct Repeated: Sendable {
    var suite: String
    var repeats: Int
    var tally: NoisyRuns.RepeatedTally
  }

  struct Itself: Sendable {
    var suite: String
    var outcome: NoisyRuns.Itself
  }

  private static let falsePassBar = 0.075
  private static let falseFailBar = 0.055
  private static let noiseBar = 0.065
  /// The limit for the rate at which any gate of a family fails although nothing changed.
  private static let familyBar = 0.055
  private static let tableSizes = [10, 20, 30, 50, 100, 200, 400]
  private static let tableMargins = [2, 3, 5, 10]

  private var worstPass: WorstCases.Cell? { worst.falsePasses.max { $0.chance < $1.chance } }
  private var worstFail: WorstCases.Cell? { worst.falseFails.max { $0.chance < $1.chance } }
  private var worstNoise: Noise? { noise.max { $0.tally.failed < $1.tally.failed } }

  private var worstFamily: SeveralGates.Outcome? {
    several.map(\.outcome).max { $0.worst.chance < $1.worst.chance }
  }
  private var worstOfMost: SeveralGates.Outcome? {
    several.map(\.outcome).filter { $0.gates == SeveralGates.counts.max() }
      .max { $0.worst.chance < $1.worst.chance }
  }

  /// Descriptions of the limits that were missed.
  var misses: [String] {
    var misses: [String] = []
    if let cell = worstPass, cell.chance > Self.falsePassBar {
      misses.append("false PASS \(percent(cell.chance)) at \(place(cell))")
    }
    if let cell = worstFail, cell.chance > Self.falseFailBar {
      misses.append("false FAIL \(percent(cell.chance)) at \(place(cell))")
    }
    for outcome in several.map(\.outcome) where outcome.worst.chance > Self.familyBar {
      misses.append("false FAIL \(percent(outcome.worst.chance)) of \(place(outcome))")
    }
    if shared > Self.noiseBar {
      misses.append("false FAIL \(percent(shared)) of gates on shared cases")
    }
    for row in noise where share(row.tally.failed, row.tally) > Self.noiseBar {
      let failed = percent(share(row.tally.failed, row.tally))
      misses.append("\(failed) of pairs fail: \(row.suite), noise \(percent(row.share))")
    }
    for cell in clustered {
      misses += ClusterRow(cell).misses.map { "clusters \(cell.design.name): \($0)" }
    }
    for row in repeated where row.repeats == 3 && row.suite == "clarity" {
      let passed = Double(row.tally.accuracyPassed) / Double(row.tally.pairs)
      if passed < 0.8 { misses.append("3 repeats: accuracy passes \(percent(passed))") }
      let both = Double(row.tally.passed) / Double(row.tally.pairs)
      if both < 0.5 { misses.append("3 repeats: both gates pass \(percent(both))") }
    }
    for row in itself where !row.outcome.isRight {
      misses.append("\(row.suite) against itself, n \(row.outcome.n): \(row.outcome.verdict)")
    }
    return misses
  }

  var text: String {
    [
      introduction, summary, scenarios, bootstrap, largest, stricterRules, severalGates, clusters,
      pairsOfRuns, repeats, method,
    ]
    .joined(separator: "\n")
  }

  // MARK: Sections

  private var introduction: String {
    """
    # How often the gate is right

    A gate such as `no regression in accuracy beyond 5 points` compares a changed prompt with its baseline, case by case.
    It says PASS, FAIL or INCONCLUSIVE. Like every test on a limited number of cases it can be wrong:

    - **False PASS**: the prompt is worse by the whole margin, and the gate lets it through. Users meet a regression that
      the gate was meant to stop.
    - **False FAIL**: nothing changed but chance, and the gate is red. Somebody looks for a fault that does not exist, and
      soon nobody believes the gate.
    - **Power**: the prompt is worse, and the gate says so. A loss that it misses rarely passes either: mostly the gate is
      inconclusive, and the report says about how many more cases are needed.

    Three numbers decide all of this: the number of cases (n), the share of them that flip between two runs (the
    discordance), and the margin. The code that decides real gates computed every figure. A program makes this page; do
    not edit it.

    """
  }

  private var summary: String {
    var rows: [[String]] = []
    if let cell = worstPass {
      rows.append([
        "False PASS, truth exactly at the margin", percent(cell.chance), percent(Self.falsePassBar),
        place(cell),
        met(cell.chance <= Self.falsePassBar),
      ])
    }
    if let cell = worstFail {
      rows.append([
        "False FAIL, nothing changed", percent(cell.chance), percent(Self.falseFailBar),
        place(cell),
        met(cell.chance <= Self.falseFailBar),
      ])
    }
    if let outcome = worstFamily {
      rows.append([
        "Several gates in one family, any FAILS, nothing changed", percent(outcome.worst.chance),
        percent(Self.familyBar), place(outcome), met(outcome.worst.chance <= Self.familyBar),
      ])
    }
    if let outcome = worstOfMost {
      rows.append([
        "The same of \(outcome.gates) gates", percent(outcome.worst.chance),
        percent(Self.familyBar), place(outcome), met(outcome.worst.chance <= Self.familyBar),
      ])
    }
    rows.append([
      "\(SeveralGates.counts.max() ?? 0) gates of one suite on shared cases, any FAILS",
      percent(shared), percent(Self.noiseBar), "n \(SimulatedGates.sharedCases), simulated",
      met(shared <= Self.noiseBar),
    ])
    if let row = worstNoise {
      let failed = share(row.tally.failed, row.tally)
      rows.append([
        "Two runs of a noisy model, any gate FAILS", percent(failed), percent(Self.noiseBar),
        "\(row.suite), noise \(whole(row.share))", met(failed <= Self.noiseBar),
      ])
    }
    let right = itself.count { $0.outcome.isRight }
    rows.append([
      "A run against itself is `identical` and passes", "\(right) of \(itself.count)", "all",
      "n " + Set(itself.map(\.outcome.n)).sorted().map(String.init).joined(separator: ", "),
      met(right == itself.count),
    ])
    return """
      ## The worst that can happen

      \(table(["", "worst", "bar", "where", ""], rows))

      The first two are the largest of \(thousands(worst.count)) chances. They are computed exactly for each n from \
      \(WorstCases.sizes.lowerBound) to \(WorstCases.sizes.upperBound), each
      margin from \(WorstCases.margins.lowerBound) to \(WorstCases.margins.upperBound) points and each \
      discordance from \(WorstCases.discordances.lowerBound)% to \
      \(WorstCases.discordances.upperBound)% in steps of one point.

      """
  }

  private var scenarios: String {
    """
    ## What to expect of a suite

    The margin is 5 points. Each row is a suite and a truth, and shows how often each gate passes or fails. "FAIL" is the
    default: it fails when a loss is credible and, as measured, reaches the margin. "FAIL beyond" is the part of it in
    which a loss beyond the margin is credible: the only failures under `on-credible-regression: warn`. The rest is
    inconclusive.

    The next columns are gates that teams write first, and how often they are red: when any case broke that passed before,
    when the pass rate fell, when it fell by 5 points. The last one passes when a 90% percentile bootstrap interval lies
    above minus the margin.

    \(scenarioTable(specified))

    More situations that teams ask about:

    \(scenarioTable(others))

    With nothing changed, the per-case gate is nearly always red, and "mean fell" about two times of five. A suite of 30
    to 50 cases finds most losses of 20 points. It cannot certify that there is no loss of 5 points. That takes hundreds of
    cases, or a wider margin.

    """
  }

  private func scenarioTable(_ rows: [Row]) -> String {
    table(
      [
        "n", "truth", "flips", "PASS", "FAIL", "FAIL beyond", "any case broke", "mean fell",
        "5-point drop", "bootstrap PASS",
      ],
      rows.map { row in
        let (scenario, outcome) = (row.scenario, row.outcome)
        return [
          "\(scenario.n)",
          scenario.points == 0
            ? "no change" : "\(scenario.points > 0 ? "+" : "−")\(abs(scenario.points)) points",
          "\(scenario.discordance)%", percent(outcome.odds.pass), percent(outcome.odds.fail),
          percent(outcome.odds.strictFail), percent(outcome.anyCaseBroke),
          percent(outcome.meanFell), percent(outcome.fivePointDrop),
          percent(outcome.bootstrapPass),
        ]
      }
    )
  }

  private var bootstrap: String {
    """
    ## Why no bootstrap

    The candidate is worse by exactly 5 points, the margin. How often is it called "not worse by 5 points"? It should be 5%
    at most.

    \(table(
      ["n", "flips", "percentile bootstrap", "this gate"],
      atMargin.map {
        ["\($0.row.n)", "\($0.row.discordance)%", percent($0.bootstrap), percent($0.gate)]
      }
    ))

    When the sample has no flip, resampling gives no flip either. The interval is [0, 0], and a suite of any size passes
    any margin.

    """
  }

  private var largest: String {
    """
    ## The worst by size and margin

    The largest chance over all discordances from \(WorstCases.discordances.lowerBound)% to \
    \(WorstCases.discordances.upperBound)%.

    False PASS, truth exactly at the margin:

    \(worstTable(worst.falsePasses))

    False FAIL, nothing changed:

    \(worstTable(worst.falseFails))

    """
  }

  private func worstTable(_ cells: [WorstCases.Cell]) -> String {
    table(
      ["margin"] + Self.tableSizes.map { "n \($0)" },
      Self.tableMargins.map { margin in
        ["\(margin) points"]
          + Self.tableSizes.map { n in
            cells.first { $0.n == n && $0.margin == margin }.map { percent($0.chance) } ?? ""
          }
      }
    )
  }

  private var severalGates: String {
    let most = SeveralGates.counts.max() ?? 0
    return """
      ## Several gates

      A suite passes when all of its gates pass, and fails when any of them fails. So each further gate is one more chance of
      a false alarm. The correction of Holm (1979) keeps that chance where it is for one gate: with several gates a loss must
      be more credible. The table shows independent gates of one family, each on its own n cases. The margin is 5 points,
      \(whole(SeveralGates.discordance)) of cases flip, and nothing changed: how often does any of them fail?

      \(severalTable(["each alone", "corrected", "corrected, simulated"]) { row in
        [percent(row.outcome.alone), percent(row.outcome.corrected)]
          + (row.simulated.map { [percent($0)] } ?? [])
      })

      The worst over all discordances from \(SeveralGates.discordances.lowerBound)% to \(SeveralGates.discordances.upperBound)%, \
      corrected, margin \(whole(SeveralGates.worstMargin)):

      \(severalTable([""]) { [percent($0.outcome.worst.chance)] })

      The other columns are exact. The simulated one has \(thousands(pairs)) pairs of runs, decided from trials to verdict by the
      library. Its figures are uncertain by about 0.7 points where they are near 5% (one standard error). One suite of \
      \(SimulatedGates.sharedCases)
      cases with \(most) gates that share them, half of the cases each, failed in \(percent(shared)) of as many pairs.

      """
  }

  /// Returns a table with a row for each number of gates, and with columns for each number of
  /// cases.
  private func severalTable(_ titles: [String], _ cells: (Several) -> [String]) -> String {
    let heads = SeveralGates.sizes.flatMap { n in
      let width = several.filter { $0.outcome.n == n }.map { cells($0).count }.max() ?? 0
      return titles.prefix(width).map { $0.isEmpty ? "n \(n)" : "n \(n), \($0)" }
    }
    let rows = SeveralGates.counts.map { count in
      let row = several.filter { $0.outcome.gates == count }
      return ["\(count)"]
        + SeveralGates.sizes.flatMap { n in
          let own = row.filter { $0.outcome.n == n }.flatMap(cells)
          let width = several.filter { $0.outcome.n == n }.map { cells($0).count }.max() ?? 0
          return own + Array(repeating: "", count: width - own.count)
        }
    }
    return table(["gates"] + heads, rows)
  }

  private var pairsOfRuns: String {
    let rows = noise.map { row in
      let tally = row.tally
      return [
        row.suite, whole(row.share), percent(tally.discordance / Double(tally.pairs)),
        percent(share(tally.failed, tally)), percent(share(tally.passed, tally)),
        percent(share(tally.inconclusive, tally)), percent(share(tally.anyCaseBroke, tally)),
        percent(share(tally.meanFell, tally)), percent(share(tally.fivePointDrop, tally)),
      ]
    }
    return """
      ## The same prompt twice

      Two runs of the same prompt on a model that wavers. The model is the stand-in of the demo. On a share of the requests it
      answers as if it had seen trouble where it saw none, or none where it saw some; each seed takes other requests. The
      suite's scorers score each run, and one run is the baseline of the other. The suite's gates on regressions decide
      together (accuracy and false-positive rate, both beyond 5 points). Plain gates, such as `accuracy >= 80%`, are left out:
      they compare nothing, and with enough noise both runs miss them. \
      \(thousands(pairs)) pairs in each row; flips
      and the three gates at the right are about accuracy.

      \(table(
        [
          "suite", "noise", "flips", "FAIL", "PASS", "INCONCLUSIVE", "any case broke", "mean fell",
          "5-point drop",
        ],
        rows
      ))

      A run against itself, its baseline written to a file and read again:

      \(table(
        ["suite", "n", "verdict", "reason"],
        itself.map { row in
          [
            row.suite, "\(row.outcome.n)", row.outcome.verdict.rawValue,
            row.outcome.reasons.map(\.rawValue).sorted().joined(separator: ", "),
          ]
        }
      ))

      """
  }

  private var method: String {
    """
    ## How it was computed

    All figures are exact, except for the simulations named above. Each case flips for the worse, for the better or not at
    all, independently, so the numbers of flips are trinomial. The program adds up their probabilities over the outcomes
    that the gate (`RegressionRule`, on the interval of Tango 1998) passes or fails. One more beneficial flip never makes a
    verdict worse, so for each number of harmful flips the program asks the gate for the boundary. For the rows of "What to
    expect of a suite" it also checks every outcome.

    - "5-point drop": a drop of exactly 5 points is red.
    - Several gates, corrected: the p value of a gate that fails is that of its score at no difference. Any gate fails
      exactly where the one with the smallest p value does, whose level is 5% divided by the number of gates.
    - Truth at the margin: harmful minus beneficial flips are the margin. A discordance below the margin is impossible
      there.
    - Percentile bootstrap: its limit for infinitely many resamples, whose flips are trinomial again. Nothing is drawn.
    - Noise and simulations start from fixed seeds, so the page is the same each time.

    ```sh
    make operating-characteristics      # or: swift run -c release OperatingCharacteristics > docs/operating-characteristics.md
    ```

    The program ends with exit code 1 when a bar is missed, and names it on standard error.

    """
  }

  // MARK: Words

  private func share(_ count: Int, _ tally: NoisyRuns.Tally) -> Double {
    Double(count) / Double(tally.pairs)
  }

  func percent(_ share: Double) -> String { String(format: "%.1f%%", 100 * share) }

  private func whole(_ share: Double) -> String { String(format: "%.0f%%", 100 * share) }

  func thousands(_ number: Int) -> String {
    var digits = String(number)
    var end = digits.count - 3
    while end > 0 {
      digits.insert(",", at: digits.index(digits.startIndex, offsetBy: end))
      end -= 3
    }
    return digits
  }

  private func place(_ cell: WorstCases.Cell) -> String {
    "n \(cell.n), margin \(cell.margin) points, \(cell.discordance)% flip"
  }

  private func place(_ outcome: SeveralGates.Outcome) -> String {
    "\(TerminalLines.count(outcome.gates, "gate")) of n \(outcome.n), "
      + "\(outcome.worst.discordance)% flip"
  }

  private func met(_ isMet: Bool) -> String { isMet ? "met" : "**missed**" }

  func table(_ header: [String], _ rows: [[String]]) -> String {
    ([header, header.map { _ in "---" }] + rows)
      .map { "| " + $0.joined(separator: " | ") + " |" }
      .joined(separator: "\n")
  }
}
