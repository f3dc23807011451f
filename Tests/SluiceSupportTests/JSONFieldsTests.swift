import Testing

@testable import SluiceSupport

@Suite("JSON fields")
struct JSONFieldsTests {
  private func read(_ text: String) -> [String]? {
    Array(text.utf8).withUnsafeBufferPointer { units in
      var fields = JSONFields()
      do throws(JSONSyntaxError) {
        try JSONReader.read(units) { reader throws(JSONSyntaxError) in try fields.read(&reader) }
      } catch {
        return nil
      }
      return fields.fields.map { field in
        let name = String(decoding: field.name, as: UTF8.self)
        return "\(name)=\(field.text?.text ?? "-")"
      }
    }
  }

  @Test(
    "Strings are found and other values are noted; objects in an unusual form are declined",
    arguments: [
      ("{}", []), (#"{"a":"x","b":1,"c":[{"a":2}],"d":"\""}"#, ["a=x", "b=-", "c=-", "d=\""]),
      (#"{"a":"x","a":"y"}"#, nil), (#"{"\u0061":"x"}"#, nil), ("[]", nil), (#"{"a":"x""#, nil),
      (#""a""#, nil),
      (
        "{" + (0..<16).map { #""\#($0)":0"# }.joined(separator: ",") + "}",
        (0..<16).map { "\($0)=-" }
      ),
      ("{" + (0..<17).map { #""\#($0)":0"# }.joined(separator: ",") + "}", nil),
    ] as [(String, [String]?)]
  )
  func fields(text: String, expected: [String]?) {
    #expect(read(text) == expected)
  }

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
