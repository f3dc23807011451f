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
        "$: does not fit the only alternative: expected a multiple of 5, got 6"
      ),
      SchemaCase(#"{"anyOf":[{"type":"integer"},{"minimum":2}]}"#, "2.5", nil),
      SchemaCase(
        #"{"anyOf":[{"type":"integer"},{"minimum":2}]}"#,
        "1.5",
        "$: fits none of 2 alternatives: expected integer, got 1.5; expected at least 2, got 1.5"
      ),
      SchemaCase(
        #"{"anyOf":[{"properties":{"a":{"type":"null"}}},false]}"#,
        #"{"a":1}"#,
        "$: fits none of 2 alternatives: a: expected null, got number; no value is allowed here"
      ),
      SchemaCase(#"{"oneOf":[{"type":"integer"},{"minimum":2}]}"#, "1", nil),
      SchemaCase(
        #"{"oneOf":[{"type":"integer"},{"minimum":2}]}"#,
        "3",
        "$: fits oneOf[0] and oneOf[1], expected exactly one to fit"
      ),
      SchemaCase(
        #"{"oneOf":[{"type":"integer"},{"minimum":2}]}"#,
        "1.5",
        "$: fits none of 2 alternatives: expected integer, got 1.5; expected at least 2, got 1.5"
      ),
      SchemaCase(
        #"{"oneOf":[true,false,true]}"#,
        "1",
        "$: fits oneOf[0] and oneOf[2], expected exactly one to fit"
      ),
      SchemaCase(
        #"{"oneOf":[{"required":["a","b"]},{"required":["a","c"]}]}"#,
        #"{"a":1,"c":2}"#,
        nil
      ),
      SchemaCase(#"{"not":{}}"#, "1", "$: fits what 'not' describes, got 1"),
      SchemaCase(#"{"not":true}"#, "[]", "$: fits what 'not' describes, got array"),
      SchemaCase(#"{"not":false}"#, "1", nil),
      SchemaCase(#"{"not":{"not":{"type":"string"}}}"#, #""a""#, nil),
      SchemaCase(#"{"not":{"not":{"type":"string"}}}"#, "1", "$: fits what 'not' describes, got 1"),
      SchemaCase(
        #"{"not":{"type":["integer","boolean"]}}"#,
        "true",
        "$: fits what 'not' describes, got true"
      ),
      SchemaCase(
        #"{"properties":{"foo":{"not":{}}}}"#,
        #"{"foo":"x"}"#,
        #"foo: fits what 'not' describes, got "x""#
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
        "$: expected at least -10, got -100, since 'if' fits"
      ),
      SchemaCase(#"{"if":{"exclusiveMaximum":0},"then":{"minimum":-10}}"#, "3", nil),
      SchemaCase(#"{"if":{"exclusiveMaximum":0},"else":{"multipleOf":2}}"#, "-1", nil),
      SchemaCase(
        #"{"if":{"exclusiveMaximum":0},"else":{"multipleOf":2}}"#,
        "3",
        "$: expected a multiple of 2, got 3, since 'if' does not fit"
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
        "$: missing member 'b', since 'if' fits"
      ),
      SchemaCase(
        #"{"if":{"required":["a"],"properties":{"a":{"const":1}}},"then":{"required":["b"]}}"#,
        #"{"a":2}"#,
        nil
      ),
      SchemaCase(
        #"{"if":true,"then":{"const":"then"},"else":{"const":"else"}}"#,
        #""else""#,
        #"$: expected "then", got "else", since 'if' fits"#
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
        "$: missing member 'a', since 'if' fits",
        "$: missing member 'b', since 'if' fits",
        "$: missing member 'd', where 'c' is given, since 'if' fits",
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
    #expect(text.hasSuffix("]: the schema is too expensive to check with this value"))
    #expect(try CompiledSchema.violations(schema, nested(100, "")) == [])
    #expect(
      try CompiledSchema.violations(schema, nested(1, "1")) == [
        "$: fits none of 2 alternatives: [0]: expected array, got number; "
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
