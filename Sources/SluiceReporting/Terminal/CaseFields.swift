/// The parts of terminal output that show a case: labeled texts, and the mark of its outcome.
struct CaseFields {
  private let style: TerminalStyle
  /// The width of labels in characters, with the margin.
  static let label = 12
  /// The maximum number of lines of a text in a list of many cases.
  static let briefMost = 6
  private static let questionMost = 9

  init(_ style: TerminalStyle) { self.style = style }

  func mark(_ standing: CaseView.Standing) -> ScreenLine {
    switch standing {
    case .passed: ScreenLine("✓") { style.verdict($0, .pass) }
    case .failed: ScreenLine("✗") { style.verdict($0, .fail) }
    case .lost: ScreenLine("?") { style.verdict($0, .noVerdict) }
    case .unjudged: ScreenLine("–", style.dim)
    }
  }

  /// Returns a label, followed by texts with their names.
  func fields(
    _ label: String,
    _ fields: [CaseView.Field],
    most: Int?,
    width: Int
  ) -> [ScreenLine] {
    let room = width - Self.label
    var lines: [ScreenLine] = []
    var left = 0
    for field in fields {
      let name = field.name.isEmpty ? "" : field.name + (field.text.isEmpty ? "" : ": ")
      let wrapped = WrappedText.lines(
        name + field.text,
        width: room,
        most: most.map { max(0, $0 - lines.count) }
      )
      lines += wrapped.lines.map { ScreenLine($0) }
      left += wrapped.left
    }
    if fields.isEmpty { lines = [ScreenLine("nothing", style.dim)] }
    return labelled(label, lines + omitted(left))
  }

  /// Returns the question of a case.
  ///
  /// If it is long, only its start and its end are shown.
  func question(_ fields: [CaseView.Field], width: Int) -> [ScreenLine] {
    guard fields.count == 1, let field = fields.first else {
      return self.fields("question", fields, most: Self.questionMost, width: width)
    }
    let name = field.name.isEmpty ? "" : field.name + ": "
    let (start, left, end) = WrappedText.ends(
      name + field.text,
      width: width - Self.label,
      most: Self.questionMost
    )
    return labelled(
      "question",
      start.map { ScreenLine($0) } + omitted(left) + end.map { ScreenLine($0) }
    )
  }

  func labelled(_ label: String, _ lines: [ScreenLine]) -> [ScreenLine] {
    let name = ScreenLine("  ") + ScreenLine(label, style.dim)
    return ScreenLine.labelled(name, lines.isEmpty ? [.empty] : lines, indent: Self.label)
  }

  func omitted(_ count: Int) -> [ScreenLine] {
    if count <= 0 { return [] }
    let more = "… \(count) more character\(count == 1 ? "" : "s") …"
    return [ScreenLine(more, style.dim)]
  }
}
