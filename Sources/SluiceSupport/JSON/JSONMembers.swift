import SluiceSystem

/// Finds the members of a JSON object in its text without reading what they hold.
///
/// For texts that are known to be JSON, such as lines with a digest that fits: of others it finds
/// less, and never reads out of bounds.
package enum JSONMembers {
  /// Goes through the members of the object that a text is, in their order.
  ///
  /// - Parameters:
  ///   - text: The text of the object, starting with its brace.
  ///   - body: Told a member's name as it is written between its quotation marks, and where its value
  ///     stands; returns whether to go on.
  @inline(__always)
  package static func forEach(
    _ text: UnsafeRawBufferPointer,
    _ body: (_ name: UnsafeRawBufferPointer, _ value: Range<Int>) -> Bool
  ) {
    walk(text) { name, start in
      let end = valueEnd(text, start)
      return start < end && end <= text.count && body(name, start..<end) ? end : nil
    }
  }

  /// Goes through the members of the object that a text starts with, each walked over by the caller.
  ///
  /// - Parameters:
  ///   - text: The text, starting with the object's brace.
  ///   - body: Told a member's name as it is written between its quotation marks, and where its value
  ///     starts; returns where it ends, or nil to go no further.
  /// - Returns: The place after the object; nil where its end was not reached.
  @inline(__always)
  @discardableResult
  package static func walk(
    _ text: UnsafeRawBufferPointer,
    _ body: (_ name: UnsafeRawBufferPointer, _ start: Int) -> Int?
  ) -> Int? {
    guard text.first == UInt8(ascii: "{") else { return nil }
    var index = 1
    while index < text.count {
      index = skipSpace(text, index)
      if index < text.count, text[index] == UInt8(ascii: ",") {
        index = skipSpace(text, index + 1)
      }
      guard index < text.count else { return nil }
      if text[index] == UInt8(ascii: "}") { return index + 1 }
      guard text[index] == UInt8(ascii: "\"") else { return nil }
      let nameEnd = stringEnd(text, index)
      guard nameEnd <= text.count, nameEnd - 1 > index else { return nil }
      let name = UnsafeRawBufferPointer(rebasing: text[(index + 1)..<(nameEnd - 1)])
      index = skipSpace(text, nameEnd)
      guard index < text.count, text[index] == UInt8(ascii: ":"),
        let end = body(name, skipSpace(text, index + 1)), end > index
      else { return nil }
      index = end
    }
    return nil
  }

  /// Where the value of a member stands; nil when the object has no such member.
  ///
  /// - Parameters:
  ///   - name: The member's name, which needs no escapes.
  ///   - text: The text of the object.
  /// - Returns: The place of the value's text.
  package static func value(_ name: StaticString, in text: UnsafeRawBufferPointer) -> Range<Int>? {
    var found: Range<Int>?
    forEach(text) { member, value in
      guard member.equals(name) else { return true }
      found = value
      return false
    }
    return found
  }

  private static func skipSpace(_ text: UnsafeRawBufferPointer, _ start: Int) -> Int {
    var index = start
    while index < text.count, text[index] <= 0x20 { index += 1 }
    return index
  }

  /// The place after the string that starts at a quotation mark; after the text when it has no end.
  @inline(__always)
  private static func stringEnd(_ text: UnsafeRawBufferPointer, _ start: Int) -> Int {
    var index = start + 1
    while index < text.count {
      while index + 8 <= text.count {
        let word = UInt64(
          littleEndian: text.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        )
        let found = word.marks(of: UInt8(ascii: "\"")) | word.marks(of: UInt8(ascii: "\\"))
        if found != 0 {
          index += found.trailingZeroBitCount / 8
          break
        }
        index += 8
      }
      guard index < text.count else { break }
      switch text[index] {
      case UInt8(ascii: "\""): return index + 1
      case UInt8(ascii: "\\"): index += 2
      default: index += 1
      }
    }
    return text.count + 1
  }

  /// The place after the value that starts at a place; after the text when it has no end.
  package static func valueEnd(_ text: UnsafeRawBufferPointer, _ start: Int) -> Int {
    guard start < text.count else { return text.count + 1 }
    switch text[start] {
    case UInt8(ascii: "\""): return stringEnd(text, start)
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      var (index, depth) = (start, 0)
      while index < text.count {
        switch text[index] {
        case UInt8(ascii: "\""):
          index = stringEnd(text, index)
          continue
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
          depth -= 1
          if depth == 0 { return index + 1 }
        default: break
        }
        index += 1
      }
      return text.count + 1
    default:
      var index = start
      while index < text.count {
        switch text[index] {
        case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), 0...0x20: return index
        default: index += 1
        }
      }
      return index
    }
  }
}

extension UnsafeRawBufferPointer {
  /// Returns true when the bytes are those of a text; most names differ in their length alone.
  @inlinable
  @inline(__always)
  package func equals(_ text: StaticString) -> Bool {
    count == text.utf8CodeUnitCount && hasBytes(of: text)
  }

  /// Returns true when the bytes are those of a text of the same length.
  @usableFromInline
  func hasBytes(of text: StaticString) -> Bool {
    isEmpty || baseAddress.map { memcmp($0, text.utf8Start, count) == 0 } == true
  }

  /// Whether the bytes are those of another buffer.
  @usableFromInline
  package func equals(_ other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count, let own = baseAddress, let others = other.baseAddress else {
      return count == other.count
    }
    return memcmp(own, others, count) == 0
  }

  /// Returns true when the bytes of a text lie at an offset.
  package func hasBytes(of text: StaticString, at offset: Int) -> Bool {
    let length = text.utf8CodeUnitCount
    guard let start = baseAddress?.advanced(by: offset), offset + length <= count else {
      return false
    }
    return memcmp(start, text.utf8Start, length) == 0
  }

  /// Whether the bytes start with those of a text.
  package func starts(with text: StaticString) -> Bool {
    count >= text.utf8CodeUnitCount
      && UnsafeRawBufferPointer(rebasing: self[..<text.utf8CodeUnitCount]).equals(text)
  }
}
