import SluiceReporting

/// A check of a suite's gates on pairs of runs between which nothing changed.
///
/// The check needs several recorded answers to each request. From these answers, it draws pairs of
/// possible runs. In each pair, one run is the baseline, and the other is the candidate that the
/// gates judge.
package struct NoiseCheck: Sendable {
  private let suite: ResolvedSuite
  private let draws: Int
  private let seed: UInt64

  /// Creates a check.
  ///
  /// - Parameters:
  ///   - suite: The suite. Its `repetitions` is the number of recorded answers to read for each
  ///     request, not the suite's own `repeat`.
  ///   - draws: The number of pairs of runs to draw.
  ///   - seed: The seed of the draws. The same seed draws the same pairs.
  package init(_ suite: ResolvedSuite, draws: Int = 1_000, seed: UInt64 = 1) {
    self.suite = suite
    self.draws = draws
    self.seed = seed
  }

  /// Returns reports on the candidate's columns.
  ///
  /// - Parameters:
  ///   - trials: All answers to the suite's requests.
  ///   - repetitions: The number of answers to each request in a run.
  /// - Returns: A report for each backend.
  package func reports(_ trials: [Trial], repetitions: Int) -> [NoiseReport] {
    suite.plan.candidates.map { column in
      report(
        column,
        trials.filter { $0.prompt == column.prompt && $0.backend == column.backend },
        repetitions
      )
    }
  }

  private func report(_ column: Column, _ trials: [Trial], _ repetitions: Int)
    -> NoiseReport
  {
    let counted = suite.policy.counted(trials)
    let cases = Self.byCase(counted.filter { $0.isPassed != nil })
    let answers = cases.map(\.count).min() ?? 0
    let result = ColumnResult(
      prompt: column.prompt,
      promptPath: "",
      backend: column.backend,
      isCandidate: true,
      trials: counted,
      metrics: [],
      gates: [],
      goals: []
    )
    var report = NoiseReport(
      suite: suite.plan.name,
      prompt: column.prompt,
      backend: column.backend,
      caseCount: cases.count,
      answers: answers,
      repetitions: repetitions,
      discordance: answers > 1 ? Self.discordance(cases) : nil,
      flaky: result.flakyCases,
      itself: decide(baseline: counted, candidate: counted),
      gates: [],
      anyFailed: 0,
      draws: answers > 1 ? draws : 0,
      lost: counted.count(where: \.isLost)
    )
    guard answers > 1 else { return report }
    let passes = cases.map { trials in trials.prefix(answers).count { $0.outcome == .passed } }
    report.allPass = Self.mean(passes.compactMap { PassAtK.all(answers, passes: $0, of: answers) })
    report.anyPasses = Self.mean(
      passes.compactMap { PassAtK.any(answers, passes: $0, of: answers) }
    )
    report.variance = RepeatVariance(passes: passes, repeats: answers)
    var random = SeededGenerator(seed: seed)
    var noise = suite.conditions.gates.map {
      NoiseReport.Gate(condition: $0.condition, passed: 0, failed: 0, inconclusive: 0)
    }
    for _ in 0..<draws {
      let (baseline, candidate) = Self.draw(cases, repetitions, &random)
      var failed = false
      for (index, decision) in decide(baseline: baseline, candidate: candidate).enumerated() {
        switch decision.verdict {
        case .pass: noise[index].passed += 1
        case .fail:
          noise[index].failed += 1
          // Only a gate that compares two runs can give a false alarm. `accuracy >= 85%` cannot.
          if decision.change != nil { failed = true }
        case .inconclusive: noise[index].inconclusive += 1
        case .noVerdict, .notEvaluated: break
        }
      }
      report.anyFailed += failed ? 1 : 0
    }
    report.gates = noise
    return report
  }

  private func decide(baseline: [Trial], candidate: [Trial]) -> [Decision] {
    let scorers = suite.plan.scorerDigests
    let pairing = Pairing(
      baseline: Pairing.Side(trials: baseline, scorers: scorers),
      candidate: Pairing.Side(trials: candidate, scorers: scorers)
    )
    let decider = Decider(candidate, against: pairing, rule: suite.policy.rule)
    var columns = [
      ColumnResult(
        prompt: "",
        promptPath: "",
        backend: "",
        isCandidate: true,
        trials: candidate,
        metrics: [],
        gates: suite.policy.decisions(on: suite.conditions.gates, by: decider),
        goals: []
      )
    ]
    Holm.adjust(&columns, rule: suite.policy.rule)
    return columns[0].gates
  }

  // MARK: Draws

  private static func byCase(_ trials: [Trial]) -> [[Trial]] {
    var cases: [[Trial]] = []
    UnitGroups(trials).forEachCase { _, places in cases.append(places.map { trials[Int($0)] }) }
    return cases
  }

  /// Returns the chance that two answers to the same request have different outcomes.
  ///
  /// The chance is averaged over the cases with at least two answers. It is `nil` if there are no
  /// such cases.
  private static func discordance(_ cases: [[Trial]]) -> Double? {
    let rates = cases.filter { $0.count > 1 }.compactMap { trials in
      PassAtK.flipRate(passes: trials.count { $0.outcome == .passed }, of: trials.count)
    }
    return mean(rates)
  }

  private static func mean(_ values: [Double]) -> Double? {
    values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
  }

  /// Draws two possible runs.
  ///
  /// If a case has enough answers, no answer is drawn twice.
  private static func draw(
    _ cases: [[Trial]],
    _ repetitions: Int,
    _ random: inout SeededGenerator
  ) -> (baseline: [Trial], candidate: [Trial]) {
    var baseline: [Trial] = []
    var candidate: [Trial] = []
    for trials in cases {
      var order = Array(trials.indices)
      if trials.count >= 2 * repetitions {
        random.shuffle(&order)
      } else {
        order = (0..<(2 * repetitions)).map { _ in random.uniform(below: trials.count) }
      }
      for repetition in 0..<repetitions {
        for (isCandidate, place) in [(false, repetition), (true, repetitions + repetition)] {
          var trial = trials[order[place]]
          trial.repetition = repetition + 1
          if isCandidate { candidate.append(trial) } else { baseline.append(trial) }
        }
      }
    }
    return (baseline, candidate)
  }
}
