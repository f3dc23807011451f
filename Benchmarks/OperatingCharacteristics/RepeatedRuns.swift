import Sluice
import StandInModel

/// Pairs of runs of the same prompt with several trials per case.
extension NoisyRuns {
  /// The verdicts of gates on pairs of runs with repeats.
  struct RepeatedTally: Sendable {
    var pairs = 0
    /// The number of pairs that pass the gate on accuracy.
    var accuracyPassed = 0
    var accuracyFailed = 0
    /// The number of pairs that pass all regression gates.
    var passed = 0
    var failed = 0

    static func + (left: RepeatedTally, right: RepeatedTally) -> RepeatedTally {
      RepeatedTally(
        pairs: left.pairs + right.pairs,
        accuracyPassed: left.accuracyPassed + right.accuracyPassed,
        accuracyFailed: left.accuracyFailed + right.accuracyFailed,
        passed: left.passed + right.passed,
        failed: left.failed + right.failed
      )
    }
  }

  /// The maximum number of cases in runs with repeats.
  static let repeatedCases = 156

  /// Decides pairs of runs of the first cases, with a number of trials per case.
  func repeated(_ repeats: Int, pairs: Int, share: Double, threads: Int) async -> RepeatedTally {
    var part = suite
    let count = min(Self.repeatedCases, part.plan.cases.count)
    part.plan.cases = SuitePlan.Cases((0..<count).map { self.suite.plan.cases[$0] })
    part.plan.repetitions = repeats
    let asked = part
    let parts = await Concurrency.map(count: threads, inFlight: threads) { thread in
      stride(from: thread, to: pairs, by: threads).reduce(RepeatedTally()) { tally, pair in
        func run(_ number: Int) -> [Trial] {
          (1...repeats).flatMap { repetition in
            let seed = UInt64((2 * pair + number) * repeats + repetition + 77)
            return trials(Noise(seed: seed, share: share)).prefix(count).map { trial in
              var trial = trial
              trial.repetition = repetition
              return trial
            }
          }
        }
        return tally + decided(asked, run(0), run(1))
      }
    }
    return parts.reduce(RepeatedTally(), +)
  }

  private func decided(_ suite: ResolvedSuite, _ before: [Trial], _ after: [Trial])
    -> RepeatedTally
  {
    var baseline = baseline
    baseline.trials = before
    let result = verdict(suite, after, baseline)
    var tally = RepeatedTally(pairs: 1)
    tally.passed = result.verdict == .pass ? 1 : 0
    tally.failed = result.verdict == .fail ? 1 : 0
    for column in result.columns where column.isCandidate {
      for gate in column.gates where gate.metric == Metric(.accuracy) {
        tally.accuracyPassed += gate.verdict == .pass ? 1 : 0
        tally.accuracyFailed += gate.verdict == .fail ? 1 : 0
      }
    }
    return tally
  }
}
