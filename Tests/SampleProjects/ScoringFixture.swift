package import Sluice

/// Scorers read from YAML, as written under `scorers:` in a suite.
package struct ScoringFixture {
  package let scorers: [BoundScorer]
  /// Everything that is said about the YAML.
  package let said: String

  /// Reads scorers.
  ///
  /// - Parameters:
  ///   - yaml: A list of scorers.
  ///   - files: The files that arguments may name, by path from the root of the project.
  ///   - environment: The environment variables.
  ///   - backends: The backends that judges may be, nil for those that are wrong.
  package init(
    _ yaml: String,
    files: [String: String] = [:],
    environment: [String: String] = [:],
    backends: [String: BackendDefinition?] = [:]
  ) {
    let file = SourceFile(path: "suite.yaml", bytes: Array(yaml.utf8))
    let diagnostics = DiagnosticCollector()
    var specs: [ScorerSpec] = []
    if case .sequence(let nodes) = YAMLReader.read(file.bytes).root?.value {
      specs = nodes.compactMap { ScorerSpec.read($0, file: file, diagnostics: diagnostics) }
    }
    let system = InMemoryFileSystem(files)
    scorers = BoundScorer.bind(
      specs,
      files: ProjectFiles(system, diagnostics: diagnostics),
      asking: ScorerArguments.Asking(environment: environment, backends: backends)
    )
    said = diagnostics.diagnostics.map(\.description).joined()
  }

  /// Everything that is said, without the lines that are shown of the YAML.
  package var saidWithoutLines: String {
    said.split(separator: "\n", omittingEmptySubsequences: false)
      .filter { !$0.contains(" | ") }.joined(separator: "\n")
  }

  /// Returns the score of an answer by the first scorer; nil if the YAML has no valid scorer.
  package func score(
    _ response: ModelResponse,
    expecting expected: JSONValue = [:],
    given input: JSONValue = [:]
  ) -> Score? {
    let testCase = TestCase(id: "case", input: input, expected: expected)
    return scorers.first?.score(Answer(response), for: testCase)
  }

  /// The score that the first scorer gives the text of an answer.
  package func score(
    _ text: String,
    expecting expected: JSONValue = [:],
    given input: JSONValue = [:]
  ) -> Score? {
    score(ModelResponse(text: text), expecting: expected, given: input)
  }
}

/// An answer that no app could use, with its expected description.
package struct ScoringUnusableAnswer: Sendable, CustomStringConvertible {
  package var response: ModelResponse
  package var reason: String

  package var description: String { reason }

  /// Those that no scorer can use, whatever it looks for.
  package static let always = [
    ScoringUnusableAnswer(
      response: ModelResponse(text: #"{"found":["it"]}"#, finishReason: "length"),
      reason: "the answer was cut off at the token limit"
    ),
    ScoringUnusableAnswer(
      response: ModelResponse(text: #"{"found":["it"]}"#, finishReason: "content_filter"),
      reason: "the answer was stopped by the provider's content filter"
    ),
    ScoringUnusableAnswer(
      response: ModelResponse(text: nil, refusal: "I can't help with that."),
      reason: "the model refused to answer"
    ),
    ScoringUnusableAnswer(
      response: ModelResponse(
        text: #"{"found":["it"]}"#,
        refusal: "I can't help with that.",
        finishReason: "length"
      ),
      reason: "the model refused to answer"
    ),
    ScoringUnusableAnswer(
      response: ModelResponse(text: nil),
      reason: "the answer has no text"
    ),
    ScoringUnusableAnswer(
      response: ModelResponse(text: nil, finishReason: "tool_calls"),
      reason: "the answer has no text"
    ),
  ]

  /// Those that are no JSON with something at `found`, beside those that are never usable.
  package static let withoutFound =
    always
    + [
      ("", "the answer is not valid JSON: the JSON value ends too early"),
      (#"{"found": ["it""#, "the answer is not valid JSON: expected ',' or ']'"),
      (
        "```json\n{\"found\": [\"it\"]}\n```",
        "JSON in a code fence (```); ask for bare JSON instead"
      ),
      (
        #"{"found": ["it"]} I hope this helps!"#,
        "the answer is not valid JSON: text after the end of the JSON value"
      ),
      (
        "The word 'it' is not clear.",
        """
        the answer is not valid JSON: expected a JSON value; the scorer reads JSON because it has a \
        'path', and the answer is "The word 'it' is not clear."
        """
      ),
      (#"{"issues": ["it"]}"#, "the answer has no 'found'"),
      (#"["it"]"#, "the answer has no 'found'"),
      (#""it""#, "the answer has no 'found'"),
    ].map { ScoringUnusableAnswer(response: ModelResponse(text: $0.0), reason: $0.1) }
}
