import SluiceStatistics
@testable import SluiceSupport
import Testing

@Suite("JSON writer")
struct JSONWriterTests {
  private func canonical(_ value: JSONValue) -> String {
    String(decoding: JSONWriter.canonical(value), as: UTF8.self)
  }

  @Test(
    "A number is written as in RFC 8785, appendix B",
    arguments: [
      (0x0000_0000_0000_0000, "0"),
      (0x8000_0000_0000_0000, "0"),
      (0x0000_0000_0000_0001, "5e-324"),
      (0x8000_0000_0000_0001, "-5e-324"),
      (0x7FEF_FFFF_FFFF_FFFF, "1.7976931348623157e+308"),
      (0xFFEF_FFFF_FFFF_FFFF, "-1.7976931348623157e+308"),
      (0x4340_0000_0000_0000, "9007199254740992"),
      (0xC340_0000_0000_0000, "-9007199254740992"),
      (0x4430_0000_0000_0000, "295147905179352830000"),
      (0x44B5_2D02_C7E1_4AF5, "9.999999999999997e+22"),
      (0x44B5_2D02_C7E1_4AF6, "1e+23"),
      (0x44B5_2D02_C7E1_4AF7, "1.0000000000000001e+23"),
      (0x444B_1AE4_D6E2_EF4E, "999999999999999700000"),
      (0x444B_1AE4_D6E2_EF4F, "999999999999999900000"),
      (0x444B_1AE4_D6E2_EF50, "1e+21"),
      (0x3EB0_C6F7_A0B5_ED8C, "9.999999999999997e-7"),
      (0x3EB0_C6F7_A0B5_ED8D, "0.000001"),
      (0x41B3_DE43_5555_5553, "333333333.3333332"),
      (0x41B3_DE43_5555_5554, "333333333.33333325"),
      (0x41B3_DE43_5555_5555, "333333333.3333333"),
      (0x41B3_DE43_5555_5556, "333333333.3333334"),
      (0x41B3_DE43_5555_5557, "333333333.33333343"),
      (0xBECB_F647_612F_3696, "-0.0000033333333333333333"),
      (0x4314_3FF3_C1CB_0959, "1424953923781206.2"),
    ] as [(UInt64, String)]
  )
  func numbers(_ bits: UInt64, _ text: String) {
    #expect(JSONWriter.number(Double(bitPattern: bits)) == text)
    #expect(JSONValue.number(Double(bitPattern: bits)).requestText == text)
  }

  @Test(
    "The layout of a number is that of ECMAScript",
    arguments: [
      (1, "1"), (-1, "-1"), (0.1, "0.1"), (1.5, "1.5"), (100, "100"), (123.456, "123.456"),
      (1e14, "100000000000000"), (1e15, "1000000000000000"), (1e16, "10000000000000000"),
      (1e20, "100000000000000000000"), (1e21, "1e+21"), (1.5e21, "1.5e+21"),
      (1e-6, "0.000001"), (1.25e-6, "0.00000125"), (1e-7, "1e-7"), (1.25e-7, "1.25e-7"),
      (0.002, "0.002"), (4.5, "4.5"), (1e30, "1e+30"), (1e100, "1e+100"),
      (333333333.33333329, "333333333.3333333"), (9_007_199_254_740_994, "9007199254740994"),
      (123456789012345680, "123456789012345680"), (.infinity, "null"), (-.infinity, "null"),
      (.nan, "null"),
    ] as [(Double, String)]
  )
  func layout(_ number: Double, _ text: String) {
    #expect(JSONWriter.number(number) == text)
    #expect(JSONValue.number(number).requestText == text)
  }

  @Test("The fast path writes the same numbers as the slow path")
  func shortNumbers() {
    for thousandths in 0..<20_000 {
      for scale in [0.001, 0.01, 0.1, 1.7] {
        let number = Double(thousandths) * scale
        #expect(JSONValue.number(number).jsonText == JSONWriter.number(number))
        #expect(JSONValue.number(-number / 1_000).jsonText == JSONWriter.number(-number / 1_000))
      }
    }
  }

  @Test("Characters that need an escape are found at every position", arguments: 0...17)
  func escapes(place: Int) throws {
    for scalar in ["\"", "\\", "\u{0}", "\u{1F}", " ", "!", "\u{7F}", "é", "🙂"] {
      var parts = Array(repeating: "x", count: 18)
      parts[place] = scalar
      let text = parts.joined()
      #expect(try JSONReader.value(JSONWriter.line(.string(text))) == .string(text))
      #expect(JSONValue.string(text).jsonText.utf8.allSatisfy { $0 >= 0x20 })
    }
  }

  @Test("The example of RFC 8785, section 3.2.2, has its canonical form")
  func wholeExample() throws {
    let value = try JSONReader.value(
      #"""
      {
        "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
        "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
        "literals": [null, true, false]
      }
      """#
    )
    #expect(
      canonical(value)
        == #"{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"#
        + ##""string":"€$\u000f\nA'B\"\\\\\"/"}"##
    )
  }

  @Test("Members are sorted by UTF-16 code units, as in RFC 8785, section 3.2.3")
  func order() throws {
    let value = try JSONReader.value(
      #"""
      {"\u20ac": "Euro Sign", "\r": "Carriage Return", "\ufb33": "Hebrew Letter Dalet With Dagesh",
       "1": "One", "\ud83d\ude00": "Emoji: Grinning Face", "\u0080": "Control",
       "\u00f6": "Latin Small Letter O With Diaeresis", "": "", "10": "Ten", "a": {"b": 1, "A": 2}}
      """#
    )
    #expect(
      canonical(value)
        == #"{"":"","\r":"Carriage Return","1":"One","10":"Ten","a":{"A":2,"b":1},"#
        + "\"\u{80}\":\"Control\",\"ö\":\"Latin Small Letter O With Diaeresis\","
        + #""€":"Euro Sign","😀":"Emoji: Grinning Face","#
        + "\"\u{FB33}\":\"Hebrew Letter Dalet With Dagesh\"}"
    )
  }

  @Test("Only the escapes of RFC 8785 are used")
  func escapes() {
    let controls = String(String.UnicodeScalarView((0..<0x20).compactMap(Unicode.Scalar.init)))
    #expect(
      canonical(.string(controls))
        == #""\u0000\u0001\u0002\u0003\u0004\u0005\u0006\u0007\b\t\n\u000b\f\r\u000e\u000f"#
        + #"\u0010\u0011\u0012\u0013\u0014\u0015\u0016\u0017\u0018\u0019\u001a\u001b\u001c\u001d"#
        + #"\u001e\u001f""#
    )
    #expect(
      canonical("\"\\/<>&'\u{7F}\u{85}\u{2028}\u{2029}é🙂")
        == "\"\\\"\\\\/<>&'\u{7F}\u{85}\u{2028}\u{2029}é🙂\""
    )
  }

  @Test("The one-line and indented forms keep the order of members")
  func forms() {
    let value: JSONValue = ["b": [1, [], [:]], "a": ["x": nil]]
    #expect(value.jsonText == #"{"b":[1,[],{}],"a":{"x":null}}"#)
    #expect(
      String(decoding: JSONWriter.pretty(value), as: UTF8.self) == """
        {
          "b": [
            1,
            [],
            {}
          ],
          "a": {
            "x": null
          }
        }

        """
    )
    #expect(String(decoding: JSONWriter.pretty([]), as: UTF8.self) == "[]\n")
  }

  @Test("Every value is read back unchanged", arguments: 0..<100)
  func roundTrip(_ seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let value = JSONValue.random(depth: 5, using: &random)
    let exact = JSONWriter.canonical(value, isExact: true)
    #expect(try JSONReader.value(exact) == value)
    #expect(try JSONReader.node(exact).json == value)
    #expect(try JSONReader.value(value.jsonText) == value)
    // RFC 8785 rounds some large integers, but always in the same way.
    let canonical = JSONWriter.canonical(value)
    for text in [canonical, JSONWriter.line(value), JSONWriter.pretty(value), exact] {
      #expect(JSONWriter.canonical(try JSONReader.value(text)) == canonical)
    }
  }

  @Test("Every finite number is read back with the same double", arguments: 0..<10)
  func roundTripOfNumbers(_ seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    for _ in 0..<1_000 {
      let number = Double(bitPattern: random.next())
      guard number.isFinite else { continue }
      let text = JSONWriter.number(number)
      #expect(try JSONReader.value(text).number == number, "\(text)")
      #expect(text.utf8.count <= 25)
      let value = try JSONReader.value(JSONValue.number(number).jsonText)
      #expect(value == .number(number), "\(text)")
    }
  }
}

extension JSONValue {
  /// Returns a random value, including everything that is hard to write.
  static func random(depth: Int, using random: inout SeededGenerator) -> JSONValue {
    switch Int.random(in: 0..<(depth > 0 ? 8 : 6), using: &random) {
    case 0: return .null
    case 1: return .bool(.random(using: &random))
    case 2: return .number(Double(Int.random(in: -1_000...1_000, using: &random)))
    case 3:
      let number = Double(bitPattern: random.next())
      return .number(number.isFinite ? number : 0.1)
    case 4, 5: return .string(text(using: &random))
    case 6:
      return .array(
        (0..<Int.random(in: 0...4, using: &random)).map { _ in
          .random(depth: depth - 1, using: &random)
        }
      )
    default:
      return .object(
        JSONObject(
          (0..<Int.random(in: 0...4, using: &random)).map { _ in
            (text(using: &random), .random(depth: depth - 1, using: &random))
          }
        )
      )
    }
  }

  private static func text(using random: inout SeededGenerator) -> String {
    let ranges: [ClosedRange<UInt32>] = [
      0...0x1F, 0x20...0x7E, 0x22...0x22, 0x5C...0x5C, 0x7F...0x9F, 0x300...0x36F, 0x2028...0x2029,
      0xE000...0xFFFF, 0x1F600...0x1F64F, 0x10000...0x10FFFF,
    ]
    var text = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0...6, using: &random) {
      let range = ranges[Int.random(in: 0..<ranges.count, using: &random)]
      if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &random)) {
        text.append(scalar)
      }
    }
    return String(text)
  }
}
