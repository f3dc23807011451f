@testable import SluiceSupport
import Testing

@Suite("YAML writer")
struct YAMLWriterTests {
  private func reread(_ value: JSONValue) throws -> JSONValue {
    let text = YAMLWriter.text(.json(value))
    let (root, problems) = YAMLReader.read(Array(text.utf8))
    #expect(problems.map(\.message) == [], "\(text)")
    return try #require(root, "\(text)").json
  }

  @Test(
    "Any text is read back unchanged",
    arguments: [
      "", " ", "a", "a b", " a", "a ", "a: b", "a:", "a #b", "#a", "- a", "-", "?", "? a", "null",
      "Null", "~", "true", "False", "yes", "no", "on", "1", "1.5", "-1", "1e3", "0x1F", "0o7", ".5",
      "2024-01-02", "12:30", "1_000", "[a", "{a", "a]", "a, b", "{{name}}", "{{a}} and {{b}}", "*a",
      "&a", "!a", "%a", "@a", "`a", "|", ">", "'a'", "\"a\"", "it's", "a\\b", "a\nb", "a\nb\n",
      "a\n\n", "\na", "\n", "\n\n", " a\n b", "a\n  b\n", "a\tb", "\ta\nb", "a\n\tb", "a\r\nb", "é",
      "日本",
      "🙂", "a\u{7F}b", "a\u{85}b", "a\u{2028}b", "\u{FEFF}a", "a\u{0}b", "<<", "=", "...", "---",
      "--- a\nb", "# a\nb", "a\n# b", "trailing \nspace", "key: |\n  text", "'", "\"", "a'b\"c",
      "https://example.com/a?b=c#d", "file://a.txt", "$.items[0].name", "(a)", "/a/", "^a$",
    ]
  )
  func texts(_ text: String) throws {
    #expect(try reread(.string(text)) == .string(text))
    #expect(try reread([.string(text), 1]) == [.string(text), 1])
    #expect(
      try reread(["key": .string(text), "other": true]) == ["key": .string(text), "other": true]
    )
    #expect(
      try reread(["outer": ["inner": [.string(text)]]]) == ["outer": ["inner": [.string(text)]]]
    )
    #expect(try reread([.object([text: 1])]) == [.object([text: 1])])
    #expect(try reread([[.string(text), .string(text)]]) == [[.string(text), .string(text)]])
  }

  @Test(
    "Values of all types are read back unchanged",
    arguments: [
      .null, true, -0.5, 1e21, [], [:], [[]], [[:]], ["a": []], ["a": [:]],
      [["a": [1, [2, [3, [4]]]]]],
      ["a": ["b": ["c": ["d": ["e": "f"]]]]], [["a": "x\ny", "b": ["z\n", .null]]],
    ] as [JSONValue]
  )
  func values(_ value: JSONValue) throws {
    #expect(try reread(value) == value)
  }

  @Test("A document is written as a person would write it")
  func document() {
    let text = YAMLWriter.text(
      .mapping([
        .init("suite", "refunds"),
        .init("prompts", ["v1.yaml", "v2.yaml"], comments: ["The last one decides."]),
        .init(
          "cases",
          .list([
            .init(
              .mapping([
                .init("id", "late-parcel"),
                .init("input", ["mail": "Where is it?\nIt is late.\n", "tone": "kind: very"]),
                .init(
                  "assert",
                  .list([.init(.json(["contains": "parcel"])), .init(.json("is-json"))]),
                  comments: ["left out: similar: it compares embeddings"]
                ),
              ])
            )
          ])
        ),
      ]),
      head: ["Imported from a.yaml."]
    )
    #expect(
      text == """
        # Imported from a.yaml.
        suite: refunds
        # The last one decides.
        prompts: [v1.yaml, v2.yaml]
        cases:
          - id: late-parcel
            input:
              mail: |
                Where is it?
                It is late.
              tone: "kind: very"
            # left out: similar: it compares embeddings
            assert: [{contains: parcel}, is-json]

        """
    )
  }

  @Test("A comment stays a comment, whatever it contains")
  func comments() {
    let text = YAMLWriter.text(
      .mapping([.init("a", 1, comments: ["one\ntwo: [\r\u{85}three"])]),
      head: ["", "x"]
    )
    #expect(text == "#\n# x\n# one two: [ three\na: 1\n")
  }
}
