/// Turns the rows of a CSV file into cases, by the names of its columns.
///
/// Columns: `id`, `tags` (separated by spaces), `split`, `cluster`, `input.NAME` and `expected.NAME`,
/// where a dot in NAME nests. Inputs are texts. A cell under `expected` is what it means as JSON
/// where it is JSON, else a text; an empty one is absent.
enum CSVCases {
  private static let plainColumns = ["id", "tags", "split", "cluster"]

  static func read(_ file: SourceFile, diagnostics: DiagnosticCollector) -> [Node] {
    let (rows, problems) = CSVReader.read(file.bytes)
    for problem in problems {
      diagnostics.error(
        "not valid CSV: \(problem.message)",
        in: file,
        at: problem.position,
        fix: problem.fix
      )
    }
    guard let header = rows.first else { return [] }
    for cell in header where !isKnown(cell.text) {
      diagnostics.error(
        "unknown column '\(cell.text)'",
        in: file,
        at: cell.position,
        fix: NearestName.of(cell.text, among: plainColumns).map { "did you mean '\($0)'?" }
          ?? "name it input.\(cell.text) or expected.\(cell.text)"
      )
    }
    return rows.dropFirst().filter { $0.count == header.count }.map { row in
      var members: [Node.Member] = []
      for (column, cell) in zip(header, row) {
        guard isKnown(column.text), let node = node(cell, column: column.text) else { continue }
        insert(node, at: column.text.split(separator: ".").map(String.init), of: cell, in: &members)
      }
      if !members.contains(where: { $0.key == "input" }), let start = row.first {
        insert(
          Node(position: start.position, value: .mapping([])),
          at: ["input"],
          of: start,
          in: &members
        )
      }
      let start = row.first?.position ?? SourcePosition(line: 1, column: 1)
      return Node(position: start, value: .mapping(members))
    }
  }

  private static func isKnown(_ column: String) -> Bool {
    plainColumns.contains(column)
      || ["input.", "expected."].contains { column.hasPrefix($0) && column.count > $0.count }
  }

  private static func node(_ cell: CSVReader.Cell, column: String) -> Node? {
    if column.hasPrefix("input.") {
      return Node(position: cell.position, value: .string(cell.text))
    }
    if cell.text.isEmpty { return nil }
    if column == "tags" {
      let tags = cell.text.split { " ,;".contains($0) }
      return Node(
        position: cell.position,
        value: .sequence(
          tags.map { Node(position: cell.position, value: .string(String($0))) }
        )
      )
    }
    if column.hasPrefix("expected."), var value = try? JSONReader.node(cell.text.utf8) {
      value.position = cell.position
      return value
    }
    return Node(position: cell.position, value: .string(cell.text))
  }

  private static func insert(
    _ node: Node,
    at path: [String],
    of cell: CSVReader.Cell,
    in members: inout [Node.Member]
  ) {
    guard let key = path.first else { return }
    if path.count == 1 {
      members.append(Node.Member(key: key, keyPosition: cell.position, value: node))
      return
    }
    var inner: [Node.Member] = []
    let index = members.firstIndex { $0.key == key }
    if let index, case .mapping(let existing) = members[index].value.value { inner = existing }
    insert(node, at: Array(path.dropFirst()), of: cell, in: &inner)
    let value = Node(position: cell.position, value: .mapping(inner))
    if let index {
      members[index].value = value
    } else {
      members.append(Node.Member(key: key, keyPosition: cell.position, value: value))
    }
  }
}
