/// The decimal value of a number, of any length.
///
/// A double stands for the decimal that is its shortest spelling or, below 10^21, for the integer
/// that it holds. ``JSONValue/exact(_:)`` has all other numbers, such as 9007199254740993 and 1e400.
public struct ExactNumber: Sendable, Hashable {
  package var isNegative: Bool
  /// The digits, 0 to 9, without zeros at either end; empty for zero.
  private let digits: [UInt8]
  /// The position of the decimal point, counted from the first digit.
  private let point: Int

  /// Larger exponents are refused, so that positions cannot overflow.
  private static let largestExponent = 1_000_000_000_000_000

  /// Reads a decimal, such as `-12.50e3`; nil if its exponent is too large.
  ///
  /// The grammar is checked by the caller, who knows the language of the text.
  package init?(_ text: some Sequence<UInt8>) {
    var (isNegative, isFraction, isExponent, isSmall) = (false, false, false, false)
    var (digits, point, exponent) = ([UInt8](), 0, 0)
    for unit in text {
      switch unit {
      case UInt8(ascii: "-"): if isExponent { isSmall = true } else { isNegative = true }
      case UInt8(ascii: "."): isFraction = true
      case UInt8(ascii: "e"), UInt8(ascii: "E"): isExponent = true
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        let digit = unit - UInt8(ascii: "0")
        if isExponent {
          exponent = min(exponent * 10 + Int(digit), Self.largestExponent + 1)
        } else if digit > 0 || !digits.isEmpty {
          digits.append(digit)
          if !isFraction { point += 1 }
        } else if isFraction {
          point -= 1
        }
      default: break
      }
    }
    while digits.last == 0 { digits.removeLast() }
    guard exponent <= Self.largestExponent || digits.isEmpty else { return nil }
    self.isNegative = isNegative && !digits.isEmpty
    self.digits = digits
    self.point = digits.isEmpty ? 0 : point + (isSmall ? -exponent : exponent)
  }

  /// Returns the decimal for which a double stands; nil for infinities and NaN.
  package init?(_ number: Double) {
    guard number.isFinite else { return nil }
    if (0x1p53..<1e21).contains(number.magnitude) {
      self.init(integer: number)
    } else {
      self.init(number.description.utf8)
    }
  }

  /// Returns the integer that a double of 2^53 or more holds.
  private init?(integer number: Double) {
    let shift = Int(number.exponent) - 52
    let significand = number.significandBitPattern | 1 << 52
    let zeros = [UInt64](repeating: 0, count: shift / 10)
    self.init(whole: [significand << (shift % 10)] + zeros, radix: 1 << 10)
    isNegative = number < 0
  }

  /// Creates an integer from its digits in another radix, which is at most 2^30.
  package init?(whole places: [UInt64], radix: UInt64) {
    // The digits in base 10^9, least significant first.
    var limbs: [UInt64] = []
    for place in places {
      var carry = place
      for index in limbs.indices {
        (carry, limbs[index]) = (limbs[index] * radix + carry)
          .quotientAndRemainder(dividingBy: 1_000_000_000)
      }
      while carry > 0 {
        limbs.append(carry % 1_000_000_000)
        carry /= 1_000_000_000
      }
    }
    self.init(limbs.reversed().flatMap { String($0 + 1_000_000_000).utf8.dropFirst() })
  }

  /// The nearest double, which is finite, and not zero unless the number is.
  package var double: Double {
    if digits.isEmpty { return 0 }
    // No more digits than these decide between two doubles, except whether there are any.
    let isCut = digits.count > 800
    let shown = "0.\(significant.prefix(800))\(isCut ? "1" : "")e\(point)"
    let nearest = Double(shown) ?? (point > 0 ? .infinity : 0)
    let magnitude = min(max(nearest, .leastNonzeroMagnitude), .greatestFiniteMagnitude)
    return isNegative ? -magnitude : magnitude
  }

  /// True if the nearest double stands for the number.
  fileprivate func isHeld(by double: Double) -> Bool {
    // The shortest spelling of a double has at most 17 digits.
    (isWhole && point <= 21 || digits.count <= 17) && ExactNumber(double) == self
  }

  package var isWhole: Bool { point >= digits.count }

  /// True if the number is an integer multiple of another number, which must not be zero.
  ///
  /// For example, 19.99 is a multiple of 0.01, although not as a binary number. The other number
  /// must have at most ``mostDivisorDigits`` digits.
  package func isMultiple(of other: ExactNumber) -> Bool {
    // The digits do not end in zero, so they are not divisible by a power of ten.
    var shift = (point - digits.count) - (other.point - other.digits.count)
    guard shift >= 0 else { return digits.isEmpty }
    let divisor = other.digits.reduce(0) { $0 * 10 + UInt64($1) }
    func product(_ one: UInt64, _ other: UInt64) -> UInt64 {
      divisor.dividingFullWidth(one.multipliedFullWidth(by: other)).remainder
    }
    var remainder = digits.reduce(0) { (product($0, 10) + UInt64($1)) % divisor }
    // Multiplies by 10^shift, bit by bit of the exponent.
    var power = 10 % divisor
    while shift > 0, remainder != 0 {
      if shift & 1 == 1 { remainder = product(remainder, power) }
      power = product(power, power)
      shift >>= 1
    }
    return remainder == 0
  }

  package static let mostDivisorDigits = 18
  package var digitCount: Int { digits.count }

  /// Returns true if the number differs from another one by at most a tolerance.
  package func isNear(_ other: ExactNumber, within tolerance: ExactNumber) -> Bool {
    let sign = self < other ? -1 : 1
    let terms = [(tolerance, 1), (self, -sign), (other, sign)].filter { !$0.0.digits.isEmpty }
    // Adds `tolerance - |self - other|` from the first digit on. As soon as the sum so far is more
    // than 3 units, the digits that follow cannot change its sign.
    var (sum, place) = (0, terms.map(\.0.point).max() ?? 0)
    while sum.magnitude <= 3 {
      let isLeft = terms.contains { $0.0.point - $0.0.digits.count < place }
      guard isLeft else { break }
      let next = terms.filter { $0.0.point - $0.0.digits.count < place }.map(\.0.point).max() ?? 0
      // Zeros between two numbers can be many.
      if next < place {
        if sum != 0 { break }
        place = next
      }
      sum *= 10
      for (number, factor) in terms {
        let index = number.point - place
        guard number.digits.indices.contains(index) else { continue }
        sum += factor * (number.isNegative ? -1 : 1) * Int(number.digits[index])
      }
      place -= 1
    }
    return sum >= 0
  }

  // MARK: Text

  private var significant: String {
    String(decoding: digits.map { $0 + UInt8(ascii: "0") }, as: UTF8.self)
  }

  /// The text in the layout of ECMAScript.
  ///
  /// An integer ends in its own zeros if the point is not after the given position. Otherwise, it
  /// has an exponent.
  func text(wholeUpTo limit: Int) -> String {
    let digits = significant
    let count = self.digits.count
    let text: String
    switch point {
    case _ where count == 0: text = "0"
    case 1..<max(count, 1): text = digits.prefix(point) + "." + digits.dropFirst(point)
    case count...max(count, limit):
      text = digits + String(repeating: "0", count: point - count)
    case -5...0: text = "0." + String(repeating: "0", count: -point) + digits
    default:
      let shown = point - 1
      let rest = digits.dropFirst()
      text =
        digits.prefix(1) + (rest.isEmpty ? "" : "." + rest)
        + "e\(shown < 0 ? "-" : "+")\(shown.magnitude)"
    }
    return isNegative ? "-" + text : text
  }

  /// The text in canonical JSON: as in RFC 8785, but without rounding integers to doubles.
  ///
  /// No number is rounded to zero, either.
  var canonicalText: String {
    isWhole || point < -322 ? requestText : JSONWriter.number(double)
  }

  /// The text in prompts and requests: all digits, unless there are very many zeros at the end.
  ///
  /// If a double holds the integer, the text is that of the double, as in RFC 8785.
  var requestText: String {
    if (22...309).contains(point), ExactNumber(integer: double) == self {
      return JSONWriter.number(double)
    }
    return text(wholeUpTo: digits.count + 400)
  }
}

extension ExactNumber: Comparable {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public static func < (left: ExactNumber, right: ExactNumber) -> Bool {
    if left.isNegative != right.isNegative { return left.isNegative }
    let (small, large) = left.isNegative ? (right, left) : (left, right)
    if small.digits.isEmpty || large.digits.isEmpty {
      return small.digits.isEmpty && !large.digits.isEmpty
    }
    if small.point != large.point { return small.point < large.point }
    return small.digits.lexicographicallyPrecedes(large.digits)
  }
}

extension ExactNumber: CustomStringConvertible {
  /// The digits, with an exponent instead of more than 20 zeros.
  public var description: String { text(wholeUpTo: digits.count + 20) }
}

extension JSONValue {
  /// Creates the number that a decimal has as its value.
  package init(_ exact: ExactNumber) {
    let double = exact.double
    self = exact.isHeld(by: double) ? .number(double) : .exact(exact)
  }

  /// The decimal value of a number; nil for other values, infinities and NaN.
  package var decimal: ExactNumber? {
    switch self {
    case .number(let number): ExactNumber(number)
    case .exact(let exact): exact
    case .null, .bool, .string, .array, .object: nil
    }
  }

  /// Returns true if both values are numbers, and this one is less than the other one.
  package func isLess(than other: JSONValue) -> Bool {
    if case .number(let number) = self, case .number(let other) = other { return number < other }
    guard let decimal, let other = other.decimal else { return false }
    return decimal < other
  }
}
