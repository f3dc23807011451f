/// The members of a small JSON object as they are written in a text; their values are not parsed.
///
/// Use this type to inspect some members and to copy all others. The text must stay valid while the
/// members are used. Objects with many members, or with escaped or repeated names, are not
/// supported.
package struct JSONFields {
  /// A member.
  package struct Field {
    /// The name, which contains no escapes.
    package var name: UnsafeBufferPointer<UInt8>
    /// The value, if it is a string; otherwise nil.
    package var text: JSONReader.RawString?
  }

  /// The members, in order.
  package private(set) var fields: [Field] = []
  /// The maximum number of members; an object with more members must be read as a value.
  private static let limit = 16
  private static let unusual = JSONSyntaxError(offset: 0, message: "not the usual form")

  package init() { fields.reserveCapacity(Self.limit) }

  package mutating func removeAll() { fields.removeAll(keepingCapacity: true) }

  /// Reads the next object, replacing the previous members.
  ///
  /// - Throws: ``JSONSyntaxError`` for a syntax error, and for an object that must be read as a
  ///   value because it has many members, or an escaped or repeated name.
  package mutating func read(_ reader: inout JSONReader) throws(JSONSyntaxError) {
    removeAll()
    try reader.readMembers { reader, name throws(JSONSyntaxError) in
      if name.hasEscapes || fields.count == Self.limit || self[name.units] != nil {
        throw Self.unusual
      }
      if try reader.kind() == .string {
        fields.append(Field(name: name.units, text: try reader.readRawString()))
      } else {
        try reader.skipValue()
        fields.append(Field(name: name.units, text: nil))
      }
    }
  }

  /// Returns the member with a name.
  package subscript(name: UnsafeBufferPointer<UInt8>) -> Field? {
    for field in fields
    where UnsafeRawBufferPointer(field.name).equals(UnsafeRawBufferPointer(name)) {
      return field
    }
    return nil
  }

  /// Returns the string value of a member; nil if there is no such member, or if its value is not a
  /// string.
  package func text(_ name: [UInt8]) -> JSONReader.RawString? {
    name.withUnsafeBufferPointer { self[$0]?.text }
  }
}

extension JSONReader.RawString {
  /// True if the string is written as ``JSONWriter`` would write it.
  package var isCanonical: Bool {
    if !hasEscapes { return true }
    var index = 0
    while index < units.count {
      guard units[index] == UInt8(ascii: "\\") else {
        index += 1
        continue
      }
      guard index + 1 < units.count else { return false }
      switch units[index + 1] {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "b"), UInt8(ascii: "f"),
        UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
        index += 2
      // The writer uses `\u` only for some control characters, and never `\/`. Both are rare, so
      // neither counts as canonical.
      default: return false
      }
    }
    return true
  }

  /// Appends the unescaped string.
  ///
  /// The string must be written as ``JSONWriter`` would write it.
  package func appendMeaning(to buffer: inout ByteBuffer) {
    var index = 0
    while true {
      index = buffer.append(units, from: index) { word in word.marks(of: UInt8(ascii: "\\")) }
      guard index < units.count else { return }
      // A backslash at the end does not escape anything.
      let escape = index + 1 < units.count ? units[index + 1] : units[index]
      switch escape {
      case UInt8(ascii: "b"): buffer.append(0x08)
      case UInt8(ascii: "f"): buffer.append(0x0C)
      case UInt8(ascii: "n"): buffer.append(0x0A)
      case UInt8(ascii: "r"): buffer.append(0x0D)
      case UInt8(ascii: "t"): buffer.append(0x09)
      case UInt8(ascii: "u"):
        // The writer uses this escape only for control characters that have no short escape.
        let digits = String(decoding: units[(index + 2)...].prefix(4), as: UTF8.self)
        buffer.append(UInt8(digits, radix: 16) ?? UInt8(ascii: "?"))
        index += 4
      default: buffer.append(escape)
      }
      index += 2
    }
  }
}
