import SluiceGating

/// The most similar recording for a request without a recording, for a terminal.
enum TerminalMiss {
  /// Returns the most similar recording, and the differences from it.
  static func nearest(_ group: RecordingSummary.MissGroup, _ style: TerminalStyle) -> [String] {
    guard let nearest = group.nearest, let phrase = RecordingText.nearest(group) else { return [] }
    let difference = RecordingText.difference(
      nearest.difference,
      width: TerminalLines.width - 12
    )
    return TerminalLines.wrap(phrase + ":", indent: 4)
      + difference.map { line in
        let text = TerminalText.cut(
          "      " + TerminalText.visible(line),
          to: TerminalLines.width
        )
        if line.hasPrefix("  -") { return style.removed(text) }
        return line.hasPrefix("  +") ? style.added(text) : text
      }
      + (RecordingText.keeping(nearest).map { TerminalLines.wrap($0, indent: 4) } ?? [])
  }
}
