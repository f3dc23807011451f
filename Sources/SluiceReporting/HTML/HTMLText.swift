import SluiceGating

/// The escaping of untrusted text for HTML.
enum HTMLText {
  /// Escapes a text for use between tags or in a quoted attribute, and shows invisible characters.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in TerminalText.visible(text).unicodeScalars {
      switch scalar {
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "&": result += "&amp;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Encodes a text as a URL component, as ECMAScript's `encodeURIComponent` does.
  ///
  /// Unlike that function, it also encodes the apostrophe.
  static func addressComponent(_ text: String) -> String {
    var result = ""
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
        UInt8(ascii: "."), UInt8(ascii: "!"), UInt8(ascii: "~"), UInt8(ascii: "*"),
        UInt8(ascii: "("), UInt8(ascii: ")"):
        result.unicodeScalars.append(UnicodeScalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        result += "%" + (digits.count < 2 ? "0" : "") + digits
      }
    }
    return result
  }

  /// Returns the markup of a verdict: a word with a sign, so that it can be read without color.
  static func verdict(_ verdict: Verdict, text: String? = nil) -> String {
    "<span class=\"\(verdict.rawValue)\"><span class=\"sign\" aria-hidden=\"true\">"
      + "\(sign(verdict))</span> \(text.map(escaped) ?? verdict.word)</span>"
  }

  /// Returns a list of names; only the first ones are shown until a reader expands the list.
  ///
  /// - Parameters:
  ///   - names: The names.
  ///   - most: The number of names that are shown at first.
  ///   - markup: A closure that returns the markup of a name.
  /// - Returns: The markup. It may contain a `details` element, which no paragraph may contain.
  static func list(_ names: [String], most: Int, _ markup: (String) -> String = escaped) -> String {
    let first = names.prefix(most).map(markup).joined(separator: ", ")
    // A fold for a single name would take more space than the name.
    guard names.count > most + 1 else {
      return names.map(markup).joined(separator: ", ")
    }
    let rest = names.dropFirst(most).map(markup).joined(separator: ", ")
    let count = (names.count - most).withThousands
    return "\(first) <details class=\"rest\"><summary>and \(count) more</summary>\(rest)</details>"
  }

  static func sign(_ verdict: Verdict) -> String {
    switch verdict {
    case .pass: "✓"
    case .fail: "✗"
    case .inconclusive, .noVerdict: "?"
    case .notEvaluated: "–"
    }
  }
}
