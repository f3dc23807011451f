// Numbers, words and strings.
extension JSONReader {
  /// A string as written in the text.
  @usableFromInline
  package struct RawString {
    /// The bytes between the quotes, valid as long as the text that contains them.
    @usableFromInline
    package let units: UnsafeBufferPointer<UInt8>
    @usableFromInline
    package let hasEscapes: Bool
    /// The offset of the opening quote.
    package let offset: Int

    fileprivate init(units: UnsafeBufferPointer<UInt8>, hasEscapes: Bool, offset: Int) {
      self.units = units
      self.hasEscapes = hasEscapes
      self.offset = offset
    }

    /// Creates a string from bytes that were read earlier and stored without quotes.
    package init(canonical units: UnsafeBufferPointer<UInt8>) {
      self.init(units: units, hasEscapes: true, offset: 0)
    }

    /// The unescaped string.
    package var text: String {
      hasEscapes ? JSONReader.unescaped(units) : String(decoding: units, as: UTF8.self)
    }

    /// Returns true if the string is written in exactly these ASCII characters, without escapes.
    @inlinable
    @inline(__always)
    package static func == (string: RawString, text: StaticString) -> Bool {
      UnsafeRawBufferPointer(string.units).equals(text) && !string.hasEscapes
    }
  }

  mutating func readWord<Value>(_ word: StaticString, _ value: Value)
    throws(JSONSyntaxError) -> Value
  {
    guard UnsafeRawBufferPointer(bytes).hasBytes(of: word, at: index) else {
      throw error("expected a JSON value")
    }
    index += word.utf8CodeUnitCount
    return value
  }

  /// A number as written in the text.
  struct RawNumber {
    /// The text.
    var units: UnsafeBufferPointer<UInt8>
    /// The value of a number with so few digits that it is computed at once; otherwise nil.
    var short: Double?
    /// True if no other number of that few digits has the same double.
    var isDistinct: Bool
  }

  /// Reads the next number as the nearest double, which is finite.
  package mutating func readNumber() throws(JSONSyntaxError) -> Double {
    let number = try readRawNumber()
    return number.short ?? Self.value(of: number).number ?? 0
  }

  /// Reads the next number.
  mutating func readNumberValue() throws(JSONSyntaxError) -> JSONValue {
    let number = try readRawNumber()
    if number.isDistinct, let value = number.short { return .number(value) }
    return Self.value(of: number)
  }

  @inline(never)
  private static func value(of number: RawNumber) -> JSONValue {
    let text = String(decoding: number.units, as: UTF8.self)
    // Most long numbers are the shortest spellings of doubles.
    if let value = Double(text), value.magnitude < 0x1p53, value.description == text {
      return .number(value)
    }
    return ExactNumber(number.units).map(JSONValue.init) ?? 0
  }

  @inline(__always)
  mutating func readRawNumber() throws(JSONSyntaxError) -> RawNumber {
    skipSpace()
    let start = index
    let isNegative = take(UInt8(ascii: "-"))
    // The digits as one integer, and the number of decimals. The integer is used only if a double
    // represents it exactly.
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
      let count = readDigits(into: &exponent)
      guard count > 0 else { throw error("expected a digit in the exponent") }
      if count > 15, ExactNumber(bytes[start..<index]) == nil {
        index = start
        throw error("the exponent of the number is too large")
      }
    }
    if !isShort || decimals > 0 || isNegative && digits == 0 { hasLongNumber = true }
    var number = RawNumber(
      units: UnsafeBufferPointer(rebasing: bytes[start..<index]),
      short: nil,
      isDistinct: decimals == 0 || digits < 1_000_000_000_000_000
    )
    if isShort {
      // Both numbers are exact, so their quotient is the double nearest to the decimal (Clinger
      // 1990). The general conversion is not needed.
      let value = Double(digits) / Self.powersOfTen[decimals]
      number.short = isNegative ? -value : value
    }
    return number
  }

  /// Powers of ten.
  ///
  /// Doubles represent them exactly up to 10²².
  private static let powersOfTen: [Double] = (0...17).map { exponent in
    (0..<exponent).reduce(1) { power, _ in power * 10 }
  }

  /// Reads digits, and returns their number.
  ///
  /// The digits are appended to `value`, which is exact if it has at most 19 digits in all.
  mutating func readDigits(into value: inout UInt64) -> Int {
    let start = index
    while index < bytes.count, isDigit(bytes[index]) {
      value = value &* 10 &+ UInt64(bytes[index] &- 48)
      index += 1
    }
    return index - start
  }

  /// Reads the next string.
  package mutating func readString() throws(JSONSyntaxError) -> String { try readRawString().text }

  /// Reads the next string as written.
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
  func rawString(_ offset: Int, hasEscapes: Bool) -> RawString {
    RawString(
      units: UnsafeBufferPointer(rebasing: bytes[(offset + 1)..<(index - 1)]),
      hasEscapes: hasEscapes,
      offset: offset
    )
  }

  /// Reads the rest of a string, starting at the first byte that is not plain.
  mutating func readRawStringFurther(_ offset: Int) throws(JSONSyntaxError) -> RawString {
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

  /// Returns the offset of the next quote, backslash or control character of a string.
  @inline(__always)
  func endOfPlainUnits(_ start: Int) -> Int {
    var index = start
    let text = UnsafeRawBufferPointer(bytes)
    while index + 8 <= text.count {
      let word = UInt64(littleEndian: text.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      let found =
        word.marks(below: 0x20) | word.marks(of: UInt8(ascii: "\""))
        | word.marks(of: UInt8(ascii: "\\"))
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

  /// Skips an escape and checks that it is valid.
  mutating func skipEscape() throws(JSONSyntaxError) {
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

  /// Returns the unescaped form of a string that was already checked.
  static func unescaped(_ units: UnsafeBufferPointer<UInt8>) -> String {
    var index = 0
    func escapedUnit(at start: Int) -> UInt16 {
      (0..<4).reduce(0) { $0 << 4 | UInt16(hexadecimalValue(units[start + $1]) ?? 0) }
    }
    /// Returns the scalar of an escape whose digits start at the index.
    ///
    /// If the escape is the first half of a surrogate pair, reads both escapes.
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
    // An escape is never shorter than its scalar.
    return String(unsafeUninitializedCapacity: units.count) { text in
      guard let base = UnsafeMutableRawPointer(text.baseAddress) else { return 0 }
      var count = 0
      while index < units.count {
        // Text between escapes is copied eight bytes at a time.
        let escaped = units.copyRun(from: index, to: base + count) { word in
          word.marks(of: UInt8(ascii: "\\"))
        }
        count += escaped - index
        index = escaped
        if index == units.count { break }
        let escape = units[index + 1]
        index += 2
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

  static func hexadecimalValue(_ digit: UInt8) -> UInt8? {
    switch digit {
    case 0x30...0x39: digit - 0x30
    case 0x41...0x46: digit - 0x41 + 10
    case 0x61...0x66: digit - 0x61 + 10
    default: nil
    }
  }
}
