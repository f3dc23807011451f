import Sluice
import Testing

@Suite("Conditions")
struct ConditionTests {
  @Test(
    "An equal value satisfies >= and <=, but not > and <",
    arguments: [
      (.atLeast, [false, true, true]), (.atMost, [true, true, false]),
      (.above, [false, false, true]), (.below, [true, false, false]),
    ] as [(Condition.Comparison, [Bool])]
  )
  func comparisons(_ comparison: Condition.Comparison, _ holds: [Bool]) {
    #expect([1, 2, 3].map { comparison.holds($0, 2) } == holds)
  }

  @Test("< and <= prefer small numbers")
  func wantsSmall() {
    #expect(
      Condition.Comparison.allCases.filter(\.wantsSmall) == [.atMost, .below]
    )
  }
}
