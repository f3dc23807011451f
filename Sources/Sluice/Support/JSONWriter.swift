/// Writes JSON texts whose bytes depend on nothing but the value.
package enum JSONWriter {
  /// The canonical form of RFC 8785: no white space, members sorted by UTF-16 code units.
  package static func canonical(_ value: JSONValue) -> [UInt8] {
    var bytes: [UInt8] = []
    appendCanonical(value, to: &bytes)
    return bytes
  }

  /// Adds the canonical form of a value.
  package static func appendCanonical(_ value: JSONValue, to bytes: inout [UInt8]) {
    write(value, sorted: true, indent: nil, to: &bytes)
  }

  /// One line, members in the order in which they stand.
  package static func line(_ value: JSONValue) -> [UInt8] {
    var bytes: [UInt8] = []
    write(value, sorted: false, indent: nil, to: &bytes)
    return bytes
  }

  /// Indented by two spaces, members in the order in which they stand, with a line break at the end.
  package static func pretty(_ value: JSONValue) -> [UInt8] {
    var bytes: [UInt8] = []
    write(value, sorted: false, indent: 0, to: &bytes)
    bytes.append(0x0A)
    return bytes
  }

  private static func write(
    _ value: JSONValue,
    sorted: Bool,
    indent: Int?,
    to bytes: inout [UInt8]
  ) {
    switch value {
    case .null: bytes.append(contentsOf: "null".utf8)
    case .bool(let value): bytes.append(contentsOf: (value ? "true" : "false").utf8)
    case .number(let value): bytes.append(contentsOf: number(value).utf8)
    case .string(let value): append(value, to: &bytes)
    case .array(let elements):
      bytes.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        separate(index, indent, to: &bytes)
        write(element, sorted: sorted, indent: indent.map { $0 + 1 }, to: &bytes)
      }
      if !elements.isEmpty { breakLine(indent, to: &bytes) }
      bytes.append(UInt8(ascii: "]"))
    case .object(let object):
      var members = object.members
      if sorted { members.sort { $0.name.utf16.lexicographicallyPrecedes($1.name.utf16) } }
      bytes.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        separate(index, indent, to: &bytes)
        append(member.name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        if indent != nil { bytes.append(UInt8(ascii: " ")) }
        write(member.value, sorted: sorted, indent: indent.map { $0 + 1 }, to: &bytes)
      }
      if !members.isEmpty { breakLine(indent, to: &bytes) }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  private static func separate(_ index: Int, _ indent: Int?, to bytes: inout [UInt8]) {
    if index > 0 { bytes.append(UInt8(ascii: ",")) }
    breakLine(indent.map { $0 + 1 }, to: &bytes)
  }

  private static func breakLine(_ indent: Int?, to bytes: inout [UInt8]) {
    guard let indent else { return }
    bytes.append(0x0A)
    bytes.append(contentsOf: repeatElement(0x20, count: indent * 2))
  }

  /// Writes a string with the escapes of RFC 8785, section 3.2.2.2, and no others.
  package static func append(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    appendEscaped(text, to: &bytes)
    bytes.append(UInt8(ascii: "\""))
  }

  /// Adds a string as ``append(_:to:)`` does, without its quotes.
  package static func appendEscaped(_ text: String, to bytes: inout [UInt8]) {
    var text = text
    text.withUTF8 { units in
      // Almost everything is plain: it goes over in runs.
      var start = 0
      for (index, unit) in units.enumerated() where unit < 0x20 || unit == 0x22 || unit == 0x5C {
        bytes.append(contentsOf: units[start..<index])
        appendEscape(of: unit, to: &bytes)
        start = index + 1
      }
      bytes.append(contentsOf: units[start...])
    }
  }

  private static func appendEscape(of unit: UInt8, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\\"))
    switch unit {
    case 0x08: bytes.append(UInt8(ascii: "b"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0C: bytes.append(UInt8(ascii: "f"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    case 0..<0x20:
      bytes.append(contentsOf: "u00".utf8)
      bytes.append(hexadecimalDigits[Int(unit >> 4)])
      bytes.append(hexadecimalDigits[Int(unit & 15)])
    default: bytes.append(unit)
    }
  }

  /// Writes a number as ECMAScript does (RFC 8785, section 3.2.2.3).
  ///
  /// A number that is not finite has no place in JSON and becomes null.
  package static func number(_ value: Double) -> String {
    guard value.isFinite else { return "null" }
    if let integer = Int(exactly: value), integer.magnitude < 1_000_000_000_000_000 {
      return String(integer)
    }
    // Swift's description has the shortest digits that round-trip; only the layout differs.
    let description = value.magnitude.description
    let parts = description.split(separator: "e")
    let mantissa = parts[0].split(separator: ".", omittingEmptySubsequences: false)
    let whole = String(mantissa[0])
    let fraction = mantissa.count > 1 && mantissa[1] != "0" ? String(mantissa[1]) : ""
    let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    let all = whole + fraction
    let digits = String(all.drop { $0 == "0" })
    // The position of the decimal point, counted from the first significant digit.
    let point = whole.count + exponent - (all.count - digits.count)
    let significant = String(digits.reversed().drop { $0 == "0" }.reversed())
    let count = significant.count
    let text: String
    switch point {
    case count...21 where point >= count:
      text = significant + String(repeating: "0", count: point - count)
    case 1...21:
      text = significant.prefix(point) + "." + significant.dropFirst(point)
    case -5...0:
      text = "0." + String(repeating: "0", count: -point) + significant
    default:
      let shown = point - 1
      let rest = significant.dropFirst()
      let mantissa = significant.prefix(1) + (rest.isEmpty ? "" : "." + rest)
      text = "\(mantissa)e\(shown < 0 ? "-" : "+")\(abs(shown))"
    }
    return value < 0 ? "-" + text : text
  }
}

private let hexadecimalDigits = Array("0123456789abcdef".utf8)

extension JSONValue {
  /// The value as one line of JSON, members in the order in which they stand.
  public var jsonText: String { String(decoding: JSONWriter.line(self), as: UTF8.self) }
}
