import SluiceSupport

/// The names that other tools use for keys, each with the equivalent key of Sluice.
package struct ForeignWords: Sendable {
  private let keys: [String: Translation]

  /// The equivalent key for a word, with advice if the value must also be written differently.
  private struct Translation: Sendable {
    var key: String
    var advice: String?
  }

  private init(_ words: [(words: [String], key: String, advice: String?)]) {
    var keys: [String: Translation] = [:]
    for (words, key, advice) in words {
      for word in words { keys[word] = Translation(key: key, advice: advice) }
    }
    self.keys = keys
  }

  /// Returns the equivalent key for a word; `nil` if no other tool uses the word.
  func key(for word: String) -> String? { keys[word]?.key }

  /// Returns the fix for a word.
  func fix(for word: String) -> String? {
    keys[word].map { $0.advice ?? "write '\($0.key):'" }
  }

  /// No words, for mappings that have no equivalent in other tools.
  package static let none = ForeignWords([])

  /// The words for keys of `sluice.yaml`.
  static let configuration = ForeignWords([
    (
      ["providers", "provider", "targets", "models", "model", "endpoints"], "backends",
      "write 'backends:' as a mapping of names to backends"
    )
  ])

  /// The words for keys of a suite.
  static let suite = ForeignWords([
    (
      ["providers", "targets", "models"], "backends",
      "write 'backends:' with names from 'backends:' of sluice.yaml"
    ),
    (
      ["provider", "target", "model"], "backend",
      "write 'backend:' with a name from 'backends:' of sluice.yaml"
    ),
    (
      ["tests", "test", "cases", "data", "scenarios", "examples", "samples"], "dataset",
      "write 'dataset:' with the name of the folder in datasets/ that contains the cases"
    ),
    (
      [
        "assert", "asserts", "assertions", "evaluators", "graders", "metrics", "checks",
        "defaultTest",
      ], "scorers", nil
    ),
    (
      ["thresholds", "threshold", "criteria", "conditions", "requirements"], "gates",
      "write 'gates:' with conditions such as '- accuracy >= 85%'"
    ),
    (["name", "title", "id"], "suite", nil),
    (["repetitions", "trials", "runs"], "repeat", nil),
    (["targets-to-reach", "objectives"], "goals", nil),
    (["template", "messages"], "prompt", "write 'prompt:' with the name of a prompt file"),
  ])

  /// The words for top-level keys of a dataset file.
  static let dataset = ForeignWords([
    (["tests", "test", "data", "scenarios", "examples", "samples"], "cases", nil),
    (["default", "defaultTest", "shared", "common"], "defaults", nil),
  ])

  /// The words for keys of a case.
  static let testCase = ForeignWords([
    (["vars", "variables", "inputs", "prompt", "question"], "input", nil),
    (
      [
        "expect", "output", "outputs", "expected_output", "expected-output", "expectedOutput",
        "ideal", "answer", "target", "reference", "labels", "label", "truth", "ground_truth",
      ], "expected", "write 'expected:', a mapping such as '{label: …}'"
    ),
    (["asserts", "assertions", "scorers", "checks"], "assert", nil),
    (["name", "title", "case"], "id", nil),
    (["description", "comment", "note", "metadata"], "notes", nil),
    (["group", "cluster_id"], "cluster", nil),
    (["tag", "category", "categories"], "tags", nil),
  ])

  /// The words for keys of a prompt.
  static let prompt = ForeignWords([
    (
      ["prompt", "template", "content", "text"], "messages",
      "write 'messages:' with a list under it, such as '- user: \"…\"'"
    ),
    (
      ["config", "options", "settings"], "parameters",
      "write 'parameters:', such as '{temperature: 0}'"
    ),
    (["response_format", "schema", "json_schema"], "response-schema", nil),
  ])

  /// The words for keys of a row in a file of outputs.
  static let outputs = ForeignWords([
    (["case", "case_id", "case-id", "caseId", "name", "key", "custom_id"], "id", nil),
    (
      ["output", "outputs", "answer", "response", "completion", "content", "result", "generation"],
      "text", nil
    ),
    (["inputs", "vars", "variables"], "input", nil),
    (["finish_reason", "finishReason", "stop_reason"], "finish-reason", nil),
    (["tool_calls", "toolCalls", "tools"], "tool-calls", nil),
    (["tokens", "token_usage", "tokenUsage"], "usage", nil),
    (
      ["times", "latency", "latency_ms", "latencyMs", "duration"], "timings",
      "write 'timings:', such as '{total-ms: 812}'"
    ),
    (["repetition", "run", "trial", "sample"], "repeat", nil),
    (["exception", "failure"], "error", nil),
  ])

  /// The words for keys of a backend.
  static let backend = ForeignWords([
    (
      ["url", "base_url", "baseUrl", "apiBaseUrl", "api_base", "endpoint", "host"], "base-url", nil
    ),
    (["provider", "kind", "api"], "type", nil),
    (["model_name", "model-name", "deployment", "engine"], "model", nil),
    (["config", "options", "settings"], "parameters", nil),
    (["max-concurrency", "maxConcurrency", "concurrency"], "max-in-flight", nil),
  ])
}
