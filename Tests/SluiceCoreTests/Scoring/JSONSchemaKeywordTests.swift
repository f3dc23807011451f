import Testing

@Suite("JSON Schema keywords")
struct JSONSchemaKeywordTests {
  @Test(
    "type: 1.0 and 1e2 are integers, true is not a number, and a list allows each of its types",
    arguments: [
      SchemaCase(#"{"type":"integer"}"#, "1e2", nil),
      SchemaCase(#"{"type":"integer"}"#, "100.0", nil),
      SchemaCase(#"{"type":"integer"}"#, "-0.0", nil),
      SchemaCase(#"{"type":"integer"}"#, "1e-1", "$: expected integer, got 0.1"),
      SchemaCase(#"{"type":"integer"}"#, "true", "$: expected integer, got boolean"),
      SchemaCase(#"{"type":"number"}"#, "1e2", nil),
      SchemaCase(#"{"type":["integer","null"]}"#, "0.5", "$: expected integer or null, got 0.5"),
      SchemaCase(#"{"type":["integer","string"]}"#, #""1""#, nil),
      SchemaCase(#"{"type":["number","integer"]}"#, "0.5", nil),
      SchemaCase(#"{"type":"object"}"#, "[]", "$: expected object, got array"),
      SchemaCase(#"{"type":"array"}"#, "{}", "$: expected array, got object"),
      SchemaCase(#"{"type":"null"}"#, "0", "$: expected null, got number"),
      SchemaCase(#"{"type":"boolean"}"#, "0", "$: expected boolean, got number"),
      SchemaCase(#"{"type":"string"}"#, "null", "$: expected string, got null"),
    ]
  )
  func type(_ row: SchemaCase) throws { try row.check() }

  @Test(
    "enum and const: member order is ignored, Booleans are not numbers, texts match exactly",
    arguments: [
      SchemaCase(#"{"const":{"a":1,"b":2}}"#, #"{"b":2,"a":1}"#, nil),
      SchemaCase(#"{"const":[1,2]}"#, "[2,1]", "$: expected [1,2], got array"),
      SchemaCase(#"{"const":1}"#, "1.0", nil),
      SchemaCase(#"{"const":1}"#, "true", "$: expected 1, got true"),
      SchemaCase(#"{"const":0}"#, "false", "$: expected 0, got false"),
      SchemaCase(#"{"const":[false]}"#, "[0]", "$: expected [false], got array"),
      SchemaCase(#"{"const":{"a":false}}"#, #"{"a":0}"#, #"$: expected {"a":false}, got object"#),
      SchemaCase(#"{"const":null}"#, "{}", "$: expected null, got object"),
      SchemaCase(#"{"const":""}"#, "null", #"$: expected "", got null"#),
      SchemaCase(#"{"const":{}}"#, "{}", nil),
      SchemaCase(#"{"enum":["\u00e9"]}"#, #""\u00e9""#, nil),
      SchemaCase(#"{"enum":["\u00e9"]}"#, #""e\u0301""#, "$: expected \"é\", got \"e\u{301}\""),
      SchemaCase(#"{"enum":[[1,{"a":null}]]}"#, #"[1,{"a":null}]"#, nil),
      SchemaCase(#"{"enum":[1,true]}"#, "1", nil),
      SchemaCase(#"{"enum":[9007199254740992]}"#, "9007199254740992", nil),
      SchemaCase(#"{"enum":["a","b"]}"#, #""c""#, #"$: expected one of "a", "b", got "c""#),
    ]
  )
  func values(_ row: SchemaCase) throws { try row.check() }

  @Test(
    "required, dependentRequired, dependentSchemas: a member with null counts as present",
    arguments: [
      SchemaCase(#"{"required":[]}"#, "{}", nil),
      SchemaCase(#"{"required":["__proto__"]}"#, "{}", "$: missing member '__proto__'"),
      SchemaCase(#"{"required":["\u00e9"]}"#, #"{"e\u0301":1}"#, "$: missing member 'é'"),
      SchemaCase(#"{"dependentRequired":{"a":["b"]}}"#, "{}", nil),
      SchemaCase(#"{"dependentRequired":{"a":["b"]}}"#, #"{"b":1}"#, nil),
      SchemaCase(#"{"dependentRequired":{"a":["b"]}}"#, #"{"a":null,"b":null}"#, nil),
      SchemaCase(
        #"{"dependentRequired":{"a":["b"]}}"#,
        #"{"a":1}"#,
        "$: missing member 'b', which is required if 'a' is present"
      ),
      SchemaCase(#"{"dependentRequired":{"a":[]}}"#, #"{"a":1}"#, nil),
      SchemaCase(#"{"dependentRequired":{"a":["b"]}}"#, #"["a"]"#, nil),
      SchemaCase(#"{"dependentSchemas":{"a":{"required":["b"]}}}"#, #"{"b":1}"#, nil),
      SchemaCase(
        #"{"dependentSchemas":{"a":{"required":["b"]}}}"#,
        #"{"a":1}"#,
        "$: missing member 'b', because 'a' is present"
      ),
      SchemaCase(
        #"{"dependentSchemas":{"a":false}}"#,
        #"{"a":1}"#,
        "$: no value is allowed here, because 'a' is present"
      ),
      SchemaCase(#"{"dependentSchemas":{"a":false}}"#, #"{"b":1}"#, nil),
      SchemaCase(#"{"dependentSchemas":{"a":true}}"#, #"{"a":1}"#, nil),
      SchemaCase(
        #"{"dependentSchemas":{"a":{"properties":{"b":{"type":"string"}}}}}"#,
        #"{"a":1,"b":2}"#,
        "b: expected string, got number, because 'a' is present"
      ),
    ]
  )
  func dependencies(_ row: SchemaCase) throws { try row.check() }

  @Test(
    "additionalProperties applies to members that no other keyword next to it names",
    arguments: [
      SchemaCase(
        #"{"properties":{"a":true},"patternProperties":{"^v":{}},"additionalProperties":false}"#,
        #"{"a":1,"vx":2}"#,
        nil
      ),
      SchemaCase(
        #"{"properties":{"a":true},"patternProperties":{"^v":{}},"additionalProperties":false}"#,
        #"{"a":1,"xv":2}"#,
        "$: unknown member 'xv'"
      ),
      SchemaCase(
        #"{"patternProperties":{"^v":{"type":"string"}}}"#,
        #"{"v":1}"#,
        "v: expected string, got number"
      ),
      SchemaCase(#"{"patternProperties":{"^v":{"type":"string"}}}"#, #"{"w":1}"#, nil),
      SchemaCase(
        #"{"patternProperties":{"v":{"type":"string"}}}"#,
        #"{"avb":1}"#,
        "avb: expected string, got number"
      ),
      SchemaCase(
        #"{"patternProperties":{"^a":{"type":"number"},"b$":{"minimum":3}}}"#,
        #"{"ab":2}"#,
        "ab: expected at least 3, got 2"
      ),
      SchemaCase(
        #"{"properties":{"ab":{"type":"number"}},"patternProperties":{"b$":{"minimum":3}}}"#,
        #"{"ab":2}"#,
        "ab: expected at least 3, got 2"
      ),
      SchemaCase(
        #"{"patternProperties":{"b$":false}}"#,
        #"{"ab":2}"#,
        "ab: no value is allowed here"
      ),
      SchemaCase(
        #"{"patternProperties":{"^é$":{}},"additionalProperties":false}"#,
        #"{"é":1}"#,
        nil
      ),
      SchemaCase(
        #"{"additionalProperties":{"type":"number"},"patternProperties":{"^s":{"type":"string"}}}"#,
        #"{"s":"x","n":1}"#,
        nil
      ),
      SchemaCase(
        #"{"additionalProperties":{"type":"number"},"properties":{"s":{}}}"#,
        #"{"s":"x","n":"y"}"#,
        "n: expected number, got string"
      ),
      SchemaCase(
        #"{"allOf":[{"properties":{"a":{}}}],"additionalProperties":false}"#,
        #"{"a":1}"#,
        "$: unknown member 'a'"
      ),
      SchemaCase(#"{"additionalProperties":true}"#, #"{"a":1}"#, nil),
      SchemaCase(#"{"additionalProperties":false}"#, "{}", nil),
      SchemaCase(
        #"{"properties":{"a":{"properties":{"b":{"type":"null"}}}}}"#,
        #"{"a":{"b":1}}"#,
        "a.b: expected null, got number"
      ),
    ]
  )
  func members(_ row: SchemaCase) throws { try row.check() }

  @Test(
    "minProperties and maxProperties count members, and propertyNames checks their names",
    arguments: [
      SchemaCase(#"{"minProperties":1}"#, "{}", "$: expected at least 1 member, got 0 members"),
      SchemaCase(#"{"minProperties":1}"#, #"{"a":1}"#, nil),
      SchemaCase(#"{"minProperties":1}"#, "[]", nil),
      SchemaCase(
        #"{"maxProperties":1}"#,
        #"{"a":1,"b":2}"#,
        "$: expected at most 1 member, got 2 members"
      ),
      SchemaCase(#"{"maxProperties":0}"#, "{}", nil),
      SchemaCase(#"{"maxProperties":2.0}"#, #"{"a":1,"b":2}"#, nil),
      SchemaCase(#"{"propertyNames":{"maxLength":3}}"#, #"{"abc":{"abcd":1}}"#, nil),
      SchemaCase(
        #"{"propertyNames":{"maxLength":3}}"#,
        #"{"abcd":1}"#,
        "$: the name 'abcd' is not allowed: expected at most 3 characters, got 4 characters"
      ),
      SchemaCase(
        #"{"propertyNames":false}"#,
        #"{"a":1}"#,
        "$: the name 'a' is not allowed: no value is allowed here"
      ),
      SchemaCase(#"{"propertyNames":false}"#, "{}", nil),
      SchemaCase(
        #"{"propertyNames":{"enum":["a"]}}"#,
        #"{"b":1}"#,
        #"$: the name 'b' is not allowed: expected "a", got "b""#
      ),
      SchemaCase(#"{"propertyNames":{"pattern":"^x"}}"#, "[1]", nil),
      SchemaCase(#"{"propertyNames":{"type":"string"}}"#, #"{"1":1}"#, nil),
    ]
  )
  func names(_ row: SchemaCase) throws { try row.check() }

  @Test(
    "items applies to the elements after prefixItems",
    arguments: [
      SchemaCase(#"{"prefixItems":[{"type":"string"},{"type":"number"}]}"#, #"["a",1,null]"#, nil),
      SchemaCase(
        #"{"prefixItems":[{"type":"string"},{"type":"number"}]}"#,
        #"["a","b"]"#,
        "[1]: expected number, got string"
      ),
      SchemaCase(#"{"prefixItems":[{"type":"string"},{"type":"number"}]}"#, #"["a"]"#, nil),
      SchemaCase(#"{"prefixItems":[{"type":"string"}]}"#, "[]", nil),
      SchemaCase(#"{"prefixItems":[{}],"items":false}"#, "[1]", nil),
      SchemaCase(#"{"prefixItems":[{}],"items":false}"#, "[1,2]", "[1]: no value is allowed here"),
      SchemaCase(
        #"{"prefixItems":[{"type":"string"}],"items":{"type":"number"}}"#,
        #"["a",1,2]"#,
        nil
      ),
      SchemaCase(
        #"{"prefixItems":[{"type":"string"}],"items":{"type":"number"}}"#,
        #"["a",1,"b"]"#,
        "[2]: expected number, got string"
      ),
      SchemaCase(#"{"prefixItems":[true,false]}"#, "[1]", nil),
      SchemaCase(#"{"prefixItems":[true,false]}"#, "[1,2]", "[1]: no value is allowed here"),
      SchemaCase(#"{"prefixItems":[{"type":"string"}]}"#, #"{"0":1}"#, nil),
      SchemaCase(
        #"{"items":{"items":{"type":"null"}}}"#,
        "[[null],[1]]",
        "[1][0]: expected null, got number"
      ),
      SchemaCase(
        #"{"allOf":[{"prefixItems":[{}]}],"items":{"type":"string"}}"#,
        "[1]",
        "[0]: expected string, got number"
      ),
    ]
  )
  func elements(_ row: SchemaCase) throws { try row.check() }

  @Test(
    "contains needs one element, or as many as minContains and maxContains require",
    arguments: [
      SchemaCase(#"{"contains":{"minimum":5}}"#, "[3,5]", nil),
      SchemaCase(
        #"{"contains":{"minimum":5}}"#,
        "[3,4]",
        "$: expected at least 1 element that matches 'contains', got 0: "
          + "[0]: expected at least 5, got 3; [1]: expected at least 5, got 4"
      ),
      SchemaCase(
        #"{"contains":true}"#,
        "[]",
        "$: expected at least 1 element that matches 'contains', got 0"
      ),
      SchemaCase(#"{"contains":{"const":5},"minContains":2}"#, "[5,5]", nil),
      SchemaCase(
        #"{"contains":{"const":5},"minContains":2}"#,
        "[5,6]",
        "$: expected at least 2 elements that match 'contains', got 1: [1]: expected 5, got 6"
      ),
      SchemaCase(#"{"contains":{"const":5},"minContains":0}"#, "[]", nil),
      SchemaCase(#"{"contains":{"const":5},"minContains":0}"#, "[1]", nil),
      SchemaCase(
        #"{"contains":{"const":5},"maxContains":1}"#,
        "[5,1,5]",
        "$: expected at most 1 element that matches 'contains', got more"
      ),
      SchemaCase(
        #"{"contains":{"const":5},"maxContains":1}"#,
        "[1]",
        "$: expected at least 1 element that matches 'contains', got 0: [0]: expected 5, got 1"
      ),
      SchemaCase(
        #"{"contains":{"const":5},"minContains":0,"maxContains":0}"#,
        "[5]",
        "$: expected at most 0 elements that match 'contains', got more"
      ),
      SchemaCase(#"{"contains":{"const":5},"minContains":0,"maxContains":0}"#, "[1]", nil),
      SchemaCase(
        #"{"contains":{"const":5},"minContains":2,"maxContains":1}"#,
        "[5]",
        "$: expected at least 2 elements that match 'contains', got 1"
      ),
      SchemaCase(#"{"minContains":2}"#, "[1]", nil),
      SchemaCase(#"{"maxContains":0}"#, "[1]", nil),
      SchemaCase(#"{"contains":{"const":5}}"#, #"{"a":5}"#, nil),
      SchemaCase(#"{"contains":{"type":"null"}}"#, "[null,1]", nil),
      SchemaCase(
        #"{"contains":false}"#,
        "[1,2,3,4,5,6]",
        "$: expected at least 1 element that matches 'contains', got 0: "
          + "[0]: no value is allowed here; [1]: no value is allowed here; "
          + "[2]: no value is allowed here; [3]: no value is allowed here; …"
      ),
    ]
  )
  func contains(_ row: SchemaCase) throws { try row.check() }

  @Test(
    "uniqueItems: 1 and true differ, 1 equals 1.0, and the order of members is ignored",
    arguments: [
      SchemaCase(#"{"uniqueItems":true}"#, "[1,true]", nil),
      SchemaCase(#"{"uniqueItems":true}"#, "[0,false]", nil),
      SchemaCase(#"{"uniqueItems":true}"#, "[[1],[true]]", nil),
      SchemaCase(#"{"uniqueItems":true}"#, #"[{"a":0},{"a":false}]"#, nil),
      SchemaCase(#"{"uniqueItems":true}"#, "[1,1.0]", "$: elements 0 and 1 are equal"),
      SchemaCase(
        #"{"uniqueItems":true}"#,
        #"[{"a":1,"b":2},{"b":2,"a":1}]"#,
        "$: elements 0 and 1 are equal"
      ),
      SchemaCase(#"{"uniqueItems":true}"#, "[[1,2],[2,1]]", nil),
      SchemaCase(#"{"uniqueItems":true}"#, #"["é","e\u0301"]"#, nil),
      SchemaCase(#"{"uniqueItems":true}"#, "[null,null]", "$: elements 0 and 1 are equal"),
      SchemaCase(#"{"uniqueItems":true}"#, "[]", nil),
      SchemaCase(#"{"uniqueItems":true}"#, #"{"a":1,"b":1}"#, nil),
    ]
  )
  func uniqueness(_ row: SchemaCase) throws { try row.check() }

  @Test(
    "Lengths count code points, and a bound of 0 is valid",
    arguments: [
      SchemaCase(#"{"maxLength":0}"#, #""a""#, "$: expected at most 0 characters, got 1 character"),
      SchemaCase(#"{"minLength":0}"#, #""""#, nil),
      SchemaCase(#"{"maxLength":2}"#, #""\ud83d\udca9\ud83d\udca9""#, nil),
      SchemaCase(
        #"{"minLength":2}"#,
        #""\ud83d\udca9""#,
        "$: expected at least 2 characters, got 1 character"
      ),
      SchemaCase(#"{"maxLength":1}"#, "\"👩‍👩‍👧\"", "$: expected at most 1 character, got 5 characters"),
      SchemaCase(#"{"minLength":2.0}"#, #""ab""#, nil),
      SchemaCase(#"{"maxItems":0}"#, "[1]", "$: expected at most 0 elements, got 1 element"),
      SchemaCase(#"{"minimum":0}"#, "-1", "$: expected at least 0, got -1"),
      SchemaCase(#"{"minimum":0}"#, "-0.0", nil),
      SchemaCase(#"{"maximum":0}"#, "1e-300", "$: expected at most 0, got 1e-300"),
      SchemaCase(#"{"exclusiveMinimum":0,"minimum":-5}"#, "-1", "$: expected more than 0, got -1"),
      SchemaCase(#"{"exclusiveMaximum":0}"#, "0", "$: expected less than 0, got 0"),
      SchemaCase(#"{"minimum":-2.5}"#, "-2.5", nil),
      SchemaCase(#"{"maximum":300.0}"#, "300", nil),
    ]
  )
  func bounds(_ row: SchemaCase) throws { try row.check() }

  @Test(
    "multipleOf is computed on decimal digits, without rounding errors",
    arguments: [
      SchemaCase(#"{"multipleOf":0.01}"#, "19.99", nil),
      SchemaCase(#"{"multipleOf":0.01}"#, "4.35", nil),
      SchemaCase(#"{"multipleOf":0.01}"#, "19.995", "$: expected a multiple of 0.01, got 19.995"),
      SchemaCase(#"{"multipleOf":0.1}"#, "0.3", nil),
      SchemaCase(#"{"multipleOf":0.0001}"#, "0.0075", nil),
      SchemaCase(
        #"{"multipleOf":0.0001}"#,
        "0.00751",
        "$: expected a multiple of 0.0001, got 0.00751"
      ),
      SchemaCase(#"{"multipleOf":2}"#, "7", "$: expected a multiple of 2, got 7"),
      SchemaCase(#"{"multipleOf":2}"#, "-8", nil),
      SchemaCase(#"{"multipleOf":1.5}"#, "0", nil),
      SchemaCase(#"{"multipleOf":1.5}"#, "4.5", nil),
      SchemaCase(#"{"multipleOf":1.5}"#, "35", "$: expected a multiple of 1.5, got 35"),
      SchemaCase(#"{"multipleOf":10}"#, "5", "$: expected a multiple of 10, got 5"),
      SchemaCase(#"{"multipleOf":5}"#, "1e300", nil),
      SchemaCase(#"{"multipleOf":3}"#, "1e300", "$: expected a multiple of 3, got 1e+300"),
      SchemaCase(#"{"multipleOf":1e-8}"#, "12391239123", nil),
      SchemaCase(#"{"multipleOf":0.5}"#, "1e308", nil),
      SchemaCase(
        #"{"multipleOf":0.123456789}"#,
        "1e308",
        "$: expected a multiple of 0.123456789, got 1e+308"
      ),
      SchemaCase(
        #"{"multipleOf":1e300}"#,
        "1e-300",
        "$: expected a multiple of 1e+300, got 1e-300"
      ),
      SchemaCase(#"{"multipleOf":2}"#, #""7""#, nil),
    ]
  )
  func multiples(_ row: SchemaCase) throws { try row.check() }
}
