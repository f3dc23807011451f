import Sluice
import Testing

@Suite("Conditions")
struct ConditionTests {
  @Test(
    "The equal value is met by >= and <=, and not by > and <",
    arguments: [
      (.atLeast, [false, true, true]), (.atMost, [true, true, false]),
      (.above, [false, false, true]), (.below, [true, false, false]),
    ] as [(Condition.Comparison, [Bool])]
  )
  func comparisons(_ comparison: Condition.Comparison, _ holds: [Bool]) {
    #expect([1, 2, 3].map { comparison.holds($0, 2) } == holds)
  }

  @Test("Below and at most want small numbers")
  func wantsSmall() {
    #expect(
      Condition.Comparison.allCases.filter(\.wantsSmall) == [.atMost, .below]
    )
  }

  @Test(
    "What this version cannot decide is named",
    arguments: [
      ("accuracy >= 85%", nil),
      ("accuracy >= 85% at 95% confidence", "claims ('at …% confidence')"),
      (
        "no regression in accuracy beyond 5 points",
        "conditions on regressions ('no regression in …')"
      ),
      ("accuracy >= 85% (live)", "conditions on live answers ('(live)')"),
      (
        "no regression in accuracy beyond 5% (live)", "conditions on live answers ('(live)')"
      ),
    ]
  )
  func undecidable(_ text: String, _ form: String?) throws {
    #expect(try ConditionParser.parse(text).undecidable == form)
  }
}
