@testable import SluiceCore
@testable import SluiceSupport
import Testing

@Suite("JSON Schema")
struct JSONSchemaTests {
  func compile(_ text: String) throws -> (schema: JSONSchema?, said: String) {
    try CompiledSchema.compile(text)
  }

  func violations(_ schema: String, _ value: String) throws -> [String] {
    try CompiledSchema.violations(schema, value)
  }

  // MARK: Rules

  @Test(
    "A valid value has no violations",
    arguments: [
      ("{}", "1"), ("true", "[1]"),
      (#"{"type":"null"}"#, "null"), (#"{"type":"boolean"}"#, "false"),
      (#"{"type":"object"}"#, "{}"), (#"{"type":"array"}"#, "[]"),
      (#"{"type":"number"}"#, "1"), (#"{"type":"number"}"#, "1.5"),
      (#"{"type":"string"}"#, #""""#), (#"{"type":"integer"}"#, "-3"),
      (#"{"type":"integer"}"#, "1.0"), (#"{"type":"integer"}"#, "1e300"),
      (#"{"type":["string","null"]}"#, "null"),
      (#"{"enum":[1,"a",null,{"x":[1],"y":2}]}"#, #"{"y":2.0,"x":[1]}"#),
      (#"{"const":null}"#, "null"), (#"{"const":0}"#, "-0.0"),
      (#"{"required":["a"]}"#, #"{"a":null}"#),
      (#"{"properties":{"a":{"type":"string"}}}"#, #"{"b":1}"#),
      (#"{"properties":{"a":{"type":"string"}}}"#, #"["a"]"#),
      (#"{"additionalProperties":{"type":"number"}}"#, #"{"b":1}"#),
      (#"{"properties":{"a":true},"additionalProperties":false}"#, #"{"a":1}"#),
      (#"{"items":{"type":"number"},"minItems":2,"maxItems":2}"#, "[1,2]"),
      (#"{"items":false}"#, "[]"),
      (#"{"uniqueItems":true}"#, #"[1,"1",true,[1],{"a":1},"e\#u{301}","é"]"#),
      (#"{"uniqueItems":false}"#, "[1,1]"),
      (#"{"minLength":2,"maxLength":2}"#, #""🙂é""#),
      (#"{"minLength":2,"maxLength":2}"#, #""e\#u{301}""#),
      (#"{"pattern":"b+"}"#, #""abbc""#),
      (#"{"minimum":1,"maximum":1}"#, "1"),
      (#"{"exclusiveMinimum":1,"exclusiveMaximum":2}"#, "1.5"),
      (#"{"anyOf":[{"type":"string"},{"minimum":3}]}"#, "3"),
      (#"{"anyOf":[false,true]}"#, "3"),
    ]
  )
  func kept(_ schema: String, _ value: String) throws {
    #expect(try violations(schema, value) == [])
  }

  @Test(
    "A rule does not apply to values of other types",
    arguments: [
      #"{"required":["a"],"properties":{"a":false},"additionalProperties":false}"#,
      #"{"items":false,"minItems":9,"maxItems":0,"uniqueItems":true}"#,
      #"{"minLength":9,"maxLength":0,"pattern":"^x$"}"#,
      #"{"minimum":9,"maximum":0,"exclusiveMinimum":9,"exclusiveMaximum":0}"#,
    ]
  )
  func otherTypes(_ schema: String) throws {
    let applies = try ["{\"b\":1}", "[1,1]", "\"abcd\"", "5"].filter {
      try !violations(schema, $0).isEmpty
    }
    #expect(applies.count == 1)
    for value in ["null", "true"] { #expect(try violations(schema, value) == []) }
  }

  @Test(
    "A violation states the expected and the actual value",
    arguments: [
      ("false", "1", "$: no value is allowed here"),
      (#"{"type":"string"}"#, "1", "$: expected string, got number"),
      (#"{"type":["string","null"]}"#, "1", "$: expected string or null, got number"),
      (
        #"{"type":["string","null","array"]}"#, "{}",
        "$: expected string, null or array, got object"
      ),
      (#"{"type":"integer"}"#, "1.5", "$: expected integer, got 1.5"),
      (#"{"type":"integer"}"#, #""1""#, "$: expected integer, got string"),
      (#"{"type":"number"}"#, "true", "$: expected number, got boolean"),
      (
        #"{"enum":["fan","spam",1]}"#, #""all""#, #"$: expected one of "fan", "spam", 1, got "all""#
      ),
      (#"{"enum":["fan"]}"#, "{}", #"$: expected "fan", got object"#),
      (
        #"{"enum":[1,2,3,4,5,6,7,8,9,10,11]}"#, "0",
        "$: expected one of 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, …, got 0"
      ),
      (#"{"const":{"a":[1]}}"#, #"{"a":[2]}"#, #"$: expected {"a":[1]}, got object"#),
      (#"{"const":false}"#, "0", "$: expected false, got 0"),
      (#"{"const":"é"}"#, #""e\#u{301}""#, "$: expected \"é\", got \"e\u{301}\""),
      (#"{"required":["x","y"]}"#, #"{"x":1}"#, "$: missing member 'y'"),
      (#"{"additionalProperties":false}"#, #"{"x":1}"#, "$: unknown member 'x'"),
      (
        #"{"properties":{"é":true},"additionalProperties":false}"#, #"{"e\#u{301}":1}"#,
        "$: unknown member 'e\u{301}'"
      ),
      (#"{"properties":{"x":false}}"#, #"{"x":1}"#, "x: no value is allowed here"),
      (#"{"additionalProperties":{"type":"null"}}"#, #"{"x":1}"#, "x: expected null, got number"),
      (#"{"items":{"type":"null"}}"#, "[null,1]", "[1]: expected null, got number"),
      (#"{"minItems":1}"#, "[]", "$: expected at least 1 element, got 0 elements"),
      (#"{"maxItems":1}"#, "[1,2]", "$: expected at most 1 element, got 2 elements"),
      (
        #"{"uniqueItems":true}"#, #"[{"a":1,"b":2},3,{"b":2,"a":1}]"#,
        "$: elements 0 and 2 are equal"
      ),
      (#"{"minLength":2}"#, #""🙂""#, "$: expected at least 2 characters, got 1 character"),
      (#"{"maxLength":1}"#, #""e\#u{301}""#, "$: expected at most 1 character, got 2 characters"),
      (#"{"pattern":"^a"}"#, #""ba""#, #"$: "ba" does not match '^a'"#),
      (#"{"minimum":0}"#, "-0.5", "$: expected at least 0, got -0.5"),
      (#"{"maximum":100}"#, "1e21", "$: expected at most 100, got 1e+21"),
      (#"{"exclusiveMinimum":0}"#, "0", "$: expected more than 0, got 0"),
      (#"{"exclusiveMaximum":1}"#, "1", "$: expected less than 1, got 1"),
      (
        #"{"anyOf":[{"type":"string"},{"items":{"const":1}}]}"#, "[1,2]",
        "$: matches none of 2 alternatives: expected string, got array; [1]: expected 1, got 2"
      ),
      (
        #"{"anyOf":[false,false,false,false,false]}"#, "1",
        "$: matches none of 5 alternatives: no value is allowed here; no value is allowed here; "
          + "no value is allowed here; no value is allowed here; …"
      ),
    ]
  )
  func broken(_ schema: String, _ value: String, _ violation: String) throws {
    #expect(try violations(schema, value) == [violation])
  }

  @Test("All violations of an answer are reported, in the answer's order")
  func wholeAnswer() throws {
    let schema = #"""
      {
        "$schema": "https://json-schema.org/draft/2020-12/schema", "$comment": "x", "title": "Items",
        "type": "object", "required": ["actionItems"], "additionalProperties": false,
        "properties": {
          "actionItems": {
            "type": "array", "description": "x", "default": [], "examples": [1],
            "items": {
              "type": "object", "required": ["description", "assignedTo", "dueDate"],
              "additionalProperties": false,
              "properties": {
                "description": { "type": "string" },
                "assignedTo": { "type": ["string", "null"] },
                "dueDate": { "type": ["string", "null"], "pattern": "^\\d{4}-\\d{2}-\\d{2}$" }
              }
            }
          }
        }
      }
      """#
    let good =
      #"{"actionItems":[{"description":"a","assignedTo":null,"dueDate":"2026-11-20"}]}"#
    #expect(try violations(schema, good) == [])
    let bad = #"""
      {
        "actionItems": [
          {"description": "a", "assignedTo": "ana", "dueDate": "Friday"},
          {"description": 1, "dueDate": 3, "due": null},
          "review"
        ],
        "note": 1
      }
      """#
    #expect(
      try violations(schema, bad) == [
        #"actionItems[0].dueDate: "Friday" does not match '^\d{4}-\d{2}-\d{2}$'"#,
        "actionItems[1]: missing member 'assignedTo'",
        "actionItems[1].description: expected string, got number",
        "actionItems[1].dueDate: expected string or null, got number",
        "actionItems[1]: unknown member 'due'",
        "actionItems[2]: expected object, got string",
        "$: unknown member 'note'",
      ]
    )
  }

  @Test("A value of the wrong type is reported only once")
  func typeFirst() throws {
    let schema = #"{"enum":["a"],"anyOf":[{"const":"a"}],"type":"string"}"#
    #expect(try violations(schema, "1") == ["$: expected string, got number"])
  }

  @Test("The order of keywords does not affect the violations")
  func keywordOrder() throws {
    let value = #"{"b":1}"#
    let expected = ["$: missing member 'a'", "b: expected at least 2, got 1"]
    for schema in [
      #"{"required":["a"],"properties":{"b":{"minimum":2}},"additionalProperties":false}"#,
      #"{"additionalProperties":false,"properties":{"b":{"minimum":2}},"required":["a"]}"#,
    ] {
      #expect(try violations(schema, value) == expected)
    }
  }

  // MARK: Paths and limits

  @Test(
    "A path quotes names that are ambiguous without quotes",
    arguments: [
      (#"{"a":{"b_c-1":[[0]]}}"#, "a.b_c-1[0][0]"),
      (#"{"größe":0}"#, "größe"),
      (#"{"a b":{"c.d":0}}"#, #"["a b"]["c.d"]"#),
      (#"{"":0}"#, #"[""]"#),
      (#"[{"x\n\"":0}]"#, #"[0]["x\n\""]"#),
      ("0", "$"),
    ]
  )
  func paths(_ value: String, _ path: String) throws {
    // Requires values above zero at any depth.
    var schema = #"{"exclusiveMinimum":0}"#
    for _ in 0..<4 {
      schema = #"{"exclusiveMinimum":0,"additionalProperties":\#(schema),"items":\#(schema)}"#
    }
    #expect(try violations(schema, value) == ["\(path): expected more than 0, got 0"])
  }

  @Test("Only the first 20 violations are reported")
  func limit() throws {
    let value = "[" + Array(repeating: "1", count: 1_000).joined(separator: ",") + "]"
    let told = try violations(#"{"items":{"type":"string"}}"#, value)
    #expect(told == (0..<20).map { "[\($0)]: expected string, got number" })
    let names = (0..<30).map { "m\($0)" }
    let list = names.map { "\"\($0)\"" }.joined(separator: ",")
    #expect(
      try violations(#"{"required":[\#(list)]}"#, "{}")
        == names.prefix(20).map { "$: missing member '\($0)'" }
    )
  }

  @Test("Long texts of a model are cut in violations")
  func longTexts() throws {
    let long = String(repeating: "x", count: 100_000)
    let start = String(repeating: "x", count: 60)
    #expect(
      try violations(#"{"additionalProperties":false}"#, #"{"\#(long)":1}"#) == [
        "$: unknown member '\(start)…'"
      ]
    )
    #expect(
      try violations(#"{"const":1}"#, #""\#(long)""#) == [
        "$: expected 1, got \"\(start.dropLast())…"
      ]
    )
    #expect(
      try violations(#"{"additionalProperties":{"type":"null"}}"#, #"{"\#(long)":1}"#) == [
        "[\"\(start.dropLast())…]: expected null, got number"
      ]
    )
  }

  @Test("Schemas and values of the maximum depth are checked completely")
  func depth() throws {
    func nested(_ levels: Int, _ start: String, _ inner: String, _ end: String) -> String {
      String(repeating: start, count: levels) + inner + String(repeating: end, count: levels)
    }
    let schema = nested(127, #"{"items":"#, #"{"type":"string"}"#, "}")
    let value = nested(127, "[", "1", "]")
    #expect(
      try violations(schema, value) == [
        String(repeating: "[0]", count: 127) + ": expected string, got number"
      ]
    )
    let alternatives = nested(63, #"{"anyOf":["#, "true", "]}")
    #expect(try violations(alternatives, nested(128, "[", "", "]")) == [])
    #expect(try violations(#"{"const":\#(value)}"#, value) == [])
    #expect(try violations(#"{"uniqueItems":true}"#, "[\(nested(126, "[", "1", "]"))]") == [])
  }

  @Test("The uniqueness of many elements is checked quickly", .timeLimit(.minutes(5)))
  func manyElements() throws {
    let elements = (0..<20_000).map { #"{"id":\#($0)}"# }
    let value = "[" + (elements + [elements[7]]).joined(separator: ",") + "]"
    #expect(
      try violations(#"{"uniqueItems":true}"#, value) == ["$: elements 7 and 20000 are equal"]
    )
  }

  // MARK: Patterns

  @Test(
    "A pattern has its ECMAScript meaning",
    arguments: [
      (#"^\d{4}$"#, "2026", true),
      (#"^\d{4}$"#, "2026\n", false),
      (#"^\d$"#, "٣", false),
      (#"^[\d-]+$"#, "1-2", true),
      (#"^[\d]$"#, "٣", false),
      (#"^\D$"#, "٣", true),
      (#"^[\D]$"#, "٣", true),
      (#"^[\D]$"#, "3", false),
      (#"^\w+$"#, "aZ_09", true),
      (#"^\w$"#, "é", false),
      (#"^\W$"#, "é", true),
      (#"^[\W]$"#, "_", false),
      (#"^[^\W]$"#, "é", false),
      (#"^[\W_]$"#, "_", true),
      (#"^[\W]$"#, "🙂", true),
      (#"a$|b"#, "xa", true),
      (#"^[$]\$$"#, "$$", true),
      (#"^[[]$"#, "[", true),
      (#"^[[:alpha:]$"#, "a", true),
      (#"^[[:alpha:]$"#, "[", true),
      (#"[]"#, "", false),
      (#"^[^]$"#, "\n", true),
      (#"^\u00e9$"#, "é", true),
      (#"^[\u4e00-\u9fa5]+$"#, "中文", true),
      (#"^\ud83d\ude42$"#, "🙂", true),
      (#"^\u{1F642}$"#, "🙂", true),
      (#"^\\u0041$"#, #"\u0041"#, true),
      (#"^a.c$"#, "a🙂c", true),
      (#"^.$"#, "\n", false),
      (#"^b"#, "a\nb", false),
      (#"a\/b"#, "a/b", true),
      (#"^(?!x).+(?<=y)$"#, "ay", true),
      (#"^(?<a>.)\k<a>$"#, "zz", true),
      (#"^\s$"#, "\u{feff}", true),
      (#"^\s$"#, "\u{85}", false),
      (#"^[\s]$"#, "\u{2003}", true),
      (#"^\S$"#, "\u{180e}", true),
      (#"^[\S]$"#, "\u{a0}", false),
      (#"\bb"#, "éb", true),
      (#"a\B"#, "aé", false),
      (#"[\b]"#, "\u{8}", true),
      (#"^.$"#, "\u{2028}", false),
    ]
  )
  func patterns(_ pattern: String, _ text: String, _ matches: Bool) throws {
    let schema = JSONValue.object(["pattern": .string(pattern)]).jsonText
    let found = try violations(schema, JSONValue.string(text).jsonText)
    #expect(found.isEmpty == matches)
  }

  @Test(
    "A pattern that takes too long makes a value undecided, unless another rule decides",
    arguments: [
      (#"{"pattern":"^(a|a)*$"}"#, true),
      (#"{"anyOf":[{"type":"null"},{"pattern":"^(a|a)*$"}]}"#, true),
      (#"{"oneOf":[{"type":"string"},{"pattern":"^(a|a)*$"}]}"#, true),
      (#"{"not":{"pattern":"^(a|a)*$"}}"#, true),
      (#"{"if":{"pattern":"^(a|a)*$"},"then":false}"#, true),
      (#"{"pattern":"^(a|a)*$","maxLength":3}"#, false),
      (#"{"anyOf":[{"pattern":"^(a|a)*$"},{"type":"string"}]}"#, false),
      (#"{"oneOf":[{"type":"string"},{"pattern":"^(a|a)*$"},true]}"#, false),
      (#"{"not":{"pattern":"^(a|a)*$","type":"null"}}"#, false),
    ]
  )
  func expensivePattern(_ schema: String, _ isUndecided: Bool) throws {
    let value = JSONValue.string(String(repeating: "a", count: 5_000) + "!")
    let outcome = try #require(compile(schema).schema).outcome(of: value)
    let violation = JSONSchema.Violation(
      path: "$",
      message: "the pattern '^(a|a)*$' is too expensive for this text"
    )
    #expect((outcome == .undecided(violation)) == isUndecided)
  }

  // MARK: Loading

  @Test(
    "An invalid schema is an error with its position and a fix",
    arguments: [
      RefusedSchema("1", "1: a schema must be a mapping, true or false, not a number", nil),
      RefusedSchema(
        #"{"items":null}"#,
        "10: a schema must be a mapping, true or false, not nothing",
        nil
      ),
      RefusedSchema(
        #"{"tpye":"string"}"#,
        "2: unknown keyword 'tpye' in a schema",
        "did you mean 'type'?"
      ),
      RefusedSchema(
        #"{"properties":{"a":{"minlength":1}}}"#,
        "21: unknown keyword 'minlength' in a schema",
        "did you mean 'minLength'?"
      ),
      RefusedSchema(#"{"x":1}"#, "2: unknown keyword 'x' in a schema", known),
      RefusedSchema(
        #"{"unevaluatedItems":false}"#,
        "2: the keyword 'unevaluatedItems' is not supported",
        "write 'items: false' next to 'prefixItems'"
      ),
      RefusedSchema(
        #"{"unevaluatedProperties":false}"#,
        "2: the keyword 'unevaluatedProperties' is not supported",
        "write 'additionalProperties: false' next to all 'properties'"
      ),
      RefusedSchema(
        #"{"$dynamicRef":"x"}"#,
        "2: the keyword '$dynamicRef' is not supported",
        "write '$ref'"
      ),
      RefusedSchema(
        #"{"$dynamicAnchor":"x"}"#,
        "2: the keyword '$dynamicAnchor' is not supported",
        "write '$anchor'"
      ),
      RefusedSchema(
        #"{"contentSchema":{}}"#,
        "2: the keyword 'contentSchema' is not supported",
        "remove it; Sluice does not parse the contents of strings"
      ),
      RefusedSchema(
        #"{"dependencies":{}}"#,
        "2: the keyword 'dependencies' is not supported",
        "write 'dependentRequired' or 'dependentSchemas'"
      ),
      RefusedSchema(
        #"{"additionalItems":{}}"#,
        "2: the keyword 'additionalItems' is not supported",
        "write 'prefixItems' for the list and 'items' for the elements after it"
      ),
      RefusedSchema(
        #"{"type":"string","type":"null"}"#,
        "18: duplicate key 'type', first on line 1",
        "remove one of the two"
      ),
      RefusedSchema(
        #"{"properties":{"a":{},"a":{}}}"#,
        "23: duplicate key 'a', first on line 1",
        "remove one of the two"
      ),
      RefusedSchema(#"{"type":"strng"}"#, "9: unknown type 'strng'", "did you mean 'string'?"),
      RefusedSchema(
        #"{"type":"date"}"#,
        "9: unknown type 'date'",
        "known: null, boolean, object, array, number, string, integer"
      ),
      RefusedSchema(
        #"{"type":null}"#,
        "9: 'type' must be a text or a list, not nothing",
        "write \"null\" in double quotes if you mean the type null"
      ),
      RefusedSchema(#"{"type":{}}"#, "9: 'type' must be a text or a list, not a mapping", nil),
      RefusedSchema(#"{"type":[]}"#, "9: 'type' must not be an empty list", nil),
      RefusedSchema(
        #"{"type":["string",null]}"#,
        "19: an entry of 'type' must be a text, not nothing",
        "write \"null\" in double quotes if you mean the type null"
      ),
      RefusedSchema(#"{"type":["null","null"]}"#, "17: 'null' is listed twice in 'type'", nil),
      RefusedSchema(#"{"enum":"a"}"#, "9: 'enum' must be a list, not a text", nil),
      RefusedSchema(#"{"enum":[]}"#, "9: 'enum' must not be an empty list", nil),
      RefusedSchema(#"{"required":true}"#, "13: 'required' must be a list, not true or false", nil),
      RefusedSchema(
        #"{"required":[1]}"#,
        "14: an entry of 'required' must be a text, not a number",
        nil
      ),
      RefusedSchema(#"{"required":["a","a"]}"#, "18: 'a' is listed twice in 'required'", nil),
      RefusedSchema(#"{"properties":[]}"#, "15: 'properties' must be a mapping, not a list", nil),
      RefusedSchema(
        #"{"properties":{"a":"string"}}"#,
        "20: a schema must be a mapping, true or false, not a text",
        nil
      ),
      RefusedSchema(
        #"{"additionalProperties":"no"}"#,
        "25: a schema must be a mapping, true or false, not a text",
        nil
      ),
      RefusedSchema(
        #"{"properties":{},"additionalProperties":1}"#,
        "41: a schema must be a mapping, true or false, not a number",
        nil
      ),
      RefusedSchema(
        #"{"items":[{}]}"#,
        "10: 'items' must be one schema for all elements, not a list",
        "write 'prefixItems' for one schema per element, or 'anyOf' inside 'items' for alternatives"
      ),
      RefusedSchema(#"{"prefixItems":{}}"#, "16: 'prefixItems' must be a list, not a mapping", nil),
      RefusedSchema(#"{"prefixItems":[]}"#, "16: 'prefixItems' must not be an empty list", nil),
      RefusedSchema(
        #"{"contains":1}"#,
        "13: a schema must be a mapping, true or false, not a number",
        nil
      ),
      RefusedSchema(
        #"{"minContains":-1}"#,
        "16: 'minContains' must be a whole number of 0 or more, not -1",
        nil
      ),
      RefusedSchema(
        #"{"contains":true,"maxContains":"x"}"#,
        "32: 'maxContains' must be a whole number of 0 or more, not a text",
        nil
      ),
      RefusedSchema(
        #"{"minProperties":0.5}"#,
        "18: 'minProperties' must be a whole number of 0 or more, not 0.5",
        nil
      ),
      RefusedSchema(
        #"{"maxProperties":null}"#,
        "18: 'maxProperties' must be a whole number of 0 or more, not nothing",
        nil
      ),
      RefusedSchema(
        #"{"propertyNames":"^a"}"#,
        "18: a schema must be a mapping, true or false, not a text",
        nil
      ),
      RefusedSchema(
        #"{"patternProperties":{"a(":{}}}"#,
        "23: a name in 'patternProperties' is not a regular expression: "
          + "missing closing parenthesis",
        nil
      ),
      RefusedSchema(
        #"{"patternProperties":[]}"#,
        "22: 'patternProperties' must be a mapping, not a list",
        nil
      ),
      RefusedSchema(
        #"{"dependentRequired":{"a":"b"}}"#,
        "27: 'a' in 'dependentRequired' must be a list, not a text",
        nil
      ),
      RefusedSchema(
        #"{"dependentRequired":{"a":["b","b"]}}"#,
        "32: 'b' is listed twice in 'a' in 'dependentRequired'",
        nil
      ),
      RefusedSchema(
        #"{"dependentRequired":[]}"#,
        "22: 'dependentRequired' must be a mapping, not a list",
        nil
      ),
      RefusedSchema(
        #"{"dependentSchemas":[]}"#,
        "21: 'dependentSchemas' must be a mapping, not a list",
        nil
      ),
      RefusedSchema(#"{"format":"dat"}"#, "11: unknown format 'dat'", "did you mean 'date'?"),
      RefusedSchema(
        #"{"format":"regex"}"#,
        "11: unknown format 'regex'",
        "known: date, time, date-time, duration, email, hostname, ipv4, ipv6, uri, uuid"
      ),
      RefusedSchema(#"{"format":1}"#, "11: 'format' must be a text, not a number", nil),
      RefusedSchema(#"{"multipleOf":0}"#, "15: 'multipleOf' must be more than 0, not 0", nil),
      RefusedSchema(#"{"multipleOf":-1}"#, "15: 'multipleOf' must be more than 0, not -1", nil),
      RefusedSchema(#"{"allOf":[]}"#, "10: 'allOf' must not be an empty list", nil),
      RefusedSchema(#"{"oneOf":[]}"#, "10: 'oneOf' must not be an empty list", nil),
      RefusedSchema(
        #"{"not":[]}"#,
        "8: a schema must be a mapping, true or false, not a list",
        nil
      ),
      RefusedSchema(
        #"{"then":1}"#,
        "9: a schema must be a mapping, true or false, not a number",
        nil
      ),
      RefusedSchema(
        #"{"if":true,"else":1}"#,
        "19: a schema must be a mapping, true or false, not a number",
        nil
      ),
      RefusedSchema(#"{"$defs":[]}"#, "10: '$defs' must be a mapping, not a list", nil),
      RefusedSchema(
        #"{"$schema":"http://json-schema.org/draft-04/schema#"}"#,
        "12: Sluice does not support the draft 'http://json-schema.org/draft-04/schema#'",
        "write 'https://json-schema.org/draft/2020-12/schema', or remove it"
      ),
      RefusedSchema(
        #"{"minItems":-1}"#,
        "13: 'minItems' must be a whole number of 0 or more, not -1",
        nil
      ),
      RefusedSchema(
        #"{"maxItems":1.5}"#,
        "13: 'maxItems' must be a whole number of 0 or more, not 1.5",
        nil
      ),
      RefusedSchema(
        #"{"minLength":"1"}"#,
        "14: 'minLength' must be a whole number of 0 or more, not a text",
        nil
      ),
      RefusedSchema(
        #"{"maxLength":1e99}"#,
        "14: 'maxLength' must be a whole number of 0 or more, not 1e+99",
        nil
      ),
      RefusedSchema(
        #"{"uniqueItems":1}"#,
        "16: 'uniqueItems' must be true or false, not a number",
        nil
      ),
      RefusedSchema(#"{"minimum":"0"}"#, "12: 'minimum' must be a number, not a text", nil),
      RefusedSchema(
        #"{"exclusiveMinimum":true}"#,
        "21: 'exclusiveMinimum' must be a number, not true or false",
        nil
      ),
      RefusedSchema(#"{"pattern":1}"#, "12: 'pattern' must be a text, not a number", nil),
      RefusedSchema(
        #"{"pattern":"a("}"#,
        "12: 'pattern' is not a regular expression: missing closing parenthesis",
        nil
      ),
      RefusedSchema(#"{"anyOf":{}}"#, "10: 'anyOf' must be a list, not a mapping", nil),
      RefusedSchema(#"{"anyOf":[]}"#, "10: 'anyOf' must not be an empty list", nil),
    ]
  )
  func refuse(_ row: RefusedSchema) throws { try row.check() }

  private static let names =
    "type, enum, const, $ref, required, dependentRequired, minProperties, maxProperties, "
    + "propertyNames, properties, patternProperties, additionalProperties, dependentSchemas, "
    + "minItems, maxItems, uniqueItems, prefixItems, items, contains, minContains, maxContains, "
    + "minLength, maxLength, pattern, format, minimum, exclusiveMinimum, maximum, "
    + "exclusiveMaximum, multipleOf, allOf, anyOf, oneOf, not, if, then, else, $defs, "
    + "definitions, $anchor, $id, $schema, $comment, title, description, default, examples, "
    + "deprecated, readOnly, writeOnly"
  private static let known = "known: \(names)"

  @Test("All errors of a schema are reported at once, in file order")
  func allErrors() throws {
    let text = """
      {
        "type": "objekt",
        "properties": {
          "a": { "requird": [], "minItems": "x" },
          "b": { "anyOf": [ { "pattern": "[" }, 3 ] }
        },
        "additionalProperties": { "items": [] }
      }
      """
    let places = try compile(text).said.split(separator: "\n")
      .filter { $0.hasPrefix("a.schema.json") }
    #expect(
      places == [
        "a.schema.json:2:11: error: unknown type 'objekt'",
        "a.schema.json:4:12: error: unknown keyword 'requird' in a schema",
        "a.schema.json:4:39: error: 'minItems' must be a whole number of 0 or more, not a text",
        "a.schema.json:5:36: error: 'pattern' is not a regular expression: "
          + "missing terminating ] for character class",
        "a.schema.json:5:43: error: a schema must be a mapping, true or false, not a number",
        "a.schema.json:7:38: error: 'items' must be one schema for all elements, not a list",
      ]
    )
  }

  @Test("A schema can be written in YAML")
  func yaml() throws {
    let text = """
      type: object
      properties:
        category: {enum: [fan, spam]}
      required: [category]
      """
    let file = SourceFile(path: "a.schema.yaml", bytes: Array(text.utf8))
    let node = try #require(YAMLReader.read(file.bytes).root)
    let schema = JSONSchema.compile(node, file: file, diagnostics: DiagnosticCollector())
    #expect(schema?.outcome(of: ["category": "fan"]) == .fits)
    let violation = JSONSchema.Violation(
      path: "category",
      message: #"expected one of "fan", "spam", got "all""#
    )
    #expect(schema?.outcome(of: ["category": "all"]) == .breaks([violation]))
  }
}
