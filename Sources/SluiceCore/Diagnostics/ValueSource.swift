package import SluiceSupport

/// Fixes for values of the wrong type.
///
/// A fix quotes the value as the file contains it.
package struct ValueSource {
  private let file: SourceFile

  package init(_ file: SourceFile) { self.file = file }

  private var isCSV: Bool { ProjectPath(file.path).pathExtension == "csv" }

  /// True if the file may contain secrets, which fixes must not repeat.
  private var hidesValues: Bool { file.path == ProjectFiles.configurationName }

  /// Returns the fix for a number or Boolean if a text is expected.
  package func quoting(_ node: Node) -> String? {
    guard let text = quoted(node) else { return nil }
    return hidesValues ? "put it in quotes" : "put it in quotes: \(text)"
  }

  /// Warns about a text in typographic quotes instead of YAML or JSON quotes.
  package func warnOfCurlyQuotes(_ node: Node, _ diagnostics: DiagnosticCollector) {
    // Most texts do not begin with 0xE2, the first byte of a curly quotation mark.
    guard case .string(let text) = node.value, text.utf8.first == 0xE2, text.count > 1,
      let first = text.first,
      let last = text.last, "“„”".contains(first), "“”".contains(last)
    else { return }
    let inner = String(text.dropFirst().dropLast())
    diagnostics.warning(
      "the quotation marks \(first) and \(last) are part of the text",
      in: file,
      at: node.position,
      fix: hidesValues ? "use straight quotation marks" : "write \(Self.doubleQuoted(inner))"
    )
  }

  /// Returns the fix for a number, Boolean or text if a list of texts is expected.
  package func wrapping(_ node: Node) -> String? {
    guard !isCSV, !hidesValues else { return nil }
    if case .string(let text) = node.value { return "write [\(Self.doubleQuoted(text))]" }
    return quoted(node).map { "write [\($0)]" }
  }

  /// Returns the fix for a list with several numbers or Booleans if all entries must be texts.
  package func quotingAll(_ nodes: [Node]) -> String? {
    guard !isCSV, !hidesValues else { return nil }
    var texts: [String] = []
    for node in nodes {
      if case .string(let text) = node.value {
        texts.append(Self.doubleQuoted(text))
      } else if let text = quoted(node) {
        texts.append(text)
      } else {
        return nil
      }
    }
    return "put them in quotes: [\(texts.joined(separator: ", "))]"
  }

  /// Returns the fix for a value if a list is expected.
  package func listing(_ node: Node, under key: String) -> String? {
    if hidesValues { return nil }
    switch node.value {
    case .string(let text):
      // The value looks like a list entry without the space after its hyphen.
      if text.hasPrefix("-"), !text.contains("\n"), text.dropFirst().first?.isLetter == true {
        let entry = text.dropFirst().split(separator: " -").first ?? text.dropFirst()
        return "write '- \(entry.trimmingSpaces)', with a space after the '-'"
      }
      // The value looks like the name of a scorer, followed by its argument.
      if ["scorers", "assert"].contains(key),
        let match = text.wholeMatch(of: /([a-z][a-z-]*)(?: +|:)(\S.*)/)
      {
        return "write '\(key): [{\(match.1): \(Self.doubleQuoted(String(match.2)))}]'"
      }
      let isPlain = !text.contains { "[]{}#:\"'\n&*!|>%@`".contains($0) }
      return "write '\(key): [\(isPlain ? text : Self.doubleQuoted(text))]'"
    case .mapping(let members):
      return members.first.map { "begin each entry with '- ', as in '- \($0.key): …'" }
    case .number, .bool: return quoted(node).map { "write '\(key): [\($0)]'" }
    case .null, .sequence: return nil
    }
  }

  /// Returns the fix for a text if a number is expected.
  package func unquoting(_ node: Node) -> String? {
    guard case .string(let text) = node.value, !hidesValues else { return nil }
    let plain = text.filter { $0 != "_" && $0 != " " }.replacing(",", with: ".")
    return YAMLReader.number(plain) == nil ? nil : "write \(plain)"
  }

  /// Returns a number or Boolean in double quotes, spelled as in the file.
  private func quoted(_ node: Node) -> String? {
    switch node.value {
    case .number, .bool: break
    case .null, .string, .sequence, .mapping: return nil
    }
    let start = node.position.column - 1
    let rest =
      file.line(node.position.line)?.unicodeScalars.dropFirst(start) ?? ""[...].unicodeScalars
    let ends: Set<Unicode.Scalar> = [",", "]", "}", " ", "\t", "#"]
    let text = String(String.UnicodeScalarView(rest.prefix { !ends.contains($0) }))
    guard !text.isEmpty, !text.contains("\"") else { return nil }
    return isCSV ? "\"\"\"\(text)\"\"\"" : "\"\(text)\""
  }

  /// Returns a text as a double-quoted YAML scalar, which is also valid JSON.
  static func doubleQuoted(_ text: String) -> String { JSONValue.string(text).jsonText }
}
