import Testing

@testable import SluiceSupport

@Suite("Canonical strings")
struct CanonicalStringTests {
  @Test(
    "A string is canonical if it is written as the writer would, and then keeps its meaning",
    arguments: [
      ("", true), ("plain", true), ("é😍/", true), (#"\"\\\b\f\n\r\t"#, true), (#"\\u0041"#, true),
      (#"a\\"#, true), (#"\u001f"#, false), (#"\/"#, false), (#"\u0041"#, false),
      (#"\ud83d\ude0d"#, false), (#"\u00e9"#, false),
    ]
  )
  func canonical(units: String, isCanonical: Bool) throws {
    let bytes = Array("\"\(units)\"".utf8)
    try bytes.withUnsafeBufferPointer { text in
      let string = try JSONReader.read(text) { reader throws(JSONSyntaxError) in
        try reader.readRawString()
      }
      #expect(string.isCanonical == isCanonical)
      guard isCanonical else { return }
      #expect(JSONWriter.line(.string(string.text)) == bytes)
      var meaning = ByteBuffer()
      string.appendMeaning(to: &meaning)
      #expect(String(decoding: meaning.bytes, as: UTF8.self) == string.text)
    }
  }
}
