@testable import Sluice
@testable import SluiceCore
@testable import SluiceSupport
import Testing

@Suite("Converting scripts to expressions")
struct ScriptTranslatorTests {
  private static func surroundings(isText: Bool? = nil, threshold: Double? = nil)
    -> ScriptTranslator.Surroundings
  {
    .init(
      outputIsText: isText,
      kindOfVariable: { ["topic": .text, "count": .number][$0] },
      threshold: threshold
    )
  }

  @Test(
    "One line of JavaScript becomes an equivalent expression",
    arguments: [
      ("output.includes('x')", #""x" in text"#),
      ("output.length < 500", "len(text) < 500"),
      ("output.length > 10 && output.includes(\"a\")", #"len(text) > 10 and "a" in text"#),
      ("!output.includes('a') || output === 'b'", #""a" not in text or text == "b""#),
      ("output.toLowerCase().includes('world')", #""world" in lower(text)"#),
      ("output.startsWith('WEBVTT')", #"starts_with(text, "WEBVTT")"#),
      ("output.trim().endsWith('.')", #"ends_with(trim(text), ".")"#),
      ("output.split('\\n').length >= 3", #"len(split(text, "\n")) >= 3"#),
      ("output.trim().split(/\\s+/).length <= 5", "len(words(text)) <= 5"),
      ("output && output.trim().length > 0", #"text != "" and len(trim(text)) > 0"#),
      ("JSON.parse(output).kind === 'refund'", #"answer.kind == "refund""#),
      ("JSON.parse(output)['order-id'] === 7", #"answer["order-id"] == 7"#),
      ("JSON.parse(output).items.length === 2", "len(answer.items) == 2"),
      ("JSON.parse(output).items.every(i => i.price > 0)", "all(answer.items, item.price > 0)"),
      ("JSON.parse(output).items.some((i) => i.ok === true)", "any(answer.items, item.ok == true)"),
      (
        "JSON.parse(output).items.filter(i => i.price > 3).length >= 2",
        "count(answer.items, item.price > 3) >= 2"
      ),
      ("Object.keys(JSON.parse(output)).length === 3", "len(keys(answer)) == 3"),
      ("['a', 'b'].includes(output)", #"text in ["a", "b"]"#),
      ("['a', 'b'].some(s => output.includes(s))", #"any(["a", "b"], item in text)"#),
      ("output.includes(context.vars.topic)", "input.topic in text"),
      ("output.length < context.vars.count", "len(text) < input.count"),
      ("output.indexOf('x') !== -1", #""x" in text"#),
      ("/^\\d+$/.test(output)", #"matches(text, "^[0-9]+\\z")"#),
      ("/yes/i.test(output)", #"matches(text, "(?i)yes")"#),
      ("output.match(/a b/) !== null", #"matches(text, "a b")"#),
      ("output.includes('a') ? 1 : 0", #""a" in text"#),
      ("output.includes('a') ? false : true", #""a" not in text"#),
      (
        "(output.includes('a') || output.includes('b')) && output.includes('c')",
        #"("a" in text or "b" in text) and "c" in text"#
      ),
      ("const n = output.length; n > 5", "len(text) > 5"),
      ("Math.abs(JSON.parse(output).n) < 3", "abs(answer.n) < 3"),
      ("output.length", "len(text) > 0"),
      ("!!output", #"text != """#),
    ]
  )
  func javaScript(_ code: String, _ expression: String) throws {
    let found = try ScriptTranslator.translate(code, .javaScript, Self.surroundings())
    #expect(found.expression == expression)
    #expect(throws: Never.self) { try ExpressionParser.parse(found.expression) }
  }

  @Test(
    "Several lines of JavaScript with a result become an expression",
    arguments: [
      (
        "const r = JSON.parse(output);\nreturn r.name === 'Ana' && r.age === 35;",
        #"answer.name == "Ana" and answer.age == 35"#
      ),
      (
        "// At least three lines\nconst lines = output.trim().split('\\n').filter(l => l.trim());\nreturn lines.length === 3;",
        #"count(split(trim(text), "\n"), trim(item) != "") == 3"#
      ),
      (
        "if (!output) {\n  return false;\n}\nreturn output.includes('a');",
        #"text != "" and "a" in text"#
      ),
      (
        "if (output.length < 10) {\n return {pass: false, score: 0, reason: 'short'};\n}\nreturn {pass: true, score: 1, reason: 'ok'};",
        "len(text) >= 10"
      ),
    ]
  )
  func bodies(_ code: String, _ expression: String) throws {
    let found = try ScriptTranslator.translate(code, .javaScript, Self.surroundings())
    #expect(found.expression == expression)
    #expect(throws: Never.self) { try ExpressionParser.parse(found.expression) }
  }

  @Test(
    "One line of Python becomes an equivalent expression",
    arguments: [
      ("'x' in output", #""x" in text"#),
      ("'x' not in output.lower()", #""x" not in lower(text)"#),
      ("len(output) > 100", "len(text) > 100"),
      ("5 < len(output) < 10", "5 < len(text) and len(text) < 10"),
      (
        "output.startswith('A') and not output.endswith('?')",
        #"starts_with(text, "A") and not ends_with(text, "?")"#
      ),
      ("len(output.split()) <= 50", "len(words(text)) <= 50"),
      ("any(w in output for w in ['a', 'b'])", #"any(["a", "b"], item in text)"#),
      ("all(w in output.lower() for w in ['a', 'b'])", #"all(["a", "b"], item in lower(text))"#),
      ("json.loads(output)['kind'] == 'refund'", #"answer.kind == "refund""#),
      ("context['vars']['topic'] in output", "input.topic in text"),
      ("True if 'a' in output else False", #""a" in text"#),
    ]
  )
  func python(_ code: String, _ expression: String) throws {
    let found = try ScriptTranslator.translate(code, .python, Self.surroundings())
    #expect(found.expression == expression)
    #expect(throws: Never.self) { try ExpressionParser.parse(found.expression) }
  }

  @Test(
    "Code without an equivalent expression is refused with a reason",
    arguments: [
      (
        "output.includes('a')\noutput.includes('b')",
        "code of several lines has no 'return', so it always fails in promptfoo"
      ),
      (
        "JSON.parse(output).a == 5",
        "'==' compares values of different types, which JavaScript converts"
      ),
      (
        "JSON.parse(output).a !== undefined",
        "null differs from a missing value in the script, but not in expressions"
      ),
      (
        "JSON.parse(output).a === null",
        "null differs from a missing value in the script, but not in expressions"
      ),
      ("JSON.parse(output).a.b !== 'x'", "a member that may be missing is negated"),
      ("JSON.parse(output).a", "the result may be something other than true or false"),
      (
        "JSON.parse(output).a && output.length > 3",
        "a value in the answer's JSON is used as a condition"
      ),
      ("output.trim()", "the result is a string, which promptfoo treats as an error"),
      ("output + 'a' === 'ba'", "expressions cannot build a string from parts"),
      (
        "parseInt(output) > 3",
        "'parseInt(…)' has no counterpart in expressions"
      ),
      (
        "output.replace('a', 'b') === 'c'",
        "'.replace(…)' has no counterpart in expressions"
      ),
      ("metadata.x === 1", "'metadata' has no counterpart in expressions"),
      (
        "context.vars.other === 'a'",
        "the variable 'other' does not have the same type in every case"
      ),
      (
        "output.kind === 'a'",
        "'output.kind' exists only if the provider's output is an object"
      ),
      ("typeof output === 'string'", "the type of the output depends on the provider"),
      (
        "return {pass: output.includes('a'), reason: 'x'};\n// a",
        "the result lacks 'pass', 'score' or 'reason', so promptfoo rejects it"
      ),
      ("output.includes(`${context.vars.topic}`)", "a string contains '${…}'"),
      ("for (const x of output) {}\nreturn true;", "the statement 'for' is not supported"),
      ("output.includes('a'", "the code ends too early"),
      (
        #"/\a/.test(output)"#,
        #"the pattern has the escape '\a', which JavaScript treats as the plain letter 'a'"#
      ),
      (
        #"/\a/u.test(output)"#,
        #"the pattern has the escape '\a', which JavaScript rejects with the flag 'u'"#
      ),
      ("", "there is no code"),
    ]
  )
  func refusals(_ code: String, _ reason: String) {
    #expect(throws: Script.Untranslatable(reason: reason)) {
      try ScriptTranslator.translate(code, .javaScript, Self.surroundings())
    }
  }

  @Test("A script that parses JSON also requires the answer to be JSON")
  func json() throws {
    let found = try ScriptTranslator.translate(
      "JSON.parse(output).state !== 'open'",
      .javaScript,
      Self.surroundings()
    )
    #expect(found.expression == #"answer.state != "open""#)
    #expect(found.needsJSON)
  }

  @Test("If the output is an object, its members are members of the answer")
  func object() throws {
    let found = try ScriptTranslator.translate(
      "output.has_bugs === true",
      .javaScript,
      Self.surroundings(isText: false)
    )
    #expect(found.expression == "answer.has_bugs == true")
  }

  @Test("A number passes from the threshold on, or above 0 without a threshold")
  func numbers() throws {
    let found = try ScriptTranslator.translate(
      "output.length",
      .javaScript,
      Self.surroundings(threshold: 20)
    )
    #expect(found.expression == "len(text) >= 20")
  }

  @Test("Malicious code is refused without exhausting memory or stack")
  func hostile() {
    let deep = String(repeating: "(", count: 5_000) + "1" + String(repeating: ")", count: 5_000)
    let nested = String(repeating: "!", count: 5_000) + "output"
    let doubling =
      (0..<30).reduce("const a0 = output.length;") { "\($0) const a\($1 + 1) = a\($1) + a\($1);" }
      + " a30 > 5"
    for code in [
      deep, nested, doubling, String(repeating: "a", count: 50_000), "((x) => (", "/a", "'",
    ] {
      #expect(throws: Script.Untranslatable.self) {
        try ScriptTranslator.translate(code, .javaScript, Self.surroundings())
      }
    }
  }
}
