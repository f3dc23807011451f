/// A strict reader of JSON texts (RFC 8259).
///
/// Rejects text that the grammar does not allow, bytes after the value, invalid UTF-8, and
/// nesting beyond ``maximumDepth``. The grammar allows an escaped lone
/// surrogate, which models sometimes produce. It becomes U+FFFD, since a Swift string cannot
/// contain a surrogate.
///
/// A text can be read as a whole value or piece by piece. Callers that know the structure of a text
/// read the parts they need and skip the rest. Skipped text is still checked.
@usableFromInline
package struct JSONReader {
  package static let maximumDepth = 128

  @usableFromInline
  let bytes: UnsafeBufferPointer<UInt8>
  @usableFromInline
  var index = 0
  private var depth = 0
  var position: PositionTracker
  /// True if an object that was read as a value contains a member twice.
  @usableFromInline
  package internal(set) var hasDuplicates = false
  /// True if a number so far is not a short integer, so that a writer may spell it differently.
  package internal(set) var hasLongNumber = false

  @usableFromInline
  init(_ bytes: UnsafeBufferPointer<UInt8>, line: Int) {
    self.bytes = bytes
    position = PositionTracker(line: line)
  }

  /// Reads a text.
  ///
  /// If several members have the same name, the last one counts.
  @inlinable
  package static func value(_ bytes: some Sequence<UInt8>) throws(JSONSyntaxError) -> JSONValue {
    try read(bytes) { reader throws(JSONSyntaxError) in try reader.readValue() }
  }

  /// Reads a text.
  ///
  /// If several members have the same name, the last one counts.
  package static func value(_ text: String) throws(JSONSyntaxError) -> JSONValue {
    try value(text.utf8)
  }

  /// Reads a text into a tree with source positions; duplicate members are kept.
  ///
  /// - Parameters:
  ///   - bytes: The text.
  ///   - line: The number of the text's first line in its file.
  /// - Returns: The root of the tree.
  /// - Throws: ``JSONSyntaxError`` for the first error.
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
  ///   - body: Reads or skips the text's only value.
  /// - Returns: The result of the closure.
  /// - Throws: ``JSONSyntaxError`` for the first error.
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

  /// Reads the value at the start of a text, piece by piece; nil if it is invalid.
  ///
  /// - Parameters:
  ///   - bytes: The text. Only the value must be JSON; any bytes may follow.
  ///   - body: Reads or skips the value.
  /// - Returns: The result of the closure, and the length of the value.
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

  /// Reads the value at the start of a text.
  ///
  /// - Parameter bytes: The text. Only the value must be JSON; any bytes may follow.
  /// - Returns: The value (nil if it is invalid), and the number of bytes that were read.
  package static func readValue(in bytes: UnsafeBufferPointer<UInt8>) -> (
    value: JSONValue?, count: Int
  ) {
    var reader = JSONReader(bytes, line: 1)
    let value = try? reader.readValue()
    return (value, reader.index)
  }

  // MARK: Pieces

  /// The types of values.
  ///
  /// A byte that does not start any value counts as the start of a number.
  package enum Kind { case object, array, string, bool, null, number }

  /// Returns the type of the next value.
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

  /// Skips the next value.
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
    default: _ = try readRawNumber()
    }
  }

  /// Skips the next value, and returns its bytes.
  package mutating func textOfValue() throws(JSONSyntaxError) -> UnsafeBufferPointer<UInt8> {
    try withText { reader throws(JSONSyntaxError) in try reader.skipValue() }.text
  }

  /// Returns the value that a closure reads, with the bytes of that value in the text.
  @inlinable
  package mutating func withText<Value>(
    _ read: (inout JSONReader) throws(JSONSyntaxError) -> Value
  ) throws(JSONSyntaxError) -> (value: Value, text: UnsafeBufferPointer<UInt8>) {
    skipSpace()
    let start = index
    let value = try read(&self)
    return (value, UnsafeBufferPointer(rebasing: bytes[start..<index]))
  }

  /// Skips the next object or array if its text equals the given bytes; otherwise returns false.
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

  /// Reads the next value if it is a string; otherwise skips it and returns nil.
  package mutating func readStringIfPresent() throws(JSONSyntaxError) -> String? {
    if try nextByte() == UInt8(ascii: "\"") { return try readString() }
    try skipValue()
    return nil
  }

  /// Calls a closure for each member of the next object.
  ///
  /// - Parameter member: Receives the reader and the name of each member. The reader is at the
  ///   member's value, which the closure must read or skip.
  /// - Throws: ``JSONSyntaxError`` if the text has an error or the next value is not an object.
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

  /// Calls a closure for each element of the next array.
  ///
  /// - Parameter element: Receives the reader at the start of each element, which the closure must
  ///   read or skip.
  /// - Throws: ``JSONSyntaxError`` if the text has an error or the next value is not an array.
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

  mutating func enter() throws(JSONSyntaxError) {
    depth += 1
    guard depth <= Self.maximumDepth else {
      throw error("nested more than \(Self.maximumDepth) levels deep")
    }
    index += 1
  }

  mutating func leave() { depth -= 1 }

  // MARK: Bytes

  /// Returns the first byte of the next value.
  @inline(__always)
  mutating func nextByte() throws(JSONSyntaxError) -> UInt8 {
    skipSpace()
    guard index < bytes.count else { throw error("the JSON value ends too early") }
    return bytes[index]
  }

  @inline(__always)
  @usableFromInline
  mutating func skipSpace() {
    // Most recorded texts have no white space here, so one comparison is usually enough.
    if index < bytes.count, bytes[index] > 0x20 { return }
    skipFurtherSpace()
  }

  mutating func skipFurtherSpace() {
    while index < bytes.count {
      switch bytes[index] {
      case 0x20, 0x0A, 0x0D, 0x09: index += 1
      default: return
      }
    }
  }

  @inline(__always)
  mutating func take(_ byte: UInt8) -> Bool {
    guard index < bytes.count, bytes[index] == byte else { return false }
    index += 1
    return true
  }

  func isDigit(_ byte: UInt8) -> Bool { byte &- 48 < 10 }

  // Not inlined, to keep the fast path small.
  @inline(never)
  @usableFromInline
  func error(_ message: String) -> JSONSyntaxError {
    JSONSyntaxError(offset: index, message: message)
  }
}
