@testable import SluiceCore
@testable import SluiceGating
@testable import SluiceStatistics
import Testing

@Suite("Verdicts")
struct DecisionTests {
  @Test(
    "The overall verdict is the worst one: fail, no verdict, inconclusive, then pass",
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

  @Test("Without any verdicts there is no verdict, never a pass")
  func nothing() {
    #expect(Verdict.overall([]) == .noVerdict)
  }

  @Test(
    "A waived gate passes if it failed or is inconclusive, but not if it has no verdict",
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
