import SluiceCore

/// The lines of a difference, for a terminal.
struct DifferenceLines {
  private let style: TerminalStyle
  private static let most = 12
  private static let longest = 160

  init(_ style: TerminalStyle) { self.style = style }

  /// Formats lines that start with `-`, `+` or a space: truncates them, colors them by that sign,
  /// and indents them by 4.
  func shown(_ lines: [String]) -> [String] {
    var shown = lines.prefix(Self.most).map { line -> String in
      let text = line.count > Self.longest ? line.prefix(Self.longest) + "…" : line[...]
      return "    " + painted(TerminalText.visible(String(text)))
    }
    if lines.count > Self.most { shown.append("    and \(lines.count - Self.most) more lines") }
    return shown
  }

  private func painted(_ line: String) -> String {
    if line.hasPrefix("-") { return style.removed(line) }
    if line.hasPrefix("+") { return style.added(line) }
    return line
  }
}
