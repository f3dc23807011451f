import SluiceSupport

/// A CSV table of outputs.
///
/// The columns are named like the members of a row. In `usage.input`, `timings.total-ms`,
/// `error.kind` and `input.NAME`, the dot leads into a nested value. An empty cell counts as
/// absent. In the column `text`, however, it is an empty answer, unless the row has an error, a
/// refusal or tool calls.
struct OutputsTable {
  private(set) var rows: ArraySlice<[CSVReader.Cell]> = []
  private var columns: [Column] = []

  private struct Column {
    var index: Int
    var path: [String]
    var position: SourcePosition
  }

  private static let mostColumns = 1_000

  /// Reads the header; nil, with errors reported, if the header is unusable.
  init?(_ file: SourceFile, _ diagnostics: DiagnosticCollector) {
    if CSVHeader.reportOtherSeparator(file, diagnostics, isColumn: { Self.path(of: $0) != nil }) {
      return nil
    }
    let (table, problems) = CSVReader.read(file.bytes)
    CSVHeader.report(problems, in: file, diagnostics)
    guard let header = table.first else { return }
    guard header.count <= Self.mostColumns else {
      diagnostics.error(
        "\(header.count.withThousands) columns; the limit is \(Self.mostColumns.withThousands)",
        in: file,
        at: header.first?.position,
        fix: "keep only these columns: \(OutputRow.keys.joined(separator: ", "))"
      )
      return nil
    }
    let before = diagnostics.count
    for (index, cell) in header.enumerated() { add(cell, index, header, file, diagnostics) }
    if diagnostics.count > before { return nil }
    rows = table.dropFirst()
  }

  private mutating func add(
    _ cell: CSVReader.Cell,
    _ index: Int,
    _ header: [CSVReader.Cell],
    _ file: SourceFile,
    _ diagnostics: DiagnosticCollector
  ) {
    guard let path = Self.path(of: cell.text) else {
      diagnostics.error(
        "unknown column '\(cell.text)'",
        in: file,
        at: cell.position,
        fix: ForeignWords.outputs.key(for: cell.text).map { "did you mean '\($0)'?" }
          ?? NearestName.of(cell.text, among: OutputRow.columns).map { "did you mean '\($0)'?" }
          ?? NearestName.suggestion(for: cell.text, among: OutputRow.keys)
      )
      return
    }
    if header.prefix(index).contains(where: { $0.text == cell.text }) {
      diagnostics.error(
        "duplicate column '\(cell.text)'",
        in: file,
        at: cell.position,
        fix: "remove one of the two"
      )
      return
    }
    columns.append(Column(index: index, path: path, position: cell.position))
  }

  /// Returns the keys under which a column's values are stored in a row; nil for an unknown name.
  static func path(of name: String) -> [String]? {
    if OutputRow.keys.contains(name) { return [name] }
    let path = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard path.count > 1, !path.contains("") else { return nil }
    switch path[0] {
    case "input": return path
    case "usage": return path
    case "timings": return path.count == 2 && OutputRow.timeNames.contains(path[1]) ? path : nil
    case "error": return ["message", "kind"].contains(path[1]) && path.count == 2 ? path : nil
    default: return nil
    }
  }

  /// Returns a row in the same form as a line of JSONL; nil, with errors reported, if a cell is
  /// invalid.
  func row(_ cells: [CSVReader.Cell], _ file: SourceFile, _ diagnostics: DiagnosticCollector)
    -> Node?
  {
    let start = cells.first?.position ?? SourcePosition(line: 1, column: 1)
    var row = Node(position: start, value: .mapping([]))
    var isWhole = true
    var text: (cell: CSVReader.Cell, column: Column)?
    for column in columns {
      let cell = cells[column.index]
      if column.path == ["text"] { text = (cell, column) }
      if cell.text.isEmpty || Self.saysNothing(cell.text, column.path) { continue }
      guard let value = Self.value(cell, column.path, file, diagnostics) else {
        isWhole = false
        continue
      }
      row = row.setting(value, at: column.path[...], keyPosition: column.position)
    }
    // An empty text is an answer, unless the row contains something else instead.
    if let text, text.cell.text.isEmpty, row["error"] == nil, row["refusal"] == nil,
      row[ProgramAnswer.toolCalls] == nil
    {
      let value = Node(position: text.cell.position, value: .string(""))
      row = row.setting(value, at: text.column.path[...], keyPosition: text.column.position)
    }
    return isWhole ? row : nil
  }

  private static func value(
    _ cell: CSVReader.Cell,
    _ path: [String],
    _ file: SourceFile,
    _ diagnostics: DiagnosticCollector
  ) -> Node? {
    let text = Node(position: cell.position, value: .string(cell.text))
    switch (path[0], path.count) {
    case ("repeat", _), ("cost", _), ("usage", 2...), ("timings", 2): return typed(text, path)
    case ("input", 1), ("usage", 1), ("timings", 1), (ProgramAnswer.toolCalls, 1):
      do throws(JSONSyntaxError) {
        return try JSONReader.node(cell.text.utf8).placed(at: cell.position)
      } catch {
        diagnostics.error(
          "the cell under '\(path[0])' is not valid JSON: \(error.message)",
          in: file,
          at: cell.position
        )
        return nil
      }
    default: return text
    }
  }
}

extension OutputsTable {
  /// Returns true for a text under `error` or `refusal` that says that there is none.
  ///
  /// Data frames write such texts to CSV, for example `False` or `nan`.
  static func saysNothing(_ text: String, _ path: [String]) -> Bool {
    guard ["error", "refusal"].contains(path[0]), text.utf8.count < 10 else { return false }
    let word = text.lowercased()
    return ["none", "nan"].contains(word)
      || (try? JSONReader.value(word.utf8)).map(ServerFault.isEmpty) ?? false
  }

  /// Returns a text as the number or JSON that is expected at a path.
  ///
  /// Other values stay unchanged.
  static func typed(_ node: Node, _ path: [String]) -> Node {
    guard case .string(let text) = node.value else { return node }
    switch (path[0], path.count) {
    case ("repeat", _), ("cost", _), ("usage", 2...), ("timings", 2):
      return Double(text).flatMap {
        $0.isFinite ? Node(position: node.position, value: .number($0)) : nil
      } ?? node
    case ("input", 1), ("usage", 1), ("timings", 1), (ProgramAnswer.toolCalls, 1):
      return (try? JSONReader.node(text.utf8))?.placed(at: node.position) ?? node
    default: return node
    }
  }
}

extension Node {
  /// Returns a copy of the mapping in which a value is set at a path of keys.
  func setting(
    _ value: Node,
    at path: ArraySlice<String>,
    keyPosition: SourcePosition
  ) -> Node {
    guard let key = path.first else { return value }
    var members = members ?? []
    let place = members.firstIndex { $0.key == key }
    let inner = place.map { members[$0].value } ?? Node(position: keyPosition, value: .mapping([]))
    let set = inner.setting(value, at: path.dropFirst(), keyPosition: keyPosition)
    if let place {
      members[place].value = set
    } else {
      members.append(Member(key: key, keyPosition: keyPosition, value: set))
    }
    return Node(position: position, value: .mapping(members))
  }
}
