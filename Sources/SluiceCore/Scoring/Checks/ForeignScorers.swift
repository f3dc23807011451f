import SluiceSupport

/// The assertions of other tools, by name, each with advice on the nearest equivalent in Sluice.
package enum ForeignScorers {
  private static let program =
    "have a program judge the answer: 'exec: {command: [./check.py], fingerprint: [check.py]}' under "
    + "'scorers:' of the suite (docs/extending.md)"
  private static let meaning =
    "Sluice compares no embeddings: 'rouge-l' and 'levenshtein' compare words, 'llm-rubric' has a model "
    + "compare meaning"
  private static let rubric =
    "have a model grade the answer: 'llm-rubric' under 'scorers:' of the suite, with the question in the "
    + "judge's prompt file (docs/judges.md)"
  private static let calls = "'tool-calls: [NAME]' compares the functions that the answer calls"
  private static let format =
    "'regex' checks a pattern; for a full check have a program judge the answer: 'exec' under 'scorers:' "
    + "of the suite"

  private static let ways: [(names: [String], way: String)] = [
    (
      ["javascript", "python", "ruby", "function", "fn", "eval"],
      "write 'expression: …' for one line of it, such as 'len(answer.items) <= 3' (docs/expressions.md), "
        + "or have a program judge the answer: 'exec' under 'scorers:' of the suite (docs/extending.md)"
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
      "'best-of' under 'scorers:' of the suite says which prompt or model scores highest on how many cases; "
        + "'llm-compare' has a model compare the answer with a text of the case (docs/judges.md)"
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
    (["meteor", "gleu"], "'chrf', 'bleu' and 'rouge-l' compare the answer with a text"),
    (
      ["perplexity", "perplexity-score"],
      "Sluice reads no log probabilities; take the assertion out"
    ),
    (
      ["trace-span-count", "trace-span-duration", "trace-error-spans"],
      "Sluice reads no traces; take the assertion out"
    ),
    (
      ["not-empty", "is-not-empty"],
      "take it out: an empty answer is unusable without it, unless the suite says otherwise"
    ),
    (
      ["min-length", "max-length", "length"],
      "write 'character-count: {min: 20, max: 280}'; 'word-count' and 'sentence-count' count words "
        + "and sentences"
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
    (["human"], "take it out: Sluice asks no person during a run"),
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
