import SluiceSupport

/// The search for the known name that a misspelled name most likely means.
package enum NearestName {
  /// Returns the nearest candidate, if it is close enough to suggest.
  ///
  /// - Parameters:
  ///   - name: The name as written.
  ///   - candidates: The valid names.
  ///   - most: The maximum number of edits between the two names. Short names have a lower limit.
  /// - Returns: The nearest candidate, or the first of several equally near ones; nil if none is
  ///   close.
  package static func of(
    _ name: String,
    among candidates: some Sequence<String>,
    within most: Int = .max
  ) -> String? {
    let written = Array(name.lowercased().unicodeScalars)
    let limit = min(most, max(1, written.count / 3 + (written.count > 3 ? 1 : 0)))
    var best: (name: String, distance: Int)?
    for candidate in candidates {
      let scalars = Array(candidate.lowercased().unicodeScalars)
      // If the lengths alone differ too much, the words need not be compared.
      guard abs(scalars.count - written.count) <= limit else { continue }
      let distance = editDistance(written, scalars)
      if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.name
  }

  /// Returns a fix that names the nearest candidate, or lists all candidates if none is close; nil
  /// if there are no candidates.
  package static func suggestion(for name: String, among candidates: [String]) -> String? {
    if let nearest = of(name, among: candidates) { return "did you mean '\(nearest)'?" }
    if candidates.isEmpty { return nil }
    return listHead + candidates.joined(separator: ", ")
  }

  /// The beginning of a fix that lists all candidates.
  static let listHead = "known: "

  /// Returns the restricted Damerau–Levenshtein distance (Damerau 1964): the minimum number of
  /// insertions, deletions, substitutions and transpositions that turn one word into the other.
  private static func editDistance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
    // The three arrays are created separately. If they were copies of one array, Swift 6.3.1 with
    // `-O` would write to all of them at once.
    var previous = Array(0...right.count)
    var beforePrevious = Array(repeating: 0, count: previous.count)
    var current = Array(repeating: 0, count: previous.count)
    for i in 0..<left.count {
      current[0] = i + 1
      for j in 0..<right.count {
        var cost = min(
          previous[j + 1] + 1,
          current[j] + 1,
          previous[j] + (left[i] == right[j] ? 0 : 1)
        )
        if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
          cost = min(cost, beforePrevious[j - 1] + 1)
        }
        current[j + 1] = cost
      }
      swap(&beforePrevious, &previous)
      swap(&previous, &current)
    }
    return previous[right.count]
  }
}
