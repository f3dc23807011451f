import SluiceReporting

/// The reader of promptfoo assertions that are written as text in a table cell.
enum PromptfooCell {
  private static let splitTypes = [
    "contains-all", "contains-any", "icontains-all", "icontains-any",
  ]
  private static let gradedTypes = [
    "answer-relevance", "classifier", "context-faithfulness", "context-recall",
    "context-relevance", "cost", "latency", "levenshtein", "perplexity-score", "perplexity",
    "rouge-n", "similar", "starts-with",
  ]

  /// Converts a cell to the mapping that the configuration would have for the assertion.
  ///
  /// - Parameters:
  ///   - cell: The text of the cell.
  ///   - position: The position of the cell.
  /// - Returns: The assertion.
  static func assertion(_ cell: String, at position: SourcePosition) -> Node {
    func node(_ type: String, _ value: JSONValue?, _ threshold: Double? = nil) -> Node {
      var object: JSONObject = ["type": .string(type)]
      object.set("value", value)
      object.set("threshold", threshold.map(JSONValue.number))
      return Node(.object(object), at: position)
    }
    for prefix in ["javascript:", "fn:", "eval:"] where cell.hasPrefix(prefix) {
      return node("javascript", .string(String(cell.dropFirst(prefix.count)).trimmed))
    }
    for prefix in ["grade:", "llm-rubric:"] where cell.hasPrefix(prefix) {
      return node("llm-rubric", .string(String(cell.dropFirst(prefix.count))))
    }
    if cell.hasPrefix("python:") {
      return node("python", .string(String(cell.dropFirst(7)).trimmed))
    }
    if cell.hasPrefix("file://") {
      let isPython = cell.hasSuffix(".py") || cell.contains(".py:")
      let isScript = [".js", ".ts"].contains { cell.hasSuffix($0) || cell.contains("\($0):") }
      if isPython || isScript { return node(isPython ? "python" : "javascript", .string(cell)) }
    }
    guard let (type, plain, level, value) = parts(of: cell) else {
      return node("equals", .string(cell))
    }
    if splitTypes.contains(plain) {
      let parts = (value ?? "").split(separator: ",", omittingEmptySubsequences: false)
        .map { JSONValue.string(String($0).trimmed) }
      return node(type, .array(parts))
    }
    guard gradedTypes.contains(plain) else { return node(type, value.map(JSONValue.string)) }
    let threshold = level ?? 0
    let usual = plain == "similar" ? 0.8 : 0.75
    return node(type, value.map(JSONValue.string), threshold == 0 ? usual : threshold)
  }

  /// Splits a cell of the form `[not-]TYPE[(NUMBER)][:VALUE]`, or returns `nil` for any other text.
  private static func parts(of cell: String) -> (
    type: String, plain: String, threshold: Double?, value: String?
  )? {
    let negation = "not-"
    let isNegated = cell.hasPrefix(negation)
    let body = isNegated ? cell.dropFirst(negation.count) : cell[...]
    let known = PromptfooAssertions.knownTypes.filter { body.hasPrefix($0) }
      .sorted { $0.count > $1.count }
    for plain in known {
      let type = (isNegated ? negation : "") + plain
      var rest = body.dropFirst(plain.count)
      var threshold: Double?
      if let match = rest.prefixMatch(of: /\((\d+(?:\.\d+)?)\)/) {
        threshold = Double(String(match.1))
        rest = rest[match.range.upperBound...]
      }
      if rest.isEmpty { return (type, plain, threshold, nil) }
      if rest.first == ":" { return (type, plain, threshold, String(rest.dropFirst())) }
    }
    return nil
  }
}
