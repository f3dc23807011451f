import SampleProjects
@testable import Sluice
@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceStatistics
@testable import SluiceSupport
import Testing
import TestSupport

@Suite("Gates on cases in clusters")
struct FewClustersTests {
  /// Returns cases by cluster, one letter (passed or failed) per case; a single case has no
  /// cluster.
  private func trials(_ clusters: [String], answer: String = "") -> [Trial] {
    clusters.enumerated().flatMap { cluster, letters in
      letters.enumerated().map { number, letter in
        var trial = StatisticsTrials.trial(
          "c\(cluster)-\(number)",
          letter == "p" ? .passed : .failed
        )
        if letters.count > 1 { trial.cluster = "k\(cluster)" }
        let text = letter == "p" ? "right" : "wrong"
        trial.output = Trial.Output(ModelResponse(text: text + answer), cost: nil)
        return trial
      }
    }
  }

  private func decide(_ text: String, _ before: [Trial], _ after: [Trial]) throws -> String {
    let side = Pairing.Side(trials: before, scorers: [:])
    let pairing = Pairing(baseline: side, candidate: .init(trials: after, scorers: [:]))
    let decision = Decider(after, against: pairing)
      .decide(try ConditionParser.parse(text), on: Metric(.accuracy))
    return "\(decision.verdict.rawValue), \(decision.reason): \(decision.explanation)"
  }

  private let condition = "no regression in accuracy beyond 5 points"

  @Test("With fewer than 8 effective clusters, regression gates and claims are inconclusive")
  func few() throws {
    let clusters = Array(repeating: "pppppppppp", count: 7)
    let (before, after) = (trials(clusters), trials(clusters, answer: "!"))
    #expect(
      try decide(condition, before, after)
        == "inconclusive, too-few-clusters: the clusters are worth only 7 clusters of equal size; "
        + "8 are needed"
    )
    #expect(
      try decide("accuracy >= 50% at 95% confidence", before, after)
        == "inconclusive, too-few-clusters: the clusters are worth only 7 clusters of equal size; "
        + "8 are needed"
    )
  }

  @Test("One dominant cluster makes the effective number of clusters small")
  func dominant() throws {
    let clusters = [String(repeating: "p", count: 50)] + Array(repeating: "p", count: 50)
    #expect(
      try decide(condition, trials(clusters), trials(clusters, answer: "!"))
        == "inconclusive, too-few-clusters: the clusters are worth only 3.9 clusters of equal size; "
        + "8 are needed"
    )
  }

  @Test("With few clusters, plain comparisons still decide, and identical answers pass")
  func plain() throws {
    let clusters = Array(repeating: "pppf", count: 3)
    let same = trials(clusters)
    #expect(try decide("accuracy >= 75%", same, same) == "pass, met: met")
    #expect(try decide(condition, same, same) == "pass, identical: identical to the baseline")
  }

  @Test("Few cases without clusters are decided by the rules for cases")
  func withoutClusters() throws {
    let cases = Array(repeating: "p", count: 5)
    #expect(
      try decide(condition, trials(cases), trials(cases, answer: "!"))
        == "inconclusive, margin-too-tight: 5 cases can pass this margin only if all answers are "
        + "the same; 52 needed"
    )
  }

  @Test("With at least 8 clusters, a loss in most of them fails")
  func enough() throws {
    let before = Array(repeating: "pppppppppp", count: 12)
    let after = Array(repeating: "pppppppfff", count: 11) + ["pppppppppp"]
    #expect(try decide(condition, trials(before), trials(after)).hasPrefix("fail, credible-"))
  }

  @Test("Loading a suite with too few clusters for a claim gives a warning")
  func warning() throws {
    let cases = (0..<20).map { number in
      "- {id: c\(number), cluster: k\(number % 4), input: {m: hello}, expected: {flagged: false}}\n"
    }
    let loaded = ProjectLoader.load(
      from: InMemoryFileSystem([
        "sluice.yaml": "backends:\n  some: {type: openai, model: some-1}\n",
        "prompts/many/suite.yaml": """
        suite: many
        prompt: v1.yaml
        dataset: many
        backend: some
        scorers: [{flags: {path: warning, when: non-empty}}]
        gates:
          - accuracy >= 80%
          - accuracy >= 80% at 95% confidence

        """,
        "prompts/many/v1.yaml": "messages:\n  - user: \"{{m}}\"\n",
        "datasets/many/cases.yaml": cases.joined(),
      ])
    )
    #expect(
      loaded.diagnostics.map(\.description).joined() == """
        prompts/many/suite.yaml:8:5: warning: the clusters are worth only 4 clusters of equal size; 8 are needed
          8 |   - accuracy >= 80% at 95% confidence
            |     ^
          fix: add cases in other clusters, or write a plain condition such as 'accuracy >= 85%'

        """
    )
  }

  /// Returns the verdict on two runs, of which the second loses a share of cases (0 if nothing
  /// changed).
  private func verdict(
    _ sizes: [Int],
    correlation: Double,
    lost: Double,
    using random: inout SeededGenerator
  ) -> Verdict {
    let copies = correlation.squareRoot()
    let (harmful, flips) = ((0.2 + lost) / 2, 0.2)
    var clusters: [FlipSample.Cluster] = []
    for size in sizes {
      var cluster = FlipSample.Cluster(cases: Double(size))
      let shared = Double.random(in: 0..<1, using: &random)
      for _ in 0..<size {
        let own = Double.random(in: 0..<1, using: &random)
        let fate = Double.random(in: 0..<1, using: &random) < copies ? shared : own
        if fate < harmful {
          cluster.harmful += 1
        } else if fate < flips {
          cluster.beneficial += 1
        }
      }
      clusters.append(cluster)
    }
    let n = sizes.reduce(0, +)
    let change = PairedChange(
      baseline: 0,
      candidate: 0,
      sample: FlipSample(clusters, judged: Double(n), repeats: 1),
      n: n,
      basis: .flips(harmful: 0, beneficial: 0),
      margin: 0.1,
      prefersSmall: false
    )
    return RegressionRule().judge(change).verdict
  }

  @Test(
    "Gates on clustered cases rarely fail or pass wrongly",
    arguments: [
      Array(repeating: 5, count: 8), Array(repeating: 5, count: 40),
      [90] + Array(repeating: 5, count: 40),
    ]
  )
  func rates(_ sizes: [Int]) {
    for correlation in [0, 0.3, 1] {
      var random = SeededGenerator(seed: 19)
      // The limits are 5.5% and 7.5%. The check overlooks true rates of 12% and 15% in 5 and 2 of
      // 100 tests.
      let failsSeldom = RareEvent.isRare(upTo: 0.055, notFrom: 0.12, error: 0.05) {
        verdict(sizes, correlation: correlation, lost: 0, using: &random) == .fail
      }
      #expect(failsSeldom, "\(correlation)")
      let passesSeldom = RareEvent.isRare(upTo: 0.075, notFrom: 0.15, error: 0.02) {
        verdict(sizes, correlation: correlation, lost: 0.1, using: &random) == .pass
      }
      #expect(passesSeldom, "\(correlation)")
    }
  }
}
