import SluiceReporting

/// A list in a comma-separated text, split as promptfoo does.
enum PromptfooList {
  /// Returns the values, or `nil` if a quotation mark is not closed.
  static func parts(of text: String) -> [String]? {
    let scalars = Array(text.unicodeScalars)
    var parts: [String] = []
    var index = 0
    func isSpace(_ place: Int) -> Bool { scalars[place].properties.isWhitespace }
    while index < scalars.count {
      while index < scalars.count, isSpace(index) || scalars[index] == "," { index += 1 }
      guard index < scalars.count else { break }
      var part = String.UnicodeScalarView()
      guard scalars[index] == "\"" else {
        while index < scalars.count, scalars[index] != "," {
          part.append(scalars[index])
          index += 1
        }
        parts.append(String(part).trimmed)
        continue
      }
      index += 1
      var isClosed = false
      while index < scalars.count {
        let next = index + 1 < scalars.count ? scalars[index + 1] : nil
        if scalars[index] == "\\", next == "\"" || next == "\\" {
          part.append(scalars[index + 1])
          index += 2
        } else if scalars[index] == "\"", next == "\"" {
          part.append("\"")
          index += 2
        } else if scalars[index] == "\"" {
          index += 1
          isClosed = true
          break
        } else {
          part.append(scalars[index])
          index += 1
        }
      }
      guard isClosed else { return nil }
      parts.append(String(part))
      while index < scalars.count, isSpace(index) { index += 1 }
      guard index >= scalars.count || scalars[index] == "," else { return nil }
    }
    return parts
  }
}
