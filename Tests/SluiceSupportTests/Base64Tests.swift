@testable import SluiceSupport
import Testing

@Suite("Base64")
struct Base64Tests {
  @Test(
    "The vectors of RFC 4648, section 10, are encoded and decoded",
    arguments: [
      ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
      ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
    ]
  )
  func vectors(text: String, encoded: String) {
    #expect(Base64.encode(Array(text.utf8)) == encoded)
    #expect(Base64.decode(encoded) == Array(text.utf8))
  }

  @Test("Every byte survives a round trip at every position of a group")
  func everyByte() {
    for shift in 0..<3 {
      let bytes = Array(repeating: 0xFF, count: shift) + Array(UInt8.min...UInt8.max)
      #expect(Base64.decode(Base64.encode(bytes)) == bytes)
    }
  }

  @Test(
    "A text that is not exactly encoder output is refused",
    arguments: [
      "Zg", "Zg=", "Zg===", "Zh==", "Z", "Zm9v ", "Zm9\nv", "=Zg=", "Zm9-", "Zm9é", "====",
    ]
  )
  func invalid(text: String) {
    #expect(Base64.decode(text) == nil)
  }
}
