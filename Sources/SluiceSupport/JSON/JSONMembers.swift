import SluiceSystem

/// The members of a JSON object as ranges of its text; their values are not parsed.
///
/// Use it for texts that are known to be valid JSON, such as lines with a matching digest. In an
/// invalid text it may find fewer members, but it never reads out of bounds.
package enum JSONMembers {
  /// Calls a closure for each member of an object, in order.
  ///
  /// - Parameters:
  ///   - text: The text of the object, starting with its brace.
  ///   - body: Receives a member's name as written between its quotation marks, and the range of
  ///     its value; returns true to continue.
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

  /// Calls a closure for each member of the object at the start of a text.
  ///
  /// The closure finds the end of each value.
  ///
  /// - Parameters:
  ///   - text: The text, starting with the object's brace.
  ///   - body: Receives a member's name as written between its quotation marks, and the offset of
  ///     its value; returns the end of the value, or nil to stop.
  /// - Returns: The offset just past the object; nil if the end of the object was not reached.
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

  /// Returns the range of a member's value; nil if the object has no such member.
  ///
  /// - Parameters:
  ///   - name: The member's name, which must not need escapes.
  ///   - text: The text of the object.
  /// - Returns: The range of the value's text.
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

  /// Returns the offset just past the string that starts at a quotation mark; the end of the text
  /// if the string is not closed.
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

  /// Returns the offset just past the value that starts at an offset; the end of the text if the
  /// value is not closed.
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
  /// Returns true if the bytes equal a text.
  ///
  /// The length is compared first, since most names have different lengths.
  @inlinable
  @inline(__always)
  package func equals(_ text: StaticString) -> Bool {
    count == text.utf8CodeUnitCount && hasBytes(of: text)
  }

  /// Returns true if the bytes equal a text, which must have the same length.
  @usableFromInline
  func hasBytes(of text: StaticString) -> Bool {
    isEmpty || baseAddress.map { memcmp($0, text.utf8Start, count) == 0 } == true
  }

  /// Returns true if the bytes equal those of another buffer.
  @usableFromInline
  package func equals(_ other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count, let own = baseAddress, let others = other.baseAddress else {
      return count == other.count
    }
    return memcmp(own, others, count) == 0
  }

  /// Returns true if the bytes at an offset equal a text.
  package func hasBytes(of text: StaticString, at offset: Int) -> Bool {
    let length = text.utf8CodeUnitCount
    guard let start = baseAddress?.advanced(by: offset), offset + length <= count else {
      return false
    }
    return memcmp(start, text.utf8Start, length) == 0
  }

  /// Returns true if the bytes start with a text.
  package func starts(with text: StaticString) -> Bool {
    count >= text.utf8CodeUnitCount
      && UnsafeRawBufferPointer(rebasing: self[..<text.utf8CodeUnitCount]).equals(text)
  }
}
