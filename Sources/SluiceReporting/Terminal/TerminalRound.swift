import SluiceGating

/// The changes since the previous round of `--watch`, for a terminal.
package struct TerminalRound {
  private let change: RoundChange
  private let style: TerminalStyle
  /// The maximum number of listed cases of each kind.
  private static let shownCases = 5

  package init(_ change: RoundChange, style: TerminalStyle) {
    self.change = change
    self.style = style
  }

  package var text: String {
    if change.columns.isEmpty {
      return TerminalLines.text(["Since the previous round no case and no gate changed."])
    }
    return TerminalLines.text(
      ["Since the previous round:"] + change.columns.flatMap(lines)
    )
  }

  private func lines(_ column: RoundChange.ColumnChange) -> [String] {
    let name = [column.suite, column.name].compactMap(\.self).joined(separator: ", ")
    return TerminalLines.wrap(name, indent: 2)
      + cases(column.failing, "newly failing").map(style.removed)
      + cases(column.passing, "newly passing").map(style.added)
      + cases(column.lost, "has no outcome now", "have no outcome now").map(style.warning)
      + cases(column.added, "is new", "are new")
      + cases(column.removed, "was removed", "were removed")
      + column.turned.flatMap(turn)
  }

  private func cases(_ ids: [String], _ one: String, _ other: String? = nil) -> [String] {
    if ids.isEmpty { return [] }
    let many = other ?? one
    var text = ids.prefix(Self.shownCases).joined(separator: ", ")
    if ids.count > Self.shownCases { text += " and \(ids.count - Self.shownCases) more" }
    return TerminalLines.wrap(
      "\(TerminalLines.count(ids.count, "case")) \(ids.count == 1 ? one : many): \(text)",
      indent: 4
    )
  }

  private func turn(_ turn: RoundChange.Turn) -> [String] {
    TerminalLines.wrap(
      "\(turn.isGoal ? "goal" : "gate") \(turn.condition): \(turn.before.word) → \(turn.now.word)",
      indent: 4
    ).map { style.verdict($0, turn.now) }
  }
}
