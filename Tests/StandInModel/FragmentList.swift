/// Word fragments to search for in scripts without spaces between words, and in languages whose
/// words have many endings.
///
/// ``PhraseList`` would not find them.
struct FragmentList: ExpressibleByArrayLiteral, Sendable {
  private var byFirstScalar: [Unicode.Scalar: [[Unicode.Scalar]]] = [:]

  init(arrayLiteral elements: String...) { self.init(elements) }

  init(_ pieces: some Sequence<String>) {
    for element in pieces {
      let scalars = Array(element.unicodeScalars)
      guard let first = scalars.first else { continue }
      byFirstScalar[first, default: []].append(scalars)
    }
  }

  /// Returns the number of positions in a text with one of the fragments.
  func count(in text: String) -> Int {
    guard text.hasUnspacedScript else { return 0 }
    let scalars = Array(text.unicodeScalars)
    var count = 0
    var index = 0
    while index < scalars.count {
      let fits = (byFirstScalar[scalars[index]] ?? []).filter {
        scalars[index...].starts(with: $0)
      }
      count += fits.isEmpty ? 0 : 1
      index += max(1, fits.map(\.count).max() ?? 1)
    }
    return count
  }

  func occurs(in text: String) -> Bool { count(in: text) > 0 }
}

extension String {
  /// True if the text has letters of the Arabic, an Indian or an East Asian script.
  fileprivate var hasUnspacedScript: Bool {
    // These are the first UTF-8 bytes of U+0600 to U+06FF, U+0800 to U+0FFF and U+3000 to U+D7FF.
    utf8.contains { (0xD8...0xDB).contains($0) || $0 == 0xE0 || (0xE3...0xED).contains($0) }
  }
}
