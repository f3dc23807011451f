import Sluice
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
}
