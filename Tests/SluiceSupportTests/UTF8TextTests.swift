@testable import SluiceSupport
import Testing

@Suite("UTF-8 text")
struct UTF8TextTests {
  @Test(
    "The first byte that is not valid UTF-8 is found",
    arguments: [
      ([], nil),
      (Array("aé日🙂\u{10FFFF}\u{FFFD}".utf8), nil),
      ([0x61, 0x80], 1),
      ([0xC0, 0x80], 0),
      ([0xC1, 0xBF], 0),
      ([0xC2], 0),
      ([0x61, 0xC2, 0x61], 1),
      ([0xE0, 0x9F, 0xBF], 0),
      ([0xE0, 0xA0, 0x80], nil),
      ([0xE2, 0x82], 0),
      ([0xE2, 0x82, 0x61], 0),
      ([0xED, 0xA0, 0x80], 0),
      ([0xED, 0x9F, 0xBF], nil),
      ([0xF0, 0x8F, 0xBF, 0xBF], 0),
      ([0xF0, 0x90, 0x80, 0x80], nil),
      ([0xF0, 0x90, 0x80], 0),
      ([0xF4, 0x90, 0x80, 0x80], 0),
      ([0xF5, 0x80, 0x80, 0x80], 0),
      ([0x61, 0x62, 0xFF], 2),
    ] as [([UInt8], Int?)]
  )
  func firstInvalidByte(_ bytes: [UInt8], _ offset: Int?) {
    #expect(UTF8Text.firstInvalidByte(in: bytes) == offset)
  }

  @Test("Strings are identical only if their scalars are")
  func identity() {
    #expect("é" == "e\u{301}")
    #expect(!"é".isIdentical(to: "e\u{301}"))
    #expect("é".isIdentical(to: "é"))
    #expect(ExactString("é") != ExactString("e\u{301}"))
    #expect(Set([ExactString("é"), ExactString("e\u{301}"), ExactString("é")]).count == 2)
  }

  @Test(
    "White space and line breaks are trimmed at both ends",
    arguments: [
      ("", ""), (" \n\t", ""), (" a b\r\n", "a b"), ("\u{A0}a\u{2003}", "a"),
      ("\u{200B}a", "\u{200B}a"),
    ]
  )
  func trimmed(_ text: String, _ expected: String) {
    #expect(text.trimmed == expected)
  }
}
