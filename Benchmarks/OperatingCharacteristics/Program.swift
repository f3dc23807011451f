import Foundation
import Sluice

/// The program that measures the regression gate and prints a page about it.
///
/// The exit code is 1 if a limit is missed.
///
/// The argument is the folder of the project whose suites are used. The default is the working
/// directory.
@main
struct Program {
  private static let pairs = 1_000
  private static let clusterPairs = 500
  private static let shares = [0.02, 0.05, 0.1, 0.2]
  private static let suites = ["clarity", "tone"]
  /// The numbers of gates for which rates are also simulated.
  ///
  /// Simulating the rates for all numbers would take too long.
  private static let simulatedCounts = [1, 2, 3, 5, 10, 26]

  static func main() async {
    do {
      let page = try await measured(CommandLine.arguments.dropFirst().first ?? ".")
      print(page.text, terminator: "")
      for miss in page.misses { say("missed: \(miss)") }
      exit(page.misses.isEmpty ? 0 : 1)
    } catch {
      say("\(error)")
      exit(2)
    }
  }

  private static func measured(_ folder: String) async throws -> Page {
    let threads = max(1, ProcessInfo.processInfo.activeProcessorCount)
    guard let files = DiskFileSystem(root: folder) else {
      throw Trouble("there is no folder '\(folder)'")
    }
    let loaded = ProjectLoader.load(ProjectLoader.Selection(suites: suites), from: files)
    guard !loaded.hasErrors, loaded.suites.count == suites.count else {
      throw Trouble(loaded.diagnostics.map(\.description).joined())
    }
    let rule = RegressionRule()
    let change = try change(like: loaded.suites[0])
    let clock = ContinuousClock()
    var start = clock.now
    func told(_ what: String) {
      say("\(what): \((clock.now - start).formatted())")
      start = clock.now
    }

    let worst = await WorstCases(rule: rule, like: change, threads: threads)
    told("all combinations")
    let stricter = try await StricterRules(gate: worst, threads: threads)
    told("stricter rules")
    let specified = await outcomes(Scenario.specified, rule, threads)
    let others = await outcomes(Scenario.others, rule, threads)
    try check(Scenario.specified + others.map(\.scenario), rule, change)
    let atMargin = await Concurrency.map(count: MarginRow.all.count, inFlight: threads) {
      MarginRow.all[$0].outcome(rule)
    }
    told("tables")
    var several: [Page.Several] = []
    for outcome in SeveralGates.sizes.flatMap({ SeveralGates.outcomes(n: $0, rule, like: change) })
    {
      let isSimulated = outcome.n == 50 && simulatedCounts.contains(outcome.gates)
      let simulated =
        isSimulated ? try SimulatedGates(gates: outcome.gates, casesEach: outcome.n) : nil
      several.append(
        Page.Several(
          outcome: outcome,
          simulated: await simulated?.falseAlarms(pairs: pairs, seed: 1, threads: threads)
        )
      )
    }
    let most = SeveralGates.counts.max() ?? 1
    let shared = try await SimulatedGates(gates: most, sharing: SimulatedGates.sharedCases)
      .falseAlarms(pairs: pairs, seed: 1, threads: threads)
    told("several gates")
    let clustered = try await ClusteredRuns.cells(pairs: clusterPairs, threads: threads)
    told("clusters")
    var repeated: [Page.Repeated] = []
    var noise: [Page.Noise] = []
    var itself: [Page.Itself] = []
    for suite in loaded.suites {
      let runs = try await NoisyRuns(suite, files: files)
      for share in shares {
        let tally = await runs.tally(pairs: pairs, share: share, threads: threads)
        noise.append(Page.Noise(suite: suite.plan.name, share: share, tally: tally))
      }
      for repeats in [1, 2, 3, 5] {
        let tally = await runs.repeated(repeats, pairs: pairs, share: 0.1, threads: threads)
        repeated.append(
          Page.Repeated(suite: suite.plan.name, repeats: repeats, tally: tally)
        )
      }
      for n in Set([1, 5, 30, suite.plan.cases.count]).sorted() {
        itself.append(Page.Itself(suite: suite.plan.name, outcome: try runs.itself(n)))
      }
    }
    told("noisy runs")
    return Page(
      worst: worst,
      specified: specified,
      others: others,
      atMargin: atMargin,
      stricter: stricter,
      several: several,
      shared: shared,
      clustered: clustered,
      repeated: repeated,
      noise: noise,
      itself: itself,
      pairs: pairs
    )
  }

  private static func outcomes(
    _ scenarios: [Scenario],
    _ rule: RegressionRule,
    _ threads: Int
  ) async -> [Page.Row] {
    await Concurrency.map(count: scenarios.count, inFlight: threads) { index in
      Page.Row(scenario: scenarios[index], outcome: scenarios[index].outcome(rule))
    }
  }

  /// Returns a change that the library computed from trials of a suite.
  private static func change(like suite: ResolvedSuite) throws -> PairedChange {
    guard var trial = suite.plan.unansweredTrials().first else { throw Trouble("there is no case") }
    trial.outcome = .passed
    let evaluator = MetricEvaluator([trial])
    let paired = PairedEvaluator(baseline: evaluator, candidate: evaluator)
    guard let change = paired.change(Metric(.accuracy), margin: Margin(Scenario.margin)) else {
      throw Trouble("accuracy cannot be compared")
    }
    return change
  }

  /// Checks that ``GateBoundaries`` gives the same probabilities as enumerating all outcomes.
  private static func check(
    _ scenarios: [Scenario],
    _ rule: RegressionRule,
    _ change: PairedChange
  ) throws {
    for scenario in scenarios {
      let psi = Double(scenario.discordance) / 100
      let difference = Double(scenario.points) / 100
      let odds = rule.odds(
        n: scenario.n,
        discordance: psi,
        difference: difference,
        margin: Scenario.margin
      )
      var gate = GateBoundaries(n: scenario.n, margin: Scenario.margin, rule: rule, like: change)
      let pass = gate.pass(discordance: psi, difference: difference)
      let fail = gate.fail(discordance: psi, difference: difference)
      guard abs(pass - odds.pass) < 1e-9, abs(fail - odds.fail) < 1e-9 else {
        throw Trouble("the boundaries are not those of the gate: \(scenario)")
      }
    }
  }

  private static func say(_ line: String) {
    FileHandle.standardError.write(Data("operating-characteristics: \(line)\n".utf8))
  }
}
