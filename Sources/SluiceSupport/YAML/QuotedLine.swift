/// Corrected lines of YAML, for fixes that can be copied.
package enum QuotedLine {
  /// Returns a line with its value in quotes; `nil` if no value begins before the given column.
  package static func quoted(_ line: String, before column: Int) -> String? {
    guard let start = valueStart(line) else { return nil }
    let head = line[..<start]
    guard head.unicodeScalars.count < column - 1 else { return nil }
    var value = String(line[start...]).trimmed
    for mark in ["\"", "'"] where value.count > 1 && value.hasPrefix(mark) && value.hasSuffix(mark)
    {
      value = String(value.dropFirst().dropLast())
      break
    }
    return "\(head)\(inQuotes(value))".trimmed
  }

  /// Returns a value in single or double quotes, whichever preserve its contents.
  static func inQuotes(_ value: String) -> String {
    let hasDouble = value.contains("\"") || value.contains("\\")
    return hasDouble ? "'\(value.replacing("'", with: "''"))'" : "\"\(value)\""
  }

  /// Returns a line such as `name = value` or `name:value` in valid YAML; `nil` for any other line.
  static func withColon(_ line: String) -> String? {
    guard let match = line.trimmed.wholeMatch(of: /((?:- )?[A-Za-z][\w-]*)\s*[:=]\s*(\S.*)/) else {
      return nil
    }
    return "\(match.1): \(match.2)"
  }

  /// Returns the start of a line's value, after the name or the hyphens.
  private static func valueStart(_ line: String) -> String.Index? {
    guard let match = line.prefixMatch(of: /\s*(?:- +)*(?:[\w.-]+: +)?/) else { return nil }
    return match.output.contains(where: { ":-".contains($0) }) ? match.range.upperBound : nil
  }
}
