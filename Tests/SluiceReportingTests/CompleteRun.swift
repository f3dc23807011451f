import SampleProjects
@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceReporting
@testable import SluiceStatistics
@testable import SluiceSupport

extension RunResult {
  /// A run with every part that a report can have.
  static var complete: RunResult {
    var result = RunResult.everywhere("x")
    result.suites[0].prices = ["prices/x.json", "prices/y.json"]
    result.suites[0].datedPrices = [
      PriceAge(model: "x", day: "2026-03-02", newestAnswer: "2026-11-24", days: 267)
    ]
    result.suites[0].recordings = .complete
    var answered = Trial.fixture("a", .passed)
    answered.split = "held-out"
    answered.cluster = "places"
    answered.requestKey = "0123"
    answered.scores = [
      Trial.NamedScore(
        name: "x",
        score: Score(.passed, explanation: "x", measurements: ["hits": 1.5])
      ),
      Trial.NamedScore(name: "judge", score: .advisory),
    ]
    answered.output?.isCut = true
    answered.output?.usage = TokenUsage(
      input: 100,
      cachedInput: 10,
      output: 20,
      reasoning: 5,
      cacheWrite: 1,
      longCacheWrite: 1
    )
    answered.output?.serviceTier = "flex"
    answered.output?.cost = 0.0003
    answered.output?.reportedCost = 0.0004
    answered.output?.fallback = StreamFallback(reason: .timedOut, milliseconds: 30_000)
    var timings = ResponseTimings(
      connect: 1,
      tls: 2,
      firstByte: 3,
      firstText: 4,
      longestGap: 5,
      total: 6,
      server: 7
    )
    timings.user = 8
    answered.output?.timings = timings
    answered.output?.judging = [.complete]
    var lost = Trial.fixture("c", .lost(.noRecording(RecordingMiss(reason: .newCase))))
    lost.output = nil
    var failed = Trial.fixture("b", .failed)
    failed.output?.provenance.standIn = "b"
    result.suites[0].columns[0].trials = [answered, failed, lost]
    result.suites[0].columns[0].splits = SplitResult(
      [answered, .fixture("b", .failed)],
      metrics: []
    )
    result.suites[0].columns[0].groups = [
      GroupTable(
        .tag,
        result.suites[0].columns[0].trials,
        metrics: SuiteMetrics([]).quality
      ) { _ in ["short"] }
    ]
    result.suites[0].columns[0].splits?.gaps = [
      .init(name: "accuracy", difference: 0.2, interval: Interval(low: 0.1, high: 0.3))
    ]
    let exemption = Exemption(reason: "x", until: "2026-12-31")
    result.suites[0].columns[0].quarantine = ["c": exemption]
    var gate = result.suites[0].columns[0].gates[0]
    gate.bounds = Interval(low: 0.1, high: .infinity)
    gate.change = .fixture(7, 2, 100)
    gate.casesNeeded = 400
    gate.waiver = exemption
    result.suites[0].columns[0].gates[0] = gate
    result.suites[0].columns[0].comparison = .complete
    return result
  }
}

extension Score {
  /// The score of a judge for an answer that no app could have used.
  fileprivate static var advisory: Score {
    var score = Score(.failed, isUnusable: true, explanation: "")
    score.isAdvisory = true
    return score
  }
}

extension JudgeWork {
  fileprivate static var complete: JudgeWork {
    let json: JSONValue = [
      "scorer": "judge", "backend": "judge", "requests": 1, "usage": ["input": 10, "output": 2],
      "cost": 0.001, "answered-by": ["model": "judge-1", "date": "2026-11-21T12:00:19Z"],
      "miss": "never judged",
    ]
    guard let work = JudgeWork(json: json) else { fatalError("the members have other names") }
    return work
  }
}

extension RecordingSummary {
  fileprivate static var complete: RecordingSummary {
    var summary = RecordingSummary()
    summary.unaccepted = 1
    summary.old = Old(count: 2, oldest: "2026-01-01", limit: "2026-06-01")
    summary.unacceptedVerdicts = 3
    summary.sets = Sets(accepted: 4, rejected: 1, askedAgain: 2)
    summary.verdictMisses = [
      VerdictMissGroup(scorer: "judge", reason: "never judged", count: 1, testCase: "a")
    ]
    summary.misses = [
      MissGroup(
        reason: "no recording: new case",
        count: 1,
        prompt: "v1",
        backend: "x",
        testCase: "c",
        nearest: MissGroup.Nearest(
          day: "2026-11-21",
          testCase: "a",
          prompt: "v1",
          difference: RequestDifference(parts: [.init(name: "user message", lines: ["- a", "+ c"])])
        )
      )
    ]
    return summary
  }
}

extension RunComparison {
  /// A comparison with every part that it can have.
  static var complete: RunComparison {
    var comparison = RunComparison(
      with: "the baseline (v1)",
      Pairing(
        baseline: Pairing.Side(trials: [.fixture("a", .failed)], scorers: [:]),
        candidate: Pairing.Side(trials: [.fixture("a", .passed)], scorers: [:])
      ),
      metrics: [],
      margin: .usual
    )
    comparison.changedCases = ["d"]
    comparison.addedCases = ["e"]
    comparison.removedCases = ["f"]
    comparison.reslicedCases = ["g"]
    comparison.changedScorers = ["classification"]
    comparison.shortenedTo = 2
    comparison.flips = [.init(caseID: "a", flip: .beneficial), .init(caseID: "b", flip: .harmful)]
    comparison.changes = [.init(name: "accuracy", quantity: .rate, change: .fixture(7, 2, 100))]
    comparison.slices = [.init(tag: "short", n: 10, harmful: 5, beneficial: 0, adjustedP: 0.01)]
    return comparison
  }
}
