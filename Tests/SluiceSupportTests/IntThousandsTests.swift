@testable import SluiceSupport
import Testing

@Suite("Thousands separators")
struct IntThousandsTests {
  @Test(
    "Thousands are separated by commas",
    arguments: [
      (0, "0"), (999, "999"), (1_000, "1,000"), (-12_345, "-12,345"), (1_000_000, "1,000,000"),
    ]
  )
  func thousands(_ number: Int, _ text: String) {
    #expect(number.withThousands == text)
  }
}
