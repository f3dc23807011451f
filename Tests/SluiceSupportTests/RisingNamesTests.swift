@testable import SluiceSupport
import Testing

@Suite("Rising names")
struct RisingNamesTests {
  @Test(
    "Numbered names are ascending, padded or not",
    arguments: [["M01", "M02", "M10"], ["c-1", "c-9", "c-10"], ["b", "aa"], ["a"], []]
  )
  func rising(names: [String]) {
    var rising = RisingNames()
    #expect(names.allSatisfy { rising.rise(to: $0) })
  }

  @Test(
    "Names that are not ascending, empty or not ASCII are refused",
    arguments: [["b", "a"], ["a", "a"], [""], ["a", "é"], ["é", "e\u{301}"], ["aa", "b"]]
  )
  func notRising(names: [String]) {
    var rising = RisingNames()
    #expect(!names.allSatisfy { rising.rise(to: $0) })
  }
}
