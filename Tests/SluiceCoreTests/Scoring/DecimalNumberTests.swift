@testable import SluiceCore
import Testing

@Suite("Decimal numbers")
struct DecimalNumberTests {
  @Test("Every number with two decimal places is a multiple of 0.01")
  func hundredths() throws {
    for count in 0...100_000 {
      let digits = String(1_000_000 + count).dropFirst(5)
      let number = try #require(Double("\(count / 100).\(digits.suffix(2))"))
      #expect(DecimalNumber(number).isMultiple(of: DecimalNumber(0.01)))
    }
  }

  @Test("Divisibility is exact for integers and for thousandths")
  func integers() {
    for divisor in 1...40 {
      for number in 0...400 {
        let isMultiple = number % divisor == 0
        let (left, right) = (Double(number), Double(divisor))
        #expect(DecimalNumber(left).isMultiple(of: DecimalNumber(right)) == isMultiple)
        #expect(
          DecimalNumber(-left / 1_000).isMultiple(of: DecimalNumber(right / 1_000)) == isMultiple
        )
      }
    }
  }

  @Test(
    "Divisibility is exact for the largest and smallest numbers",
    arguments: [
      (Double.greatestFiniteMagnitude, 1e300, false), (1e308, 1e-308, true),
      (Double.leastNonzeroMagnitude, Double.leastNonzeroMagnitude, true),
      (2 * Double.leastNonzeroMagnitude, Double.leastNonzeroMagnitude, true),
      (Double.greatestFiniteMagnitude, Double.leastNonzeroMagnitude, true),
      (9_007_199_254_740_992, 3, false), (9_007_199_254_740_991, 6_361, true), (1e16, 7, false),
    ]
  )
  func extremes(_ number: Double, _ divisor: Double, _ isMultiple: Bool) {
    #expect(DecimalNumber(number).isMultiple(of: DecimalNumber(divisor)) == isMultiple)
  }
}
