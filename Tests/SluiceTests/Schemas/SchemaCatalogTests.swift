import SampleProjects
@testable import Sluice
@testable import SluiceCore
@testable import SluiceSupport
import Testing

/// The comparison of the lists in the schemas with the lists in the code, so that no addition to
/// one is forgotten in the other.
@Suite("Schemas and catalogs")
struct SchemaCatalogTests {
  private let documents: [String: JSONValue]

  init() throws { documents = try FileSchemas.documents() }

  private func place(_ schema: FileSchemas, _ path: String...) -> JSONValue? {
    path.reduce(documents[schema.fileName]) { $0?[$1] }
  }

  private func definition(_ name: String, in schema: FileSchemas = .scorers) -> JSONValue? {
    place(schema, "definitions", name)
  }

  private func texts(_ value: JSONValue?) -> Set<String> {
    Set(value?.array?.compactMap(\.string) ?? [])
  }

  private func keys(_ value: JSONValue?) -> Set<String> {
    Set(value?["properties"]?.object?.members.map(\.name) ?? [])
  }

  // MARK: Types

  @Test("Suites and cases allow the catalog's types, and a schema describes each")
  func types() throws {
    let all = Set(ScorerCatalog.types)
    #expect(keys(definition("types")) == all)
    let only = definition("one-type")?["oneOf"]?.array?.flatMap { texts($0["required"]) }
    #expect(Set(only ?? []) == all)
    let asking: Set<String> = ["best-of", "exec", "llm-compare", "llm-rubric"]
    for (entry, expected) in [
      ("suite-scorer", all), ("case-assertion", all.subtracting(asking)),
      ("member", all.filter { AssertionCatalog.types.contains($0.plain) }),
    ] {
      let other = definition(entry)?["else"]
      let short = texts(other?["else"]?["propertyNames"]?["enum"])
      let reserved = keys(other?["else"])
      #expect(short.subtracting(reserved) == expected, "\(entry)")
      #expect(texts(other?["then"]?["properties"]?["type"]?["enum"]) == expected, "\(entry)")
      #expect(reserved.isSubset(of: Set(ScorerSpec.reserved)))
    }
    let forms = definition("long")?["allOf"]?.array ?? []
    let long = forms.flatMap { texts($0["if"]?["properties"]?["type"]?["enum"]) }
    #expect(Set(long) == all)
    #expect(long.count == all.count)
    for type in Set(all.map(\.plain)) {
      #expect(definition(type)?["description"]?.string?.isEmpty == false, "\(type)")
      #expect(keys(definition("long-\(type)")).isSuperset(of: ["type"]), "\(type)")
    }
  }

  @Test("A scorer's long form allows the keys of its short form and the common keys")
  func longForms() {
    for type in Set(ScorerCatalog.types.map(\.plain)) {
      let own = ownKeys(type)
      let long = keys(definition("long-\(type)"))
      #expect(
        long == own.union(["type", "value"]).union(ScorerSpec.reserved),
        "\(type)"
      )
    }
  }

  /// Returns the keys of the mapping that a type can have as its argument.
  private func ownKeys(_ type: String) -> Set<String> {
    let schema = definition(type)
    return keys(schema).union(
      (schema?["anyOf"]?.array ?? []).reduce(into: Set()) { $0.formUnion(keys($1)) }
    )
  }

  @Test("Backends, roles, parameters and words are the same as in the code")
  func words() {
    #expect(
      texts(definition("backend", in: .sluice)?["properties"]?["type"]?["enum"])
        == Set(BackendDefinition.types)
    )
    for type in BackendDefinition.types {
      #expect(keys(definition(type, in: .sluice)).contains("type"), "\(type)")
      let endings = definition(type, in: .sluice)?["properties"]?["endings"]
      #expect(
        texts(endings?["additionalProperties"]?["enum"]) == Set(Ending.nameable.map(\.rawValue))
      )
    }
    #expect(
      keys(definition("parameters", in: .prompt)) == Set(ParameterReader.wireNames.map(\.name))
    )
    let message = place(.prompt, "properties", "messages")?["anyOf"]?.array?.last?["items"]
    #expect(
      keys(message) == Set(MessageRole.allCases.map(\.rawValue)).union([MessageList.key])
    )
    let similarity = definition("items")?["properties"]?["similarity"]?["enum"]
    #expect(texts(similarity) == Set(ItemSimilarity.allCases.map(\.rawValue)))
  }

  // MARK: Keys

  /// Returns the keys that the readers know, by the name of the mapping.
  private func readKeys(_ files: [String: String]) -> [String: Set<String>] {
    var found: [String: Set<String>] = [:]
    let diagnostics = DiagnosticCollector()
    diagnostics.onKeys = { subject, keys in found[subject, default: []].formUnion(keys) }
    let system = InMemoryFileSystem(files)
    let project = ProjectFiles(system, diagnostics: diagnostics)
    if let configuration = ProjectConfiguration.read(project) {
      for entry in configuration.backends ?? [] {
        _ = BackendReader.read(entry, file: configuration.file, files: project, environment: [:])
      }
      if let budget = configuration.budget {
        _ = BudgetReader.read(budget, in: configuration.file, diagnostics: diagnostics)
      }
    }
    if let suite = SuiteReader.read(ProjectPath("prompts/a/suite.yaml"), files: project) {
      let asking = ScorerArguments.Asking(backends: [:])
      for spec in suite.scorers {
        _ = ScorerCatalog.make(
          ScorerArguments(spec: spec, files: project, asking: asking, ownScorers: [:])
        )
        if let node = spec.appliesTo { _ = CaseSelection(node, in: suite.file, diagnostics) }
        if let node = spec.extract { _ = Extraction(node, in: suite.file, diagnostics) }
      }
    }
    _ = PromptReader.read(ProjectPath("prompts/a/v1.yaml"), files: project)
    _ = DatasetReader.read(ProjectPath("datasets/a/cases.yaml"), files: project)
    return found
  }

  /// A project that contains each mapping that readers read.
  private static let files = [
    "sluice.yaml": """
    backends:
      openai: {type: openai, model: m, stream: {timeout: 1}, key: {env: A}, parameters: {seed: 1}}
      openai-responses: {type: openai-responses, model: m}
      anthropic: {type: anthropic, model: m}
      gemini: {type: gemini, model: m}
      ollama: {type: ollama, model: m, context-length: 8192}
      http: {type: http, url: "https://a.example", body: {}, answer: {text: a}, fingerprint: {env: A}}
      exec: {type: exec, command: [a], fingerprint: {version: "1"}}
      file: {type: file, path: outputs.jsonl}
    recordings: {warn-after: 1 day}
    budget: {cost: 1}
    mixes: {day: {calls: {a: 1}}}
    """,
    "prompts/a/suite.yaml": """
    suite: a
    prompt: v1.yaml
    dataset: a
    backend: openai
    quarantine: [{case: a, reason: b, until: 2026-12-31}]
    waivers: [{gate: a, reason: b, until: 2026-12-31}]
    scorers:
      - {choice: {path: a}, applies-to: {tag: a}, extract: [{regex: {pattern: a}}, {after: {text: a}}]}
      - classification: {path: a}
      - coverage: {path: a}
      - exec: {command: [a]}
      - flags: {path: a}
      - items: {path: a}
      - llm-compare: {backend: a}
      - llm-rubric: {backend: a}
      - measure: {path: a}
      - mentions: {path: a}
      - number: {path: a}
      - stream: {gap: 1}
      - swift: {name: a}
      - assert-set: {assert: [is-json]}
      - bleu: {value: a}
      - chrf: {value: a}
      - cost: {threshold: 1}
      - exact: {expected: a}
      - first-text: {threshold: 1}
      - json-path: {path: a}
      - latency: {threshold: 1}
      - levenshtein: {value: a}
      - occurrences: {text: a, at-least: 1}
      - rouge-1: {value: a}
      - rouge-2: {value: a}
      - rouge-l: {value: a}
      - rouge-n: {value: a}
      - tokens: {input: 1}
      - tool-calls: [{name: a}]
      - character-count: {min: 1}
      - sentence-count: {min: 1}
      - word-count: {min: 1}
    """,
    "prompts/a/v1.yaml": "messages: [{user: a}]\nparameters: {temperature: 0}\n",
    "datasets/a/cases.yaml": """
    defaults: {tags: [a]}
    cases:
      - {id: a, input: {}}
    """,
  ]

  @Test("Each mapping of a schema has exactly the keys that its reader knows")
  func readerKeys() throws {
    let read = readKeys(Self.files)
    var expected: [String: Set<String>] = [
      "sluice.yaml": keys(place(.sluice)),
      "'recordings'": keys(place(.sluice, "properties", "recordings")),
      "'budget'": keys(place(.sluice, "properties", "budget")),
      "the mix 'day'": keys(place(.sluice, "properties", "mixes", "additionalProperties")),
      "'stream'": keys(
        definition("openai", in: .sluice)?["properties"]?["stream"]?["anyOf"]?.array?.last
      ),
      "'key'": keys(definition("openai", in: .sluice)?["properties"]?["key"]),
      "'answer'": keys(definition("http", in: .sluice)?["properties"]?["answer"]),
      "'fingerprint'": keys(definition("fingerprint")?["anyOf"]?.array?.last),
      "'parameters'": keys(definition("parameters", in: .prompt)),
      "a suite": keys(place(.suite)),
      "an entry of 'quarantine'": keys(place(.suite, "properties", "quarantine", "items")),
      "an entry of 'waivers'": keys(place(.suite, "properties", "waivers", "items")),
      "a prompt": keys(place(.prompt)),
      "a dataset": keys(place(.dataset, "else")),
      "'defaults'": keys(definition("defaults", in: .dataset)),
      "a case": keys(definition("case", in: .case)),
      "'applies-to'": keys(definition("applies-to")),
      "the step 'regex'": keys(step("regex")),
      "the step 'after'": keys(step("after")),
      "a call": keys(
        definition("tool-calls")?["anyOf"]?.array?.first?["items"]?["anyOf"]?.array?.last
      ),
    ]
    for type in BackendDefinition.types {
      expected["the backend '\(type)'"] = keys(definition(type, in: .sluice))
    }
    for type in Set(ScorerCatalog.types.map(\.plain)) where !ownKeys(type).isEmpty {
      if ["character-count", "sentence-count", "word-count"].contains(type) {
        expected["'\(type)'"] = ownKeys(type)
      } else if type != BestOfRule.type {
        expected["the scorer '\(type)'"] = ownKeys(type)
      }
    }
    for (subject, keys) in expected {
      #expect(read[subject] == keys, "\(subject)")
    }
    let others = Set(read.keys).subtracting(expected.keys)
    #expect(others.filter { !$0.hasPrefix("'calls'") && $0 != "'mixes'" } == [])
  }

  private func step(_ name: String) -> JSONValue? {
    definition("step")?["else"]?["properties"]?[name]?["anyOf"]?.array?.last
  }
}

extension String {
  /// The type of a scorer without its negation.
  fileprivate var plain: String { hasPrefix("not-") ? String(dropFirst(4)) : self }
}
