/// The members of a JSON object as they stand in its text, where they are few and plainly named.
///
/// For those who look at some of them and copy others, without making values of any. The text must
/// stay where it is meanwhile.
package struct JSONFields {
  /// A member.
  package struct Field {
    /// The name, in which nothing is escaped.
    package var name: UnsafeBufferPointer<UInt8>
    /// The string that is the value; nil where it is something else.
    package var text: JSONReader.RawString?
  }

  /// The members, in their order.
  package private(set) var fields: [Field] = []
  /// More members are looked up in other ways.
  private static let limit = 16
  private static let unusual = JSONSyntaxError(offset: 0, message: "not the usual form")

  package init() { fields.reserveCapacity(Self.limit) }

  package mutating func removeAll() { fields.removeAll(keepingCapacity: true) }

  /// Reads the object that comes next, in place of what was read before.
  ///
  /// - Throws: ``JSONSyntaxError``; also where an object comes next that is better read as a value:
  ///   of many members, or with a name that is escaped or repeated.
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

  /// The member of a name.
  package subscript(name: UnsafeBufferPointer<UInt8>) -> Field? {
    for field in fields
    where UnsafeRawBufferPointer(field.name).equals(UnsafeRawBufferPointer(name)) {
      return field
    }
    return nil
  }

  /// The string that is the value of a member; nil where there is no such member, or it is no string.
  package func text(_ name: [UInt8]) -> JSONReader.RawString? {
    name.withUnsafeBufferPointer { self[$0]?.text }
  }
}

extension JSONReader.RawString {
  /// Whether the string is written as ``JSONWriter`` would write it.
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
      // Control characters without a letter of their own, and others that need no escape, are rare.
      default: return false
      }
    }
    return true
  }

  /// Adds what the string means, where it is written as our writer does.
  package func appendMeaning(to buffer: inout ByteBuffer) {
    var index = 0
    while true {
      index = buffer.append(units, from: index) { word in word.marks(of: UInt8(ascii: "\\")) }
      guard index < units.count else { return }
      // A backslash at the end escapes nothing.
      let escape = index + 1 < units.count ? units[index + 1] : units[index]
      switch escape {
      case UInt8(ascii: "b"): buffer.append(0x08)
      case UInt8(ascii: "f"): buffer.append(0x0C)
      case UInt8(ascii: "n"): buffer.append(0x0A)
      case UInt8(ascii: "r"): buffer.append(0x0D)
      case UInt8(ascii: "t"): buffer.append(0x09)
      case UInt8(ascii: "u"):
        // Our writer escapes other controls alone so.
        let digits = String(decoding: units[(index + 2)...].prefix(4), as: UTF8.self)
        buffer.append(UInt8(digits, radix: 16) ?? UInt8(ascii: "?"))
        index += 4
      default: buffer.append(escape)
      }
      index += 2
    }
  }
}
