import SluiceGating

/// A table of the suites that need no attention, one line each.
struct SuiteTable {
  private let suites: [SuiteResult]
  private let style: TerminalStyle
  private static let gap = 2

  init(_ suites: [SuiteResult], _ style: TerminalStyle) {
    (self.suites, self.style) = (suites, style)
  }

  private enum Field: Int, CaseIterable {
    case verdict, suite, names, accuracy, n, baseline, goals

    var title: String {
      switch self {
      case .verdict: ""
      case .suite: "suite"
      case .names: "prompt on backend"
      case .accuracy: "accuracy"
      case .n: "cases"
      case .baseline: "baseline"
      case .goals: "goals"
      }
    }

    var isNumber: Bool { self == .accuracy || self == .n }

    /// The fields to leave out from a table that is too wide, in this order.
    static let dispensable: [Field] = [.n, .names, .goals, .baseline]
  }

  private struct Row {
    var verdict: Verdict
    var cells: [Field: String]
  }

  var lines: [String] {
    let rows = suites.flatMap { suite in suite.columns.map { row(suite, $0) } }
    var fields = Field.allCases.filter { field in
      rows.contains { $0.cells[field]?.isEmpty == false }
    }
    func widths() -> [Int] {
      fields.map { field in
        ([field.title] + rows.map { $0.cells[field] ?? "" }).map { TerminalText.width(of: $0) }
          .max() ?? 0
      }
    }
    func total() -> Int { widths().reduce(0, +) + Self.gap * (fields.count - 1) }
    for field in Field.dispensable where total() > TerminalLines.width {
      fields.removeAll { $0 == field }
    }
    let columns = widths()
    let head = line(fields.map(\.title), fields, columns) { _, text in style.dim(text) }
    if total() > TerminalLines.width { return rows.flatMap(stacked) }
    return [head]
      + rows.map { row in
        line(fields.map { row.cells[$0] ?? "" }, fields, columns) { field, text in
          switch field {
          case .verdict: style.verdict(text, row.verdict)
          case .names, .n: style.dim(text)
          case .suite, .accuracy, .baseline, .goals: text
          }
        }
      }
  }

  private func line(
    _ cells: [String],
    _ fields: [Field],
    _ widths: [Int],
    _ paint: (Field, String) -> String
  ) -> String {
    let space = String(repeating: " ", count: Self.gap)
    return zip(zip(cells, fields), widths).map { pair, width in
      let (cell, field) = pair
      let room = String(repeating: " ", count: max(0, width - TerminalText.width(of: cell)))
      let painted = paint(field, cell)
      return field.isNumber ? room + painted : painted + room
    }.joined(separator: space)
  }

  /// Returns the lines for a suite whose name does not fit into a table.
  private func stacked(_ row: Row) -> [String] {
    let word = row.cells[.verdict] ?? ""
    let indent = word.count + 2
    let rest = [Field.accuracy, .baseline, .goals].compactMap { field -> String? in
      guard let cell = row.cells[field], !cell.isEmpty else { return nil }
      return "\(field.title) \(cell)"
    }.joined(separator: " · ")
    let names = TerminalLines.wrap(row.cells[.suite] ?? "", indent: indent)
    return [style.verdict(word, row.verdict) + "  " + names[0].dropFirst(indent)]
      + names.dropFirst() + (rest.isEmpty ? [] : TerminalLines.wrap(rest, indent: indent))
  }

  private func row(_ suite: SuiteResult, _ column: ColumnResult) -> Row {
    let accuracy = column.metrics.first { $0.name == "accuracy" }?.estimate.value
    let verdict: Verdict = suite.filtered == nil ? column.verdict : .pass
    let word =
      suite.filtered == nil
      ? verdict.word.uppercased() : "\(column.passed) OF \(column.trials.count) PASSED"
    let goals = suite.filtered == nil ? column.goals : []
    let reached = goals.count { $0.verdict == .pass }
    return Row(
      verdict: verdict,
      cells: [
        .verdict: word,
        .suite: TerminalLines.opening(suite.name),
        .names: TerminalText.visible("\(column.prompt) on \(column.backend)"),
        .accuracy: accuracy.map { NumberText.text($0, .rate) } ?? "",
        .n: (suite.filtered?.count ?? suite.caseCount).withThousands,
        .baseline: baseline(column),
        .goals: goals.isEmpty ? "" : "\(reached) of \(goals.count)",
      ]
    )
  }

  private func baseline(_ column: ColumnResult) -> String {
    guard let comparison = column.comparison else { return "" }
    if comparison.isIdentical { return "identical" }
    let (worse, better) = (comparison.count(.harmful), comparison.count(.beneficial))
    if worse + better == 0 { return "no case flipped" }
    return "\(worse) worse, \(better) better"
  }
}
