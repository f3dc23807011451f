@testable import SluiceCore
import Testing

@Suite("Combined JSON Schemas")
struct JSONSchemaCombiningTests {
  @Test(
    "allOf, anyOf, oneOf and not apply in addition to each other and to other keywords",
    arguments: [
      SchemaCase(#"{"allOf":[true,{}]}"#, "1", nil),
      SchemaCase(#"{"allOf":[true,false]}"#, "1", "$: no value is allowed here"),
      SchemaCase(#"{"allOf":[{"minimum":2},{"maximum":4}]}"#, "5", "$: expected at most 4, got 5"),
      SchemaCase(
        #"{"allOf":[{"minimum":2}],"anyOf":[{"multipleOf":3}],"oneOf":[{"multipleOf":5}]}"#,
        "30",
        nil
      ),
      SchemaCase(
        #"{"allOf":[{"multipleOf":2}],"anyOf":[{"multipleOf":3}],"oneOf":[{"multipleOf":5}]}"#,
        "6",
        "$: does not match the only alternative: expected a multiple of 5, got 6"
      ),
      SchemaCase(#"{"anyOf":[{"type":"integer"},{"minimum":2}]}"#, "2.5", nil),
      SchemaCase(
        #"{"anyOf":[{"type":"integer"},{"minimum":2}]}"#,
        "1.5",
        "$: matches none of 2 alternatives: expected integer, got 1.5; expected at least 2, got 1.5"
      ),
      SchemaCase(
        #"{"anyOf":[{"properties":{"a":{"type":"null"}}},false]}"#,
        #"{"a":1}"#,
        "$: matches none of 2 alternatives: a: expected null, got number; no value is allowed here"
      ),
      SchemaCase(#"{"oneOf":[{"type":"integer"},{"minimum":2}]}"#, "1", nil),
      SchemaCase(
        #"{"oneOf":[{"type":"integer"},{"minimum":2}]}"#,
        "3",
        "$: must match exactly one schema under 'oneOf', but matches oneOf[0] and oneOf[1]"
      ),
      SchemaCase(
        #"{"oneOf":[{"type":"integer"},{"minimum":2}]}"#,
        "1.5",
        "$: matches none of 2 alternatives: expected integer, got 1.5; expected at least 2, got 1.5"
      ),
      SchemaCase(
        #"{"oneOf":[true,false,true]}"#,
        "1",
        "$: must match exactly one schema under 'oneOf', but matches oneOf[0] and oneOf[2]"
      ),
      SchemaCase(
        #"{"oneOf":[{"required":["a","b"]},{"required":["a","c"]}]}"#,
        #"{"a":1,"c":2}"#,
        nil
      ),
      SchemaCase(#"{"not":{}}"#, "1", "$: must not match the schema under 'not', but does: got 1"),
      SchemaCase(
        #"{"not":true}"#,
        "[]",
        "$: must not match the schema under 'not', but does: got array"
      ),
      SchemaCase(#"{"not":false}"#, "1", nil),
      SchemaCase(#"{"not":{"not":{"type":"string"}}}"#, #""a""#, nil),
      SchemaCase(
        #"{"not":{"not":{"type":"string"}}}"#,
        "1",
        "$: must not match the schema under 'not', but does: got 1"
      ),
      SchemaCase(
        #"{"not":{"type":["integer","boolean"]}}"#,
        "true",
        "$: must not match the schema under 'not', but does: got true"
      ),
      SchemaCase(
        #"{"properties":{"foo":{"not":{}}}}"#,
        #"{"foo":"x"}"#,
        #"foo: must not match the schema under 'not', but does: got "x""#
      ),
      SchemaCase(#"{"properties":{"foo":{"not":{}}}}"#, #"{"bar":1}"#, nil),
      SchemaCase(#"{"not":{"required":["a"]}}"#, "{}", nil),
    ]
  )
  func combining(_ row: SchemaCase) throws { try row.check() }

  @Test(
    "'if' selects 'then' or 'else', and without it both are ignored",
    arguments: [
      SchemaCase(#"{"if":false}"#, "1", nil),
      SchemaCase(#"{"if":true}"#, "1", nil),
      SchemaCase(#"{"then":false}"#, "1", nil),
      SchemaCase(#"{"else":false}"#, "1", nil),
      SchemaCase(#"{"then":false,"else":false}"#, "1", nil),
      SchemaCase(#"{"if":{"exclusiveMaximum":0},"then":{"minimum":-10}}"#, "-1", nil),
      SchemaCase(
        #"{"if":{"exclusiveMaximum":0},"then":{"minimum":-10}}"#,
        "-100",
        "$: expected at least -10, got -100, because 'if' matches"
      ),
      SchemaCase(#"{"if":{"exclusiveMaximum":0},"then":{"minimum":-10}}"#, "3", nil),
      SchemaCase(#"{"if":{"exclusiveMaximum":0},"else":{"multipleOf":2}}"#, "-1", nil),
      SchemaCase(
        #"{"if":{"exclusiveMaximum":0},"else":{"multipleOf":2}}"#,
        "3",
        "$: expected a multiple of 2, got 3, because 'if' does not match"
      ),
      SchemaCase(
        #"{"if":{"exclusiveMaximum":0},"then":{"minimum":-10},"else":{"multipleOf":2}}"#,
        "4",
        nil
      ),
      SchemaCase(
        #"{"allOf":[{"if":{"exclusiveMaximum":0}},{"then":{"minimum":-10}}]}"#,
        "-100",
        nil
      ),
      SchemaCase(
        #"{"if":{"required":["a"],"properties":{"a":{"const":1}}},"then":{"required":["b"]}}"#,
        #"{"a":1}"#,
        "$: missing member 'b', because 'if' matches"
      ),
      SchemaCase(
        #"{"if":{"required":["a"],"properties":{"a":{"const":1}}},"then":{"required":["b"]}}"#,
        #"{"a":2}"#,
        nil
      ),
      SchemaCase(
        #"{"if":true,"then":{"const":"then"},"else":{"const":"else"}}"#,
        #""else""#,
        #"$: expected "then", got "else", because 'if' matches"#
      ),
      SchemaCase(#"{"if":false,"then":{"const":"then"},"else":{"const":"else"}}"#, #""else""#, nil),
    ]
  )
  func conditions(_ row: SchemaCase) throws { try row.check() }

  @Test("All violations of a branch or a dependency are reported")
  func manyOfABranch() throws {
    let schema =
      #"{"if":true,"then":{"required":["a","b"],"dependentSchemas":{"c":{"required":["d"]}}}}"#
    #expect(
      try CompiledSchema.violations(schema, #"{"c":1}"#) == [
        "$: missing member 'a', because 'if' matches",
        "$: missing member 'b', because 'if' matches",
        "$: missing member 'd', because 'c' is present, because 'if' matches",
      ]
    )
  }

  @Test("A value with exponentially many alternatives is undecided")
  func expensive() throws {
    // Each level is checked twice, so the innermost is checked 2^100 times.
    let schema = ##"""
      {"$ref": "#/$defs/a", "$defs": {"a": {"type": "array", "anyOf": [
        {"items": {"$ref": "#/$defs/a"}}, {"items": {"$ref": "#/$defs/a"}}
      ]}}}
      """##
    func nested(_ levels: Int, _ inner: String) -> String {
      String(repeating: "[", count: levels) + inner + String(repeating: "]", count: levels)
    }
    let said = try CompiledSchema.violations(schema, nested(100, "1"))
    #expect(said.count == 1)
    let text = try #require(said.first)
    #expect(text.hasPrefix("undecided: [0]"))
    #expect(text.hasSuffix("]: the schema is too expensive for this value"))
    #expect(try CompiledSchema.violations(schema, nested(100, "")) == [])
    #expect(
      try CompiledSchema.violations(schema, nested(1, "1")) == [
        "$: matches none of 2 alternatives: [0]: expected array, got number; "
          + "[0]: expected array, got number"
      ]
    )
  }

  @Test("An ordinary schema is checked on a megabyte of elements")
  func large() throws {
    let schema = ##"""
      {"type": "array", "items": {"anyOf": [{"type": "null"}, {"$ref": "#/$defs/n"}]},
       "$defs": {"n": {"allOf": [{"type": "integer"}, {"minimum": 0}]}}}
      """##
    let value = "[" + Array(repeating: "1", count: 500_000).joined(separator: ",") + "]"
    #expect(try CompiledSchema.violations(schema, value) == [])
  }
}
