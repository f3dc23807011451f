import SampleProjects
@testable import SluiceCore
import Testing

@Suite("JSON Schema references")
struct JSONSchemaReferenceTests {
  @Test(
    "A reference can lead to any schema in the same file",
    arguments: [
      SchemaCase(##"{"$ref":"#/$defs/a","$defs":{"a":{"type":"null"}}}"##, "null", nil),
      SchemaCase(
        ##"{"$ref":"#/$defs/a","$defs":{"a":{"type":"null"}}}"##,
        "1",
        "$: expected null, got number"
      ),
      SchemaCase(
        ##"{"$ref":"#/definitions/a","definitions":{"a":false}}"##,
        "1",
        "$: no value is allowed here"
      ),
      SchemaCase(
        ##"{"properties":{"a":{"type":"null"},"b":{"$ref":"#/properties/a"}}}"##,
        ##"{"b":1}"##,
        "b: expected null, got number"
      ),
      SchemaCase(
        ##"{"prefixItems":[{"type":"null"},{"$ref":"#/prefixItems/0"}]}"##,
        "[null,1]",
        "[1]: expected null, got number"
      ),
      SchemaCase(
        ##"{"properties":{"a":{"$ref":"#/additionalProperties"}},"additionalProperties":false}"##,
        ##"{"a":1}"##,
        "a: no value is allowed here"
      ),
      SchemaCase(
        ##"{"items":{"$ref":"#/$defs/a~1b"},"$defs":{"a/b":{"type":"null"}}}"##,
        "[1]",
        "[0]: expected null, got number"
      ),
      SchemaCase(
        ##"{"items":{"$ref":"#/$defs/a~0b"},"$defs":{"a~b":{"type":"null"}}}"##,
        "[1]",
        "[0]: expected null, got number"
      ),
      SchemaCase(
        ##"{"items":{"$ref":"#/$defs/a~01"},"$defs":{"a~1":{"type":"null"}}}"##,
        "[1]",
        "[0]: expected null, got number"
      ),
      SchemaCase(
        ##"{"items":{"$ref":"#/$defs/a%25b"},"$defs":{"a%b":{"type":"null"}}}"##,
        "[1]",
        "[0]: expected null, got number"
      ),
      SchemaCase(
        ##"{"items":{"$ref":"#/%24defs/%C3%A9"},"$defs":{"é":{"type":"null"}}}"##,
        "[1]",
        "[0]: expected null, got number"
      ),
      SchemaCase(
        ##"{"items":{"$ref":"#/$defs/"},"$defs":{"":{"type":"null"}}}"##,
        "[1]",
        "[0]: expected null, got number"
      ),
      SchemaCase(
        ##"{"items":{"$ref":"#/$defs/a/items"},"$defs":{"a":{"items":{"type":"null"}}}}"##,
        "[1]",
        "[0]: expected null, got number"
      ),
      SchemaCase(
        ##"{"items":{"$ref":"#n"},"$defs":{"a":{"$anchor":"n","type":"null"}}}"##,
        "[1]",
        "[0]: expected null, got number"
      ),
      SchemaCase(
        ##"{"$id":"https://example.org/a","items":{"$ref":"https://example.org/a#/$defs/b"},"##
          + ##""$defs":{"b":{"type":"null"}}}"##,
        "[1]",
        "[0]: expected null, got number"
      ),
      SchemaCase(
        ##"{"allOf":[{"$ref":"#/$defs/a"},{"$ref":"#/$defs/a"}],"$defs":{"a":{"minimum":0}}}"##,
        "1",
        nil
      ),
    ]
  )
  func targets(_ row: SchemaCase) throws { try row.check() }

  @Test(
    "Keywords next to a reference also apply",
    arguments: [
      SchemaCase(
        ##"{"$ref":"#/$defs/a","maxLength":1,"$defs":{"a":{"type":"string"}}}"##,
        ##""ab""##,
        "$: expected at most 1 character, got 2 characters"
      ),
      SchemaCase(
        ##"{"properties":{"a":{"$ref":"#/$defs/n","type":"integer"}},"$defs":{"n":{"minimum":0}}}"##,
        ##"{"a":0.5}"##,
        "a: expected integer, got 0.5"
      ),
      SchemaCase(
        ##"{"$ref":"#/$defs/a","properties":{"y":{}},"additionalProperties":false,"##
          + ##""$defs":{"a":{"required":["x"]}}}"##,
        ##"{"x":1}"##,
        "$: unknown member 'x'"
      ),
    ]
  )
  func siblings(_ row: SchemaCase) throws { try row.check() }

  @Test(
    "A reference may be recursive if each round goes deeper into the value",
    arguments: [
      SchemaCase(
        ##"{"properties":{"next":{"$ref":"#"}},"additionalProperties":false}"##,
        ##"{"next":{"next":{}}}"##,
        nil
      ),
      SchemaCase(
        ##"{"properties":{"next":{"$ref":"#"}},"additionalProperties":false}"##,
        ##"{"next":{"nxt":{}}}"##,
        "next: unknown member 'nxt'"
      ),
      SchemaCase(
        ##"{"$ref":"#/$defs/tree","$defs":{"tree":{"type":"object","properties":{"children":"##
          + ##"{"type":"array","items":{"$ref":"#/$defs/tree"}}}}}}"##,
        ##"{"children":[{"children":[{},1]}]}"##,
        "children[0].children[1]: expected object, got number"
      ),
      SchemaCase(
        ##"{"anyOf":[{"type":"string"},{"items":{"$ref":"#"},"type":"array"}]}"##,
        ##"["a",["b",[]]]"##,
        nil
      ),
      SchemaCase(
        ##"{"propertyNames":{"$ref":"#"},"minLength":2}"##,
        ##"{"a":1}"##,
        "$: the name 'a' is not allowed: expected at least 2 characters, got 1 character"
      ),
    ]
  )
  func recursion(_ row: SchemaCase) throws { try row.check() }

  private static let circle = "'$ref' refers to itself, directly or through other references"
  private static let circleFix =
    "refer to a schema that does not refer back to this one, or put the reference under "
    + "'properties' or 'items'"
  private static let form = "write '#', '#/$defs/name' or another JSON pointer after '#'"

  @Test(
    "A reference to nothing, to another file or in a circle is an error",
    arguments: [
      RefusedSchema(##"{"$ref":"#"}"##, "9: \(circle)", circleFix),
      RefusedSchema(##"{"allOf":[{"$ref":"#"}]}"##, "19: \(circle)", circleFix),
      RefusedSchema(##"{"anyOf":[{"type":"null"},{"$ref":"#"}]}"##, "35: \(circle)", circleFix),
      RefusedSchema(##"{"not":{"$ref":"#"}}"##, "16: \(circle)", circleFix),
      RefusedSchema(##"{"if":{"$ref":"#"},"then":true}"##, "15: \(circle)", circleFix),
      RefusedSchema(##"{"dependentSchemas":{"a":{"$ref":"#"}}}"##, "34: \(circle)", circleFix),
      RefusedSchema(
        ##"{"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}"##,
        "48: \(circle)",
        circleFix
      ),
      RefusedSchema(
        ##"{"$ref":"other.json"}"##,
        "9: '$ref' must refer to a part of the same schema, not to 'other.json'",
        form
      ),
      RefusedSchema(
        ##"{"$ref":"https://example.org/b#/$defs/a","$id":"https://example.org/a"}"##,
        "9: '$ref' must refer to a part of the same schema, not to "
          + "'https://example.org/b#/$defs/a'",
        form
      ),
      RefusedSchema(
        ##"{"$ref":""}"##,
        "9: '$ref' must refer to a part of the same schema, not to ''",
        form
      ),
      RefusedSchema(##"{"$ref":1}"##, "9: '$ref' must be a text, not a number", nil),
      RefusedSchema(
        ##"{"$ref":"#/$defs/itm","$defs":{"item":{}}}"##,
        "9: '$ref' refers to a schema that does not exist: '#/$defs/itm'",
        "did you mean '#/$defs/item'?"
      ),
      RefusedSchema(
        ##"{"$ref":"#/$defs/a~2"}"##,
        "9: '$ref' refers to a schema that does not exist: '#/$defs/a~2'",
        form
      ),
      RefusedSchema(
        ##"{"$ref":"#/%FF"}"##,
        "9: '#/%FF' is not percent-encoded UTF-8",
        "write '%' as '%25'"
      ),
      RefusedSchema(
        ##"{"$ref":"#nme","$defs":{"a":{"$anchor":"name"}}}"##,
        "9: '$ref' refers to a schema that does not exist: '#nme'",
        "did you mean '#name'?"
      ),
      // An example is not a schema, even if it looks like one.
      RefusedSchema(
        ##"{"$ref":"#/examples/0","examples":[{"type":"null"}]}"##,
        "9: '$ref' refers to a schema that does not exist: '#/examples/0'",
        form
      ),
      RefusedSchema(
        ##"{"$ref":"#/properties","properties":{"a":{}}}"##,
        "9: '$ref' refers to a schema that does not exist: '#/properties'",
        "did you mean '#/properties/a'?"
      ),
      RefusedSchema(
        ##"{"$defs":{"a":{"$anchor":"n"},"b":{"$anchor":"n"}}}"##,
        "46: the anchor 'n' is defined twice",
        nil
      ),
      RefusedSchema(
        ##"{"$anchor":"1"}"##,
        "12: '1' cannot be an anchor",
        "begin it with a letter or '_', followed by letters, digits, '-', '_' and '.'"
      ),
      RefusedSchema(
        ##"{"$id":"a#b"}"##,
        "8: '$id' is supported only at the start of a schema, and without '#'",
        "remove it, and write references as '#/…' from the start of the schema"
      ),
      RefusedSchema(
        ##"{"$defs":{"a":{"$id":"b"}}}"##,
        "22: '$id' is supported only at the start of a schema, and without '#'",
        "remove it, and write references as '#/…' from the start of the schema"
      ),
    ]
  )
  func refused(_ row: RefusedSchema) throws { try row.check() }

  @Test(
    "Schemas of the compatible drafts are read",
    arguments: [
      "https://json-schema.org/draft/2020-12/schema",
      "https://json-schema.org/draft/2020-12/schema#",
      "https://json-schema.org/draft/2019-09/schema", "http://json-schema.org/draft-07/schema#",
      "http://json-schema.org/draft-06/schema",
    ]
  )
  func drafts(_ draft: String) throws {
    let schema =
      ##"{"$schema":"\##(draft)","items":{"$ref":"#/$defs/a"},"$defs":{"a":{"type":"null"}}}"##
    #expect(try CompiledSchema.violations(schema, "[1]") == ["[0]: expected null, got number"])
  }

  @Test("Keywords next to a reference are refused if the schema's draft ignores them")
  func besideReference() throws {
    let schema =
      ##"{"$ref":"#/$defs/a","type":"null","$defs":{"a":{}},"$schema":"http://json-schema.org/draft-07/schema#"}"##
    let lines = try CompiledSchema.compile(schema).said.split(separator: "\n")
    #expect(
      lines.first == """
        a.schema.json:1:9: error: in the draft of this schema, '$ref' disables all other keywords next to it
        """
    )
    #expect(
      lines.last == """
          fix: remove the other keywords, or write 'https://json-schema.org/draft/2020-12/schema' under '$schema'
        """
    )
  }

  @Test("A chain of references is followed up to a limit")
  func chain() throws {
    func schema(_ length: Int) -> String {
      let links = (0..<length).map { ##""d\##($0)":{"$ref":"#/$defs/d\##($0 + 1)"}"## }
      return
        ##"{"$ref":"#/$defs/d0","$defs":{\##(links.joined(separator: ",")),"d\##(length)":false}}"##
    }
    #expect(try CompiledSchema.violations(schema(490), "1") == ["$: no value is allowed here"])
    #expect(
      try CompiledSchema.violations(schema(5_000), "1") == [
        "undecided: $: at this point, the schema is more than 500 levels deep"
      ]
    )
  }

  @Test("References and errors of an inline schema are relative to the schema's start")
  func inPlace() {
    let fits = ScoringFixture(
      """
      - json-schema:
          items: {$ref: "#/$defs/name"}
          $defs: {name: {type: string}}
      """
    )
    #expect(fits.said == "")
    #expect(
      fits.score("[1]")?.explanation
        == "the answer violates the schema at [0]: expected string, got number"
    )
    let wrong = ScoringFixture(
      """
      - json-schema:
          items: {$ref: "#/$defs/nam"}
          $defs: {name: {type: string}}
      """
    )
    #expect(
      wrong.said == """
        suite.yaml:2:19: error: '$ref' refers to a schema that does not exist: '#/$defs/nam'
          2 |     items: {$ref: "#/$defs/nam"}
            |                   ^
          fix: did you mean '#/$defs/name'?

        """
    )
  }
}
