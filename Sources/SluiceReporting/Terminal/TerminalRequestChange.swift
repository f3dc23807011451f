import SluiceGating

/// The change in the requests between two compared columns, for a terminal.
struct TerminalRequestChange {
  private let change: RequestChange
  private let style: TerminalStyle
  private static let shownLines = 8

  /// The names of the compared sides if there are several pairs, or `nil` if there is only one
  /// pair.
  private let title: String?

  init(_ change: RequestChange, _ style: TerminalStyle, title: String? = nil) {
    (self.change, self.style, self.title) = (change, style, title)
  }

  /// The parts in which the requests differ, and the differing lines of one request as an example.
  var lines: [String] {
    let parts = change.difference.parts
    let heading =
      "What changed\(title.map { ", \($0)" } ?? ""): \(RequestChangeText(change).parts)"
    let difference = RecordingText.difference(
      change.difference,
      most: Self.shownLines,
      width: TerminalLines.width - 6
    )
    // If only one part differs, the title already names it.
    let body =
      parts.count == 1
      ? difference.dropFirst()
      : difference.map { $0.hasPrefix(" ") ? $0 : "  \($0)" }[...]
    return TerminalLines.wrap(heading, indent: 0).map(style.bold)
      + body.map { line in
        let text = TerminalText.cut(TerminalText.visible(line), to: TerminalLines.width)
        if line.hasPrefix("  -") { return style.removed(text) }
        return line.hasPrefix("  +") ? style.added(text) : text
      }
  }
}
