import SluiceSupport

/// The replacements for some ranges of a text.
struct Edits {
  /// The rewritten JSON strings without escapes, by their range in the text.
  ///
  /// They are escaped when the edits are applied.
  private var strings: [Range<Int>: [UInt8]] = [:]
  /// The replacement bytes, by their range in the text.
  ///
  /// These bytes are inserted as they are.
  private var replacements: [Range<Int>: [UInt8]] = [:]

  var isEmpty: Bool { strings.isEmpty && replacements.isEmpty }

  subscript(string: Range<Int>) -> [UInt8]? {
    get { strings[string] }
    set { strings[string] = newValue }
  }

  mutating func replace(_ range: Range<Int>, by bytes: [UInt8]) {
    replacements[range] = bytes
  }

  /// Returns true if a range overlaps a range with replacement bytes.
  func cover(_ range: Range<Int>) -> Bool {
    replacements.keys.contains { $0.overlaps(range) }
  }

  /// The replacements in the order of their ranges.
  var list: [(key: Range<Int>, value: [UInt8])] {
    var edits = replacements
    for (range, text) in strings where !cover(range) { edits[range] = JSONStrings.escaped(text) }
    return edits.sorted { $0.key.lowerBound < $1.key.lowerBound }
  }

  func applied(to bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = 0
    for (range, replacement) in list {
      result += bytes[index..<range.lowerBound]
      result += replacement
      index = range.upperBound
    }
    return result + bytes[index...]
  }
}
