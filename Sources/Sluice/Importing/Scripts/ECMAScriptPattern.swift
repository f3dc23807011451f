import SluiceReporting

/// The conversion of JavaScript regular expressions to Sluice's pattern syntax (PCRE2).
enum ECMAScriptPattern {
  /// The reason why a pattern is unsupported.
  struct Fault: Error {
    var reason: String
  }

  private static let anyCharacter = "[^\\n\\r\\x{2028}\\x{2029}]"
  private static let endOfText = "\\z"

  /// Returns a pattern that matches the same texts.
  ///
  /// - Parameters:
  ///   - pattern: The pattern.
  ///   - flags: The JavaScript flags, such as `gi`.
  /// - Returns: The pattern.
  /// - Throws: ``Fault`` for syntax that JavaScript rejects, or that has another meaning in Sluice.
  static func translated(_ pattern: String, flags: String = "") throws(Fault) -> String {
    if let flag = flags.first(where: { !"gimsu".contains($0) }) {
      throw Fault(reason: "the flag '\(flag)' of the pattern is not supported")
    }
    if let fault = fault(in: pattern, isUnicode: flags.contains("u")) { throw Fault(reason: fault) }
    var result = BoundedRegex.translated(fromECMAScript: pattern)
    if flags.contains("s") { result = result.replacing(anyCharacter, with: "[\\s\\S]") }
    if flags.contains("m") {
      // In JavaScript, `$` matches before each of these four characters and at the end of the text.
      result = result.replacing(endOfText, with: "(?!\(anyCharacter))")
      result = replacingStarts(of: result)
    }
    if flags.contains("i") { result = "(?i)" + result }
    do throws(BoundedRegex.PatternError) {
      _ = try BoundedRegex(result)
    } catch {
      throw Fault(reason: "the pattern cannot be read: \(error.message)")
    }
    return result
  }

  private static func replacingStarts(of pattern: String) -> String {
    var result = String.UnicodeScalarView()
    var isInClass = false
    var isEscaped = false
    for scalar in pattern.unicodeScalars {
      if scalar == "^", !isInClass, !isEscaped {
        result.append(contentsOf: "(?<!\(anyCharacter))".unicodeScalars)
        continue
      }
      if !isEscaped {
        if scalar == "[" { isInClass = true }
        if scalar == "]" { isInClass = false }
      }
      isEscaped = scalar == "\\" && !isEscaped
      result.append(scalar)
    }
    return String(result)
  }

  /// Returns an error if JavaScript rejects a pattern, or interprets it differently from Perl.
  ///
  /// Otherwise returns `nil`.
  private static func fault(in pattern: String, isUnicode: Bool) -> String? {
    let scalars = Array(pattern.unicodeScalars)
    var index = 0
    var isInClass = false
    func at(_ place: Int) -> Unicode.Scalar? {
      scalars.indices.contains(place) ? scalars[place] : nil
    }
    while let scalar = at(index) {
      switch scalar {
      case "\\":
        guard let escaped = at(index + 1) else { return "the pattern ends with a backslash" }
        let known = "bBcdDfnrsStuvwWxk"
        if escaped.properties.isAlphabetic, !known.unicodeScalars.contains(escaped) {
          guard isUnicode, escaped == "p" || escaped == "P" else {
            return "the pattern has the escape '\\\(escaped)', which JavaScript "
              + "\(isUnicode ? "rejects with the flag 'u'" : "treats as the plain letter '\(escaped)'")"
          }
        }
        index += 1
      case "[": isInClass = true
      case "]": isInClass = false
      case "(" where !isInClass && at(index + 1) == "?":
        let next = at(index + 2)
        let isGroup = next == ":" || next == "=" || next == "!" || next == "<"
        if !isGroup {
          return
            "the pattern has '(?\(next.map { String(Character($0)) } ?? "")', which JavaScript rejects"
        }
      case "+" where !isInClass:
        if let before = at(index - 1), "+*?}".unicodeScalars.contains(before), at(index - 2) != "\\"
        {
          return "the pattern has '\(before)+', which JavaScript rejects"
        }
      default: break
      }
      index += 1
    }
    return nil
  }
}
