/// What is wrong with a text that should be JSON, and where.
package struct JSONSyntaxError: Error, Hashable {
  /// The offset in bytes from the start of the text.
  package var offset: Int
  package var message: String
}

/// A strict reader of JSON texts (RFC 8259).
///
/// Refuses what the grammar refuses, bytes after the value, bytes that are not UTF-8, numbers beyond
/// a double and nesting beyond ``maximumDepth``. An escaped lone surrogate, which models do
/// emit and the grammar allows, becomes U+FFFD, since no Swift string can hold it.
package struct JSONReader {
  package static let maximumDepth = 128

  private let bytes: UnsafeBufferPointer<UInt8>
  private var index = 0
  private var depth = 0
  private var position: PositionTracker

  private init(_ bytes: UnsafeBufferPointer<UInt8>, line: Int) {
    self.bytes = bytes
    position = PositionTracker(line: line)
  }

  /// Reads a text; of members with the same name the last counts.
  package static func value(_ bytes: some Sequence<UInt8>) throws(JSONSyntaxError) -> JSONValue {
    try read(bytes, line: 1) { reader throws(JSONSyntaxError) in try reader.readValue() }
  }

  /// Reads a text; of members with the same name the last counts.
  package static func value(_ text: String) throws(JSONSyntaxError) -> JSONValue {
    try value(text.utf8)
  }

  /// Reads a text into a tree with a position on every node; duplicate members are kept.
  ///
  /// - Parameters:
  ///   - bytes: The text.
  ///   - line: The number of the text's first line in its file.
  /// - Returns: The root of the tree.
  /// - Throws: ``JSONSyntaxError`` for the first thing that is wrong.
  package static func node(_ bytes: some Sequence<UInt8>, line: Int = 1) throws(JSONSyntaxError)
    -> Node
  {
    try read(bytes, line: line) { reader throws(JSONSyntaxError) in try reader.readNode() }
  }

  private static func read<Result>(
    _ bytes: some Sequence<UInt8>,
    line: Int,
    _ body: (inout JSONReader) throws(JSONSyntaxError) -> Result
  ) throws(JSONSyntaxError) -> Result {
    func run(_ buffer: UnsafeBufferPointer<UInt8>) -> Swift.Result<Result, JSONSyntaxError> {
      if let offset = UTF8Text.firstInvalidByte(in: buffer) {
        return .failure(JSONSyntaxError(offset: offset, message: "not valid UTF-8"))
      }
      var reader = JSONReader(buffer, line: line)
      do throws(JSONSyntaxError) {
        let result = try body(&reader)
        reader.skipSpace()
        guard reader.index == buffer.count else {
          throw reader.error("text after the end of the JSON value")
        }
        return .success(result)
      } catch {
        return .failure(error)
      }
    }
    let outcome =
      bytes.withContiguousStorageIfAvailable(run)
      ?? Array(bytes).withUnsafeBufferPointer(run)
    return try outcome.get()
  }

  // MARK: Values

  private mutating func readValue() throws(JSONSyntaxError) -> JSONValue {
    skipSpace()
    guard index < bytes.count else { throw error("the JSON value ends too early") }
    switch bytes[index] {
    case UInt8(ascii: "{"):
      var members: [(name: String, value: JSONValue)] = []
      try readMembers { reader, name, _ throws(JSONSyntaxError) in
        members.append((name, try reader.readValue()))
      }
      return .object(JSONObject(members))
    case UInt8(ascii: "["):
      var elements: [JSONValue] = []
      try readElements { reader throws(JSONSyntaxError) in elements.append(try reader.readValue()) }
      return .array(elements)
    case UInt8(ascii: "\""): return .string(try readString())
    case UInt8(ascii: "t"): return try readWord("true", .bool(true))
    case UInt8(ascii: "f"): return try readWord("false", .bool(false))
    case UInt8(ascii: "n"): return try readWord("null", .null)
    default: return .number(try readNumber())
    }
  }

  private mutating func readNode() throws(JSONSyntaxError) -> Node {
    skipSpace()
    guard index < bytes.count else { throw error("the JSON value ends too early") }
    let start = position.advance(to: index, in: bytes)
    switch bytes[index] {
    case UInt8(ascii: "{"):
      var members: [Node.Member] = []
      try readMembers { reader, name, offset throws(JSONSyntaxError) in
        let keyPosition = reader.position.advance(to: offset, in: reader.bytes)
        members.append(
          Node.Member(key: name, keyPosition: keyPosition, value: try reader.readNode())
        )
      }
      return Node(position: start, value: .mapping(members))
    case UInt8(ascii: "["):
      var elements: [Node] = []
      try readElements { reader throws(JSONSyntaxError) in elements.append(try reader.readNode()) }
      return Node(position: start, value: .sequence(elements))
    case UInt8(ascii: "\""): return Node(position: start, value: .string(try readString()))
    case UInt8(ascii: "t"): return Node(position: start, value: try readWord("true", .bool(true)))
    case UInt8(ascii: "f"): return Node(position: start, value: try readWord("false", .bool(false)))
    case UInt8(ascii: "n"): return Node(position: start, value: try readWord("null", .null))
    default: return Node(position: start, value: .number(try readNumber()))
    }
  }

  // MARK: Structure

  private mutating func readMembers(
    _ member: (inout JSONReader, _ name: String, _ offset: Int) throws(JSONSyntaxError) -> Void
  ) throws(JSONSyntaxError) {
    try enter()
    skipSpace()
    if take(UInt8(ascii: "}")) { return leave() }
    while true {
      skipSpace()
      guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else {
        throw error("expected a member name in double quotes")
      }
      let offset = index
      let name = try readString()
      skipSpace()
      guard take(UInt8(ascii: ":")) else { throw error("expected ':' after a member name") }
      try member(&self, name, offset)
      skipSpace()
      if take(UInt8(ascii: "}")) { return leave() }
      guard take(UInt8(ascii: ",")) else { throw error("expected ',' or '}'") }
    }
  }

  private mutating func readElements(
    _ element: (inout JSONReader) throws(JSONSyntaxError) -> Void
  ) throws(JSONSyntaxError) {
    try enter()
    skipSpace()
    if take(UInt8(ascii: "]")) { return leave() }
    while true {
      try element(&self)
      skipSpace()
      if take(UInt8(ascii: "]")) { return leave() }
      guard take(UInt8(ascii: ",")) else { throw error("expected ',' or ']'") }
    }
  }

  private mutating func enter() throws(JSONSyntaxError) {
    depth += 1
    guard depth <= Self.maximumDepth else {
      throw error("nested more than \(Self.maximumDepth) levels deep")
    }
    index += 1
  }

  private mutating func leave() { depth -= 1 }

  // MARK: Scalars

  private mutating func readWord<Value>(_ word: StaticString, _ value: Value)
    throws(JSONSyntaxError) -> Value
  {
    let length = word.utf8CodeUnitCount
    guard index + length <= bytes.count,
      (0..<length).allSatisfy({ bytes[index + $0] == word.utf8Start[$0] })
    else { throw error("expected a JSON value") }
    index += length
    return value
  }

  private mutating func readNumber() throws(JSONSyntaxError) -> Double {
    let start = index
    _ = take(UInt8(ascii: "-"))
    if take(UInt8(ascii: "0")) {
      if index < bytes.count, isDigit(bytes[index]) { throw error("a number with a leading zero") }
    } else {
      guard skipDigits() > 0 else {
        index = start
        throw error("expected a JSON value")
      }
    }
    let isInteger = index
    if take(UInt8(ascii: ".")) {
      guard skipDigits() > 0 else { throw error("expected a digit after the decimal point") }
    }
    if index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") {
      index += 1
      if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
      guard skipDigits() > 0 else { throw error("expected a digit in the exponent") }
    }
    if isInteger == index, index - start <= 15 {
      // Short integers are exact: no need for the general conversion.
      var value = 0
      let negative = bytes[start] == UInt8(ascii: "-")
      for digit in bytes[(negative ? start + 1 : start)..<index] {
        value = value * 10 + Int(digit &- 48)
      }
      return negative ? -Double(value) : Double(value)
    }
    let text = String(decoding: bytes[start..<index], as: UTF8.self)
    guard let value = Double(text), value.isFinite else {
      index = start
      throw error("the number \(text.prefix(40)) is too large")
    }
    return value
  }

  private mutating func skipDigits() -> Int {
    let start = index
    while index < bytes.count, isDigit(bytes[index]) { index += 1 }
    return index - start
  }

  private mutating func readString() throws(JSONSyntaxError) -> String {
    index += 1
    let start = index
    while index < bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: "\"") {
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        index += 1
        return text
      }
      if byte == UInt8(ascii: "\\") { return try readEscapedString(from: start) }
      guard byte >= 0x20 else { throw error("a control character in a string must be escaped") }
      index += 1
    }
    throw error("the string is not closed")
  }

  private mutating func readEscapedString(from start: Int) throws(JSONSyntaxError) -> String {
    var units = Array(bytes[start..<index])
    while index < bytes.count {
      let byte = bytes[index]
      switch byte {
      case UInt8(ascii: "\""):
        index += 1
        return String(decoding: units, as: UTF8.self)
      case UInt8(ascii: "\\"):
        index += 1
        guard index < bytes.count else { throw error("the string is not closed") }
        let escape = bytes[index]
        index += 1
        switch escape {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): units.append(escape)
        case UInt8(ascii: "b"): units.append(0x08)
        case UInt8(ascii: "f"): units.append(0x0C)
        case UInt8(ascii: "n"): units.append(0x0A)
        case UInt8(ascii: "r"): units.append(0x0D)
        case UInt8(ascii: "t"): units.append(0x09)
        case UInt8(ascii: "u"):
          units.append(contentsOf: String(try readEscapedScalar()).utf8)
        default:
          index -= 1
          throw error("unknown escape in a string")
        }
      case 0..<0x20: throw error("a control character in a string must be escaped")
      default:
        units.append(byte)
        index += 1
      }
    }
    throw error("the string is not closed")
  }

  private mutating func readEscapedScalar() throws(JSONSyntaxError) -> Unicode.Scalar {
    let first = try readHexadecimal()
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard first < 0xDC00, index + 1 < bytes.count, bytes[index] == UInt8(ascii: "\\"),
      bytes[index + 1] == UInt8(ascii: "u")
    else { return "\u{FFFD}" }
    let resume = index
    index += 2
    let second = try readHexadecimal()
    guard (0xDC00...0xDFFF).contains(second) else {
      index = resume
      return "\u{FFFD}"
    }
    let value = 0x10000 + (UInt32(first - 0xD800) << 10) + UInt32(second - 0xDC00)
    return Unicode.Scalar(value) ?? "\u{FFFD}"
  }

  private mutating func readHexadecimal() throws(JSONSyntaxError) -> UInt16 {
    guard index + 4 <= bytes.count else { throw error("expected four hexadecimal digits") }
    var value: UInt16 = 0
    for _ in 0..<4 {
      let byte = bytes[index]
      let digit: UInt8
      switch byte {
      case 0x30...0x39: digit = byte - 0x30
      case 0x41...0x46: digit = byte - 0x41 + 10
      case 0x61...0x66: digit = byte - 0x61 + 10
      default: throw error("expected four hexadecimal digits")
      }
      value = value << 4 | UInt16(digit)
      index += 1
    }
    return value
  }

  // MARK: Bytes

  private mutating func skipSpace() {
    while index < bytes.count {
      switch bytes[index] {
      case 0x20, 0x0A, 0x0D, 0x09: index += 1
      default: return
      }
    }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard index < bytes.count, bytes[index] == byte else { return false }
    index += 1
    return true
  }

  private func isDigit(_ byte: UInt8) -> Bool { byte &- 48 < 10 }

  private func error(_ message: String) -> JSONSyntaxError {
    JSONSyntaxError(offset: index, message: message)
  }
}
