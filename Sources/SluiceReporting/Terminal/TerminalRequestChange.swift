import SluiceGating

/// The change in the requests between two compared columns, for a terminal.
struct TerminalRequestChange {
  private let change: RequestChange
  private let style: TerminalStyle
  private static let shownLines = 8
  /// The maximum number of terminal lines for a removed or added line of a request.
  private static let shownRows = 4

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
      width: Self.shownRows * (TerminalLines.width - 8)
    )
    // If only one part differs, the title already names it.
    let body =
      parts.count == 1
      ? difference.dropFirst()
      : difference.map { $0.hasPrefix(" ") ? $0 : "  \($0)" }[...]
    return TerminalLines.wrap(heading, indent: 0).map(style.bold)
      + body.flatMap { line in
        let text = TerminalText.visible(line)
        if line.hasPrefix("  -") { return Self.wrapped(text).map(style.removed) }
        if line.hasPrefix("  +") { return Self.wrapped(text).map(style.added) }
        return [TerminalText.cut(TerminalLines.escapedCommand(text), to: TerminalLines.width)]
      }
  }

  /// Breaks a removed or added line, which is the answer to what changed, into lines.
  private static func wrapped(_ line: String) -> [String] {
    let sign = String(line.prefix(4))
    let rows = WrappedText.wrapped(String(line.dropFirst(4)), width: TerminalLines.width - 4)
    // A wide character takes two columns, so there may be more rows than characters suggest.
    let shown = rows.prefix(shownRows).enumerated().map { index, row in
      (index == 0 ? sign : "    ") + row
    }
    guard rows.count > shownRows, let last = shown.last else { return shown }
    return shown.dropLast() + [TerminalText.cut(last + "…", to: TerminalLines.width)]
  }
}
