/// The writer of JSON texts, whose bytes depend only on the value.
package enum JSONWriter {
  /// Returns the canonical form of RFC 8785: no white space, members sorted by UTF-16 code units.
  ///
  /// Unlike in RFC 8785, integers that no double holds have all of their digits.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - isExact: True to write all numbers exactly. RFC 8785 rounds large integers that a
  ///     double holds, so that two different integers can have the same canonical form.
  /// - Returns: The text.
  package static func canonical(_ value: JSONValue, isExact: Bool = false) -> [UInt8] {
    var bytes = ByteBuffer()
    write(value, Style(isSorted: true, isExact: isExact), indent: nil, to: &bytes)
    return Array(bytes.units)
  }

  /// Returns the value on one line, with members in their original order.
  package static func line(_ value: JSONValue) -> [UInt8] {
    var bytes = ByteBuffer()
    append(value, to: &bytes)
    return Array(bytes.units)
  }

  /// Returns the value indented by two spaces, with members in their original order and a final
  /// line break.
  package static func pretty(_ value: JSONValue) -> [UInt8] {
    var bytes = ByteBuffer()
    append(value, indent: 0, to: &bytes)
    bytes.append(0x0A)
    return Array(bytes.units)
  }

  // MARK: Parts of a text

  /// Appends a value on one line, or indented for a nesting depth.
  package static func append(_ value: JSONValue, indent: Int? = nil, to bytes: inout ByteBuffer) {
    write(value, Style(), indent: indent, to: &bytes)
  }

  /// Appends the canonical form of a value.
  package static func appendCanonical(_ value: JSONValue, to bytes: inout ByteBuffer) {
    write(value, Style(isSorted: true), indent: nil, to: &bytes)
  }

  /// Appends a string with only the escapes of RFC 8785, section 3.2.2.2.
  package static func append(_ text: String, to bytes: inout ByteBuffer) {
    bytes.append(UInt8(ascii: "\""))
    appendEscaped(text, to: &bytes)
    bytes.append(UInt8(ascii: "\""))
  }

  /// Appends the contents of a string, without quotes.
  package static func appendEscaped(_ text: String, to bytes: inout ByteBuffer) {
    let isTaken: Void? = text.utf8.withContiguousStorageIfAvailable {
      appendEscaped($0, to: &bytes)
    }
    if isTaken != nil { return }
    var text = text
    text.withUTF8 { appendEscaped($0, to: &bytes) }
  }

  private static func appendEscaped(
    _ units: UnsafeBufferPointer<UInt8>,
    to bytes: inout ByteBuffer
  ) {
    // Almost all text is plain and is copied in runs.
    var start = 0
    while true {
      let end = bytes.append(units, from: start) { word in
        word.marks(below: 0x20) | word.marks(of: UInt8(ascii: "\""))
          | word.marks(of: UInt8(ascii: "\\"))
      }
      if end == units.count { break }
      appendEscape(of: units[end], to: &bytes)
      start = end + 1
    }
  }

  /// Appends an array of strings.
  package static func append(_ texts: [String], to bytes: inout ByteBuffer) {
    bytes.append(UInt8(ascii: "["))
    for (index, text) in texts.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      append(text, to: &bytes)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  /// Appends an object member with a comma before it, unless its value is nil.
  ///
  /// - Parameters:
  ///   - name: The name, which must not need escapes.
  ///   - value: The value.
  ///   - bytes: The buffer to append to.
  package static func append(
    member name: StaticString,
    _ value: String?,
    to bytes: inout ByteBuffer
  ) {
    guard let value else { return }
    bytes.append(",\"")
    bytes.append(name)
    bytes.append("\":")
    append(value, to: &bytes)
  }

  /// Appends a number in the format of ``number(_:)``.
  package static func append(_ value: Double, to bytes: inout ByteBuffer) {
    if let integer = Int(exactly: value), integer.magnitude < 1_000_000_000_000_000 {
      append(integer, to: &bytes)
    } else if !appendThousandths(value, to: &bytes) {
      bytes += number(value).utf8
    }
  }

  /// Appends an integer.
  package static func append(_ value: Int, to bytes: inout ByteBuffer) {
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    bytes.append(digitsOf: value.magnitude)
  }

  // MARK: Values

  fileprivate struct Style {
    var isSorted = false
    var isExact = false
  }

  fileprivate static func write(
    _ value: JSONValue,
    _ style: Style,
    indent: Int?,
    to bytes: inout ByteBuffer
  ) {
    switch value {
    case .null: bytes.append("null")
    case .bool(let value): bytes.append(value ? "true" : "false")
    case .number(let value):
      if style.isExact, (0x1p53..<1e21).contains(value.magnitude), let exact = ExactNumber(value) {
        bytes += exact.description.utf8
      } else {
        append(value, to: &bytes)
      }
    case .exact(let value):
      let text = style.isSorted ? value.canonicalText : value.requestText
      bytes += (style.isExact ? value.description : text).utf8
    case .string(let value): append(value, to: &bytes)
    case .array(let elements):
      bytes.append(UInt8(ascii: "["))
      for index in elements.indices {
        separate(index, indent, to: &bytes)
        write(elements[index], style, indent: indent.map { $0 + 1 }, to: &bytes)
      }
      if !elements.isEmpty { breakLine(indent, to: &bytes) }
      bytes.append(UInt8(ascii: "]"))
    case .object(let object): write(object, style, indent: indent, to: &bytes)
    }
  }

  private static func write(
    _ object: JSONObject,
    _ style: Style,
    indent: Int?,
    to bytes: inout ByteBuffer
  ) {
    open(object, style, indent: indent, to: &bytes)
    if !object.members.isEmpty { breakLine(indent, to: &bytes) }
    bytes.append(UInt8(ascii: "}"))
  }

  /// Appends an object without its closing brace, so that more members can follow.
  package static func open(_ object: JSONObject, indent: Int?, to bytes: inout ByteBuffer) {
    open(object, Style(), indent: indent, to: &bytes)
  }

  private static func open(
    _ object: JSONObject,
    _ style: Style,
    indent: Int?,
    to bytes: inout ByteBuffer
  ) {
    var members = object.members
    if style.isSorted, members.count > 1 { members.sort { precedes($0.name, $1.name) } }
    bytes.append(UInt8(ascii: "{"))
    // Writes in place, because accessing an element of the array would copy its name and value.
    members.withUnsafeBufferPointer { members in
      for index in members.indices {
        separate(index, indent, to: &bytes)
        append(members[index].name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        if indent != nil { bytes.append(UInt8(ascii: " ")) }
        write(members[index].value, style, indent: indent.map { $0 + 1 }, to: &bytes)
      }
    }
  }

  /// Returns true if a name sorts before another by UTF-16 code units.
  private static func precedes(_ left: String, _ right: String) -> Bool {
    var others = right.utf8.makeIterator()
    for unit in left.utf8 {
      guard let other = others.next() else { return false }
      if unit == other { continue }
      // Bytes sort like UTF-16 code units, except for surrogates: they sort before U+E000 to
      // U+FFFF, but represent greater scalars.
      if unit < 0xEE || other < 0xEE { return unit < other }
      return left.utf16.lexicographicallyPrecedes(right.utf16)
    }
    return others.next() != nil
  }

  /// Starts an entry at a nesting depth, and writes a comma before every entry except the first.
  package static func separate(_ index: Int, _ indent: Int?, to bytes: inout ByteBuffer) {
    if index > 0 { bytes.append(UInt8(ascii: ",")) }
    breakLine(indent.map { $0 + 1 }, to: &bytes)
  }

  /// Starts a new line at a nesting depth; does nothing if the text is written on one line.
  package static func breakLine(_ indent: Int?, to bytes: inout ByteBuffer) {
    guard let indent else { return }
    bytes.append(0x0A)
    for _ in 0..<indent { bytes.append("  ") }
  }

  // MARK: Strings

  @inline(__always)
  private static func appendEscape(of unit: UInt8, to bytes: inout ByteBuffer) {
    bytes.append(UInt8(ascii: "\\"))
    if unit < 0x20 { appendControl(unit, to: &bytes) } else { bytes.append(unit) }
  }

  /// Appends the escape of a control character without its backslash, which was already appended.
  private static func appendControl(_ unit: UInt8, to bytes: inout ByteBuffer) {
    switch unit {
    case 0x08: bytes.append(UInt8(ascii: "b"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0C: bytes.append(UInt8(ascii: "f"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    default:
      bytes.append("u00")
      bytes.append(hexadecimalDigits[Int(unit >> 4)])
      bytes.append(hexadecimalDigits[Int(unit & 15)])
    }
  }

  // MARK: Numbers

  /// A number with at most three decimals and 15 digits, as most measurements are.
  private struct ShortDecimal {
    var isNegative: Bool
    var whole: UInt
    /// The digits after the decimal point as a number, and their count; both are 0 for an integer.
    var fraction: UInt
    var decimals: Int

    /// Creates the decimal; nil if the number has more digits.
    init?(_ value: Double) {
      let scaled = (value.magnitude * 1_000).rounded()
      // Two decimals of at most 15 digits never have the same double, so these digits are the
      // shortest that represent the number.
      guard scaled < 1e15, scaled >= 1, scaled / 1_000 == value.magnitude else { return nil }
      isNegative = value < 0
      (whole, fraction) = UInt(scaled).quotientAndRemainder(dividingBy: 1_000)
      decimals = fraction == 0 ? 0 : 3
      while decimals > 0, fraction % 10 == 0 {
        fraction /= 10
        decimals -= 1
      }
    }
  }

  private static func appendThousandths(_ value: Double, to bytes: inout ByteBuffer) -> Bool {
    guard let short = ShortDecimal(value) else { return false }
    if short.isNegative { bytes.append(UInt8(ascii: "-")) }
    bytes.append(digitsOf: short.whole)
    if short.decimals == 0 { return true }
    bytes.append(UInt8(ascii: "."))
    bytes.append(digitsOf: short.fraction, atLeast: short.decimals)
    return true
  }

  /// Formats a number as ECMAScript does (RFC 8785, section 3.2.2.3).
  ///
  /// A number that is not finite has no JSON form, so it becomes `null`.
  package static func number(_ value: Double) -> String {
    guard value.isFinite else { return "null" }
    if let integer = Int(exactly: value), integer.magnitude < 1_000_000_000_000_000 {
      return String(integer)
    }
    // Swift's description already has the shortest digits that give the same number. Only the
    // layout of large and small numbers differs.
    if (1e-4..<1e15).contains(value.magnitude) { return value.description }
    return ExactNumber(value.description.utf8)?.text(wholeUpTo: 21) ?? value.description
  }
}

private let hexadecimalDigits = Array("0123456789abcdef".utf8)

extension JSONValue {
  /// The value as one line of JSON, with members in their original order and exact numbers.
  public var jsonText: String {
    var bytes = ByteBuffer()
    JSONWriter.write(self, .init(isExact: true), indent: nil, to: &bytes)
    return String(decoding: bytes.units, as: UTF8.self)
  }

  /// The value as prompts and requests have it, in which RFC 8785 rounds large integers.
  package var requestText: String { String(decoding: JSONWriter.line(self), as: UTF8.self) }
}
