import SampleProjects
@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceStatistics
@testable import SluiceSupport
import Testing

@Suite("Pairing")
struct PairingTests {
  /// A trial of a case, whose answer is a text.
  private func trial(
    _ id: String,
    _ answer: String?,
    passes: Bool = true,
    digest: String = "",
    repetition: Int = 1
  ) -> Trial {
    var trial = StatisticsTrials.trial(
      id,
      answer == nil ? StatisticsTrials.loss : passes ? .passed : .failed,
      repetition: repetition,
      output: answer.map { Trial.Output(ModelResponse(text: $0), cost: nil) }
    )
    trial.caseDigest = digest
    return trial
  }

  private func pairing(
    _ before: [Trial],
    _ after: [Trial],
    scorers: ([String: String], [String: String]) = (["s": "1"], ["s": "1"])
  ) -> Pairing {
    Pairing(
      baseline: .init(trials: before, scorers: scorers.0),
      candidate: .init(trials: after, scorers: scorers.1)
    )
  }

  @Test("Cases are paired by ID, in the order of the candidate")
  func order() {
    let pairing = pairing(
      [trial("a", "x"), trial("b", "x"), trial("c", "x")],
      [trial("c", "y"), trial("a", "y"), trial("b", "y")]
    )
    #expect(pairing.baseline.map(\.caseID) == ["c", "a", "b"])
    #expect(pairing.candidate.map(\.caseID) == ["c", "a", "b"])
    #expect(!pairing.hasMismatches)
  }

  @Test("Repeats of a case are paired in their order, even if other cases are between them")
  func scattered() {
    let pairing = pairing(
      [trial("a", "1"), trial("b", "x"), trial("a", "2", repetition: 2)],
      [trial("b", "x"), trial("a", "1"), trial("a", "2", repetition: 2)]
    )
    #expect(pairing.baseline.map(\.caseID) == ["b", "a", "a"])
    #expect(pairing.baseline.map(\.repetition) == [1, 1, 2])
    #expect(pairing.baseline.map(\.repetition) == pairing.candidate.map(\.repetition))
    #expect(pairing.isIdentical)
    #expect(pairing.shortenedTo == nil)
  }

  @Test("Changed and removed cases are lost on both sides, and new cases are not compared")
  func mismatches() {
    let pairing = pairing(
      [trial("same", "x"), trial("changed", "x", digest: "1"), trial("gone", "x")],
      [trial("changed", "x", digest: "2"), trial("new", "x"), trial("same", "x")]
    )
    #expect(pairing.changed == ["changed"])
    #expect(pairing.removed == ["gone"])
    #expect(pairing.added == ["new"])
    #expect(pairing.hasMismatches)
    #expect(!pairing.isIdentical)
    for side in [pairing.baseline, pairing.candidate] {
      #expect(side.map(\.caseID) == ["changed", "same", "gone"])
      #expect(side.map(\.isLost) == [true, false, true])
      #expect(side[0].outcome == .lost(.incomparable("the case changed")))
      #expect(side[2].outcome == .lost(.incomparable("the case was removed")))
      #expect(side[0].output == nil)
    }
  }

  @Test("A changed case keeps only the values that the case itself determines")
  func whatIsKnown() {
    var (before, after) = (trial("a", "x", digest: "1"), trial("a", "x", digest: "2"))
    let measured: JSONObject = [
      "positive": true, "clean": false, "flagged": false, "hit": false, "false-alarm": false,
    ]
    before.scores = [
      .init(name: "s", score: Score(.failed, explanation: "", measurements: measured))
    ]
    after.scores = before.scores
    let pairing = pairing([before], [after])
    for side in [pairing.baseline, pairing.candidate] {
      #expect(side[0].scores.map(\.score.measurements) == [["positive": true, "clean": false]])
    }
    let recall = Metric(.scorer("s", .share(of: .init("hit"), among: [.init("positive")])))
    #expect(
      MetricEvaluator(pairing.candidate, fill: .holding).estimate(recall)
        == Estimate(rate: 1, of: 1)
    )
    let alarms = Metric(
      .scorer("s", .share(of: .init("false-alarm"), among: [.init("clean")]))
    )
    #expect(MetricEvaluator(pairing.candidate, fill: .holding).rateRows(alarms) == [])
  }

  @Test("A case counts in its current slices")
  func slices() {
    var (before, after) = (trial("a", "x"), trial("a", "x"))
    (before.tags, before.cluster, before.split) = (["old"], "old", "old")
    (after.tags, after.cluster, after.split) = (["new"], "new", nil)
    let pairing = pairing([before], [after])
    #expect(pairing.baseline[0].tags == ["new"])
    #expect(pairing.baseline[0].cluster == "new")
    #expect(pairing.baseline[0].split == nil)
    #expect(pairing.isIdentical)
  }

  @Test("Answers are identical if all texts, endings and outcomes are equal and none is lost")
  func identical() {
    let base = [trial("a", "x"), trial("b", "y", passes: false)]
    #expect(pairing(base, base).isIdentical)
    #expect(pairing(base, base + [trial("new", "z")]).isIdentical)
    #expect(!pairing(base, [trial("a", "x"), trial("b", "z", passes: false)]).isIdentical)
    #expect(!pairing(base, [trial("a", "x"), trial("b", "y", passes: true)]).isIdentical)
    #expect(!pairing(base, [trial("a", "x"), trial("b", nil)]).isIdentical)
    #expect(!pairing(base, [trial("a", "x")]).isIdentical)
    #expect(!pairing(base, base + [trial("a", "x", repetition: 2)]).isIdentical)
    #expect(!pairing([], []).isIdentical)
    #expect(!pairing([], base).isIdentical)
    var cut = base
    cut[0].output?.finishReason = "length"
    #expect(!pairing(base, cut).isIdentical)
  }

  private static let turns: [(before: String, after: String, flip: OutcomeFlip?)] = [
    ("p", "p", nil), ("p", "f", .harmful), ("f", "p", .beneficial), ("f", "f", nil),
    ("f", "F", .wrongToWrong), ("ppf", "pff", .harmful), ("pff", "ppf", .beneficial),
    ("pf", "pp", .beneficial), ("p", "pff", nil), ("l", "f", nil), ("p", "l", nil),
    ("pl", "fl", .harmful),
    // If one side has more repeats, only the first ones are compared.
    ("f", "fff", nil), ("f", "ffF", nil), ("f", "Fff", .wrongToWrong), ("fF", "Ff", nil),
    ("p", "fpp", .harmful), ("ppf", "f", .harmful),
  ]

  @Test("A flip is classified by the majority of the repeats", arguments: turns)
  func flips(before: String, after: String, flip: OutcomeFlip?) {
    func trials(_ letters: String) -> [Trial] {
      letters.enumerated().map { index, letter in
        trial(
          "a",
          letter == "l" ? nil : String(letter),
          passes: letter == "p",
          repetition: index + 1
        )
      }
    }
    #expect(pairing(trials(before), trials(after)).flips.map(\.flip) == (flip.map { [$0] } ?? []))
  }

  @Test("A changed scorer is named, and metrics that depend on it are not compared")
  func scorers() {
    let pairing = pairing(
      [],
      [],
      scorers: (["a": "1", "b": "1", "gone": "1"], ["a": "1", "b": "2", "new": "1"])
    )
    #expect(pairing.changedScorers == ["b", "gone", "new"])
    #expect(pairing.changedScorers(of: Metric(.accuracy)) == ["b", "gone", "new"])
    #expect(pairing.changedScorers(of: Metric(.unusableRate)) == ["b", "gone", "new"])
    #expect(pairing.changedScorers(of: Metric(.passRate(scorer: "a"))) == [])
    #expect(pairing.changedScorers(of: Metric(.scorer("b", .perClass(.f1)))) == ["b"])
    #expect(pairing.changedScorers(of: Metric(.series(.latency, .mean))) == [])
  }

  /// The digest of a scorer on one side, and true if its scores are advisory.
  typealias Role = (digest: String, isAdvisory: Bool)?

  private static let roles: [(before: Role, after: Role, deciding: [String], advisory: [String])] =
    [
      (("1", true), ("1", true), [], []),
      (("1", true), ("2", true), [], ["judge"]),
      (nil, ("1", true), [], ["judge"]),
      (("1", true), nil, [], ["judge"]),
      (("1", false), ("2", false), ["judge"], []),
      // A scorer that starts or stops deciding changes outcomes.
      (("1", false), ("1", true), ["judge"], []),
      (("1", true), ("1", false), ["judge"], []),
    ]

  @Test(
    "A changed advisory scorer affects only its own metrics",
    arguments: roles
  )
  func advisoryScorers(before: Role, after: Role, deciding: [String], advisory: [String]) {
    func trials(_ role: Role, passes: Bool) -> [Trial] {
      var trial = trial("a", passes ? "x" : "y", passes: passes)
      var score = Score(.unscored, explanation: "")
      score.isAdvisory = role?.isAdvisory ?? false
      trial.scores = [.init(name: "s", score: Score(passes ? .passed : .failed, explanation: ""))]
      if role != nil { trial.scores.append(.init(name: "judge", score: score)) }
      return [trial]
    }
    func scorers(_ role: Role) -> [String: String] {
      var digests = ["s": "1"]
      digests["judge"] = role?.digest
      return digests
    }
    let pairing = pairing(
      trials(before, passes: false),
      trials(after, passes: true),
      scorers: (scorers(before), scorers(after))
    )
    #expect(pairing.changedScorers == deciding)
    #expect(pairing.changedAdvisoryScorers == advisory)
    #expect(pairing.changedScorers(of: Metric(.accuracy)) == deciding)
    #expect(pairing.changedScorers(of: Metric(.passRate(scorer: "judge"))) == deciding + advisory)
    let comparison = RunComparison(
      with: "the baseline",
      pairing,
      metrics: [.init(name: "accuracy", metric: Metric(.accuracy))],
      margin: .usual
    )
    #expect(comparison.count(.beneficial) == (deciding.isEmpty ? 1 : 0))
    #expect(comparison.changes.count == (deciding.isEmpty ? 1 : 0))
  }
}
