package import SluiceSupport

extension JSONSchema {
  /// The argument of `pattern`: an ECMAScript regular expression, matched by PCRE2.
  struct Pattern: Sendable {
    /// The pattern as the schema contains it.
    let source: String
    private let regex: BoundedRegex

    init(_ source: String) throws(BoundedRegex.PatternError) {
      self.source = source
      regex = try BoundedRegex(Self.translated(source))
    }

    /// Returns true if the pattern matches anywhere in a text.
    func matches(_ text: String) throws(BoundedRegex.TooExpensive) -> Bool {
      try regex.matches(text)
    }

    /// Returns the pattern in the syntax of PCRE2.
    ///
    /// Translates the differences between ECMAScript (ECMA-262, 2024, section 22.2) and PCRE2.
    ///
    /// In ECMAScript, `$` matches only at the very end, not before a final line break. `\d`, `\w`
    /// and `\b` cover only ASCII, and `\s` covers a different list of characters. `.` does not
    /// match U+2028 and U+2029, either. `\u` denotes a character. In a class, `[` is an ordinary
    /// character, and `]` always ends the class.
    static func translated(_ source: String) -> String {
      let scalars = Array(source.unicodeScalars)
      var result = ""
      var index = 0
      var isInClass = false
      while index < scalars.count {
        let scalar = scalars[index]
        index += 1
        switch scalar {
        case "\\" where index < scalars.count:
          let escaped = scalars[index]
          if escaped == "u", let (value, next) = character(scalars, after: index + 1) {
            result += "\\x{\(String(value, radix: 16))}"
            index = next
          } else {
            index += 1
            result += translated(escaped, isInClass) ?? "\\" + String(escaped)
          }
        case "$" where !isInClass: result += "\\z"
        case "." where !isInClass: result += "[^\\n\\r\\x{2028}\\x{2029}]"
        case "[" where isInClass: result += "\\["
        case "[":
          let rest = scalars[index...]
          if rest.starts(with: "]".unicodeScalars) {
            result += "(?!)"
            index += 1
          } else if rest.starts(with: "^]".unicodeScalars) {
            result += "[\\s\\S]"
            index += 2
          } else {
            result += "["
            isInClass = true
          }
        case "]":
          isInClass = false
          result += "]"
        default: result.unicodeScalars.append(scalar)
        }
      }
      return result
    }

    private static func translated(_ letter: Unicode.Scalar, _ isInClass: Bool) -> String? {
      let ranges: String
      switch letter {
      case "d": ranges = "0-9"
      case "D": ranges = "\\x{0}-\\x{2f}\\x{3a}-\\x{10ffff}"
      case "w": ranges = word
      case "W": ranges = "\\x{0}-\\x{2f}\\x{3a}-\\x{40}\\x{5b}-\\x{5e}\\x{60}\\x{7b}-\\x{10ffff}"
      case "s":
        ranges =
          "\\x{9}-\\x{d}\\x{20}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}"
          + "\\x{205f}\\x{3000}\\x{feff}"
      case "S":
        ranges =
          "\\x{0}-\\x{8}\\x{e}-\\x{1f}\\x{21}-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}"
          + "\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}"
          + "\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}"
      case "b" where !isInClass:
        return "(?:(?<=[\(word)])(?![\(word)])|(?<![\(word)])(?=[\(word)]))"
      case "B" where !isInClass:
        return "(?:(?<=[\(word)])(?=[\(word)])|(?<![\(word)])(?![\(word)]))"
      default: return nil
      }
      return isInClass ? ranges : "[\(ranges)]"
    }

    private static let word = "0-9A-Z_a-z"

    /// Returns the character denoted by `\uXXXX`, by a pair of such escapes, or by `\u{X}`.
    ///
    /// Also returns the index after the escape.
    private static func character(_ scalars: [Unicode.Scalar], after start: Int)
      -> (value: UInt32, next: Int)?
    {
      if start < scalars.count, scalars[start] == "{" {
        guard let end = scalars[start...].firstIndex(of: "}"),
          let value = hexadecimal(scalars[(start + 1)..<end])
        else { return nil }
        return (value, end + 1)
      }
      guard start + 4 <= scalars.count, let first = hexadecimal(scalars[start..<(start + 4)]) else {
        return nil
      }
      let pair = start + 4
      guard (0xD800..<0xDC00).contains(first), pair + 6 <= scalars.count, scalars[pair] == "\\",
        scalars[pair + 1] == "u", let second = hexadecimal(scalars[(pair + 2)..<(pair + 6)]),
        (0xDC00..<0xE000).contains(second)
      else { return (first, pair) }
      return (0x10000 + (first - 0xD800) << 10 + (second - 0xDC00), pair + 6)
    }

    private static func hexadecimal(_ digits: ArraySlice<Unicode.Scalar>) -> UInt32? {
      guard digits.allSatisfy(\.properties.isASCIIHexDigit) else { return nil }
      return UInt32(String(String.UnicodeScalarView(digits)), radix: 16)
    }
  }
}

extension BoundedRegex {
  /// Returns an ECMAScript pattern in the syntax of patterns in project files.
  package static func translated(fromECMAScript pattern: String) -> String {
    JSONSchema.Pattern.translated(pattern)
  }
}
