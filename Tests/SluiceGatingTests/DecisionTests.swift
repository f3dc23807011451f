@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceStatistics
import Testing

@Suite("Verdicts")
struct DecisionTests {
  @Test(
    "Of several verdicts fail comes before no verdict, inconclusive and pass",
    arguments: [
      ([.pass], .pass), ([.pass, .pass], .pass), ([.pass, .inconclusive], .inconclusive),
      ([.inconclusive, .noVerdict, .pass], .noVerdict),
      ([.noVerdict, .inconclusive, .pass, .fail], .fail), ([.fail], .fail),
    ] as [([Verdict], Verdict)]
  )
  func overall(_ parts: [Verdict], _ whole: Verdict) {
    #expect(Verdict.overall(parts) == whole)
    #expect(Verdict.overall(parts.reversed()) == whole)
  }

  @Test("Nothing to judge is no verdict, never a pass")
  func nothing() {
    #expect(Verdict.overall([]) == .noVerdict)
  }

  @Test(
    "A waiver takes a failure and an open question out of the way, and gives no verdict to what has none",
    arguments: [
      (.pass, .pass), (.fail, .pass), (.inconclusive, .pass), (.noVerdict, .noVerdict),
      (.notEvaluated, .notEvaluated),
    ] as [(Verdict, Verdict)]
  )
  func waiver(_ verdict: Verdict, _ effect: Verdict) throws {
    var decision = Decision(
      condition: try ConditionParser.parse("accuracy >= 85%"),
      metric: Metric(.accuracy),
      estimate: Estimate(rate: 1, of: 2),
      verdict: verdict,
      reason: .met,
      explanation: ""
    )
    #expect(decision.effect == verdict)
    decision.waiver = Exemption(reason: "soon", until: "2026-12-31")
    #expect(decision.effect == effect)
  }
}
