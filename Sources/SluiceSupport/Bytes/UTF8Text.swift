/// A check for errors in UTF-8, which the standard library would repair without a report.
@usableFromInline
package enum UTF8Text {
  /// Returns the offset of the first byte that is not part of well-formed UTF-8; nil if all bytes
  /// are well-formed.
  ///
  /// Follows table 3-7 of the Unicode standard: overlong forms, surrogates and values above
  /// U+10FFFF are invalid.
  @usableFromInline
  package static func firstInvalidByte(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    var index = 0
    let count = bytes.count
    while index < count {
      let lead = bytes[index]
      if lead < 0x80 {
        index += 1
        // Most text is ASCII, which is checked eight bytes at a time.
        while index + 8 <= count,
          UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: index, as: UInt64.self)
            & 0x8080_8080_8080_8080 == 0
        {
          index += 8
        }
        continue
      }
      let length: Int
      var second: ClosedRange<UInt8> = 0x80...0xBF
      switch lead {
      case 0xC2...0xDF: length = 2
      case 0xE0: (length, second) = (3, 0xA0...0xBF)
      case 0xED: (length, second) = (3, 0x80...0x9F)
      case 0xE1...0xEF: length = 3
      case 0xF0: (length, second) = (4, 0x90...0xBF)
      case 0xF1...0xF3: length = 4
      case 0xF4: (length, second) = (4, 0x80...0x8F)
      default: return index
      }
      guard index + length <= count, second.contains(bytes[index + 1]) else { return index }
      for offset in 2..<length where !(0x80...0xBF).contains(bytes[index + offset]) {
        return index
      }
      index += length
    }
    return nil
  }

  /// Returns the offset of the first byte that is not part of well-formed UTF-8; nil if all bytes
  /// are well-formed.
  @inlinable
  package static func firstInvalidByte(in bytes: some Sequence<UInt8>) -> Int? {
    bytes.withUnits { firstInvalidByte(in: $0) }
  }

  /// Returns true if a text starts with U+FEFF, an invisible mark that some editors add.
  @inlinable
  package static func startsWithByteOrderMark(_ bytes: some Sequence<UInt8>) -> Bool {
    bytes.starts(with: [0xEF, 0xBB, 0xBF])
  }
}

/// A string as a dictionary key; two keys are equal only if their Unicode scalars are the same.
@usableFromInline
package struct ExactString: Hashable, Sendable {
  @usableFromInline
  package let text: String

  @inlinable
  package init(_ text: String) { self.text = text }

  @inlinable
  package static func == (left: ExactString, right: ExactString) -> Bool {
    left.text.isIdentical(to: right.text)
  }

  @inlinable
  package func hash(into hasher: inout Hasher) {
    // Strings with equal scalars are also canonically equal, so `String`'s own hash can be used.
    hasher.combine(text)
  }
}

extension String {
  /// Returns true if two strings have the same Unicode scalars.
  ///
  /// Swift's `==` treats canonically equivalent strings as equal, but model output is compared
  /// literally.
  @inlinable
  package func isIdentical(to other: String) -> Bool {
    // Most different strings have different lengths.
    utf8.count == other.utf8.count && hasUnits(of: other)
  }

  @usableFromInline
  func hasUnits(of other: String) -> Bool {
    // `==` already rejects most different strings.
    guard self == other else { return false }
    let isEqual = utf8.withContiguousStorageIfAvailable { units in
      other.utf8.withContiguousStorageIfAvailable { others in
        UnsafeRawBufferPointer(units).equals(UnsafeRawBufferPointer(others))
      }
    }
    return (isEqual ?? nil) ?? utf8.elementsEqual(other.utf8)
  }

  /// The string without leading and trailing white space and line breaks.
  package var trimmed: String {
    var view = Substring(self).unicodeScalars
    while let first = view.first, first.properties.isWhitespace { view.removeFirst() }
    while let last = view.last, last.properties.isWhitespace { view.removeLast() }
    return String(view)
  }
}
