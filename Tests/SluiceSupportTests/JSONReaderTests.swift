@testable import SluiceSupport
import Testing

@Suite("JSON reader")
struct JSONReaderTests {
  // The tables follow Seriot's JSONTestSuite (2016), in which y_ is accepted and n_ is refused.

  @Test(
    "Valid JSON according to RFC 8259 is read",
    arguments: [
      ("null", nil),
      (" \t\r\n[]\n", []),
      ("true", true),
      ("false", false),
      ("{}", [:]),
      ("[[],{}]", [[], [:]]),
      (#"{"a":{"b":[1,{"c":null}]}}"#, ["a": ["b": [1, ["c": nil]]]]),
      (#"{"":0}"#, ["": 0]),
      (#"{"a":1,"a":2}"#, ["a": 2]),
      (#"{"a":1,"b":3,"a":2}"#, ["a": 2, "b": 3]),
      ("0", 0),
      ("-0", 0),
      ("-0.0", 0),
      ("-1", -1),
      ("1.5", 1.5),
      ("-123.25", -123.25),
      ("0.1", 0.1),
      ("0e1", 0),
      ("0e+1", 0),
      ("1E2", 100),
      ("1e+2", 100),
      ("1.25e-2", 0.0125),
      ("20e1", 200),
      ("123456789012345", 123_456_789_012_345),
      ("-123456789012345", -123_456_789_012_345),
      ("1234567890123456789", .init(decimal: "1234567890123456789")),
      ("1234567890123456768", 1_234_567_890_123_456_768),
      ("9007199254740993", 9_007_199_254_740_993),
      ("9007199254740992", .number(9_007_199_254_740_992)),
      ("1.7976931348623157e308", .number(.greatestFiniteMagnitude)),
      ("5e-324", .number(.leastNonzeroMagnitude)),
      ("1e-400", .init(decimal: "1e-400")),
      ("-1e400", .init(decimal: "-1e400")),
      (#""""#, ""),
      (#""asd""#, "asd"),
      (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
      (#""\u0060\u012a\u12AB""#, "\u{60}\u{12A}\u{12AB}"),
      (#""\u0000""#, "\u{0}"),
      (#""\u0022\u005c""#, #""\"#),
      (#""\uD801\udc37""#, "\u{10437}"),
      (#""\ud83d\ude39\ud83d\udc8d""#, "\u{1F639}\u{1F48D}"),
      (#""\uFFFE\uFFFF""#, "\u{FFFE}\u{FFFF}"),
      (#""\uDBFF\uDFFF""#, "\u{10FFFF}"),
      (#""\\u0000""#, #"\u0000"#),
      (#""a/*b*/c""#, "a/*b*/c"),
      ("\"\u{7F}\u{85}\u{2028}\u{2029}\u{FEFF}\"", "\u{7F}\u{85}\u{2028}\u{2029}\u{FEFF}"),
      ("\"日本🙂e\u{301}\"", "日本🙂e\u{301}"),
    ] as [(String, JSONValue)]
  )
  func accept(_ text: String, _ value: JSONValue) throws {
    #expect(try JSONReader.value(text) == value)
    #expect(try JSONReader.node(text.utf8).json == value)
  }

  @Test(
    "An escaped lone surrogate, which some models produce, becomes U+FFFD",
    arguments: [
      (#""\uD800""#, "\u{FFFD}"),
      (#""\uDC00""#, "\u{FFFD}"),
      (#""a\uDADAb""#, "a\u{FFFD}b"),
      (#""\uD800\n""#, "\u{FFFD}\n"),
      (#""\uD800\u0061""#, "\u{FFFD}a"),
      (#""\uD800\uD800\uDC00""#, "\u{FFFD}\u{10000}"),
      (#""\uDC00\uD800""#, "\u{FFFD}\u{FFFD}"),
      (#""\uD83D!""#, "\u{FFFD}!"),
    ]
  )
  func loneSurrogates(_ text: String, _ string: String) throws {
    #expect(try JSONReader.value(text) == .string(string))
  }

  @Test("The sign of negative zero is kept")
  func negativeZero() throws {
    #expect(try JSONReader.value("-0").number?.sign == .minus)
    #expect(try JSONReader.value("-0.0").number?.sign == .minus)
  }

  @Test(
    "Invalid JSON is refused at its position",
    arguments: [
      ("", 0, "the JSON value ends too early"),
      (" ", 1, "the JSON value ends too early"),
      ("\u{FEFF}[]", 0, "expected a JSON value"),
      ("nul", 0, "expected a JSON value"),
      ("nulL", 0, "expected a JSON value"),
      ("True", 0, "expected a JSON value"),
      ("NaN", 0, "expected a JSON value"),
      ("Infinity", 0, "expected a JSON value"),
      ("-Infinity", 0, "expected a JSON value"),
      ("'a'", 0, "expected a JSON value"),
      ("a", 0, "expected a JSON value"),
      ("// a\n1", 0, "expected a JSON value"),
      ("1 // a", 2, "text after the end of the JSON value"),
      ("[]]", 2, "text after the end of the JSON value"),
      ("{}{}", 2, "text after the end of the JSON value"),
      ("truefalse", 4, "text after the end of the JSON value"),
      ("1\u{0}", 1, "text after the end of the JSON value"),
      ("1\u{A0}", 1, "text after the end of the JSON value"),
      ("\u{C}1", 0, "expected a JSON value"),
      ("[", 1, "the JSON value ends too early"),
      ("[1", 2, "expected ',' or ']'"),
      ("[1,", 3, "the JSON value ends too early"),
      ("[1,]", 3, "expected a JSON value"),
      ("[,1]", 1, "expected a JSON value"),
      ("[1,,2]", 3, "expected a JSON value"),
      ("[1 2]", 3, "expected ',' or ']'"),
      ("[1:2]", 2, "expected ',' or ']'"),
      ("[1}", 2, "expected ',' or ']'"),
      ("]", 0, "expected a JSON value"),
      ("{", 1, "expected a member name in double quotes"),
      ("{]", 1, "expected a member name in double quotes"),
      ("{a:1}", 1, "expected a member name in double quotes"),
      ("{'a':1}", 1, "expected a member name in double quotes"),
      ("{1:1}", 1, "expected a member name in double quotes"),
      (#"{"a""#, 4, "expected ':' after a member name"),
      (#"{"a" 1}"#, 5, "expected ':' after a member name"),
      (#"{"a",1}"#, 4, "expected ':' after a member name"),
      (#"{"a":}"#, 5, "expected a JSON value"),
      (#"{"a":1,}"#, 7, "expected a member name in double quotes"),
      (#"{"a":1 "b":2}"#, 7, "expected ',' or '}'"),
      (#"{"a":1]"#, 6, "expected ',' or '}'"),
      ("+1", 0, "expected a JSON value"),
      (".5", 0, "expected a JSON value"),
      ("-", 0, "expected a JSON value"),
      ("--1", 0, "expected a JSON value"),
      ("-.5", 0, "expected a JSON value"),
      ("01", 1, "a number with a leading zero"),
      ("-012", 2, "a number with a leading zero"),
      ("1.", 2, "expected a digit after the decimal point"),
      ("1.e5", 2, "expected a digit after the decimal point"),
      ("1e", 2, "expected a digit in the exponent"),
      ("1e+", 3, "expected a digit in the exponent"),
      ("0E-", 3, "expected a digit in the exponent"),
      ("1eE2", 2, "expected a digit in the exponent"),
      ("1.2.3", 3, "text after the end of the JSON value"),
      ("1_000", 1, "text after the end of the JSON value"),
      ("0x1F", 1, "text after the end of the JSON value"),
      ("１", 0, "expected a JSON value"),
      ("1e9999999999999999999999", 0, "the exponent of the number is too large"),
      ("[-1e-9999999999999999]", 1, "the exponent of the number is too large"),
      (#"""#, 1, "the string is not closed"),
      (#""abc"#, 4, "the string is not closed"),
      (#""\"#, 2, "the string is not closed"),
      (#""\""#, 3, "the string is not closed"),
      (#""\a""#, 2, "unknown escape in a string"),
      (#""\x00""#, 2, "unknown escape in a string"),
      (#""\'""#, 2, "unknown escape in a string"),
      (#""\U0041""#, 2, "unknown escape in a string"),
      ("\"\\\u{1F300}\"", 2, "unknown escape in a string"),
      ("\"a\nb\"", 2, "a control character in a string must be escaped"),
      ("\"\\n\tb\"", 3, "a control character in a string must be escaped"),
      ("\"\u{0}\"", 1, "a control character in a string must be escaped"),
      ("\"\u{1F}\"", 1, "a control character in a string must be escaped"),
      (#""\u00A""#, 6, "expected four hexadecimal digits"),
      (#""\u00"#, 3, "expected four hexadecimal digits"),
      (#""\u00G0""#, 5, "expected four hexadecimal digits"),
      (#""\u+041""#, 3, "expected four hexadecimal digits"),
      (#""\uD800\u1x""#, 9, "expected four hexadecimal digits"),
      (#""\uD800\"#, 8, "the string is not closed"),
    ]
  )
  func refuse(_ text: String, _ offset: Int, _ message: String) {
    let expected = JSONSyntaxError(offset: offset, message: message)
    #expect(throws: expected) { try JSONReader.value(text) }
    #expect(throws: expected) { try JSONReader.node(text.utf8) }
  }

  @Test(
    "Bytes that are not UTF-8 are refused at any position",
    arguments: [
      ([0x22, 0xFF, 0x22], 1),
      ([0x22, 0xC0, 0xAF, 0x22], 1),
      ([0x22, 0xED, 0xA0, 0x80, 0x22], 1),
      ([0x22, 0xE2, 0x82, 0x22], 1),
      ([0x5B, 0xE9, 0x5D], 1),
      ([0x31, 0x0A, 0x80], 2),
      ([0xFF, 0xFE, 0x5B, 0x00, 0x5D, 0x00], 0),
    ] as [([UInt8], Int)]
  )
  func encoding(_ bytes: [UInt8], _ offset: Int) {
    #expect(throws: JSONSyntaxError(offset: offset, message: "not valid UTF-8")) {
      try JSONReader.value(bytes)
    }
  }

  @Test("A value may be nested 128 levels deep, but no deeper", arguments: ["[", #"{"a":"#])
  func depth(_ opening: String) throws {
    let closing = opening == "[" ? "]" : "}"
    func nested(_ levels: Int) -> String {
      String(repeating: opening, count: levels) + "0" + String(repeating: closing, count: levels)
    }
    #expect(throws: Never.self) { try JSONReader.value(nested(128)) }
    let expected = JSONSyntaxError(
      offset: 128 * opening.utf8.count,
      message: "nested more than 128 levels deep"
    )
    #expect(throws: expected) { try JSONReader.value(nested(129)) }
    #expect(throws: expected) { try JSONReader.node(nested(129).utf8) }
    #expect(throws: expected) {
      try JSONReader.value(String(repeating: opening, count: 1_000_000))
    }
    // Siblings do not count as nesting.
    let wide = "[" + Array(repeating: "[[]]", count: 200).joined(separator: ",") + "]"
    #expect(throws: Never.self) { try JSONReader.value(wide) }
  }

  @Test("The position of a node is that of its first character")
  func positions() throws {
    let text = "\n{\"é🙂\": [1,\r\n  true, \"a\"],\n\t\"b\": {\"c\": null, \"c\": -2}}"
    #expect(
      outline(try JSONReader.node(text.utf8)) == [
        "2:1 a mapping", "2:2 é🙂", "2:8 a list", "2:9 a number", "3:3 true or false",
        "3:9 a text", "4:2 b", "4:7 a mapping", "4:8 c", "4:13 nothing", "4:19 c",
        "4:24 a number",
      ]
    )
  }

  @Test("The first line has its line number in the file")
  func line() throws {
    let node = try JSONReader.node("[1,\n2]".utf8, line: 41)
    #expect(outline(node) == ["41:1 a list", "41:2 a number", "42:1 a number"])
  }

  @Test("Of members with the same name, a tree keeps all and a value keeps the last")
  func duplicates() throws {
    let text = #"{"a":1,"b":2,"a":3}"#
    #expect(try JSONReader.node(text.utf8).members?.map(\.key) == ["a", "b", "a"])
    #expect(try JSONReader.node(text.utf8).json == ["a": 3, "b": 2])
    let names = try JSONReader.value(text).object?.members.map(\.name)
    #expect(names == ["a", "b"])
  }

  @Test("Canonically equivalent names are different members")
  func canonicalEquivalents() throws {
    let value = try JSONReader.value("{\"\u{E9}\":1,\"e\u{301}\":2}")
    #expect(value.object?.members.count == 2)
    #expect(value["e\u{301}"] == 2)
  }

  @Test("An object with very many members is read quickly", .timeLimit(.minutes(5)))
  func manyMembers() throws {
    let members = (0..<50_000).map { #""m\#($0 % 40_000)":\#($0)"# }.joined(separator: ",")
    let value = try JSONReader.value("{\(members)}")
    #expect(value.object?.members.count == 40_000)
    #expect(value["m0"] == 40_000)
    #expect(value["m39999"] == 39_999)
  }

  // MARK: Pieces

  @Test("A text can be read in pieces, and skipped values are checked")
  func pieces() throws {
    func names(_ text: String) throws(JSONSyntaxError) -> [String] {
      try JSONReader.read(text.utf8) { reader throws(JSONSyntaxError) in
        var names: [String] = []
        try reader.readMembers { reader, name throws(JSONSyntaxError) in
          names.append(name.text)
          if name == "list" {
            try reader.readElements { reader throws(JSONSyntaxError) in
              names.append(try reader.readString())
            }
          } else {
            try reader.skipValue()
          }
        }
        return names
      }
    }
    let text = #" {"a" : {"b": [1, null]}, "l\u0069st": 1, "list": ["x", "\n"], "": -1.5e3} "#
    #expect(try names(text) == ["a", "list", "list", "x", "\n", ""])
    for (text, offset, message) in [
      (#"{"a": [1,]}"#, 9, "expected a JSON value"), ("[]", 0, "expected '{'"),
      (#"{"a": "\x"}"#, 8, "unknown escape in a string"),
      (#"{"list": [1]}"#, 10, "expected a string"), (#"{"list": 1}"#, 9, "expected '['"),
      (#"{"a": 01}"#, 7, "a number with a leading zero"),
    ] {
      #expect(throws: JSONSyntaxError(offset: offset, message: message)) { try names(text) }
    }
  }

  @Test(
    "Decimals are read exactly as in Swift",
    arguments: [
      "0.82", "0.1", "1.005", "-0.30", "123456.789", "9007199254740991", "9007199254740993",
      "0.000000000000001", "179769313486231570", "1234567890.1234567", "0.30000000000000004",
      "2.2250738585072011e-308", "99999999999999.99", "-0.0", "12345678901234567.5",
    ]
  )
  func decimals(_ text: String) throws {
    #expect(try JSONReader.value(text).number?.bitPattern == Double(text)?.bitPattern)
  }

  /// Returns all nodes and keys in the order of the text, with their positions.
  private func outline(_ node: Node) -> [String] {
    var lines = ["\(node.position.line):\(node.position.column) \(node.kind)"]
    if case .sequence(let nodes) = node.value { lines += nodes.flatMap(outline) }
    for member in node.members ?? [] {
      lines.append("\(member.keyPosition.line):\(member.keyPosition.column) \(member.key)")
      lines += outline(member.value)
    }
    return lines
  }
}
