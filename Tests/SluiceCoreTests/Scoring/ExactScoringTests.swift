import SampleProjects
@testable import SluiceCore
@testable import SluiceSupport
import Testing

/// Tests that scorers compare numbers by their exact decimal values.
@Suite("Exact numbers in scorers")
struct ExactScoringTests {
  /// An answer's value, the expected value, and whether the two are equal.
  struct Pair: Sendable, CustomTestStringConvertible {
    var given: String
    var wanted: String
    var isEqual: Bool

    init(_ given: String, _ wanted: String, _ isEqual: Bool) {
      (self.given, self.wanted, self.isEqual) = (given, wanted, isEqual)
    }

    var testDescription: String { "\(given) and \(wanted)" }

    static let numbers = [
      Pair("9007199254740993", "9007199254740993", true),
      Pair("9007199254740992", "9007199254740993", false),
      Pair("9007199254740993", "9007199254740992", false),
      Pair("-9007199254740992", "-9007199254740993", false),
      Pair("9007199254740993.0", "9007199254740993", true),
      Pair("9223372036854775807", "9223372036854775808", false),
      Pair("1234567890123456800", "1234567890123456789", false),
      Pair("1234567890123456768", "1234567890123456789", false),
      Pair("1152921504606847000", "1152921504606846976", false),
      Pair("1152921504606846976", "1152921504606846976", true),
      Pair("123456789012345678901234567890", "123456789012345678901234567891", false),
      Pair("3.10", "3.1", true), Pair("31e-1", "3.1", true), Pair("3.1", "3.10", true),
      Pair("1E2", "100", true), Pair("100.0", "1e+2", true),
      Pair("0.1", "0.10000000000000001", false),
      Pair("0.1000000000000000055", "0.1", false),
      Pair("0.30000000000000004", "0.3", false),
      Pair("1e400", "1e400", true), Pair("1E+400", "10e399", true), Pair("1e400", "1e401", false),
      Pair("1e400", "null", false), Pair("null", "1e400", false), Pair("1e-400", "0", false),
      Pair("1e999999999", "1e999999998", false), Pair("1e999999999", "1e999999999", true),
      Pair("-0", "0", true), Pair("0.0", "-0", true), Pair("1", "\"1\"", false),
      Pair("\"9007199254740993\"", "\"9007199254740992\"", false),
      Pair("\"3.10\"", "\"3.1\"", false), Pair("1", "true", false),
    ]
  }

  @Test(
    "'equals', 'json-path' and expressions compare the value of a number",
    arguments: Pair.numbers
  )
  func equality(_ pair: Pair) {
    let answer = "{\"a\":[{\"b\":\(pair.given)}]}"
    let value = "{a: [{b: \(pair.wanted)}]}"
    for (scorer, isNegated) in [
      ("equals: \(value)", false), ("not-equals: \(value)", true),
      ("json-path: {path: 'a[0].b', equals: \(pair.wanted)}", false),
      ("not-json-path: {path: 'a[0].b', equals: \(pair.wanted)}", true),
      ("json-path: {path: a, equals: [{b: \(pair.wanted)}], unordered: true}", false),
      ("expression: \"answer.a[0].b == expected.b\"", false),
      ("expression: \"expected.b in answer.a[*].b\"", false),
      ("expression: \"answer.a[0].b != expected.b\"", true),
      ("expression: \"len(unique([answer.a[0].b, expected.b])) == 1\"", false),
    ] {
      let fixture = ScoringFixture("- \(scorer)")
      #expect(fixture.said == "")
      let expected = (try? JSONReader.value("{\"b\":\(pair.wanted)}")) ?? [:]
      #expect(
        fixture.score(answer, expecting: expected)?.outcome
          == (pair.isEqual != isNegated ? .passed : .failed),
        "\(scorer)"
      )
    }
  }

  @Test("'enum' and 'const' of a schema compare the value of a number", arguments: Pair.numbers)
  func schema(_ pair: Pair) throws {
    for schema in [
      "{\"const\": \(pair.wanted)}", "{\"enum\": [\"x\", \(pair.wanted)]}",
      "{\"const\": [\(pair.wanted)]}", "{\"not\": {\"not\": {\"const\": \(pair.wanted)}}}",
    ] {
      let isList = schema.hasPrefix("{\"const\": [")
      let value = isList ? "[\(pair.given)]" : pair.given
      #expect(try CompiledSchema.violations(schema, value).isEmpty == pair.isEqual, "\(schema)")
    }
    let both = "[\(pair.given), \(pair.wanted)]"
    #expect(
      try CompiledSchema.violations(#"{"uniqueItems": true}"#, both).isEmpty != pair.isEqual
    )
    #expect(
      try CompiledSchema.violations(
        "{\"contains\": {\"const\": \(pair.wanted)}}",
        "[{}, \(pair.given)]"
      ).isEmpty == pair.isEqual
    )
  }

  @Test("The arguments of tool calls are compared by value", arguments: Pair.numbers)
  func toolCalls(_ pair: Pair) {
    let call = ToolCall(id: "1", name: "open", arguments: "{\"ids\":[\(pair.given)]}")
    let fixture = ScoringFixture(
      "- tool-calls: [{name: open, arguments: {ids: [\(pair.wanted)]}}]"
    )
    #expect(fixture.said == "")
    var response = ModelResponse(text: nil, finishReason: "tool_calls")
    response.toolCalls = [call]
    #expect(fixture.score(response)?.outcome == (pair.isEqual ? .passed : .failed))
  }

  @Test("Messages show numbers exactly")
  func messages() throws {
    let path = ScoringFixture("- json-path: {path: id, equals: 1152921504606846976}")
    #expect(
      path.score(#"{"id":1152921504606847000}"#)?.explanation
        == "expected the answer to have 1152921504606846976 at 'id': there is 1152921504606847000"
    )
    let equals = ScoringFixture("- equals: {id: 9007199254740993}")
    #expect(
      equals.score(#"{"id":9007199254740992}"#)?.explanation == """
        expected the answer to equal {"id":9007199254740993}, got "{"id":9007199254740992}", which \
        differs at id: expected 9007199254740993, got 9007199254740992
        """
    )
    #expect(
      try CompiledSchema.violations(#"{"const": 1e400}"#, "1e401")
        == ["$: expected 1e+400, got 1e+401"]
    )
    #expect(
      try CompiledSchema.violations(#"{"type": "integer"}"#, "0.10000000000000001")
        == ["$: expected integer, got 0.10000000000000001"]
    )
    #expect(
      JSONDifference.lines(
        from: try JSONReader.value(#"{"a":9007199254740993}"#),
        to: try JSONReader.value(#"{"a":9007199254740992}"#)
      ) == ["- a: 9007199254740993", "+ a: 9007199254740992"]
    )
  }

  // MARK: Order

  @Test(
    "Bounds, multiples and types of a schema go by the exact value",
    arguments: [
      SchemaCase(#"{"minimum": 9007199254740993}"#, "9007199254740993", nil),
      SchemaCase(
        #"{"minimum": 9007199254740993}"#,
        "9007199254740992",
        "$: expected at least 9007199254740993, got 9007199254740992"
      ),
      SchemaCase(
        #"{"maximum": 9007199254740992}"#,
        "9007199254740993",
        "$: expected at most 9007199254740992, got 9007199254740993"
      ),
      SchemaCase(#"{"exclusiveMinimum": 9007199254740992}"#, "9007199254740993", nil),
      SchemaCase(#"{"exclusiveMaximum": 0.1}"#, "0.09999999999999999999", nil),
      SchemaCase(#"{"maximum": 1e400}"#, "1e400", nil),
      SchemaCase(#"{"maximum": 1e400}"#, "1e401", "$: expected at most 1e+400, got 1e+401"),
      SchemaCase(#"{"minimum": 0}"#, "-1e-400", "$: expected at least 0, got -1e-400"),
      SchemaCase(#"{"type": "integer"}"#, "1e400", nil),
      SchemaCase(#"{"type": "integer"}"#, "9007199254740993", nil),
      SchemaCase(#"{"type": "number"}"#, "1e400", nil),
      SchemaCase(#"{"type": "string"}"#, "1e400", "$: expected string, got number"),
      SchemaCase(#"{"type": "integer"}"#, "1e-400", "$: expected integer, got 1e-400"),
      SchemaCase(#"{"multipleOf": 0.1}"#, "0.3", nil),
      SchemaCase(#"{"multipleOf": 3}"#, "9007199254740993", nil),
      SchemaCase(
        #"{"multipleOf": 2}"#,
        "9007199254740993",
        "$: expected a multiple of 2, got 9007199254740993"
      ),
      SchemaCase(
        #"{"multipleOf": 7e-5}"#,
        "1e999999999",
        "$: expected a multiple of 0.00007, got 1e+999999999"
      ),
    ]
  )
  func bounds(_ schemaCase: SchemaCase) throws { try schemaCase.check() }

  @Test("A divisor with very many digits is an error")
  func longDivisor() throws {
    let (_, said) = try CompiledSchema.compile(#"{"multipleOf": 1234567890123456789}"#)
    #expect(said.contains("'multipleOf' must have at most 18 digits"))
  }

  @Test(
    "An expression compares numbers exactly unless it computes them",
    arguments: [
      ("answer.n > 9007199254740992", true), ("answer.n >= 9007199254740993", true),
      ("answer.n > 9007199254740993", false), ("answer.n < 9007199254740994", true),
      ("answer.n == 9007199254740992", false), ("answer.n == 9007199254740993", true),
      ("-answer.n == -9007199254740993", true), ("-answer.n < -9007199254740992", true),
      ("abs(-answer.n) == answer.n", true), ("max(answer.list) == 9007199254740993", true),
      ("min(answer.n, 9007199254740992) == 9007199254740992", true),
      ("sort(answer.list)[0] == 9007199254740992", true),
      ("sort(answer.list)[-1] == answer.n", true), ("number(answer.text) == answer.n", true),
      ("number(answer.text) == 9007199254740992", false), ("text(answer.n) == answer.text", true),
      ("answer.big > 1", true), ("answer.big > answer.n", true), ("answer.tiny > 0", true),
      ("answer.tiny == 0", false), ("0.1 + 0.2 == 0.3", true), ("answer.third == 0.3", false),
      ("answer.third == 0.1 + 0.2", true), ("sum([0.1, 0.2]) == 0.3", true),
      ("any(map([0.1], item + 0.2), item == 0.3)", true), ("0.3 in answer.decimals", false),
      ("answer.n + 1 > 0 and answer.third == 0.3", false), ("answer.decimals[1] == 3.1", true),
      ("9007199254740993 in answer.list", true), ("9007199254740995 in answer.list", false),
      ("all(answer.list, item >= 9007199254740992)", true),
      ("any(answer.list, item < 9007199254740992)", false),
      ("answer.big + 1 > 0", true), ("answer.n - answer.n == 0", true),
      ("10000000000000000000000 == answer.ten", true),
    ]
  )
  func expressions(_ expression: String, _ holds: Bool) {
    let answer = """
      {"n": 9007199254740993, "list": [9007199254740993, 9007199254740992], "big": 1e400,
      "tiny": 1e-400, "third": 0.30000000000000004, "decimals": [0.30000000000000004, 3.10],
      "text": "9007199254740993", "ten": 1e22}
      """
    let score = ScoringFixture("- expression: \"\(expression)\"").score(answer)
    #expect(score?.outcome == (holds ? .passed : .failed), "\(score?.explanation ?? "")")
  }

  // MARK: Tolerance

  @Test(
    "A tolerance is compared with the exact difference",
    arguments: [
      ("9007199254740993", "9007199254740992", "0", false),
      ("9007199254740993", "9007199254740992", "1", true),
      ("1234567890123456", "1234567890124000", "0", false), ("0.3", "0.2", "0.1", true),
      ("1.1", "1.0", "0.1", true), ("3.10", "3.1", "0", true), ("1e400", "1e400", "0", true),
      ("1e400", "1e401", "0", false), ("1e400", "1e401", "1e300", false),
      ("1e-400", "0", "0", false), ("-5", "5", "10", true), ("-5", "5", "9.99", false),
    ]
  )
  func tolerance(_ given: String, _ wanted: String, _ tolerance: String, _ isNear: Bool) throws {
    let number = ScoringFixture("- number: {path: n, expected: n, tolerance: \(tolerance)}")
    let path = ScoringFixture("- json-path: {path: n, equals: \(wanted), tolerance: \(tolerance)}")
    let answer = "{\"n\":\(given)}"
    let expected = try JSONReader.value("{\"n\":\(wanted)}")
    #expect(number.score(answer, expecting: expected)?.outcome == (isNear ? .passed : .failed))
    #expect(path.score(answer)?.outcome == (isNear ? .passed : .failed))
  }

  @Test("The scorer 'number' shows all digits, and its range is exact")
  func number() throws {
    let number = ScoringFixture("- number: {path: n, expected: n, tolerance: 0}")
    let expected = try JSONReader.value(#"{"n":9007199254740993}"#)
    #expect(
      number.score(#"{"n":9007199254740992}"#, expecting: expected)?.explanation
        == "expected 9007199254740993, got 9007199254740992"
    )
    let ranged = ScoringFixture(
      "- number: {path: n, expected: n, tolerance: 0, range: [0, 9007199254740991]}"
    )
    #expect(
      ranged.score(#"{"n":9007199254740993}"#, expecting: ["n": 1])?.explanation
        == "expected 1, got 9007199254740993, which is outside the range 0 to 9007199254740991"
    )
  }

  // MARK: Text

  @Test(
    "A number that is extracted, and a number in a text, keep all digits",
    arguments: [
      ("extract: number, equals: 9007199254740993", "id 9007199254740993", true),
      ("extract: number, equals: 9007199254740993", "id 9007199254740992", false),
      ("extract: number, equals: 3.1", "3.10", true),
      ("extract: number, equals: -9007199254740993", "-9007199254740993", true),
      (
        "extract: {json-path: id}, equals: '1152921504606846976'", #"{"id":1152921504606846976}"#,
        true
      ),
      (
        "extract: {json-path: id}, equals: '1152921504606847000'", #"{"id":1152921504606846976}"#,
        false
      ),
      ("extract: {json-path: id}, equals: '9007199254740993'", #"{"id":9007199254740993}"#, true),
    ]
  )
  func extraction(_ scorer: String, _ answer: String, _ holds: Bool) {
    let parts = scorer.split(separator: ", ")
    let fixture = ScoringFixture("- {type: equals, \(parts[0]), value:\(parts[1].dropFirst(7))}")
    #expect(fixture.said == "")
    #expect(fixture.score(answer)?.outcome == (holds ? .passed : .failed))
  }
}
