import SluiceSupport

/// Finds the known name that a misspelt one most likely stands for.
package enum NearestName {
  /// Returns the nearest candidate that is close enough to be worth suggesting.
  ///
  /// - Parameters:
  ///   - name: What was written.
  ///   - candidates: The names that would have been right.
  ///   - most: How many letters may differ at most, whatever the length.
  /// - Returns: The nearest, of several the first, or nil where none is near.
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
      // The difference in length alone is too much: no need to compare, however long the name is.
      guard abs(scalars.count - written.count) <= limit else { continue }
      let distance = editDistance(written, scalars)
      if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.name
  }

  /// A fix that names the nearest candidate, or lists all when none is near.
  package static func suggestion(for name: String, among candidates: [String]) -> String? {
    if let nearest = of(name, among: candidates) { return "did you mean '\(nearest)'?" }
    if candidates.isEmpty { return nil }
    return listHead + candidates.joined(separator: ", ")
  }

  /// How a fix begins that lists all candidates.
  static let listHead = "known: "

  /// The number of insertions, deletions, substitutions and swaps of neighbours between two words
  /// (Damerau 1964, in the restricted form).
  private static func editDistance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
    // Three arrays that are made apart: of three copies of one, Swift 6.3.1 with `-O` writes to all at once.
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
