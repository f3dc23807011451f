@testable import SluiceSupport
import Testing

@Suite("YAML reader")
struct YAMLReaderTests {
  private func problems(_ text: String) -> [String] {
    problems(Array(text.utf8))
  }

  private func problems(_ bytes: [UInt8]) -> [String] {
    YAMLReader.read(bytes).problems.map { problem in
      let fix = problem.fix.map { " (\($0))" } ?? ""
      return "\(problem.position.line):\(problem.position.column) \(problem.message)\(fix)"
    }
  }

  private func value(_ text: String) throws -> JSONValue {
    let (root, problems) = YAMLReader.read(Array(text.utf8))
    #expect(problems.map(\.message) == [])
    return try #require(root).json
  }

  // MARK: Types

  @Test(
    "A plain scalar is read according to the core schema of YAML 1.2",
    arguments: [
      ("~", nil), ("null", nil), ("Null", nil), ("NULL", nil), ("nULL", "nULL"), ("", nil),
      ("true", true), ("True", true), ("TRUE", true), ("tRUE", "tRUE"),
      ("false", false), ("False", false), ("FALSE", false),
      ("no", "no"), ("No", "No"), ("yes", "yes"), ("on", "on"), ("off", "off"), ("y", "y"),
      ("n", "n"),
      ("0", 0), ("-0", 0), ("+0", 0), ("7", 7), ("-19", -19), ("+12", 12), ("012", 12),
      ("0o7", 7), ("0o14", 12),
      ("0o1777777777777777777777", .init(decimal: "18446744073709551615")),
      ("0o8", "0o8"), ("0o", "0o"), ("0o-7", "0o-7"), ("-0o7", "-0o7"),
      ("0x3A", 58), ("0xff", 255), ("0x", "0x"), ("0xG", "0xG"), ("0x-1", "0x-1"),
      ("0x+1", "0x+1"), ("0x1p4", "0x1p4"), ("0x1.8", "0x1.8"),
      ("0xFFFFFFFFFFFFFFFFFF", .init(decimal: "4722366482869645213695")),
      ("9007199254740993", .init(decimal: "9007199254740993")), ("1E+2", 100), ("3.10", 3.1),
      ("0X1F", "0X1F"), ("0O7", "0O7"), ("0b1", "0b1"),
      ("0.", 0), ("-0.0", 0), (".5", 0.5), ("+.5", 0.5), ("-.5", -0.5), ("12.", 12),
      ("+12e03", 12_000), ("-2E+05", -200_000), ("1e-2", 0.01), ("1.5e3", 1_500), (".5e1", 5),
      ("1.e1", 10), ("123456789.125", 123_456_789.125),
      (".", "."), ("-", [nil]), ("+", "+"), ("-.", "-."), (".e1", ".e1"), ("1e", "1e"),
      ("1e+", "1e+"), ("e1", "e1"), ("+-1", "+-1"), ("-+1", "-+1"), ("--1", "--1"),
      ("1-2", "1-2"), ("1+2", "1+2"), ("1e1e1", "1e1e1"), ("1.2.3", "1.2.3"), ("1..2", "1..2"),
      ("1_000", "1_000"), ("190:20:30", "190:20:30"), ("2026-11-17", "2026-11-17"),
      ("1e400", .init(decimal: "1e400")), (".inf", ".inf"), ("-.Inf", "-.Inf"), (".nan", ".nan"),
      ("１", "１"), ("1 000", "1 000"), ("v1", "v1"), ("<<", "<<"),
    ] as [(String, JSONValue)]
  )
  func coreSchema(_ text: String, _ expected: JSONValue) throws {
    let root = try value("- \(text)\n")
    #expect(root == [expected])
  }

  @Test(
    "A quoted, literal or folded scalar is a text",
    arguments: [
      ("'null'", "null"), (#""true""#, "true"), ("'12'", "12"), (#""""#, ""), ("'it''s'", "it's"),
      ("!!str 12", "12"), ("!!str", ""), ("! 12", "12"), ("!!str null", "null"),
      (#""a\tb\u00e9\U0001F642\x41""#, "a\tbé🙂A"),
      ("|\n  1\n  2\n", "1\n2\n"), ("|-\n  1\n", "1"), (">\n  a\n  b\n", "a b\n"),
      ("|+\n  a\n\n", "a\n\n"),
    ]
  )
  func texts(_ text: String, _ expected: String) throws {
    #expect(try value("- \(text)") == [.string(expected)])
  }

  @Test("Lists and mappings are read in both styles, and members keep their order")
  func collections() throws {
    let text = """
      # a comment
      block:
        - one
        - {flow: [1, 2,], "quoted": x}
      empty: {}
      none:
      1: number
      """
    #expect(
      try value(text).jsonText
        == #"{"block":["one",{"flow":[1,2],"quoted":"x"}],"empty":{},"none":null,"1":"number"}"#
    )
  }

  @Test("An alias repeats the value or key of its anchor")
  func aliases() throws {
    let text = "a: &x [1, {b: 2}]\nc: *x\n&k key: 1\nd: *k\ne: &x 3\nf: *x"
    #expect(
      try value(text)
        == ["a": [1, ["b": 2]], "c": [1, ["b": 2]], "key": 1, "d": "key", "e": 3, "f": 3]
    )
  }

  @Test("An empty file has no root", arguments: ["", "# only a comment\n", "\n\n", "\u{FEFF}"])
  func empty(_ text: String) {
    #expect(YAMLReader.read(Array(text.utf8)).root == nil)
    #expect(problems(text) == [])
  }

  // MARK: Positions

  @Test("A node's position is its first character, and an alias has the position of its use")
  func positions() throws {
    let text = """
      é🙂: "ä"
      list:
        - 1
        -   - &x a
        - {k: v, 'l': *x}
      text: |
        block
      """
    #expect(
      try outline(text) == [
        "1:1 a mapping", "1:1 é🙂", "1:5 a text", "2:1 list", "3:3 a list", "3:5 a number",
        "4:7 a list", "4:9 a text", "5:5 a mapping", "5:6 k", "5:9 a text", "5:12 l",
        "5:17 a text", "6:1 text", "6:7 a text",
      ]
    )
  }

  @Test("CRLF line endings and a byte-order mark do not affect positions")
  func lineBreaks() throws {
    let expected = ["1:1 a mapping", "1:1 a", "1:4 a number", "2:1 b", "2:4 a number"]
    #expect(try outline("a: 1\nb: 2\n") == expected)
    #expect(try outline("a: 1\r\nb: 2\r\n") == expected)
    #expect(try outline("\u{FEFF}a: 1\nb: 2\n") == expected)
  }

  @Test("A missing value at the end of the text is positioned there")
  func missingValue() throws {
    #expect(try outline("a:") == ["1:1 a mapping", "1:1 a", "1:3 nothing"])
    #expect(try outline("? a") == ["1:1 a mapping", "1:3 a", "1:4 nothing"])
  }

  @Test(
    "Line breaks of YAML 1.1 do not shift later positions",
    arguments: ["\u{85}", "\u{2028}", "\u{2029}", "\r"]
  )
  func otherLineBreaks(_ character: String) throws {
    let text = "a: \"x\(character)y\"\nb: 2\n"
    #expect(
      try outline(text) == ["1:1 a mapping", "1:1 a", "1:4 a text", "2:1 b", "2:4 a number"]
    )
    #expect(
      problems(text + "b: 3\n") == ["3:1 duplicate key 'b', first on line 2 (\(Self.remove))"]
    )
  }

  private func outline(_ text: String) throws -> [String] {
    func lines(_ node: Node) -> [String] {
      var result = ["\(node.position.line):\(node.position.column) \(node.kind)"]
      if case .sequence(let nodes) = node.value { result += nodes.flatMap(lines) }
      for member in node.members ?? [] {
        result.append("\(member.keyPosition.line):\(member.keyPosition.column) \(member.key)")
        result += lines(member.value)
      }
      return result
    }
    return lines(try #require(YAMLReader.read(Array(text.utf8)).root))
  }

  // MARK: Refusals

  private static let remove = "remove one of the two"

  @Test(
    "YAML that a project file may not contain is an error at its position",
    arguments: [
      (
        "a: 1\nb: 2\na: 3\na: 4",
        [
          "3:1 duplicate key 'a', first on line 1 (\(remove))",
          "4:1 duplicate key 'a', first on line 1 (\(remove))",
        ]
      ),
      ("{a: 1, 'a': 2}", ["1:8 duplicate key 'a', first on line 1 (\(remove))"]),
      (
        "x:\n  - {k: [{z: 1,\n     z: 2}]}",
        [
          "3:6 duplicate key 'z', first on line 2 (\(remove))"
        ]
      ),
      ("a: *nope", ["1:4 unknown alias '*nope'"]),
      ("a: &a [*a]", ["1:8 unknown alias '*a'"]),
      ("- *late\n- &late 1", ["1:3 unknown alias '*late'"]),
      (
        "base: &b {x: 1}\nitem:\n  <<: *b\n  y: 2",
        [
          "3:3 merge keys ('<<') are not part of YAML 1.2 (write out the keys)"
        ]
      ),
      ("a: 1\n---\nb: 2", ["2:1 a second document starts here (keep one document per file)"]),
      ("a: 1\n...\n---\n", ["3:1 a second document starts here (keep one document per file)"]),
      ("a: !secret 1", ["1:4 unknown tag '!secret' (remove the tag)"]),
      (
        "a: !!int 1\nb: !!binary aGk=",
        [
          "1:4 unknown tag 'tag:yaml.org,2002:int' (remove the tag)",
          "2:4 unknown tag 'tag:yaml.org,2002:binary' (remove the tag)",
        ]
      ),
      ("!x [1]", ["1:1 unknown tag '!x' (remove the tag)"]),
      (
        "!x {a: !y b}",
        [
          "1:1 unknown tag '!x' (remove the tag)", "1:8 unknown tag '!y' (remove the tag)",
        ]
      ),
      ("!x a: 1", ["1:1 unknown tag '!x' (remove the tag)"]),
      ("? [1, 2]\n: 3", ["1:3 a key must be a text"]),
      ("? {a: b}\n: 3", ["1:3 a key must be a text"]),
      ("a: &x b\n*x : c", ["2:1 a key must be a text"]),
    ]
  )
  func refuse(_ text: String, _ expected: [String]) {
    #expect(problems(text) == expected)
  }

  @Test(
    "Invalid YAML is an error at the position to edit, with a fix",
    arguments: [
      ("a: [1, 2", "1:4 the '[' is not closed (add ']')"),
      ("a: [1, {b: 2\n", "1:8 the '{' is not closed (add '}')"),
      ("a: [1,\nb: 2\nc: 3", "1:4 the '[' is not closed (add ']')"),
      ("a: [\"1\" \"2\"]", "1:9 a ',' or ']' is missing here (separate the values with ',')"),
      ("a: [1], 2]", "1:7 text is not allowed here (write a: \"[1], 2]\")"),
      ("a: ]", "1:4 a value is missing here (write a value, or remove the character before it)"),
      (
        "é: [\u{2028}}",
        "1:6 a value is missing here (write a value, or remove the character before it)"
      ),
      (
        "a: 1\nb 2\nc: 3",
        "2:1 the ':' after the name is missing "
          + "(write 'name: value', or indent the line to continue the text above)"
      ),
      ("a: 'x", "1:4 the quotation mark is not closed (end the text with the same quotation mark)"),
      (
        "a: \"x\nb: 2\nc: 3\n",
        "1:4 the quotation mark is not closed (end the text with the same quotation mark)"
      ),
      (
        "a: b: c",
        "1:5 a ':' is not allowed here (write a: \"b: c\")"
      ),
      ("a: - b", "1:4 a list cannot begin here (write a: \"- b\")"),
      (
        "- a\n - b\n- c: 1\n - d",
        "4:2 the line does not belong to the list that begins on line 1 "
          + "(indent all items of the list equally, and begin each with '- ')"
      ),
      (
        "a:\n  - b: 1\n c: 2",
        "3:2 the line does not belong to the mapping that begins on line 1 "
          + "(indent all keys of the mapping equally)"
      ),
      (
        "a:\n  - b: 1\n   - c: 2",
        "3:4 the line does not belong to the list that begins on line 2 "
          + "(indent all items of the list equally, and begin each with '- ')"
      ),
      ("a: \"b\" c", "1:8 text is not allowed here (write a: '\"b\" c')"),
      (
        "a: > b",
        "1:6 text after '|' or '>' must begin on the next line (write a: \"> b\")"
      ),
      ("a:\n\t- b", "2:1 tabs are not allowed as indentation (indent with spaces)"),
      ("a: @b", "1:4 an unquoted text cannot begin with '@' (write a: \"@b\")"),
      ("a: `b`", "1:4 an unquoted text cannot begin with '`' (write a: \"`b`\")"),
      (
        "a: \"\\q\"",
        "1:5 unknown escape (write '\\\\' for a backslash, "
          + "or put the text in single quotation marks)"
      ),
      (
        "a: 1\né: x\u{1}y",
        "2:5 control characters are not allowed "
          + "(remove the character, or write it as an escape in double quotes)"
      ),
      (
        "\u{FEFF}a: \u{7F}",
        "1:4 control characters are not allowed "
          + "(remove the character, or write it as an escape in double quotes)"
      ),
      // Rare errors keep libyaml's message.
      ("a: !<x b", "1:7 did not find the expected '>'"),
    ]
  )
  func syntax(_ text: String, _ expected: String) {
    let place = expected.prefix { $0 != " " }
    #expect(problems(text) == ["\(place) not valid YAML:\(expected.dropFirst(place.count))"])
  }

  @Test("Canonically equivalent keys are different keys")
  func canonicalEquivalents() {
    #expect(problems("\u{E9}: 1\ne\u{301}: 2") == [])
  }

  @Test(
    "Bytes that are not UTF-8 are refused at the first invalid byte",
    arguments: [
      (Array("a: é\nbé: ".utf8) + [0xE9], "2:5"),
      ([0xFF, 0xFE, 0x61, 0x00], "1:1"),
      (Array("a: ".utf8) + [0xC0, 0xAF], "1:4"),
      (Array("a: ".utf8) + [0xED, 0xA0, 0x80], "1:4"),
      ([0xEF, 0xBB, 0xBF, 0x61, 0xFF], "1:2"),
    ] as [([UInt8], String)]
  )
  func encoding(_ bytes: [UInt8], _ place: String) {
    #expect(problems(bytes) == ["\(place) not valid UTF-8 (save the file as UTF-8)"])
    #expect(YAMLReader.read(bytes).root == nil)
  }

  @Test("Aliases that expand too much are refused at the alias that exceeds the limit")
  func aliasBomb() {
    var lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    for level in 1...9 {
      let alias = "*a\(level - 1)"
      lines.append(
        "a\(level): &a\(level) [" + Array(repeating: alias, count: 9).joined(separator: ", ") + "]"
      )
    }
    #expect(
      problems(lines.joined(separator: "\n")) == [
        "6:10 aliases expand to more than 100000 values (write out the values, or split the file)"
      ]
    )
  }

  @Test("A document may be nested 100 levels deep, but no deeper")
  func depth() throws {
    func flow(_ levels: Int) -> String {
      String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
    }
    #expect(problems(flow(100)) == [])
    #expect(problems(flow(101)) == ["1:101 nested more than 100 levels deep"])
    #expect(problems(flow(10_000)) == ["1:101 nested more than 100 levels deep"])
    let block = (0..<101).map { String(repeating: " ", count: $0) + "a:\n" }.joined()
    #expect(problems(block) == ["101:101 nested more than 100 levels deep"])
  }

  @Test("Nesting through aliases counts toward the limit")
  func depthThroughAliases() {
    func nested(_ levels: Int, _ inner: String) -> String {
      String(repeating: "[", count: levels) + inner + String(repeating: "]", count: levels)
    }
    #expect(problems("a: &a \(nested(49, "x"))\nb: \(nested(49, "*a"))") == [])
    #expect(
      problems("a: &a \(nested(50, "x"))\nb: \(nested(49, "*a"))") == [
        "2:53 nested more than 100 levels deep"
      ]
    )
    #expect(
      problems("a: &a \(nested(50, "x"))\nb: &b {c: *a}\nd: \(nested(48, "*b"))") == [
        "3:52 nested more than 100 levels deep"
      ]
    )
  }

  @Test("All problems up to the first syntax error are reported")
  func several() {
    #expect(
      problems("a: !x 1\na: 2\nb: {<<: {}}\nc: [") == [
        "1:4 unknown tag '!x' (remove the tag)",
        "2:1 duplicate key 'a', first on line 1 (\(Self.remove))",
        "3:5 merge keys ('<<') are not part of YAML 1.2 (write out the keys)",
        "4:4 not valid YAML: the '[' is not closed (add ']')",
      ]
    )
  }

  @Test("In other tools' files, a merge key adds the members that the mapping does not have")
  func mergeKeys() throws {
    let text = "a: &a {x: 1, y: 2}\nb: {<<: *a, y: 3}\nc: {<<: [*a, {z: 4, x: 5}]}\n"
    let (root, problems) = YAMLReader.read(Array(text.utf8), mergesKeys: true)
    #expect(problems.map(\.message) == [])
    #expect(root?["b"]?.json == ["y": 3, "x": 1])
    #expect(root?["c"]?.json == ["x": 1, "y": 2, "z": 4])
  }
}
