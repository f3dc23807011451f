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
    It says PASS, FAIL or INCONCLUSIVE. Like every test on a limited number of cases, it can be wrong:

    - **False PASS**: the prompt is worse by the whole margin, but the gate passes. The regression that the gate should
      stop reaches users.
    - **False FAIL**: nothing about the prompt got worse, but the gate fails by chance. Somebody looks for a fault that does
      not exist. If this happens often, people ignore the gate.

    The **power** of a gate is the chance that it detects a loss. If a gate does not detect a loss, it rarely passes.
    Usually it is inconclusive, and the report says about how many more cases are needed.

    Three numbers determine these chances: the number of cases (n), the margin, and the *discordance*. The discordance is
    the share of cases that flip, which means that they pass in one run and fail in the other. The code that decides real
    gates computed every figure. A program writes this page; do not edit it.

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
        "The same, with \(outcome.gates) gates", percent(outcome.worst.chance),
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

      The chances in the first two rows are the largest of \(thousands(worst.count)). They are computed exactly for each n from \
      \(WorstCases.sizes.lowerBound) to \(WorstCases.sizes.upperBound), each
      margin from \(WorstCases.margins.lowerBound) to \(WorstCases.margins.upperBound) points and each \
      discordance from \(WorstCases.discordances.lowerBound)% to \
      \(WorstCases.discordances.upperBound)% in steps of one point.

      """
  }

  private var scenarios: String {
    """
    ## What to expect of a suite

    The margin is 5 points. Each row is a size of suite (n) and a true change of the prompt, and shows how often each gate
    passes or fails. "FAIL" is the default policy: the gate fails if a loss is credible and the measured loss reaches the
    margin. "FAIL beyond" counts only the failures in which a loss beyond the margin is credible. With the policy
    `on-credible-regression: warn`, the gate fails only then; in the other failures, it is inconclusive.

    The next three columns show how often simple gates fail. These gates fail if any case broke that passed before, if the
    pass rate fell, or if it fell by at least 5 points. The last column is about a gate that requires that the whole 90%
    percentile bootstrap interval lies above minus the margin. It shows how often this gate passes.

    \(scenarioTable(specified))

    More situations that teams ask about:

    \(scenarioTable(others))

    If nothing changed, the gate "any case broke" nearly always fails, and "mean fell" fails about two times out of five. A
    suite of 30 to 50 cases finds most losses of 20 points. It cannot show that there is no loss of 5 points. That takes
    hundreds of cases, or a wider margin.

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

    The changed prompt is worse by exactly 5 points, which is the margin. The table shows how often each gate passes
    nevertheless. That should happen in at most 5% of comparisons.

    \(table(
      ["n", "flips", "percentile bootstrap", "this gate"],
      atMargin.map {
        ["\($0.row.n)", "\($0.row.discordance)%", percent($0.bootstrap), percent($0.gate)]
      }
    ))

    If the sample has no flip, resampling gives no flip either. Then the bootstrap interval is [0, 0], so even the smallest
    suite passes with any margin.

    """
  }

  private var largest: String {
    """
    ## The worst by size and margin

    Each figure is the largest chance over all discordances from \(WorstCases.discordances.lowerBound)% to \
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

      A suite passes if all of its gates pass, and fails if any gate fails. So each further gate adds a chance of a false
      alarm. With the correction of Holm (1979), a loss must be more credible if there are several gates. This keeps the
      chance that any gate gives a false alarm at about 5%, as for one gate. The table shows how often any gate of a family
      fails if nothing changed. The gates are independent: each has its own n cases. The margin is 5 points, and
      \(whole(SeveralGates.discordance)) of cases flip.

      \(severalTable(["each alone", "corrected", "corrected, simulated"]) { row in
        [percent(row.outcome.alone), percent(row.outcome.corrected)]
          + (row.simulated.map { [percent($0)] } ?? [])
      })

      The largest chance over all discordances from \(SeveralGates.discordances.lowerBound)% to \(SeveralGates.discordances.upperBound)%, \
      with the correction and a margin of \(whole(SeveralGates.worstMargin)):

      \(severalTable([""]) { [percent($0.outcome.worst.chance)] })

      All columns except the simulated one are exact. For the simulated one, the library decided \(thousands(pairs)) pairs of runs, from
      trials to verdict. Near 5%, one standard error of its figures is about 0.7 points. In another simulation of as many
      pairs, a suite of \(SimulatedGates.sharedCases) cases has \(most) gates, and each gate uses half of these cases. \
      The suite failed in \(percent(shared)) of
      the pairs.

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

      The same prompt runs twice on a model whose answers vary. The model is the stand-in of the demo. For a share of the
      requests (the noise), it reverses its answer: it warns where it would not, or does not warn where it would. Each seed
      selects other requests. The suite's scorers score each run, and one run is the baseline of the other. The suite's
      regression gates decide together (accuracy and false-positive rate, both beyond 5 points). Plain gates, such as
      `accuracy >= 80%`, are left out: they compare nothing, and with enough noise both runs miss them. Each row has
      \(thousands(pairs)) pairs. The flips and the last three columns are about accuracy.

      \(table(
        [
          "suite", "noise", "flips", "FAIL", "PASS", "INCONCLUSIVE", "any case broke", "mean fell",
          "5-point drop",
        ],
        rows
      ))

      A run is compared with itself, after its baseline was written to a file and read again:

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
    all, independently, so the numbers of flips are trinomial. The gate is `RegressionRule`, with the interval of Tango
    (1998). For each verdict, the program adds up the probabilities of the outcomes with this verdict. One more
    beneficial flip never makes a verdict worse, so for each number of harmful flips the program searches only for the
    boundary between verdicts. For the rows of "What to expect of a suite", it also checks every outcome.

    - "5-point drop": a drop of exactly 5 points fails, too.
    - Several gates, corrected: the p value of a failing gate is the p value of its score if nothing changed. At least one
      gate fails exactly if the gate with the smallest p value fails. The level of this gate is 5% divided by the number
      of gates.
    - Truth at the margin: the probability of a harmful flip minus that of a beneficial flip is the margin. So the
      discordance cannot be below the margin.
    - Percentile bootstrap: the program computes the limit for infinitely many resamples, whose flips are trinomial, too.
      It draws no samples.
    - Noise and simulations start from fixed seeds, so the page is the same each time.

    ```sh
    make operating-characteristics      # or: swift run -c release OperatingCharacteristics > docs/operating-characteristics.md
    ```

    If a bar (the limit for a figure) is missed, the program ends with exit code 1, and names the bar on standard error.

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
