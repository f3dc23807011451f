package import Sluice

/// Scorers that are read from YAML, as written under `scorers:` in a suite.
package struct ScoringFixture {
  package let scorers: [BoundScorer]
  /// All errors and warnings about the YAML.
  package let said: String

  /// Reads scorers.
  ///
  /// - Parameters:
  ///   - yaml: A list of scorers.
  ///   - files: The files that arguments may name, by path relative to the project's root.
  ///   - environment: The environment variables.
  ///   - backends: The backends for judges; `nil` for an invalid one.
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

  /// All errors and warnings, without the lines that show the YAML.
  package var saidWithoutLines: String {
    said.split(separator: "\n", omittingEmptySubsequences: false)
      .filter { !$0.contains(" | ") }.joined(separator: "\n")
  }

  /// Returns the first scorer's score of an answer, or `nil` if the YAML has no valid scorer.
  package func score(
    _ response: ModelResponse,
    expecting expected: JSONValue = [:],
    given input: JSONValue = [:]
  ) -> Score? {
    let testCase = TestCase(id: "case", input: input, expected: expected)
    return scorers.first?.score(Answer(response), for: testCase)
  }

  /// Returns the first scorer's score of an answer's text.
  package func score(
    _ text: String,
    expecting expected: JSONValue = [:],
    given input: JSONValue = [:]
  ) -> Score? {
    score(ModelResponse(text: text), expecting: expected, given: input)
  }
}

/// An answer that no app could use, with the expected reason.
package struct ScoringUnusableAnswer: Sendable, CustomStringConvertible {
  package var response: ModelResponse
  package var reason: String

  package var description: String { reason }

  /// Answers that no scorer can use, whatever it looks for.
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

  /// Answers without a JSON value at `found`, in addition to those that no scorer can use.
  package static let withoutFound =
    always
    + [
      ("", "the answer is not valid JSON: the JSON value ends too early"),
      (#"{"found": ["it""#, "the answer is not valid JSON: expected ',' or ']'"),
      (
        "```json\n{\"found\": [\"it\"]}\n```",
        "the JSON is in a code fence (```); tell the model to answer with JSON only"
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
