@testable import SluiceCore
@testable import SluiceSupport
import Testing

@Suite("Template")
struct TemplateTests {
  private func render(_ template: String, _ context: JSONValue) throws -> String {
    try Template(template).render(context)
  }

  private func problems(_ template: String, _ context: JSONValue) throws -> [Template.Problem] {
    try Template(template).problems(filling: context)
  }

  // MARK: Rendering

  @Test(
    "Variables are filled in without escaping",
    arguments: [
      ("", [:], ""),
      ("no tags at all: } }} {", [:], "no tags at all: } }} {"),
      ("{{a}}", ["a": "x"], "x"),
      ("{{a}}{{b}}{{a}}", ["a": "1", "b": "2"], "121"),
      ("{{ a }}|{{\ta\n}}", ["a": "x"], "x|x"),
      // Nothing is escaped, and inserted text is not a template.
      ("{{a}}", ["a": "<b> & \"q\" {{b}}"], "<b> & \"q\" {{b}}"),
      ("{{a}}", ["a": ""], ""),
      ("{{a}}", ["a": 3], "3"),
      ("{{a}}", ["a": 0.5], "0.5"),
      ("{{a}}", ["a": true], "true"),
      ("{{a}}", ["a": [1, "x"]], #"[1,"x"]"#),
      ("{{a}}", ["a": ["b": nil]], #"{"b":null}"#),
      ("{{a.b.c}}", ["a": ["b": ["c": "x"]]], "x"),
      ("{{.}}", ["a": 1], #"{"a":1}"#),
      ("é{{ключ}}日本{{naïve}}👩‍👩‍👧", ["ключ": "ж", "naïve": "🙂"], "éж日本🙂👩‍👩‍👧"),
      ("{{a-b_1}}", ["a-b_1": "x"], "x"),
      ("{{a}}\r\n{{a}}\n", ["a": "x"], "x\r\nx\n"),
    ] as [(String, JSONValue, String)]
  )
  func variables(_ template: String, _ context: JSONValue, _ text: String) throws {
    #expect(try render(template, context).isIdentical(to: text))
  }

  @Test(
    "A section repeats per list element, or appears once for a value that is not false or empty",
    arguments: [
      ("{{#a}}x{{/a}}", ["a": true], "x"), ("{{#a}}x{{/a}}", ["a": false], ""),
      ("{{#a}}x{{/a}}", ["a": nil], ""), ("{{#a}}x{{/a}}", ["a": ""], ""),
      ("{{#a}}x{{/a}}", ["a": "no"], "x"), ("{{#a}}x{{/a}}", ["a": 0], "x"),
      ("{{#a}}x{{/a}}", ["a": [:]], "x"), ("{{#a}}x{{/a}}", ["a": []], ""),
      ("{{#a}}x{{/a}}", ["a": [1, 2, 3]], "xxx"),
      ("{{#a}}{{.}},{{/a}}", ["a": [1, "b", true]], "1,b,true,"),
      ("{{#a}}{{b}}{{/a}}", ["a": [["b": 1], ["b": 2]]], "12"),
      ("{{#a}}{{b}}{{/a}}", ["a": ["b": "inner"], "b": "outer"], "inner"),
      ("{{#a}}{{b}}{{/a}}", ["a": ["c": 1], "b": "outer"], "outer"),
      ("{{#a}}{{.}}{{/a}}", ["a": "x"], "x"),
      ("{{#a.b}}{{c}}{{/a.b}}", ["a": ["b": [["c": 1]]]], "1"),
      ("{{#a}}[{{#b}}{{.}}{{/b}}]{{/a}}", ["a": [["b": [1, 2]], ["b": []]]], "[12][]"),
      ("{{#a}}{{#b}}{{x}}{{y}}{{/b}}{{/a}}", ["a": ["x": 1], "b": ["y": 2]], "12"),
      ("{{#a}}{{#a}}x{{/a}}{{/a}}", ["a": true], "x"),
      ("{{#a}}{{#.}}{{.}}{{/.}};{{/a}}", ["a": [[1, 2], [3]]], "12;3;"),
    ] as [(String, JSONValue, String)]
  )
  func sections(_ template: String, _ context: JSONValue, _ text: String) throws {
    #expect(try render(template, context) == text)
  }

  @Test(
    "An inverted section appears if the section would not",
    arguments: [
      ("{{^a}}x{{/a}}", ["a": true], ""), ("{{^a}}x{{/a}}", ["a": false], "x"),
      ("{{^a}}x{{/a}}", ["a": nil], "x"), ("{{^a}}x{{/a}}", ["a": ""], "x"),
      ("{{^a}}x{{/a}}", ["a": 0], ""), ("{{^a}}x{{/a}}", ["a": []], "x"),
      ("{{^a}}x{{/a}}", ["a": [1]], ""), ("{{^a}}x{{/a}}", ["a": [:]], ""),
      ("{{#a}}yes{{/a}}{{^a}}no{{/a}}", ["a": []], "no"),
      ("{{^a}}{{b}}{{/a}}", ["a": false, "b": "x"], "x"),
    ] as [(String, JSONValue, String)]
  )
  func inverted(_ template: String, _ context: JSONValue, _ text: String) throws {
    #expect(try render(template, context) == text)
  }

  @Test(
    "A section tag or a comment alone on a line removes the line",
    arguments: [
      ("a\n{{#s}}\nb\n{{/s}}\nc\n", "a\nb\nc\n"),
      ("a\n  {{#s}}  \n  b\n\t{{/s}}\t\nc\n", "a\n  b\nc\n"),
      ("{{#s}}\nb\n{{/s}}", "b\n"), ("  {{#s}}\nb\n  {{/s}}  ", "b\n"),
      ("a\r\n{{#s}}\r\nb\r\n{{/s}}\r\nc", "a\r\nb\r\nc"),
      ("a\n{{! note }}\nb", "a\nb"), ("a\n{{! two\nlines }}\nb", "a\nb"),
      ("a {{! note }}\nb", "a \nb"), ("a\n{{! note }} b", "a\n b"),
      ("a {{#s}}\nb\n{{/s}}\n", "a \nb\n"), ("{{#s}}b{{/s}}\n", "b\n"),
      ("| {{#s}}b{{/s}} |\n", "| b |\n"), ("{{#s}}\n{{v}}\n{{/s}}\n", "x\n"),
      ("  {{v}}\n", "  x\n"), ("{{#s}} {{/s}}\n", " \n"), ("{{#s}}\n\n{{/s}}\n", "\n"),
      ("a\n{{^n}}\nb\n{{/n}}\n", "a\nb\n"), ("a\n{{#n}}\nb\n{{/n}}\nc", "a\nc"),
      ("{{#l}}\n- {{.}}\n{{/l}}\nend", "- 1\n- 2\nend"),
    ]
  )
  func standalone(_ template: String, _ text: String) throws {
    let context: JSONValue = ["s": true, "v": "x", "n": false, "l": [1, 2]]
    #expect(try render(template, context).isIdentical(to: text))
  }

  @Test("A comment is removed, whatever it contains")
  func comments() throws {
    #expect(try render("a{{! {{b { }}c", [:]) == "ac")
    #expect(try render("a{{!}}b{{!!}}", [:]) == "ab")
  }

  // MARK: Missing names

  @Test(
    "An unknown name is an error at its tag, with the nearest known name",
    arguments: [
      ("Hi {{nam}}", ["name": "x"], 3, "nam", "name"),
      ("{{a}}", [:], 0, "a", nil),
      ("é{{a}}", ["zzzzz": 1], 1, "a", nil),
      ("{{a.role}}", ["a": ["rol": 1]], 0, "a.role", "a.rol"),
      ("{{aa.role}}", ["ab": ["role": 1]], 0, "aa.role", "ab.role"),
      ("{{aa.role}}", ["ab": "x"], 0, "aa.role", "ab"),
      ("{{a.b.c}}", ["a": ["b": "x"]], 0, "a.b.c", nil),
      // The innermost value that has the first name decides.
      ("{{#s}}{{a.b}}{{/s}}", ["s": ["a": ["x": 1]], "a": ["b": 1]], 6, "a.b", "a.x"),
      ("{{#l}}{{form}}{{/l}}", ["l": [["from": 1]]], 6, "form", "from"),
      ("{{#ll}}x{{/ll}}", ["l": true], 0, "ll", "l"),
      ("{{^ll}}x{{/ll}}", ["l": true], 0, "ll", "l"),
      // The name exists, but its value is null, so there is nothing to fill in.
      ("{{a}}", ["a": nil], 0, "a", nil),
    ] as [(String, JSONValue, Int, String, String?)]
  )
  func missing(
    _ template: String,
    _ context: JSONValue,
    _ offset: Int,
    _ name: String,
    _ nearest: String?
  ) throws {
    let problem = Template.Problem(offset: offset, message: name, fix: nearest)
    #expect(try problems(template, context) == [problem])
    #expect(throws: problem) { try render(template, context) }
  }

  @Test("Each missing name is reported once, in text order, except in sections that do not appear")
  func several() throws {
    let names = try problems(
      "{{a}} {{#l}}{{b}}{{/l}} {{a}} {{#no}}{{c}}{{/no}} {{#none}}{{d}}{{/none}} {{#e}}{{f}}{{/e}}",
      ["l": [1, 2], "no": false, "none": []]
    ).map(\.message)
    #expect(names == ["a", "b", "e"])
  }

  // MARK: Inputs

  @Test("The inputs of a template are the first components of all its names")
  func inputs() throws {
    let template = try Template("{{a.b}} {{#c}}{{d}} {{.}}{{^e.f}}{{a}}{{/e.f}}{{/c}} {{! g }}")
    #expect(template.inputs == ["a", "c", "d", "e"])
    #expect(try Template("no tags").inputs == [])
  }
}

@Suite("Template parser")
struct TemplateParserTests {
  @Test(
    "An invalid template is refused at the invalid tag",
    arguments: [
      ("a {{b", 2, "'{{' is never closed", "write '{{b}}'"),
      ("{{", 0, "'{{' is never closed", "add '}}'"),
      ("{{a}", 0, "'{{' is never closed", "write '{{a}}'"),
      ("{{a.b.", 0, "'{{' is never closed", "write '{{a.b}}'"),
      ("a {{b c {{d}}", 2, "'{{' is never closed", "write '{{b}}'"),
      (
        "{{" + String(repeating: "x ", count: 30) + "}}", 0,
        "'" + String(repeating: "x ", count: 20) + "…' is not a name", Self.names
      ),
      ("é日{{a b}}", 2, "'a b' is not a name", Self.names),
      ("{{}}", 0, "'' is not a name", Self.names),
      ("{{#}}{{/}}", 0, "'' is not a name", Self.names),
      ("{{a..b}}", 0, "'a..b' is not a name", Self.names),
      ("{{.a}}", 0, "'.a' is not a name", Self.names),
      ("{{\"a\": 1}}", 0, "'\"a\": 1' is not a name", Self.names),
      (
        "{{{a}}}", 0, "'{{{' is not needed, because Sluice does not escape text",
        "write '{{a}}'"
      ),
      ("{{&a}}", 0, "'{{&' is not needed, because Sluice does not escape text", "write '{{a}}'"),
      ("{{> a}}", 0, "'{{>' is not supported", Self.tags),
      ("{{=<% %>=}}", 0, "'{{=' is not supported", Self.tags),
      ("a{{#b}}c", 1, "the section 'b' is never closed", "add '{{/b}}'"),
      (
        "a{{#b}}{{^c}}{{/c}}",
        1, "the section 'b' is never closed", "add '{{/b}}'"
      ),
      (
        "{{/a}}",
        0, "'{{/a}}' closes a section that is not open",
        "remove it, or add '{{#a}}' before it"
      ),
      (
        "{{#a}}{{#b}}{{/a}}{{/b}}",
        12, "found '{{/a}}' instead of '{{/b}}'",
        "close the section 'b' first"
      ),
    ] as [(String, Int, String, String)]
  )
  func refused(_ template: String, _ offset: Int, _ message: String, _ fix: String) {
    #expect(throws: Template.Problem(offset: offset, message: message, fix: fix)) {
      try Template(template)
    }
  }

  private static let names =
    "a name consists of letters, digits, '_' and '-', with dots between its parts"
  private static let tags =
    "use one of these: {{name}}, {{#name}}, {{^name}}, {{/name}} or {{! comment}}"
}
