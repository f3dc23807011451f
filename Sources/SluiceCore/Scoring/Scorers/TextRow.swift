import SluiceSupport

/// Several texts in one string.
///
/// They are separated by commas, as in a row of CSV (RFC 4180), with optional spaces.
enum TextRow {
  /// An error in a row.
  struct Fault: Error {
    /// The reason, as a noun phrase.
    var reason: String
  }

  /// Returns the texts of a row, except for empty texts.
  ///
  /// A text in double quotes may contain commas, and `""` for a double quote.
  static func texts(in row: String) throws(Fault) -> [String] {
    var texts: [String] = []
    var rest = row.unicodeScalars[...]
    while true {
      rest = rest.drop { $0.properties.isWhitespace }
      if rest.first == "\"" {
        let text = try quoted(&rest)
        if !text.isEmpty { texts.append(text) }
      } else {
        let plain = rest.prefix { $0 != "," }
        rest = rest[plain.endIndex...]
        let text = String(plain).trimmed
        if !text.isEmpty { texts.append(text) }
      }
      guard rest.popFirst() != nil else { return texts }
    }
  }

  /// Reads a text in quotes, and the space after it.
  private static func quoted(_ rest: inout Substring.UnicodeScalarView) throws(Fault) -> String {
    var text = String.UnicodeScalarView()
    rest.removeFirst()
    while let scalar = rest.popFirst() {
      guard scalar == "\"" else {
        text.append(scalar)
        continue
      }
      if rest.first == "\"" {
        text.append("\"")
        rest.removeFirst()
        continue
      }
      rest = rest.drop { $0.properties.isWhitespace }
      guard rest.isEmpty || rest.first == "," else {
        throw Fault(reason: "text after a closing quote")
      }
      return String(text)
    }
    throw Fault(reason: "an unclosed quote")
  }
}
