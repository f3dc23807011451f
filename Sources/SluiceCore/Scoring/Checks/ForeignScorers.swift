import SluiceSupport

/// The assertions of other tools, by name, each with advice on the nearest equivalent in Sluice.
package enum ForeignScorers {
  private static let program =
    "let a program judge the answer: write 'exec: {command: [./check.py], fingerprint: "
    + "[check.py]}' under 'scorers:' of the suite (docs/extending.md)"
  private static let meaning =
    "Sluice does not compare embeddings; use 'rouge-l' to compare words, 'levenshtein' to "
    + "compare characters, or 'llm-rubric' to let a model compare the meaning"
  private static let rubric =
    "let a model grade the answer: write 'llm-rubric' under 'scorers:' of the suite, and put the "
    + "question in the judge's prompt file (docs/judges.md)"
  private static let calls = "write 'tool-calls: [NAME]' to check which functions the answer calls"
  private static let format =
    "write 'regex' to check a pattern; for a full check, let a program judge the answer with "
    + "'exec' under 'scorers:' of the suite"

  private static let ways: [(names: [String], way: String)] = [
    (
      ["javascript", "python", "ruby", "function", "fn", "eval"],
      "write 'expression: …' for a single line, such as 'len(answer.items) <= 3' "
        + "(docs/expressions.md), or let a program judge the answer with 'exec' under 'scorers:' "
        + "of the suite (docs/extending.md)"
    ),
    (["webhook"], program),
    (["similar", "cosine", "embedding", "semantic-similarity", "bert-score"], meaning),
    (
      [
        "factuality", "model-graded-factuality", "model-graded-closedqa", "closedqa", "g-eval",
        "answer-relevance", "conversation-relevance", "context-recall", "context-relevance",
        "context-faithfulness", "faithfulness", "hallucination", "search-rubric", "llm-judge",
        "moderation", "guardrails", "classifier", "pi",
      ],
      rubric
    ),
    (
      ["select-best", "max-score"],
      "write 'best-of' under 'scorers:' of the suite to count how often each prompt or model "
        + "scores highest, or 'llm-compare' to let a model compare the answer with a text of the "
        + "case (docs/judges.md)"
    ),
    (
      [
        "is-valid-openai-tools-call", "is-valid-openai-function-call", "is-valid-function-call",
        "tool-call-f1", "trajectory", "skill-used",
      ],
      calls
    ),
    (
      ["is-sql", "contains-sql", "is-valid-video"],
      format
    ),
    (["meteor", "gleu"], "use 'chrf', 'bleu' or 'rouge-l' to compare the answer with a text"),
    (
      ["perplexity", "perplexity-score"],
      "remove the assertion; Sluice does not read log probabilities"
    ),
    (
      ["trace-span-count", "trace-span-duration", "trace-error-spans"],
      "remove the assertion; Sluice does not read traces"
    ),
    (
      ["not-empty", "is-not-empty"],
      "remove the assertion; an empty answer is already unusable unless the suite says otherwise"
    ),
    (
      ["min-length", "max-length", "length"],
      "write 'character-count: {min: 20, max: 280}'; use 'word-count' or 'sentence-count' to "
        + "count words or sentences"
    ),
    (["exact-match", "match", "string-check"], "write 'equals'"),
    (["includes", "string-contains"], "write 'contains'"),
    (["fuzzy-match"], "write 'levenshtein'"),
    (
      ["json-schema-valid", "is-valid-json-schema"],
      "write 'json-schema' or 'is-json' with a schema"
    ),
    (["contains-json-property"], "write 'json-path: {path: $.NAME, exists: true}'"),
    (["empty", "is-empty"], "write 'equals: \"\"'"),
    (["human"], "remove the assertion; Sluice does not ask people during a run"),
  ]

  /// Returns advice on the nearest equivalent of another tool's assertion.
  ///
  /// - Parameter type: The name of the assertion. It may be negated, contain `_` in place of `-`,
  ///   or have a variant as in `similar:cosine`.
  /// - Returns: The advice, in one sentence; `nil` for an unknown name.
  package static func way(insteadOf type: String) -> String? {
    var name = type.lowercased().replacing("_", with: "-")
    if name.hasPrefix("not-"), name != "not-empty" { name.removeFirst("not-".count) }
    if let end = name.firstIndex(of: ":") { name = String(name[..<end]) }
    return ways.first { $0.names.contains(name) }?.way
  }
}
