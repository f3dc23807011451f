import SluiceSupport

/// The shortest decimal that represents a double: an integer times a power of ten.
///
/// For example, 19.99 is a multiple of 0.01 as a decimal, but not as a binary number.
struct DecimalNumber {
  /// The digits, without the sign and without trailing zeros.
  ///
  /// There are at most 17.
  private let digits: UInt64
  private let exponent: Int

  init(_ number: Double) {
    var digits: UInt64 = 0
    var exponent = 0
    var isFraction = false
    let text = number.magnitude.description
    let parts = text.split(separator: "e", maxSplits: 1)
    for unit in parts[0].utf8 {
      switch unit {
      case UInt8(ascii: "."): isFraction = true
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        digits = digits * 10 + UInt64(unit - UInt8(ascii: "0"))
        if isFraction { exponent -= 1 }
      default: break
      }
    }
    if parts.count > 1 { exponent += Int(parts[1]) ?? 0 }
    while digits > 0, digits % 10 == 0 {
      digits /= 10
      exponent += 1
    }
    self.digits = digits
    self.exponent = digits == 0 ? 0 : exponent
  }

  /// Returns true if the number is an integer multiple of another number, which must not be zero.
  ///
  /// Signs do not matter.
  func isMultiple(of other: DecimalNumber) -> Bool {
    if digits == 0 { return true }
    let shift = exponent - other.exponent
    guard shift < 0 else {
      // Computes digits · 10^shift mod other.digits without the large number in between.
      var remainder = digits % other.digits
      for _ in 0..<shift where remainder != 0 {
        let (high, low) = remainder.multipliedFullWidth(by: 10)
        remainder = other.digits.dividingFullWidth((high, low)).remainder
      }
      return remainder == 0
    }
    // The digits do not end in zero, so they are not divisible by a power of ten.
    return false
  }
}
