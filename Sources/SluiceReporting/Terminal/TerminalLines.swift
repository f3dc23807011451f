import SluiceGating

/// Lines for a terminal.
package enum TerminalLines {
  /// The columns of the screen that lines are laid out for.
  ///
  /// A value of the task: all lines of a screen share it, and a command sets it once.
  @TaskLocal package static var width = TerminalText.usualColumns

  /// A text in lines that fit the width; a word that is longer than a line goes on in the next one.
  static func wrap(_ text: String, indent: Int) -> [String] {
    let room = max(1, width - indent)
    let text = TerminalText.visible(text)
    let words = text.split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
    return WrappedText.wrapped(words, width: room).map { line in
      String(repeating: " ", count: indent) + TerminalText.cut(opening(line), to: room)
    }
  }

  /// Parts in lines that fit the width, broken between parts where that is possible.
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

  /// A text at the start of a line, made visible.
  static func opening(_ text: String) -> String {
    let text = TerminalText.visible(text)
    // GitHub takes "::" for a command where a line starts with it, indented or not.
    return text.hasPrefix("::") ? "\\" + text : text
  }

  /// Lines as a text, without the spaces that padding leaves at their ends and blank lines at its end.
  static func text(_ lines: [String]) -> String {
    var lines = lines[...]
    while lines.last?.isEmpty == true { lines.removeLast() }
    return lines.map { line in
      var line = Substring(line)
      while line.last == " " { line.removeLast() }
      return line + "\n"
    }.joined()
  }

  /// Lines as a block, with a blank line between it and what follows.
  static func block(_ lines: [String]) -> String { text(lines) + "\n" }

  /// Who answered, each once with all of its days.
  static func provenance(of columns: [ColumnResult], isLive: Bool) -> [String] {
    let source = isLive ? "Answered by" : "Recorded answers of"
    var names: [String] = []
    var days: [String: Set<String>] = [:]
    // The files that answered are named at the beginning.
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

  /// Which files changed, for the start of a round.
  package static func changed(_ paths: [ProjectPath]) -> String {
    let shown = 8
    var names = paths.prefix(shown).map { $0.description }.joined(separator: ", ")
    if paths.count > shown { names += " and \(paths.count - shown) more" }
    return block(wrap("Changed: \(names)", indent: 0))
  }

  /// A number of things.
  package static func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }
}
