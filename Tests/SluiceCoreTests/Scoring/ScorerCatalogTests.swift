import SampleProjects
@testable import SluiceCore
@testable import SluiceSupport
import Testing

@Suite("Scorer catalog")
struct ScorerCatalogTests {
  @Test("The catalog contains task scorers, and assertions with their negations")
  func types() {
    let assertions = [
      "assert-set", "bleu", "character-count", "chrf", "contains", "contains-all", "contains-any",
      "contains-html", "contains-json", "contains-xml", "cost", "ends-with", "equals", "exact",
      "expression", "finish-reason", "first-text", "icontains", "icontains-all", "icontains-any",
      "is-html", "is-json", "is-refusal", "is-xml", "json-path", "latency", "levenshtein",
      "occurrences", "regex", "rouge-1", "rouge-2", "rouge-l", "rouge-n", "sentence-count",
      "starts-with", "tokens", "tool-calls", "valid-date", "valid-url", "word-count",
    ]
    #expect(
      ScorerCatalog.types
        == [
          "best-of", "choice", "classification", "coverage", "exec", "flags", "items",
          "json-schema",
          "llm-compare", "llm-rubric", "measure", "mentions", "number", "stream", "swift",
        ]
        + assertions.flatMap { [$0, "not-\($0)"] }
    )
  }

  @Test("An unknown scorer is an error with the nearest name, and only assertions have negations")
  func unknown() {
    #expect(
      ScoringFixture("- flgs: {path: a}\n- not-flags: {path: a}\n- is-refusing").said == """
        suite.yaml:1:3: error: unknown scorer 'flgs'
          1 | - flgs: {path: a}
            |   ^
          fix: did you mean 'flags'?
        suite.yaml:2:3: error: unknown scorer 'not-flags'
          2 | - not-flags: {path: a}
            |   ^
          fix: did you mean 'flags'?
        suite.yaml:3:3: error: unknown scorer 'is-refusing'
          3 | - is-refusing
            |   ^
          fix: did you mean 'is-refusal'?

        """
    )
  }

  @Test("Scorers are named after their type, and further ones of a type are numbered")
  func names() {
    let yaml = """
      - contains: a
      - is-json
      - contains: b
      - not-contains: c
      - contains: d
      """
    #expect(
      ScoringFixture(yaml).scorers.map(\.name)
        == ["contains", "is-json", "contains-2", "not-contains", "contains-3"]
    )
    #expect(
      ScoringFixture(yaml).scorers.map(\.type)
        == ["contains", "is-json", "contains", "not-contains", "contains"]
    )
  }

  @Test("Scorers of a case have a prefix")
  func prefix() throws {
    let file = SourceFile(path: "cases.yaml", bytes: Array("- contains: a".utf8))
    let diagnostics = DiagnosticCollector()
    let root = try #require(YAMLReader.read(file.bytes).root)
    guard case .sequence(let nodes) = root.value else { return }
    let specs = nodes.compactMap { ScorerSpec.read($0, file: file, diagnostics: diagnostics) }
    let files = ProjectFiles(InMemoryFileSystem(), diagnostics: diagnostics)
    let scorers = BoundScorer.bind(specs, prefix: "assert.", files: files)
    #expect(scorers.map(\.name) == ["assert.contains"])
  }

  @Test("The digest depends on type and arguments, but not on their notation")
  func digest() {
    func digest(_ yaml: String) -> String? { ScoringFixture(yaml).scorers.first?.digest }
    let flags = digest("- flags: {path: a, expected: b}")
    #expect(
      flags
        == SHA256.hexadecimal(
          Array(#"{"arguments":{"expected":"b","path":"a"},"content":null,"type":"flags"}"#.utf8)
        )
    )
    #expect(digest("- flags:\n    expected: 'b'\n    path: a") == flags)
    #expect(digest("- flags: {path: b, expected: b}") != flags)
    #expect(digest("- contains: a") != digest("- not-contains: a"))
    #expect(digest("- contains: a") != digest("- icontains: a"))
  }

  @Test("An invalid scorer is omitted, and the others are kept")
  func leftOut() {
    let fixture = ScoringFixture("- contains: ''\n- contains: b")
    #expect(fixture.scorers.map(\.name) == ["contains"])
    #expect(fixture.said.contains("suite.yaml:1:13: error: 'contains' needs a text"))
  }

  @Test("A schema is read from its file, and an answer that violates it is unusable")
  func jsonSchema() {
    let schema = #"{"type": "object", "required": ["found"]}"#
    let fixture = ScoringFixture("- json-schema: a.schema.json", files: ["a.schema.json": schema])
    #expect(fixture.said == "")
    #expect(
      fixture.score(#"{"found":1}"#)
        == Score(.passed, explanation: "the answer matches the schema")
    )
    #expect(
      fixture.score("{}")
        == Score(
          .failed,
          isUnusable: true,
          explanation: "the answer violates the schema at $: missing member 'found'"
        )
    )
    #expect(
      fixture.score("[]")
        == Score(
          .failed,
          isUnusable: true,
          explanation: "the answer violates the schema at $: expected object, got array"
        )
    )
  }

  @Test("Of several violations, the first is shown and the others are counted")
  func violations() {
    let schema = #"{"type": "object", "required": ["a", "b", "c"]}"#
    let fixture = ScoringFixture("- json-schema: a.json", files: ["a.json": schema])
    #expect(
      fixture.score("{}")?.explanation
        == "the answer violates the schema at $: missing member 'a' (and 2 more)"
    )
  }

  @Test(
    "An answer that is not JSON violates every schema",
    arguments: ScoringUnusableAnswer.withoutFound.filter { !$0.reason.contains("has no 'found'") }
  )
  func unusable(_ unusable: ScoringUnusableAnswer) {
    let fixture = ScoringFixture("- json-schema: a.json", files: ["a.json": "{}"])
    // A schema has no path, so the reason does not mention a path.
    let reason = unusable.reason.split(separator: "; the scorer reads JSON")[0]
    #expect(
      fixture.score(unusable.response)
        == Score(.failed, isUnusable: true, explanation: String(reason))
    )
  }

  @Test("A schema must be inline or in an existing file")
  func schemaFile() {
    #expect(
      ScoringFixture("- json-schema\n- json-schema: {typ: b}\n- json-schema: b.json").said == """
        suite.yaml:1:3: error: 'json-schema' needs a schema, or the path of a schema file
          1 | - json-schema
            |   ^
          fix: write 'json-schema: name.schema.json'
        suite.yaml:2:17: error: unknown keyword 'typ' in a schema
          2 | - json-schema: {typ: b}
            |                 ^
          fix: did you mean 'type'?
        suite.yaml:3:16: error: file not found: b.json
          3 | - json-schema: b.json
            |                ^

        """
    )
  }
}
