import SluiceStatistics
@testable import SluiceSupport
import Testing

@Suite("Exact numbers")
struct ExactNumberTests {
  private func number(_ text: String) throws -> JSONValue { try JSONReader.value(text) }

  private func decimal(_ text: String) throws -> ExactNumber {
    try #require(ExactNumber(text.utf8))
  }

  private func canonical(_ value: JSONValue) -> String {
    String(decoding: JSONWriter.canonical(value), as: UTF8.self)
  }

  // MARK: Equality

  @Test(
    "Spellings of one value are equal, and have equal hashes and canonical forms",
    arguments: [
      ["3.1", "3.10", "31e-1", "0.31E1", "310e-2", "3.1000000000000000000000"],
      ["100", "1e2", "1E+2", "100.0", "0.1e3", "10000e-2"],
      ["0", "-0", "0.0", "0e5", "-0e-5", "0e99999999999999999999999", "0.000"],
      ["9007199254740993", "9007199254740993.0", "9007199254740993000e-3", "9.007199254740993e15"],
      ["1e400", "10e399", "0.1e401", "1000e397", "1E+400"],
      ["1e-400", "0.1e-399", "10E-401"],
      ["1e23", "100000000000000000000000", "1E+23"],
      ["-12345678901234567890", "-1234567890123456789e1", "-12345678901234567890.00"],
    ]
  )
  func equal(_ texts: [String]) throws {
    let values = try texts.map(number)
    #expect(Set(values).count == 1)
    #expect(Set(values.map(canonical)).count == 1)
    for value in values {
      #expect(!value.isLess(than: values[0]) && !values[0].isLess(than: value))
    }
  }

  /// Numbers in ascending order, of which neighbors are the same double, or close to it.
  private static let ascending = [
    "-1e999999999", "-1e401", "-1e400", "-9007199254740993", "-9007199254740992", "-1e-400",
    "0", "1e-999999999", "1e-400", "5e-324", "0.09999999999999999999", "0.1",
    "0.1000000000000000055", "0.10000000000000000555", "0.10000000000000001", "0.3",
    "0.30000000000000004", "0.5000000000000004", "0.5000000000000005", "1",
    "1.00000000000000000001", "3.1", "9007199254740991", "9007199254740992", "9007199254740992.5",
    "9007199254740993", "9007199254740994", "9223372036854775806", "9223372036854775807",
    "9223372036854775808", "1152921504606846976000", "1e23", "1e308", "1.7976931348623157e308",
    "1.7976931348623158e308", "1e400", "1e400000", "1.0000000000000000001e400000", "1e999999999",
    "2e999999999",
  ]

  @Test("Numbers are ordered by value, and different numbers are neither equal nor rounded")
  func order() throws {
    let values = try Self.ascending.map(number)
    for (place, value) in values.enumerated() {
      for (other, otherValue) in values.enumerated() {
        #expect((value == otherValue) == (place == other), "\(value) \(otherValue)")
        #expect(value.isLess(than: otherValue) == (place < other), "\(value) \(otherValue)")
      }
    }
    #expect(Set(values).count == values.count)
    #expect(Set(values.map(\.jsonText)).count == values.count)
    for value in values { #expect(try number(value.jsonText) == value) }
  }

  @Test("Numbers in lists and objects are compared by value")
  func nested() throws {
    #expect(try number(#"{"a":[9007199254740993]}"#) != number(#"{"a":[9007199254740992]}"#))
    #expect(try number(#"{"a":[1e400,3.10]}"#) == number(#"{"a":[10e399,3.1]}"#))
    let set = Set(try (0..<2_000).map { try number("[90071992547409920\($0)]") })
    #expect(set.count == 2_000)
  }

  // MARK: Doubles

  @Test(
    "A number is a double if the double holds the integer, or is spelled so in its shortest form",
    arguments: [
      ("9007199254740992", true), ("9007199254740993", false), ("9007199254740994", true),
      ("1152921504606846976", true), ("1152921504606847000", false),
      ("1234567890123456768", true), ("1234567890123456800", false), ("3.1", true),
      ("0.1", true), ("0.10000000000000001", false), ("1e21", true), ("1e30", true),
      ("1180591620717411303424", false), ("1.1805916207174113e21", true), ("1e308", true),
      ("1e309", false), ("5e-324", true), ("4e-324", false), ("0.5000000000000004", true),
      ("0.5000000000000005", false), ("123456789012345.67", true), ("-0.000001", true),
    ]
  )
  func held(_ text: String, _ isDouble: Bool) throws {
    var isHeld = false
    if case .number = try number(text) { isHeld = true }
    #expect(isHeld == isDouble)
    #expect(
      try number("-" + text.drop { $0 == "-" }).number.map { $0.magnitude }
        == number(text).number.map { $0.magnitude }
    )
  }

  @Test(
    "The double of a number is finite and keeps the sign",
    arguments: [
      ("1e400", Double.greatestFiniteMagnitude), ("-1e400", -.greatestFiniteMagnitude),
      ("1e-400", .leastNonzeroMagnitude), ("-1e-400", -.leastNonzeroMagnitude),
      ("9007199254740993", 9_007_199_254_740_992), ("1e999999999", .greatestFiniteMagnitude),
    ]
  )
  func double(_ text: String, _ double: Double) throws {
    #expect(try number(text).number == double)
    #expect(
      try JSONReader.read(text.utf8) { reader throws(JSONSyntaxError) in
        try reader.readNumber()
      } == double
    )
  }

  @Test(
    "A whole number that fits is an integer",
    arguments: [
      ("9223372036854775807", Int.max), ("-9223372036854775808", Int.min),
      ("9007199254740993", 9_007_199_254_740_993), ("9007199254740993.0", 9_007_199_254_740_993),
      ("9223372036854775808", nil), ("9007199254740993.5", nil), ("1e400", nil), ("1e3", 1_000),
      ("1e999999999", nil), ("1e-400", nil), ("0.10000000000000001", nil),
    ] as [(String, Int?)]
  )
  func integer(_ text: String, _ integer: Int?) throws {
    #expect(try number(text).integer == integer)
  }

  @Test("An integer literal is exact", arguments: [Int.max, Int.min, 9_007_199_254_740_993, 7])
  func literal(_ integer: Int) { #expect(JSONValue(integerLiteral: integer).integer == integer) }

  // MARK: Text

  @Test(
    "The canonical form is that of RFC 8785, but has all digits of integers that no double holds",
    arguments: [
      ("9007199254740992", "9007199254740992"), ("9007199254740993", "9007199254740993"),
      ("1152921504606846976", "1152921504606847000"),
      ("18446744073709551616", "18446744073709552000"),
      ("18446744073709551615", "18446744073709551615"), ("1e21", "1e+21"), ("1E30", "1e+30"),
      ("1180591620717411303424", "1.1805916207174113e+21"),
      ("1180591620717411303425", "1180591620717411303425"),
      ("123456789012345678901234567890", "123456789012345678901234567890"),
      ("12345678901234567890e5", "1234567890123456789000000"),
      ("-12345678901234567890", "-12345678901234567890"),
      ("0.1000000000000000055", "0.1"), ("-1e-400", "-1e-400"),
      ("333333333.33333329", "333333333.3333333"), ("4e-400", "4e-400"),
      ("1e400", "1" + String(repeating: "0", count: 400)), ("1e999999999", "1e+999999999"),
      ("12.5e999999999", "1.25e+1000000000"), ("3.10", "3.1"), ("-0", "0"), ("1e-7", "1e-7"),
      ("9007199254740993.5", "9007199254740994"),
    ]
  )
  func canonicalForm(_ text: String, _ form: String) throws {
    #expect(canonical(try number(text)) == form)
  }

  @Test(
    "A prompt has the form of RFC 8785 for what a double stands for, and all digits otherwise",
    arguments: [
      ("3.10", "3.1"), ("1152921504606846976", "1152921504606847000"), ("1e21", "1e+21"),
      ("9007199254740993", "9007199254740993"), ("0.1000000000000000055", "0.1000000000000000055"),
      ("333333333.33333329", "333333333.33333329"), ("-0", "0"), ("1e-400", "1e-400"),
      ("1180591620717411303424", "1.1805916207174113e+21"), ("1e999999999", "1e+999999999"),
    ]
  )
  func prompt(_ text: String, _ form: String) throws {
    #expect(try number(text).requestText == form)
  }

  @Test(
    "The text of a number is exact, with an exponent instead of many zeros",
    arguments: [
      ("1152921504606846976", "1152921504606846976"), ("9007199254740993", "9007199254740993"),
      ("1e400", "1e+400"), ("-1.5e401", "-1.5e+401"), ("1e20", "100000000000000000000"),
      ("1e21", "1e+21"), ("1e-400", "1e-400"), ("3.10", "3.1"),
      ("123456789012345678901234567890", "123456789012345678901234567890"),
    ]
  )
  func text(_ text: String, _ shown: String) throws {
    #expect(try number(text).jsonText == shown)
    #expect(JSONValue.array([try number(text)]).jsonText == "[\(shown)]")
  }

  @Test(
    "Every integer that a double holds keeps the canonical form of the double",
    arguments: 0..<5
  )
  func heldIntegers(_ seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    for _ in 0..<200 {
      let significand = random.next() >> UInt64.random(in: 11...21, using: &random)
      var digits = String(significand)
      var double = Double(significand)
      for _ in 0..<Int.random(in: 0...200, using: &random) {
        double *= 2
        digits = Self.doubled(digits)
      }
      #expect(canonical(try number(digits)) == JSONWriter.number(double))
      #expect(try number(digits).number == double)
    }
  }

  private static func doubled(_ digits: String) -> String {
    var (carry, result) = (0, [Character]())
    for digit in digits.reversed() {
      let sum = 2 * (digit.wholeNumberValue ?? 0) + carry
      result.append(Character(String(sum % 10)))
      carry = sum / 10
    }
    if carry > 0 { result.append("1") }
    return String(result.reversed())
  }

  // MARK: Size

  @Test("Digits in any number and exponents of any size are read, compared and written at once")
  func large() throws {
    let digits = String(repeating: "1234567890", count: 100_000)
    let (one, other) = (try number(digits + "1"), try number(digits + "2"))
    #expect(one != other && one.isLess(than: other))
    #expect(one.jsonText.utf8.count == 1_000_001)
    #expect(try number("0." + digits + "1") != number("0." + digits + "2"))
    let huge = try decimal("1e999999999")
    #expect(try huge.isNear(decimal("1"), within: decimal("1e999999999")))
    #expect(try !huge.isNear(decimal("-1"), within: decimal("1e999999999")))
    #expect(try !huge.isNear(decimal("1e999999998"), within: decimal("1")))
    #expect(try huge.isMultiple(of: decimal("7e-999999999")) == false)
    #expect(try huge.isMultiple(of: decimal("8e-999999999")))
    let many = "[" + Array(repeating: "1e300", count: 20_000).joined(separator: ",") + "]"
    #expect(try number(many).array?.count == 20_000)
  }

  // MARK: Tolerance

  @Test(
    "Two numbers are near if their exact difference is at most the tolerance",
    arguments: [
      ("0.3", "0.2", "0.1", true), ("1.1", "1.0", "0.1", true), ("1.1", "1.0", "0.0999", false),
      ("9007199254740993", "9007199254740992", "0", false),
      ("9007199254740993", "9007199254740992", "1", true),
      ("9007199254740994", "9007199254740992", "1", false),
      ("1234567890123456", "1234567890124456", "0", false), ("-1", "1", "2", true),
      ("-1", "1", "1.99", false), ("1e400", "1e401", "1e300", false),
      ("1e400", "1e401", "9e400", true),
      ("1e400", "1e401", "8.9e400", false), ("5", "5", "0", true), ("0", "0", "0", true),
      ("1", "1.0000000000001", "0", false), ("1", "1.0000000000001", "1e-13", true),
      ("100", "99", "1", true), ("100", "98.9", "1", false), ("0.1", "-0.1", "0.2", true),
      ("1e-400", "0", "0", false), ("1e-400", "0", "1e-400", true), ("1e10", "1e-10", "1e10", true),
    ]
  )
  func tolerance(_ one: String, _ other: String, _ tolerance: String, _ isNear: Bool) throws {
    let (one, other, tolerance) = (try decimal(one), try decimal(other), try decimal(tolerance))
    #expect(one.isNear(other, within: tolerance) == isNear)
    #expect(other.isNear(one, within: tolerance) == isNear)
  }

  @Test("The tolerance of integers agrees with integer arithmetic", arguments: 0..<4)
  func integerTolerance(_ seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    for _ in 0..<2_000 {
      let size = [3, 30, 3_000, 1_000_000_007][Int.random(in: 0...3, using: &random)]
      func some() -> Int { Int.random(in: (-size)...size, using: &random) }
      let (one, other, tolerance) = (some(), some(), some().magnitude)
      #expect(
        try decimal("\(one)").isNear(decimal("\(other)"), within: decimal("\(tolerance)"))
          == ((one - other).magnitude <= tolerance)
      )
    }
  }

  // MARK: Multiples

  @Test("Every number with two decimal places is a multiple of 0.01")
  func hundredths() throws {
    for count in 0...20_000 {
      let digits = String(1_000_000 + count).dropFirst(5)
      #expect(
        try decimal("\(count / 100).\(digits.suffix(2))").isMultiple(of: decimal("0.01"))
      )
    }
  }

  @Test("Divisibility is exact for integers and for thousandths")
  func integers() throws {
    for divisor in 1...40 {
      for number in 0...400 {
        let isMultiple = number % divisor == 0
        #expect(try decimal("\(number)").isMultiple(of: decimal("\(divisor)")) == isMultiple)
        #expect(try decimal("-\(number)e-3").isMultiple(of: decimal("\(divisor)e-3")) == isMultiple)
      }
    }
  }

  @Test(
    "Divisibility is exact for large and small numbers",
    arguments: [
      ("1.7976931348623157e308", "1e300", false), ("1e308", "1e-308", true),
      ("5e-324", "5e-324", true), ("1e-323", "5e-324", true), ("9007199254740992", "3", false),
      ("9007199254740993", "3", true), ("9007199254740991", "6361", true), ("1e16", "7", false),
      ("0.3", "0.1", true), ("123456789012345678901234567890", "10", true),
      ("123456789012345678901234567890", "4", false),
    ]
  )
  func extremes(_ number: String, _ divisor: String, _ isMultiple: Bool) throws {
    #expect(try decimal(number).isMultiple(of: decimal(divisor)) == isMultiple)
  }
}

extension JSONValue {
  /// Creates the number that a decimal has as its value.
  init(decimal text: String) { self = ExactNumber(text.utf8).map(JSONValue.init) ?? .null }
}
