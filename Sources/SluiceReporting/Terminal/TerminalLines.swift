import SluiceGating

/// The layout of text as lines for a terminal.
package enum TerminalLines {
  /// The width of the terminal in characters.
  ///
  /// The width is a task-local value, since a command sets it once for all lines.
  @TaskLocal package static var width = TerminalText.usualColumns

  /// Wraps a text to the width.
  ///
  /// A word that is longer than a line is broken.
  static func wrap(_ text: String, indent: Int) -> [String] {
    let room = max(1, width - indent)
    let text = TerminalText.visible(text)
    let words = text.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
    return WrappedText.wrapped(words, width: room).map { line in
      String(repeating: " ", count: indent) + TerminalText.cut(opening(line), to: room)
    }
  }

  /// Joins parts and wraps them to the width, with line breaks between parts if possible.
  static func wrap(parts: [String], indent: Int) -> [String] {
    var lines: [String] = []
    for part in parts {
      let longer = lines.last.map { "\($0) · \(part)" }
      if let longer, TerminalText.width(of: TerminalText.visible(longer)) + indent <= width {
        lines[lines.count - 1] = longer
      } else {
        lines.append(part)
      }
    }
    return lines.flatMap { wrap($0, indent: indent) }
  }

  /// Returns lines with their conclusion below them, if the first line may have left the screen.
  static func concluded(_ lines: [String], _ conclusion: [String]) -> [String] {
    lines.count > screenHeight ? lines + conclusion : lines
  }

  /// The number of lines that stay visible in a small terminal.
  private static let screenHeight = 20

  /// Escapes a text that is at the start of a line.
  static func opening(_ text: String) -> String {
    let text = TerminalText.visible(text)
    return escapedCommand(text)
  }

  /// Puts a backslash before `::` at the start of a line, which may be indented.
  ///
  /// GitHub Actions runs a line that starts with `::` as a command, even if it is indented.
  static func escapedCommand(_ line: String) -> String {
    let indent = line.prefix { $0 == " " }
    return line.dropFirst(indent.count).hasPrefix("::")
      ? indent + "\\" + line.dropFirst(indent.count) : line
  }

  /// Joins lines to a text, without trailing spaces and trailing blank lines.
  static func text(_ lines: [String]) -> String {
    var lines = lines[...]
    while lines.last?.isEmpty == true { lines.removeLast() }
    return lines.map { line in
      var line = Substring(line)
      while line.last == " " { line.removeLast() }
      return line + "\n"
    }.joined()
  }

  /// Joins lines to a block that ends with a blank line.
  static func block(_ lines: [String]) -> String { text(lines) + "\n" }

  /// Returns the models that answered, without duplicates, each with all dates of its answers.
  static func provenance(of columns: [ColumnResult], isLive: Bool) -> [String] {
    let source = isLive ? "Answered by" : "Recorded answers of"
    var names: [String] = []
    var days: [String: Set<String>] = [:]
    // Output files are left out, since a notice at the beginning names them.
    for provenance in columns.filter({ $0.outputs == nil }).flatMap(\.provenances) {
      let name = provenance.briefPhrase
      if days[name] == nil { names.append(name) }
      days[name, default: []].formUnion(provenance.date.map { ["\($0)"] } ?? [])
    }
    return names.flatMap { name in
      let dates = (days[name] ?? []).sorted()
      let range = dates.count > 1 ? "\(dates[0]) to \(dates[dates.count - 1])" : dates.first
      return wrap("\(source) \(name)\(range.map { ", \($0)" } ?? "").", indent: 0)
    }
  }

  /// Returns a line with the changed files, for the start of a round of `--watch`.
  package static func changed(_ paths: [ProjectPath]) -> String {
    let shown = 8
    var names = paths.prefix(shown).map { $0.description }.joined(separator: ", ")
    if paths.count > shown { names += " and \(paths.count - shown) more" }
    return block(wrap("Changed: \(names)", indent: 0))
  }

  /// Returns a number with a noun, in the singular or plural.
  package static func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }
}
