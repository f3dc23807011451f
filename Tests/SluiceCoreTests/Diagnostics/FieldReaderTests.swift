@testable import SluiceCore
@testable import SluiceSupport
import Testing

@Suite("Field reader")
struct FieldReaderTests {
  /// Reads a YAML text and returns all of its diagnostics.
  private func messages(_ text: String, _ read: (FieldReader) -> Void) throws -> String {
    let file = SourceFile(path: "case.yaml", bytes: Array(text.utf8))
    let node = try #require(YAMLReader.read(file.bytes).root)
    return messages(node, file, read)
  }

  private func messages(_ node: Node, _ file: SourceFile, _ read: (FieldReader) -> Void) -> String {
    let diagnostics = DiagnosticCollector()
    let reader = FieldReader(node, subject: "a case", file: file, diagnostics: diagnostics)
    if let reader { read(reader) }
    return diagnostics.diagnostics.map(\.description).joined()
  }

  @Test("Valid values are returned without diagnostics")
  func right() throws {
    let text = "{id: a, n: 1.5, i: 3, b: true, l: [1, x], t: [p, q], z: null}"
    let said = try messages(text) { fields in
      #expect(fields.requiredText("id") == "a")
      #expect(fields.optionalText("none") == nil)
      #expect(fields.optionalNumber("n") == 1.5)
      #expect(fields.optionalInteger("i", in: 1...3) == 3)
      #expect(fields.optionalBool("b") == true)
      #expect(fields.optionalList("l")?.map(\.json) == [1, "x"])
      #expect(fields.optionalTexts("t")?.map(\.text) == ["p", "q"])
      #expect(fields.optional("z") == nil)
      fields.finish()
    }
    #expect(said == "")
  }

  @Test("A value must be a mapping", arguments: [("[]", "a list"), ("text", "a text")])
  func noMapping(_ text: String, _ kind: String) throws {
    #expect(
      try messages(text) { _ in } == """
        case.yaml:1:1: error: a case must be a mapping, not \(kind)
          1 | \(text)
            | ^

        """
    )
  }

  @Test("A misspelled key is one error, without a second error for the missing key")
  func misspeltRequired() throws {
    #expect(
      try messages("idd: a") {
        _ = $0.required("id")
        _ = $0.required("input")
        $0.finish()
      } == """
        case.yaml:1:1: error: unknown key 'idd' in a case
          1 | idd: a
            | ^
          fix: did you mean 'id'?
        case.yaml:1:1: error: a case needs 'input'
          1 | idd: a
            | ^
          fix: add 'input: …'

        """
    )
  }

  @Test("A missing or null required key is an error", arguments: ["tags: []", "id: null"])
  func missing(_ text: String) throws {
    #expect(
      try messages(text) {
        _ = $0.required("id")
        _ = $0.optional("tags")
        $0.finish()
      } == """
        case.yaml:1:1: error: a case needs 'id'
          1 | \(text)
            | ^
          fix: add 'id: …'

        """
    )
  }

  @Test("Unknown keys are errors, with the nearest known key as the fix")
  func unknown() throws {
    let said = try messages("id: a\ntgas: []\nwhatever: 1") { fields in
      _ = fields.requiredText("id")
      _ = fields.optionalTexts("tags")
      fields.finish()
    }
    #expect(
      said == """
        case.yaml:2:1: error: unknown key 'tgas' in a case
          2 | tgas: []
            | ^
          fix: did you mean 'tags'?
        case.yaml:3:1: error: unknown key 'whatever' in a case
          3 | whatever: 1
            | ^
          fix: known: id, tags

        """
    )
  }

  @Test("A key that only looks like a known key is unknown")
  func canonicalEquivalents() throws {
    // U+212A, the kelvin sign, is canonically equal to K.
    let said = try messages("\u{212A}: a") { fields in
      #expect(fields.optionalText("K") == nil)
      fields.finish()
    }
    #expect(said.hasPrefix("case.yaml:1:1: error: unknown key '\u{212A}' in a case\n"))
  }

  @Test("A text that YAML reads as another type is an error with the quoted text as the fix")
  func wrongText() throws {
    let said = try messages("a: 12\nb: true\nc: [x]\nd: {x: y}") { fields in
      for key in ["a", "b", "c", "d"] { #expect(fields.optionalText(key) == nil) }
    }
    #expect(
      said == """
        case.yaml:1:4: error: 'a' must be a text, not a number
          1 | a: 12
            |    ^
          fix: put it in quotes: "12"
        case.yaml:2:4: error: 'b' must be a text, not true or false
          2 | b: true
            |    ^
          fix: put it in quotes: "true"
        case.yaml:3:4: error: 'c' must be a text, not a list
          3 | c: [x]
            |    ^
        case.yaml:4:4: error: 'd' must be a text, not a mapping
          4 | d: {x: y}
            |    ^

        """
    )
  }

  @Test("A value of the wrong type is an error that names the expected type")
  func wrongTypes() throws {
    let said = try messages("n: x\ni: 1.5\nj: y\nb: no\nl: {}\nt: [a, 1, null]") { fields in
      #expect(fields.optionalNumber("n") == nil)
      #expect(fields.optionalInteger("i", in: 0...9) == nil)
      #expect(fields.optionalInteger("j", in: 0...9) == nil)
      #expect(fields.optionalBool("b") == nil)
      #expect(fields.optionalList("l") == nil)
      #expect(fields.optionalTexts("t")?.map(\.text) == ["a"])
    }
    #expect(
      said == """
        case.yaml:1:4: error: 'n' must be a number, not a text
          1 | n: x
            |    ^
        case.yaml:2:4: error: 'i' must be a whole number, not 1.5
          2 | i: 1.5
            |    ^
        case.yaml:3:4: error: 'j' must be a whole number, not a text
          3 | j: y
            |    ^
        case.yaml:4:4: error: 'b' must be true or false, not a text
          4 | b: no
            |    ^
          fix: write false
        case.yaml:5:4: error: 'l' must be a list, not a mapping
          5 | l: {}
            |    ^
        case.yaml:6:8: error: an entry of 't' must be a text, not a number
          6 | t: [a, 1, null]
            |        ^
          fix: put it in quotes: "1"
        case.yaml:6:11: error: an entry of 't' must be a text, not nothing
          6 | t: [a, 1, null]
            |           ^

        """
    )
  }

  @Test("A number out of range is an error that names the range", arguments: [0, 101])
  func range(_ number: Int) throws {
    let said = try messages("repeat: \(number)") { fields in
      #expect(fields.optionalInteger("repeat", in: 1...100) == nil)
    }
    #expect(
      said == """
        case.yaml:1:9: error: 'repeat' must be between 1 and 100, not \(number)
          1 | repeat: \(number)
            |         ^

        """
    )
  }

  @Test("A duplicate key in a JSON file is an error at its second position")
  func duplicates() throws {
    let file = SourceFile(path: "case.json", bytes: Array(#"{"id":"a","id":"b"}"#.utf8))
    let said = messages(try JSONReader.node(file.bytes), file) { fields in
      #expect(fields.requiredText("id") == "a")
      fields.finish()
    }
    #expect(
      said == """
        case.json:1:11: error: duplicate key 'id', first on line 1
          1 | {"id":"a","id":"b"}
            |           ^
          fix: remove one of the two

        """
    )
  }
}
