#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

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
  package static func forEach(
    _ text: UnsafeRawBufferPointer,
    _ body: (_ name: UnsafeRawBufferPointer, _ value: Range<Int>) -> Bool
  ) {
    guard text.first == UInt8(ascii: "{") else { return }
    var index = 1
    while index < text.count {
      index = skipSpace(text, index)
      if index < text.count, text[index] == UInt8(ascii: ",") {
        index = skipSpace(text, index + 1)
      }
      guard index < text.count, text[index] == UInt8(ascii: "\"") else { return }
      let nameEnd = stringEnd(text, index)
      guard nameEnd <= text.count, nameEnd - 1 > index else { return }
      let name = UnsafeRawBufferPointer(rebasing: text[(index + 1)..<(nameEnd - 1)])
      index = skipSpace(text, nameEnd)
      guard index < text.count, text[index] == UInt8(ascii: ":") else { return }
      let start = skipSpace(text, index + 1)
      let end = valueEnd(text, start)
      guard start < end, end <= text.count, body(name, start..<end) else { return }
      index = end
    }
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
  private static func stringEnd(_ text: UnsafeRawBufferPointer, _ start: Int) -> Int {
    guard let base = text.baseAddress else { return text.count + 1 }
    var index = start + 1
    while index < text.count, let mark = memchr(base + index, 0x22, text.count - index) {
      let end = UnsafeRawPointer(mark) - base
      // An odd number of backslashes escapes it.
      var slashes = 0
      while end - 1 - slashes > start, text[end - 1 - slashes] == UInt8(ascii: "\\") {
        slashes += 1
      }
      if slashes.isMultiple(of: 2) { return end + 1 }
      index = end + 1
    }
    return text.count + 1
  }

  /// The place after the value that starts at a place; after the text when it has no end.
  private static func valueEnd(_ text: UnsafeRawBufferPointer, _ start: Int) -> Int {
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
  /// Whether the bytes are those of a text.
  package func equals(_ text: StaticString) -> Bool {
    count == text.utf8CodeUnitCount
      && (isEmpty || baseAddress.map { memcmp($0, text.utf8Start, count) == 0 } == true)
  }

  /// Whether the bytes start with those of a text.
  package func starts(with text: StaticString) -> Bool {
    count >= text.utf8CodeUnitCount
      && UnsafeRawBufferPointer(rebasing: self[..<text.utf8CodeUnitCount]).equals(text)
  }
}
