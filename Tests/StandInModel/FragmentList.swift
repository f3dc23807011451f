/// Pieces of words to look for in a text, for scripts that put no spaces between words or hang much onto
/// them, where ``PhraseList`` would find nothing.
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
  /// True if it has letters of Arabic, an Indian or an East Asian script.
  fileprivate var hasUnspacedScript: Bool {
    // The first bytes in UTF-8 of U+0600 to U+06FF, U+0800 to U+0FFF and U+3000 to U+D7FF.
    utf8.contains { (0xD8...0xDB).contains($0) || $0 == 0xE0 || (0xE3...0xED).contains($0) }
  }
}
