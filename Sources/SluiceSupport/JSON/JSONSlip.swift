/// The fixes for typical mistakes in JSON that are correct syntax in other languages.
package enum JSONSlip {
  /// Returns a fix for a common mistake in text that is not JSON; `nil` if the mistake is not
  /// known.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - offset: The offset of the syntax error.
  /// - Returns: The fix.
  package static func fix(_ text: ArraySlice<UInt8>, at offset: Int) -> String? {
    let place = text.startIndex + offset
    guard text.indices.contains(place) else { return nil }
    let rest = String(decoding: text[place...].prefix(16), as: UTF8.self)
    let before = text[..<place].last { $0 != 0x20 && $0 != 0x0A && $0 != 0x0D && $0 != 0x09 }
    let isAfterComma = before == UInt8(ascii: ",")
    switch rest.first {
    case "}", "]": return isAfterComma ? "remove the ',' before '\(rest.prefix(1))'" : nil
    case ",":
      let isLast = text[(place + 1)...].allSatisfy { $0 == 0x20 || $0 == 0x0D || $0 == 0x0A }
      return isLast ? "remove the ',' at the end of the line" : nil
    case "'": return "put names and texts in double quotes"
    case "“", "”", "„", "‘", "’": return "write '\"' instead of '\(rest.prefix(1))'"
    case "/", "#": return "remove the comment; JSON does not allow comments"
    case let sign? where sign.isNumber && isAfterComma:
      return "write the number with a decimal point, such as 0.5"
    default: break
    }
    let words = [("True", "true"), ("False", "false"), ("None", "null"), ("undefined", "null")]
    return words.first { rest.hasPrefix($0.0) }.map { "write \($0.1)" }
  }
}
