/// What is wrong with a text that should be JSON, and where.
@usableFromInline
package struct JSONSyntaxError: Error, Hashable {
  /// The offset in bytes from the start of the text.
  package var offset: Int
  package var message: String

  @usableFromInline
  package init(offset: Int, message: String) {
    self.offset = offset
    self.message = message
  }
}

/// A strict reader of JSON texts (RFC 8259).
///
/// Refuses what the grammar refuses, bytes after the value, bytes that are not UTF-8, numbers beyond
/// a double and nesting beyond ``maximumDepth``. An escaped lone surrogate, which models do
/// emit and the grammar allows, becomes U+FFFD, since no Swift string can hold it.
///
/// Beside whole values it reads piece by piece: who knows the form of a text takes what it needs of
/// it and skips the rest, which is checked all the same.
@usableFromInline
package struct JSONReader {
  package static let maximumDepth = 128

  @usableFromInline
  let bytes: UnsafeBufferPointer<UInt8>
  @usableFromInline
  var index = 0
  private var depth = 0
  private var position: PositionTracker
  /// Whether an object that was read as a value repeats a member.
  @usableFromInline
  package private(set) var hasDuplicates = false

  @usableFromInline
  init(_ bytes: UnsafeBufferPointer<UInt8>, line: Int) {
    self.bytes = bytes
    position = PositionTracker(line: line)
  }

  /// Reads a text; of members with the same name the last counts.
  @inlinable
  package static func value(_ bytes: some Sequence<UInt8>) throws(JSONSyntaxError) -> JSONValue {
    try read(bytes) { reader throws(JSONSyntaxError) in try reader.readValue() }
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
  @inlinable
  package static func node(_ bytes: some Sequence<UInt8>, line: Int = 1) throws(JSONSyntaxError)
    -> Node
  {
    try read(bytes, line: line) { reader throws(JSONSyntaxError) in try reader.readNode() }
  }

  /// Reads a text piece by piece.
  ///
  /// - Parameters:
  ///   - bytes: The text.
  ///   - line: The number of the text's first line in its file.
  ///   - body: Reads or skips the one value of the text.
  /// - Returns: What the closure returns.
  /// - Throws: ``JSONSyntaxError`` for the first thing that is wrong.
  @inlinable
  package static func read<Result>(
    _ bytes: some Sequence<UInt8>,
    line: Int = 1,
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
    return try bytes.withUnits(run).get()
  }

  /// Reads the value that a text starts with, piece by piece; nil where it is not valid.
  ///
  /// - Parameters:
  ///   - bytes: The text, of which only the value has to be JSON.
  ///   - body: Reads or skips the value.
  /// - Returns: What the closure returns, and how long the value is.
  @inlinable
  package static func readFirst<Result>(
    of bytes: UnsafeBufferPointer<UInt8>,
    _ body: (inout JSONReader) throws(JSONSyntaxError) -> Result
  ) -> (result: Result, count: Int)? {
    var reader = JSONReader(bytes, line: 1)
    do throws(JSONSyntaxError) {
      let result = try body(&reader)
      let read = UnsafeBufferPointer(rebasing: bytes[..<reader.index])
      return UTF8Text.firstInvalidByte(in: read) == nil ? (result, reader.index) : nil
    } catch {
      return nil
    }
  }

  /// Reads the value that a text starts with.
  ///
  /// - Parameter bytes: The text, of which only the value has to be JSON.
  /// - Returns: The value, nil where it is not valid, and how much of the text was looked at.
  package static func readValue(in bytes: UnsafeBufferPointer<UInt8>) -> (
    value: JSONValue?, count: Int
  ) {
    var reader = JSONReader(bytes, line: 1)
    let value = try? reader.readValue()
    return (value, reader.index)
  }

  // MARK: Values

  /// Reads the value that comes next; of members with the same name the last counts.
  @usableFromInline
  package mutating func readValue() throws(JSONSyntaxError) -> JSONValue {
    switch try nextByte() {
    case UInt8(ascii: "{"):
      var members: [(name: String, value: JSONValue)] = []
      try readMembers { reader, name throws(JSONSyntaxError) in
        if members.isEmpty { members.reserveCapacity(4) }
        members.append((name.text, try reader.readValue()))
      }
      let object = JSONObject(members)
      if object.members.count < members.count { hasDuplicates = true }
      return .object(object)
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

  @usableFromInline
  mutating func readNode() throws(JSONSyntaxError) -> Node {
    let first = try nextByte()
    let start = position.advance(to: index, in: bytes)
    switch first {
    case UInt8(ascii: "{"):
      var members: [Node.Member] = []
      try readMembers { reader, name throws(JSONSyntaxError) in
        let keyPosition = reader.position.advance(to: name.offset, in: reader.bytes)
        members.append(
          Node.Member(key: name.text, keyPosition: keyPosition, value: try reader.readNode())
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

  // MARK: Pieces

  /// What kind of value comes next; anything that starts none counts as a number.
  package enum Kind { case object, array, string, bool, null, number }

  /// What kind of value comes next.
  package mutating func kind() throws(JSONSyntaxError) -> Kind {
    switch try nextByte() {
    case UInt8(ascii: "{"): .object
    case UInt8(ascii: "["): .array
    case UInt8(ascii: "\""): .string
    case UInt8(ascii: "t"), UInt8(ascii: "f"): .bool
    case UInt8(ascii: "n"): .null
    default: .number
    }
  }

  /// Reads over the value that comes next.
  package mutating func skipValue() throws(JSONSyntaxError) {
    switch try nextByte() {
    case UInt8(ascii: "{"):
      try readMembers { reader, _ throws(JSONSyntaxError) in try reader.skipValue() }
    case UInt8(ascii: "["):
      try readElements { reader throws(JSONSyntaxError) in try reader.skipValue() }
    case UInt8(ascii: "\""): _ = try readRawString()
    case UInt8(ascii: "t"): try readWord("true", ())
    case UInt8(ascii: "f"): try readWord("false", ())
    case UInt8(ascii: "n"): try readWord("null", ())
    default: _ = try readNumber()
    }
  }

  /// The bytes from where the reader stands to the end of the value that comes next.
  package mutating func readSlice() throws(JSONSyntaxError) -> UnsafeBufferPointer<UInt8> {
    skipSpace()
    let start = index
    try skipValue()
    return UnsafeBufferPointer(rebasing: bytes[start..<index])
  }

  /// What a closure reads, with the bytes that it is written in.
  @inlinable
  mutating func withText<Value>(
    _ read: (inout JSONReader) throws(JSONSyntaxError) -> Value
  ) throws(JSONSyntaxError) -> (value: Value, text: UnsafeBufferPointer<UInt8>) {
    skipSpace()
    let start = index
    let value = try read(&self)
    return (value, UnsafeBufferPointer(rebasing: bytes[start..<index]))
  }

  /// Reads over the object or array that comes next if it is written in just these bytes.
  @usableFromInline
  package mutating func skip(_ known: [UInt8]) -> Bool {
    skipSpace()
    guard known.count <= bytes.count - index else { return false }
    let all = UnsafeRawBufferPointer(bytes)
    let next = UnsafeRawBufferPointer(rebasing: all[index..<(index + known.count)])
    guard known.withUnsafeBytes({ next.equals($0) }) else { return false }
    index += known.count
    return true
  }

  /// Reads the string that comes next; nil, with the value skipped, where none does.
  package mutating func readStringIfPresent() throws(JSONSyntaxError) -> String? {
    if try nextByte() == UInt8(ascii: "\"") { return try readString() }
    try skipValue()
    return nil
  }

  /// A string as it stands in the text.
  package struct RawString {
    /// What stands between the quotes; valid as long as the text.
    package let units: UnsafeBufferPointer<UInt8>
    package let hasEscapes: Bool
    /// Where the opening quote stands.
    package let offset: Int

    fileprivate init(units: UnsafeBufferPointer<UInt8>, hasEscapes: Bool, offset: Int) {
      self.units = units
      self.hasEscapes = hasEscapes
      self.offset = offset
    }

    /// A string that was read before and kept without its quotes.
    package init(canonical units: UnsafeBufferPointer<UInt8>) {
      self.init(units: units, hasEscapes: true, offset: 0)
    }

    /// What the string means.
    package var text: String {
      hasEscapes ? JSONReader.unescaped(units) : String(decoding: units, as: UTF8.self)
    }

    /// Whether the string is written in these ASCII characters, none of them escaped.
    @inline(__always)
    package static func == (string: RawString, text: StaticString) -> Bool {
      UnsafeRawBufferPointer(string.units).equals(text) && !string.hasEscapes
    }
  }

  /// Goes through the members of the object that comes next.
  ///
  /// - Parameter member: Told each name, with the reader at the value, which it reads or skips.
  /// - Throws: ``JSONSyntaxError``; also where no object comes next.
  @inline(__always)
  package mutating func readMembers(
    _ member: (inout JSONReader, RawString) throws(JSONSyntaxError) -> Void
  ) throws(JSONSyntaxError) {
    guard try nextByte() == UInt8(ascii: "{") else { throw error("expected '{'") }
    try enter()
    skipSpace()
    if take(UInt8(ascii: "}")) { return leave() }
    while true {
      skipSpace()
      guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else {
        throw error("expected a member name in double quotes")
      }
      let name = try readRawString()
      skipSpace()
      guard take(UInt8(ascii: ":")) else { throw error("expected ':' after a member name") }
      try member(&self, name)
      skipSpace()
      if take(UInt8(ascii: "}")) { return leave() }
      guard take(UInt8(ascii: ",")) else { throw error("expected ',' or '}'") }
    }
  }

  /// Goes through the elements of the array that comes next.
  ///
  /// - Parameter element: Called with the reader at each element, which it reads or skips.
  /// - Throws: ``JSONSyntaxError``; also where no array comes next.
  @inline(__always)
  package mutating func readElements(
    _ element: (inout JSONReader) throws(JSONSyntaxError) -> Void
  ) throws(JSONSyntaxError) {
    guard try nextByte() == UInt8(ascii: "[") else { throw error("expected '['") }
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

  /// Reads the number that comes next.
  package mutating func readNumber() throws(JSONSyntaxError) -> Double {
    skipSpace()
    let start = index
    let isNegative = take(UInt8(ascii: "-"))
    // The digits as one whole number, as long as a double holds it exactly, and how many of them
    // stand behind the point.
    var digits: UInt64 = 0
    var decimals = 0
    if take(UInt8(ascii: "0")) {
      if index < bytes.count, isDigit(bytes[index]) { throw error("a number with a leading zero") }
    } else {
      guard readDigits(into: &digits) > 0 else {
        index = start
        throw error("expected a JSON value")
      }
    }
    if take(UInt8(ascii: ".")) {
      decimals = readDigits(into: &digits)
      guard decimals > 0 else { throw error("expected a digit after the decimal point") }
    }
    var isShort = index - start <= 17 && digits < 1 << 53
    if index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") {
      isShort = false
      index += 1
      if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
      var exponent: UInt64 = 0
      guard readDigits(into: &exponent) > 0 else { throw error("expected a digit in the exponent") }
    }
    if isShort {
      // Both numbers are exact, so that their quotient is the double that is nearest to the decimal
      // (Clinger 1990): no need for the general conversion.
      let value = Double(digits) / Self.powersOfTen[decimals]
      return isNegative ? -value : value
    }
    let text = String(decoding: bytes[start..<index], as: UTF8.self)
    guard let value = Double(text), value.isFinite else {
      index = start
      throw error("the number \(text.prefix(40)) is too large")
    }
    return value
  }

  /// Exact in a double, as all are up to 10²².
  private static let powersOfTen: [Double] = (0...17).map { exponent in
    (0..<exponent).reduce(1) { power, _ in power * 10 }
  }

  /// Reads digits and returns how many; what they add up to is right for up to 19 in all.
  private mutating func readDigits(into value: inout UInt64) -> Int {
    let start = index
    while index < bytes.count, isDigit(bytes[index]) {
      value = value &* 10 &+ UInt64(bytes[index] &- 48)
      index += 1
    }
    return index - start
  }

  /// Reads the string that comes next.
  package mutating func readString() throws(JSONSyntaxError) -> String { try readRawString().text }

  /// Reads the string that comes next as it stands.
  package mutating func readRawString() throws(JSONSyntaxError) -> RawString {
    guard try nextByte() == UInt8(ascii: "\"") else { throw error("expected a string") }
    let offset = index
    index = endOfPlainUnits(offset + 1)
    // Most strings have no escapes.
    if index < bytes.count, bytes[index] == UInt8(ascii: "\"") {
      index += 1
      return rawString(offset, hasEscapes: false)
    }
    return try readRawStringFurther(offset)
  }

  @inline(__always)
  private func rawString(_ offset: Int, hasEscapes: Bool) -> RawString {
    RawString(
      units: UnsafeBufferPointer(rebasing: bytes[(offset + 1)..<(index - 1)]),
      hasEscapes: hasEscapes,
      offset: offset
    )
  }

  /// Reads the rest of a string, from where it is not plain or ends.
  private mutating func readRawStringFurther(_ offset: Int) throws(JSONSyntaxError) -> RawString {
    while true {
      guard index < bytes.count else { throw error("the string is not closed") }
      switch bytes[index] {
      case UInt8(ascii: "\""):
        index += 1
        return rawString(offset, hasEscapes: true)
      case UInt8(ascii: "\\"): try skipEscape()
      default: throw error("a control character in a string must be escaped")
      }
      index = endOfPlainUnits(index)
    }
  }

  /// The place of the next unit of a string that is a quote, a backslash or a control character.
  @inline(__always)
  private func endOfPlainUnits(_ start: Int) -> Int {
    var index = start
    let text = UnsafeRawBufferPointer(bytes)
    // Eight units at a time, by the tests for a byte of a word of Mycroft (1987); the lowest byte that
    // they find is right.
    while index + 8 <= text.count {
      let word = UInt64(littleEndian: text.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      let found =
        Self.zeroBytes(word ^ 0x2222_2222_2222_2222) | Self.zeroBytes(word ^ 0x5C5C_5C5C_5C5C_5C5C)
        | ((word &- 0x2020_2020_2020_2020) & ~word & 0x8080_8080_8080_8080)
      if found != 0 { return index + found.trailingZeroBitCount / 8 }
      index += 8
    }
    while index < text.count {
      let unit = text[index]
      if unit == UInt8(ascii: "\"") || unit == UInt8(ascii: "\\") || unit < 0x20 { break }
      index += 1
    }
    return index
  }

  private static func zeroBytes(_ word: UInt64) -> UInt64 {
    (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
  }

  /// Reads over an escape, if it is one.
  private mutating func skipEscape() throws(JSONSyntaxError) {
    index += 1
    guard index < bytes.count else { throw error("the string is not closed") }
    switch bytes[index] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      index += 1
    case UInt8(ascii: "u"):
      index += 1
      guard index + 4 <= bytes.count else { throw error("expected four hexadecimal digits") }
      for _ in 0..<4 {
        guard Self.hexadecimalValue(bytes[index]) != nil else {
          throw error("expected four hexadecimal digits")
        }
        index += 1
      }
    default: throw error("unknown escape in a string")
    }
  }

  /// What a string with escapes means that was read over before.
  private static func unescaped(_ units: UnsafeBufferPointer<UInt8>) -> String {
    var index = 0
    func escapedUnit(at start: Int) -> UInt16 {
      (0..<4).reduce(0) { $0 << 4 | UInt16(hexadecimalValue(units[start + $1]) ?? 0) }
    }
    /// The scalar of an escape whose digits start at the index, and of the other half of a surrogate.
    func escapedScalar() -> Unicode.Scalar {
      let first = escapedUnit(at: index)
      index += 4
      if let scalar = Unicode.Scalar(first) { return scalar }
      guard first < 0xDC00, index + 1 < units.count, units[index] == UInt8(ascii: "\\"),
        units[index + 1] == UInt8(ascii: "u")
      else { return "\u{FFFD}" }
      let second = escapedUnit(at: index + 2)
      guard (0xDC00...0xDFFF).contains(second) else { return "\u{FFFD}" }
      index += 6
      let value = 0x10000 + (UInt32(first - 0xD800) << 10) + UInt32(second - 0xDC00)
      return Unicode.Scalar(value) ?? "\u{FFFD}"
    }
    // No escape is shorter than what it means.
    return String(unsafeUninitializedCapacity: units.count) { text in
      var count = 0
      while index < units.count {
        let unit = units[index]
        index += 1
        if unit != UInt8(ascii: "\\") {
          text[count] = unit
          count += 1
          continue
        }
        let escape = units[index]
        index += 1
        switch escape {
        case UInt8(ascii: "b"): text[count] = 0x08
        case UInt8(ascii: "f"): text[count] = 0x0C
        case UInt8(ascii: "n"): text[count] = 0x0A
        case UInt8(ascii: "r"): text[count] = 0x0D
        case UInt8(ascii: "t"): text[count] = 0x09
        case UInt8(ascii: "u"):
          for unit in UTF8.encode(escapedScalar()) ?? UTF8.encodedReplacementCharacter {
            text[count] = unit
            count += 1
          }
          continue
        default: text[count] = escape
        }
        count += 1
      }
      return count
    }
  }

  private static func hexadecimalValue(_ digit: UInt8) -> UInt8? {
    switch digit {
    case 0x30...0x39: digit - 0x30
    case 0x41...0x46: digit - 0x41 + 10
    case 0x61...0x66: digit - 0x61 + 10
    default: nil
    }
  }

  // MARK: Bytes

  /// The first byte of the value that comes next.
  @inline(__always)
  private mutating func nextByte() throws(JSONSyntaxError) -> UInt8 {
    skipSpace()
    guard index < bytes.count else { throw error("the JSON value ends too early") }
    return bytes[index]
  }

  @inline(__always)
  @usableFromInline
  mutating func skipSpace() {
    // Where there is none, as in most recorded texts, one comparison tells.
    if index < bytes.count, bytes[index] > 0x20 { return }
    skipFurtherSpace()
  }

  private mutating func skipFurtherSpace() {
    while index < bytes.count {
      switch bytes[index] {
      case 0x20, 0x0A, 0x0D, 0x09: index += 1
      default: return
      }
    }
  }

  @inline(__always)
  private mutating func take(_ byte: UInt8) -> Bool {
    guard index < bytes.count, bytes[index] == byte else { return false }
    index += 1
    return true
  }

  private func isDigit(_ byte: UInt8) -> Bool { byte &- 48 < 10 }

  // Kept out of the way of what is right.
  @inline(never)
  @usableFromInline
  func error(_ message: String) -> JSONSyntaxError {
    JSONSyntaxError(offset: index, message: message)
  }
}
