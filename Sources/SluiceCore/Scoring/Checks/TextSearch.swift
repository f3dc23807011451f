import SluiceSupport

/// The search for a text in another text, by their Unicode scalars.
enum TextSearch {
  /// Returns true if a text contains another text.
  static func contains(_ part: String, in text: String) -> Bool {
    var text = text
    var part = part
    return text.withUTF8 { text in part.withUTF8 { part in offset(of: part, in: text) != nil } }
  }

  /// Returns the range of the first or last occurrence of a text in another text; nil if there is
  /// none.
  static func place(of part: String, in text: String, isLast: Bool = false) -> Range<String.Index>?
  {
    var bytes = text
    var part = part
    let found = bytes.withUTF8 { text in
      part.withUTF8 { part in
        isLast ? lastOffset(of: part, in: text) : offset(of: part, in: text)
      }
    }
    guard let found else { return nil }
    let start = text.utf8.index(text.startIndex, offsetBy: found)
    return start..<text.utf8.index(start, offsetBy: part.utf8.count)
  }

  /// Returns the offset at which bytes first occur in other bytes; nil if they do not occur.
  ///
  /// Takes linear time on average.
  private static func offset(
    of part: UnsafeBufferPointer<UInt8>,
    in text: UnsafeBufferPointer<UInt8>
  ) -> Int? {
    guard let first = part.first else { return 0 }
    guard part.count <= text.count else { return nil }
    for start in 0...(text.count - part.count)
    where text[start] == first && isAt(start, part, text) { return start }
    return nil
  }

  /// Returns the offset at which bytes last occur in other bytes; nil if they do not occur.
  private static func lastOffset(
    of part: UnsafeBufferPointer<UInt8>,
    in text: UnsafeBufferPointer<UInt8>
  ) -> Int? {
    guard part.count <= text.count else { return nil }
    return (0...(text.count - part.count)).last { isAt($0, part, text) }
  }

  private static func isAt(
    _ start: Int,
    _ part: UnsafeBufferPointer<UInt8>,
    _ text: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    var offset = 0
    while offset < part.count, text[start + offset] == part[offset] { offset += 1 }
    return offset == part.count
  }
}
