/// A template without quotes, such as `user: {{ticket}}`, which YAML reads as nested mappings.
package enum UnquotedTemplate {
  /// Returns the problem if a mapping is an unquoted template; `nil` for any other mapping.
  ///
  /// - Parameters:
  ///   - position: The start of the mapping.
  ///   - bytes: The text of the file.
  ///   - isInBrackets: True inside of brackets, where the value can end before the line ends.
  /// - Returns: The problem.
  package static func problem(
    _ position: SourcePosition,
    in bytes: [UInt8],
    isInBrackets: Bool
  ) -> YAMLReader.Problem? {
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    guard lines.indices.contains(position.line - 1) else { return nil }
    var line = String(decoding: lines[position.line - 1], as: UTF8.self).unicodeScalars
    if line.last == "\r" { line.removeLast() }
    if position.line == 1, line.first == "\u{FEFF}" { line.removeFirst() }
    guard
      let fixed = quoting(String(line), at: position.column, isInBrackets: isInBrackets)
    else { return nil }
    return YAMLReader.Problem(
      position: position,
      message: "a value that begins with '{{' needs quotes",
      fix: "write \(fixed)",
      fixWithoutLine: "put the whole value in quotation marks"
    )
  }

  /// Returns a line in which the template at a column is in quotes; `nil` if no template begins
  /// there.
  package static func quoting(_ text: String, at column: Int, isInBrackets: Bool = false) -> String?
  {
    let line = text.unicodeScalars
    let start = line.index(line.startIndex, offsetBy: column - 1, limitedBy: line.endIndex)
    guard let start, line[start...].starts(with: "{{".unicodeScalars) else { return nil }
    let end = isInBrackets ? endInBrackets(line, from: start) : endOfValue(line, from: start)
    let value = QuotedLine.inQuotes(String(line[start..<end]))
    return (String(line[..<start]) + value + String(line[end...])).trimmed
  }

  /// Returns the end of a value that extends to the end of its line, not counting trailing spaces
  /// and a comment.
  private static func endOfValue(
    _ line: String.UnicodeScalarView,
    from start: String.Index
  ) -> String.Index {
    var end = start
    var index = start
    while index < line.endIndex {
      let isAfterSpace = index > start && line[line.index(before: index)] == " "
      if line[index] == "#", isAfterSpace { break }
      let next = line.index(after: index)
      if line[index] != " ", line[index] != "\t" { end = next }
      index = next
    }
    return end
  }

  /// Returns the end of a value within brackets: the next comma or bracket outside of a template
  /// tag.
  private static func endInBrackets(
    _ line: String.UnicodeScalarView,
    from start: String.Index
  ) -> String.Index {
    var depth = 0
    var end = start
    var index = start
    while index < line.endIndex {
      switch line[index] {
      case "{": depth += 1
      case "}" where depth > 0: depth -= 1
      case ",", "]", "}": if depth == 0 { return end }
      default: break
      }
      let next = line.index(after: index)
      if line[index] != " " { end = next }
      index = next
    }
    return end
  }
}
