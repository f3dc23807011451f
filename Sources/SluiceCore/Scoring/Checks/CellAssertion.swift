import SluiceSupport

/// An assertion in a cell of a table, written as one text, such as `contains: Friday` or
/// `levenshtein(3): Hi`.
///
/// The format is that of the column `__expected` in promptfoo: a type, an optional threshold in
/// parentheses, and an optional value. If a text does not begin with a type, it is the expected
/// answer.
enum CellAssertion {
  /// Reads the assertion in a cell.
  ///
  /// A scorer that does not come from a cell is returned unchanged.
  ///
  /// - Parameters:
  ///   - spec: The scorer. If it comes from a cell, its type is the name of the column.
  ///   - diagnostics: Receives the errors.
  /// - Returns: The scorer in its general form; nil, with an error reported, if it is invalid.
  static func resolved(_ spec: ScorerSpec, _ diagnostics: DiagnosticCollector) -> ScorerSpec? {
    guard spec.file.path.hasSuffix(".csv"), let column = AssertionColumn(spec.type),
      case .string(let cell) = spec.arguments.value
    else { return spec }
    var reading = Reading(spec: spec, diagnostics: diagnostics, isForeign: column == .promptfoo)
    switch column {
    case .type(let type):
      return reading.spec(type, threshold: nil, value: cell)
    case .whole, .promptfoo:
      let text = cell.trimmed
      guard let match = text.wholeMatch(of: form) else { return reading.equal(cell) }
      let (type, threshold) = (String(match.1), match.2.flatMap { Double(String($0)) })
      if isKnown(type) {
        return reading.spec(type, threshold: threshold, value: match.3.map { String($0) })
      }
      // If another tool's type precedes a colon, the text is an error. It does not count as the
      // expected answer.
      let plain = type.hasPrefix(negation) ? String(type.dropFirst(negation.count)) : type
      if let way = ForeignScorers.way(insteadOf: plain == "grade" ? "llm-judge" : plain) {
        reading.report("unknown assertion '\(type)'", fix: way)
        return nil
      }
      return reading.equal(cell)
    }
  }

  // The flag s allows values with several lines.
  private nonisolated(unsafe) static let form =
    /((?:not-)?[a-z][a-z0-9-]*)(?:\(([0-9]+(?:\.[0-9]+)?)\))?(?::(.*))?/.dotMatchesNewlines()
  private static let negation = "not-"

  private static func isKnown(_ type: String) -> Bool {
    let plain = type.hasPrefix(negation) ? String(type.dropFirst(negation.count)) : type
    return AssertionCatalog.types.contains(plain)
  }

  private struct Reading {
    var spec: ScorerSpec
    let diagnostics: DiagnosticCollector
    let isForeign: Bool

    func report(_ message: String, fix: String?) {
      diagnostics.error(message, in: spec.file, at: spec.arguments.position, fix: fix)
    }

    private func node(_ value: Node.Value) -> Node {
      Node(position: spec.arguments.position, value: value)
    }

    /// Returns the assertion that the answer is equal to a text.
    mutating func equal(_ text: String) -> ScorerSpec {
      spec.type = "equals"
      spec.arguments = node(.string(text))
      return spec
    }

    /// Returns an assertion of the given type.
    mutating func spec(_ type: String, threshold: Double?, value: String?) -> ScorerSpec? {
      let plain = type.hasPrefix(negation) ? String(type.dropFirst(negation.count)) : type
      spec.type = type
      let text = value?.trimmed ?? ""
      let argument = argument(plain, text)
      if AssertionCatalog.isGraded(plain) {
        guard let threshold = threshold ?? (isForeign ? Self.foreignThresholds[plain] : nil) else {
          spec.arguments = argument
          return spec
        }
        func member(_ key: String, _ value: Node) -> Node.Member {
          Node.Member(key: key, keyPosition: spec.arguments.position, value: value)
        }
        spec.arguments = node(
          .mapping([member("value", argument), member("threshold", node(.number(threshold)))])
        )
        (spec.isLong, spec.hasMoreThanValue) = (true, true)
        return spec
      }
      guard let threshold else {
        spec.arguments = argument
        return spec
      }
      guard text.isEmpty, AssertionCatalog.takesNumber(plain) else {
        report("'\(type)' does not accept a threshold", fix: "write '\(type): \(text)'")
        return nil
      }
      spec.arguments = node(.number(threshold))
      return spec
    }

    /// The default thresholds in promptfoo's cells, for the types whose default in Sluice differs.
    private static let foreignThresholds = ["bleu": 0.75, "levenshtein": 0]

    /// Returns the value in a cell: a text if the type takes a text, otherwise the parsed JSON.
    private func argument(_ type: String, _ text: String) -> Node {
      if text.isEmpty { return node(.null) }
      if AssertionCatalog.takesText(type) { return node(.string(text)) }
      guard let read = try? JSONReader.node(text.utf8) else { return node(.string(text)) }
      // In a column such as `assert.is-json`, `true` turns the check on for a row.
      if case .bool(true) = read.value { return node(.null) }
      return read.placed(at: spec.arguments.position)
    }
  }
}
