package import Sluice

/// A small valid project in memory, which tests modify.
package struct ProjectFixture {
  package static let configuration = "sluice.yaml"
  package static let suite = "prompts/tone/suite.yaml"
  package static let prompt = "prompts/tone/v1.yaml"
  package static let schema = "prompts/tone/answer.schema.json"
  package static let dataset = "datasets/tone/cases.yaml"
  package static let prices = "prices.json"

  /// The texts of the files, by path.
  package var files: [String: String] = [
    configuration: """
    backends:
      fast: {type: openai, model: small-1, key: {env: FAST_KEY}}
      strong:
        type: openai
        model: large-1
    prices: prices.json

    """,
    suite: """
    suite: tone
    prompt: v1.yaml
    dataset: tone
    backend: fast
    scorers:
      - json-schema: answer.schema.json
      - flags: {path: warning, when: non-empty}
      - classification: {path: label, expected: label, labels: [calm, harsh]}
    gates:
      - accuracy >= 85%
    goals:
      - false-positive-rate < 5%

    """,
    prompt: """
    messages:
      - system: |
          You check the tone of a message.
          {{#conversation}}
          {{from}}: {{text}}
          {{/conversation}}
      - user: "{{sender.role}} writes: {{message}}"
    parameters: {temperature: 0, max-tokens: 300}
    response-schema: answer.schema.json

    """,
    schema: """
    {
      "type": "object",
      "properties": {"warning": {"type": "string"}, "label": {"type": "string"}},
      "required": ["warning", "label"]
    }

    """,
    dataset: """
    - id: terse
      tags: [clean]
      input:
        message: Done.
        sender: {role: engineer}
        conversation: []
      expected: {flagged: false, label: calm}
    - id: rude
      tags: [harsh]
      input:
        message: Do it now!
        sender: {role: manager}
        conversation:
          - {from: ana, text: Is it done?}
      expected: {flagged: true, label: harsh}

    """,
    prices: """
    {"small-1": {"input_cost_per_token": 1e-6, "output_cost_per_token": 2e-6}}

    """,
  ]

  package init() {}

  /// The reason why a fixture cannot be changed as a test requests.
  package struct NotFound: Error, CustomStringConvertible {
    package var description: String
  }

  /// Returns the project with a part of a file replaced.
  ///
  /// The part must occur exactly once in the file.
  package func replacing(_ part: String, with other: String, in path: String) throws
    -> ProjectFixture
  {
    let text = files[path] ?? ""
    let ranges = text.ranges(of: part)
    guard ranges.count == 1 else {
      throw NotFound(description: "'\(part)' stands \(ranges.count) times in \(path)")
    }
    return adding([path: text.replacing(part, with: other)])
  }

  /// Returns the project with files added, replaced, or removed if their text is `nil`.
  package func adding(_ others: [String: String?]) -> ProjectFixture {
    var fixture = self
    for (path, text) in others { fixture.files[path] = text }
    return fixture
  }

  package var system: InMemoryFileSystem { InMemoryFileSystem(files) }

  package func load(_ selection: ProjectLoader.Selection = ProjectLoader.Selection())
    -> LoadedProject
  {
    ProjectLoader.load(selection, from: system)
  }

  /// Returns all errors and warnings about the project's files, as printed.
  package func report(_ selection: ProjectLoader.Selection = ProjectLoader.Selection()) -> String {
    load(selection).diagnostics.map(\.description).joined()
  }
}
