import SluiceGating

/// Formats the change in the requests between two compared columns for a terminal.
struct TerminalRequestChange {
  private let change: RequestChange
  private let style: TerminalStyle
  private static let shownParts = 3
  private static let shownLines = 8

  /// The names of the compared sides if there are several pairs, or `nil` if there is only one.
  private let title: String?

  init(_ change: RequestChange, _ style: TerminalStyle, title: String? = nil) {
    (self.change, self.style, self.title) = (change, style, title)
  }

  /// The parts in which the requests differ, and the differing lines of one request as an example.
  var lines: [String] {
    let parts = change.difference.parts.map(\.name)
    let shown = parts.prefix(Self.shownParts).joined(separator: ", ")
    let more = parts.count > Self.shownParts ? " and \(parts.count - Self.shownParts) more" : ""
    let heading =
      "What changed\(title.map { ", \($0)" } ?? ""): \(shown)\(more), in \(change.count.withThousands) of "
      + "\(change.total.withThousands) request\(change.total == 1 ? "" : "s")"
    let difference = RecordingText.difference(
      change.difference,
      most: Self.shownLines,
      width: TerminalLines.width - 6
    )
    // If only one part differs, the title already names it.
    let body = parts.count == 1 ? difference.dropFirst() : difference[...]
    return TerminalLines.wrap(heading, indent: 0).map(style.bold)
      + body.map { line in
        let text = TerminalText.cut(TerminalText.visible(line), to: TerminalLines.width)
        if line.hasPrefix("  -") { return style.removed(text) }
        return line.hasPrefix("  +") ? style.added(text) : text
      }
  }
}
