/// JSON written as text, with members in the given order.
enum JSONText {
  static func string(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case "\u{0}"..<"\u{20}":
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  static func string(_ text: String?) -> String { text.map { string($0) } ?? "null" }

  static func array(_ elements: [String]) -> String { "[" + elements.joined(separator: ", ") + "]" }

  /// Returns an object whose values are already JSON texts.
  static func object(_ members: KeyValuePairs<String, String>) -> String {
    "{" + members.map { string($0.key) + ": " + $0.value }.joined(separator: ", ") + "}"
  }

  /// Returns a JSON text without the spaces after commas and colons, and any other text unchanged.
  static func withoutSpaces(_ text: String) -> String {
    guard text.hasPrefix("{") || text.hasPrefix("```") else { return text }
    var result = ""
    var isString = false
    var isEscaped = false
    for character in text {
      if character == "\"", !isEscaped { isString.toggle() }
      isEscaped = character == "\\" && !isEscaped
      if character != " " || isString { result.append(character) }
    }
    return result
  }
}
