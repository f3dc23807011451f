import SampleProjects
@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceStatistics
import Testing

@Suite("Results by split")
struct SplitResultTests {
  /// The trials of a split, one per letter: passed, failed or lost.
  private func trials(_ split: String?, _ letters: String) -> [Trial] {
    letters.enumerated().map { index, letter in
      var trial = StatisticsTrials.trials("\(split ?? "none")-\(index)", String(letter))[0]
      trial.split = split
      return trial
    }
  }

  private let metrics = SuiteMetrics([]).quality

  private func result(_ parts: [(split: String?, letters: String)]) -> SplitResult? {
    SplitResult(parts.flatMap { trials($0.split, $0.letters) }, metrics: metrics)
  }

  @Test("Without splits, there are no results by split")
  func none() { #expect(result([(nil, "ppf")]) == nil) }

  @Test("Each split has its own figures; cases without a split come first, then splits by name")
  func parts() throws {
    let result = try #require(self.result([("test", "pf"), ("held-out", "ppp"), (nil, "pppf")]))
    #expect(result.parts.map(\.name) == [nil, "held-out", "test"])
    #expect(result.parts.map(\.caseCount) == [4, 3, 2])
    #expect(result.parts.map { $0.metrics[0].name } == ["accuracy", "accuracy", "accuracy"])
    #expect(result.parts.map { $0.metrics[0].estimate.value } == [0.75, 1, 0.5])
    #expect(result.gaps == [])
  }

  @Test("Lost trials do not count in the figures of a split")
  func lost() throws {
    let result = try #require(self.result([("held-out", "ppl"), (nil, "pf")]))
    #expect(result.parts[1].metrics[0].estimate == Estimate(rate: 2, of: 2))
  }

  @Test(
    "A gap is reported only if held-out cases are worse by more than chance explains",
    arguments: [
      (tuned: (95, 100), heldOut: (30, 50), isGap: true),
      (tuned: (95, 100), heldOut: (46, 50), isGap: false),
      (tuned: (30, 50), heldOut: (95, 100), isGap: false),
      (tuned: (3, 3), heldOut: (2, 3), isGap: false),
    ]
  )
  func gaps(_ tuned: (Int, Int), _ heldOut: (Int, Int), _ isGap: Bool) throws {
    func letters(_ counts: (Int, Int)) -> String {
      String(repeating: "p", count: counts.0) + String(repeating: "f", count: counts.1 - counts.0)
    }
    let result = try #require(self.result([(nil, letters(tuned)), ("held-out", letters(heldOut))]))
    #expect(result.gaps.map(\.name) == (isGap ? ["accuracy"] : []))
    if let gap = result.gaps.first {
      #expect(abs(gap.difference - 0.35) < 1e-12)
      #expect(
        gap.interval == Newcombe.independent((tuned.0, tuned.1), minus: (heldOut.0, heldOut.1))
      )
    }
  }

  @Test("For a metric that prefers small numbers, a gap is a larger value on held-out cases")
  func smallIsGood() throws {
    func trials(_ split: String?, _ unusable: Int, _ all: Int) -> [Trial] {
      (0..<all).map { index in
        var trial = StatisticsTrials.trial(
          "\(split ?? "none")-\(index)",
          .failed,
          scores: [
            .init(
              name: "json",
              score: Score(.failed, isUnusable: index < unusable, explanation: "")
            )
          ]
        )
        trial.split = split
        return trial
      }
    }
    let result = try #require(
      SplitResult(trials(nil, 2, 100) + trials("held-out", 20, 50), metrics: metrics)
    )
    #expect(result.gaps.map(\.name) == ["unusable-rate"])
    #expect(abs((result.gaps.first?.difference ?? 0) - 0.38) < 1e-12)
  }

  @Test("All splits except held-out count as cases on which prompts may be tuned")
  func others() throws {
    let result = try #require(
      self.result([
        ("dev", String(repeating: "p", count: 60)), ("train", String(repeating: "p", count: 60)),
        ("held-out", String(repeating: "pf", count: 30)),
      ])
    )
    #expect(result.gaps.map(\.name) == ["accuracy"])
    #expect(result.parts.map(\.name) == ["dev", "held-out", "train"])
  }
}
