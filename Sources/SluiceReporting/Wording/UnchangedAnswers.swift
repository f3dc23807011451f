import SluiceGating

/// The edits of requests that changed no answer, in words.
enum UnchangedAnswers {
  /// The parts of a request that name the backend or the model.
  ///
  /// A change in these parts is not an edit of a prompt.
  private static let whoAnswers: Set<String> = ["backend", "model"]

  /// Returns the edit of the first pair whose answers are all identical, although the requests
  /// differ in more than the backend and the model.
  ///
  /// Returns `nil` if there is no such pair.
  static func edit(_ comparison: ConfigurationComparison) -> RequestChange? {
    for pair in comparison.pairs where pair.comparison.isIdentical {
      let sides = [pair.reference, pair.configuration].map { comparison.configurations[$0].column }
      if let change = RequestChange(from: sides[0], to: sides[1]),
        change.difference.parts.contains(where: { !whoAnswers.contains($0.name) })
      {
        return change
      }
    }
    return nil
  }

  /// Returns a sentence on the suites that were edited without effect, or `nil` if there are none.
  ///
  /// An example is `The edit changed no answer of clarity (user message, in 355 of 355 requests)`.
  static func sentence(_ comparisons: [ConfigurationComparison]) -> String? {
    let edits = comparisons.compactMap { comparison in
      edit(comparison).map { "\(comparison.suite) (\(RequestChangeText($0).parts))" }
    }
    return edits.isEmpty ? nil : "The edit changed no answer of \(edits.joined(separator: ", "))"
  }
}
