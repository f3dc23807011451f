import Sluice
import StandInModel

/// Runs of a suite on a stand-in with noise.
///
/// Runs with different seeds differ only by noise.
///
/// The stand-in has two answers to each request, and the noise chooses one of them. Two normal runs
/// of the suite request and score both answers once. All other runs are assembled from these trials.
struct NoisyRuns: Sendable {
  let suite: ResolvedSuite
  private let cases: [Case]
  let baseline: Baseline

  private struct Case: Sendable {
    var system: String
    var user: String
    var plain: Trial
    var struck: Trial
  }

  /// Runs the suite twice, to get both answers to each request.
  ///
  /// - Parameters:
  ///   - suite: The suite. Only its regression gates are used, with a margin of 5 points.
  ///   - files: The project's files.
  /// - Throws: ``Trouble`` if the stand-in cannot be used.
  init(_ suite: ResolvedSuite, files: any FileSystem) async throws {
    var suite = suite
    suite.conditions.goals = []
    suite.conditions.gates = suite.conditions.gates.compactMap { gate in
      guard case .noRegression = gate.condition.demand else { return nil }
      var gate = gate
      gate.condition.demand = .noRegression(margin: 0.05, isRelative: false)
      return gate
    }
    self.suite = suite
    let questions = Locked<[String: Question]>([:])
    let plain = try await Self.run(suite, files, nil) { key, question in
      questions.withLock { $0[key] = question }
    }
    let struck = try await Self.run(suite, files, Noise(seed: 0, share: 1))
    let asked = questions.withLock { $0 }
    cases = try zip(plain, struck).map { plain, struck in
      guard let question = asked[plain.requestKey], struck.requestKey == plain.requestKey else {
        throw Trouble("the request of the case '\(plain.caseID)' is not known")
      }
      return Case(system: question.system, user: question.user, plain: plain, struck: struck)
    }
    baseline = try Baseline.of(suite.plan, plain)
    for seed: UInt64 in [1, 2] {
      let noise = Noise(seed: seed, share: 0.2)
      let live = try await Self.run(suite, files, noise)
      guard live.map(\.output?.digest) == trials(noise).map(\.output?.digest) else {
        throw Trouble("a run put together is not the stand-in's")
      }
    }
  }

  private struct Question: Sendable {
    var system: String
    var user: String
  }

  private static func run(
    _ suite: ResolvedSuite,
    _ files: any FileSystem,
    _ noise: Noise?,
    asked: @escaping @Sendable (String, Question) -> Void = { _, _ in }
  ) async throws -> [Trial] {
    let model = StandInModel(noise: noise)
    let backend = ScriptedBackend { request in
      var question = Question(system: "", user: "")
      for message in request.body["messages"]?.array ?? [] {
        let content = message["content"]?.string ?? ""
        if message["role"]?.string == "system" {
          question.system = content
        } else {
          question.user = content
        }
      }
      asked(RequestIdentity(request).key, question)
      return model.answer(system: question.system, user: question.user)
    }
    let backends = suite.plan.backends.map { ($0.name, backend as any Backend) }
    let outcome = await Evaluation(suite, surroundings: Surroundings(files: files), keepsLog: false)
      .live(Dictionary(uniqueKeysWithValues: backends))
    let columns = outcome.result.columns.filter(\.isCandidate)
    guard columns.count == 1, !columns[0].trials.contains(where: \.isLost) else {
      throw Trouble("the suite '\(suite.plan.name)' does not run on the stand-in")
    }
    return columns[0].trials
  }

  func trials(_ noise: Noise) -> [Trial] {
    cases.map { noise.strikes(system: $0.system, user: $0.user) ? $0.struck : $0.plain }
  }

  // MARK: Pairs

  /// The verdicts of several gates on many pairs of runs.
  struct Tally: Sendable {
    var pairs = 0
    /// The sum, over the pairs, of the share of cases that flipped.
    var discordance = 0.0
    var failed = 0
    var passed = 0
    var inconclusive = 0
    var anyCaseBroke = 0
    var meanFell = 0
    var fivePointDrop = 0

    static func + (left: Tally, right: Tally) -> Tally {
      Tally(
        pairs: left.pairs + right.pairs,
        discordance: left.discordance + right.discordance,
        failed: left.failed + right.failed,
        passed: left.passed + right.passed,
        inconclusive: left.inconclusive + right.inconclusive,
        anyCaseBroke: left.anyCaseBroke + right.anyCaseBroke,
        meanFell: left.meanFell + right.meanFell,
        fivePointDrop: left.fivePointDrop + right.fivePointDrop
      )
    }
  }

  /// Decides pairs of runs.
  ///
  /// All runs have different seeds.
  func tally(pairs: Int, share: Double, threads: Int) async -> Tally {
    let parts = await Concurrency.map(count: threads, inFlight: threads) { thread in
      stride(from: thread, to: pairs, by: threads).reduce(Tally()) { tally, pair in
        let seed = UInt64(2 * pair + 1)
        return tally
          + decided(
            trials(Noise(seed: seed, share: share)),
            trials(Noise(seed: seed + 1, share: share))
          )
      }
    }
    return parts.reduce(Tally(), +)
  }

  private func decided(_ before: [Trial], _ after: [Trial]) -> Tally {
    var tally = Tally(pairs: 1)
    var (harmful, beneficial) = (0, 0)
    for (old, new) in zip(before, after) where old.outcome != new.outcome {
      if old.outcome == .passed { harmful += 1 } else { beneficial += 1 }
    }
    tally.discordance = Double(harmful + beneficial) / Double(before.count)
    if NaiveGates.anyCaseBroke(harmful: harmful, beneficial: beneficial) { tally.anyCaseBroke = 1 }
    if NaiveGates.meanFell(harmful: harmful, beneficial: beneficial) { tally.meanFell = 1 }
    if NaiveGates.fivePointDrop(harmful: harmful, beneficial: beneficial, of: before.count) {
      tally.fivePointDrop = 1
    }
    var baseline = baseline
    baseline.trials = before
    switch verdict(suite, after, baseline).verdict {
    case .fail: tally.failed = 1
    case .pass: tally.passed = 1
    case .inconclusive: tally.inconclusive = 1
    case .noVerdict, .notEvaluated: break
    }
    return tally
  }

  func verdict(_ suite: ResolvedSuite, _ trials: [Trial], _ baseline: Baseline)
    -> SuiteResult
  {
    ColumnJudge(suite, source: .recorded)
      .result(trials, baselines: [baseline.backend: baseline])
  }

  // MARK: Itself

  /// The verdict of a run that is compared with itself, on some of the cases.
  struct Itself: Sendable {
    var n: Int
    var verdict: Verdict
    var reasons: Set<Reason>

    var isRight: Bool { verdict == .pass && reasons == [.identical] }
  }

  /// Accepts a run of the first `n` cases as the baseline, and compares the run with that baseline.
  ///
  /// The cases include a clean one, because the false-positive rate needs one.
  func itself(_ n: Int) throws -> Itself {
    let clean = suite.plan.cases.indices.first { index in
      suite.plan.cases[index].testCase.expected["flagged"]?.bool == false
    }
    let order = (clean.map { [$0] } ?? []) + cases.indices.filter { $0 != clean }
    let chosen = order.prefix(n).sorted()
    var part = suite
    part.plan.cases = SuitePlan.Cases(chosen.map { suite.plan.cases[$0] })
    let trials = chosen.map { cases[$0].plain }
    let result = verdict(part, trials, try Baseline.of(part.plan, trials))
    return Itself(
      n: trials.count,
      verdict: result.verdict,
      reasons: Set(result.columns.flatMap(\.gates).map(\.reason))
    )
  }
}
