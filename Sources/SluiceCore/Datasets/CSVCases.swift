import SluiceSupport

/// The converter from the rows of a CSV file to cases.
///
/// The columns are `id`, `tags` (separated by spaces, commas or semicolons), `split`, `cluster`,
/// `input.NAME`, `expected.NAME`, `good`, `bad` and `notes`. A dot in NAME nests values:
/// `input.sender.role` is the member `role` of the input `sender`. Inputs are texts. A cell under
/// `good` or `bad` contains one answer, which is a text. A cell under `expected` is parsed as JSON if
/// it is valid JSON; otherwise it is a text. An empty cell under `expected` means that there is no
/// value. For columns of assertions, see ``AssertionColumn``.
///
/// Notes are ignored: `notes`, and promptfoo's columns that only describe a row, such as
/// `__description`.
enum CSVCases {
  private static let plainColumns = ["id", "tags", "split", "cluster", "notes"] + outputColumns
  private static let outputColumns = KnownOutput.Kind.allCases.map(\.rawValue)
  private static let nestingColumns = ["input", "expected"]
  /// The promptfoo columns that describe a row and are ignored.
  private static let foreignNotes = ["__description", "__metadata:"]
  private static let maximumColumns = 1_000

  /// A column that the reader uses.
  private struct CSVColumn {
    var index: Int
    var name: String
    /// The keys under which the column's value is stored in a case.
    var path: [String]
    var position: SourcePosition
  }

  /// Reads the rows; `nil`, with errors reported, if the header is unusable.
  static func read(_ file: SourceFile, diagnostics: DiagnosticCollector) -> [Node]? {
    if CSVHeader.reportOtherSeparator(file, diagnostics, isColumn: { path(of: $0) != nil }) {
      return nil
    }
    let (rows, problems) = CSVReader.read(file.bytes)
    if let header = rows.first {
      if reportNoHeader(header, file, diagnostics) || reportSpaces(header, file, diagnostics) {
        return nil
      }
    }
    CSVHeader.report(problems, in: file, diagnostics)
    guard let header = rows.first else { return [] }
    guard header.count <= maximumColumns else {
      diagnostics.error(
        "the file has \(header.count.withThousands) columns, more than \(maximumColumns.withThousands)",
        in: file,
        at: header.first?.position,
        fix: "write the cases as JSONL, in which an input can contain a list or a mapping"
      )
      return nil
    }
    let before = diagnostics.count
    let columns = columns(header, file, diagnostics)
    guard columns.contains(where: { $0.name == "id" }) else {
      // A column with a similar name was already reported.
      if !header.contains(where: { NearestName.of($0.text, among: plainColumns) == "id" }) {
        diagnostics.error(
          "there is no column 'id'",
          in: file,
          at: header.first?.position,
          fix: "add a column 'id' with a unique id for each case"
        )
      }
      return nil
    }
    if diagnostics.count > before { return nil }
    return rows.dropFirst().map { testCase($0, columns) }
  }

  // MARK: Headers of other kinds

  /// Reports a file that begins with a case instead of column names; returns true if it does.
  private static func reportNoHeader(
    _ header: [CSVReader.Cell],
    _ file: SourceFile,
    _ diagnostics: DiagnosticCollector
  ) -> Bool {
    let isUnknown = header.allSatisfy { cell in
      let name = cell.text.trimmed
      return path(of: name) == nil && NearestName.of(name, among: plainColumns) == nil
    }
    let looksLikeName = header.allSatisfy { Identifier.isValid($0.text) }
    guard header.count > 1, isUnknown, !looksLikeName else { return false }
    diagnostics.error(
      "the first row must name the columns",
      in: file,
      at: header.first?.position,
      fix: "begin the file with a header row such as 'id,input.message,expected.label'"
    )
    return true
  }

  /// Reports spaces around column names; returns true if there are any.
  ///
  /// In CSV, the spaces would be part of the names.
  private static func reportSpaces(
    _ header: [CSVReader.Cell],
    _ file: SourceFile,
    _ diagnostics: DiagnosticCollector
  ) -> Bool {
    let names = header.map(\.text.trimmed)
    guard let spaced = header.first(where: { $0.text.trimmed != $0.text }),
      names.allSatisfy({ path(of: $0) != nil })
    else { return false }
    diagnostics.error(
      "there are spaces around the ',' between columns",
      in: file,
      at: spaced.position,
      fix: "remove the spaces in all rows; the first row becomes: \(names.joined(separator: ","))"
    )
    return true
  }

  // MARK: Columns

  private static func columns(
    _ header: [CSVReader.Cell],
    _ file: SourceFile,
    _ diagnostics: DiagnosticCollector
  ) -> [CSVColumn] {
    var columns: [CSVColumn] = []
    for (index, cell) in header.enumerated() {
      if cell.text.isEmpty, index == header.count - 1, index > 0 {
        diagnostics.error(
          "column \(index + 1) has no name",
          in: file,
          at: cell.position,
          fix: "remove the ',' at the end of each line, or name the column"
        )
        continue
      }
      func refuse(_ message: String, _ fix: String) {
        diagnostics.error(message, in: file, at: cell.position, fix: fix)
      }
      let name = cell.text
      guard let path = path(of: name) else {
        refuse("unknown column '\(name)'", betterName(than: name))
        continue
      }
      if columns.contains(where: { $0.path == path }) {
        refuse("duplicate column '\(name)'", "remove one of the two")
        continue
      }
      let clash = columns.first { $0.path.starts(with: path) || path.starts(with: $0.path) }
      if let clash {
        refuse(
          "the columns '\(name)' and '\(clash.name)' would put one value inside of the other",
          "rename one of the two"
        )
        continue
      }
      columns.append(CSVColumn(index: index, name: name, path: path, position: cell.position))
    }
    return columns
  }

  private static func betterName(than name: String) -> String {
    if let nearest = NearestName.of(name, among: plainColumns) {
      return "did you mean '\(nearest)'?"
    }
    if name.isEmpty { return "give the column a name, or remove it" }
    if name.hasPrefix("assert.") || name.hasPrefix("__expected") {
      return "write 'assert', 'assert.2' or 'assert.TYPE'"
    }
    if name.hasPrefix("__") {
      return "remove it; Sluice reads no column that begins with '__', except '__expected'"
    }
    let first = name.prefix { $0 != "." }
    if nestingColumns.contains(String(first)) { return "write '\(first).NAME'" }
    return "name it 'input.\(name)' or 'expected.\(name)'"
  }

  /// Returns the keys under which a column's values are stored; nil for an unknown column.
  private static func path(of name: String) -> [String]? {
    if plainColumns.contains(name) || AssertionColumn(name) != nil || isNote(name) { return [name] }
    let path = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard path.count > 1, nestingColumns.contains(path[0]), !path.contains("") else {
      return nil
    }
    return path
  }

  private static func isNote(_ name: String) -> Bool {
    foreignNotes.contains { $0.hasSuffix(":") ? name.hasPrefix($0) : name == $0 }
  }

  // MARK: Rows

  private static func testCase(_ row: [CSVReader.Cell], _ columns: [CSVColumn]) -> Node {
    let start = row.first?.position ?? SourcePosition(line: 1, column: 1)
    var members: [Node.Member] = []
    var assertions: [Node] = []
    for column in columns {
      if isNote(column.name) { continue }
      guard let node = node(row[column.index], column) else { continue }
      if AssertionColumn(column.name) != nil {
        let member = Node.Member(key: column.name, keyPosition: node.position, value: node)
        assertions.append(Node(position: node.position, value: .mapping([member])))
        continue
      }
      insert(node, at: column.path[...], of: column, in: &members)
    }
    if let first = assertions.first {
      members.append(
        Node.Member(
          key: "assert",
          keyPosition: first.position,
          value: Node(position: first.position, value: .sequence(assertions))
        )
      )
    }
    if !members.contains(where: { $0.key == "input" }) {
      let none = Node(position: start, value: .mapping([]))
      members.append(Node.Member(key: "input", keyPosition: start, value: none))
    }
    return Node(position: start, value: .mapping(members))
  }

  private static func node(_ cell: CSVReader.Cell, _ column: CSVColumn) -> Node? {
    let text = Node(position: cell.position, value: .string(cell.text))
    if column.path[0] == "input" { return text }
    if cell.text.isEmpty { return nil }
    if column.name == "tags" {
      let tags = cell.text.split { " ,;".contains($0) }.map(String.init)
      let nodes = tags.map { Node(position: cell.position, value: .string($0)) }
      return Node(position: cell.position, value: .sequence(nodes))
    }
    if outputColumns.contains(column.name) {
      return Node(position: cell.position, value: .sequence([text]))
    }
    if column.path[0] == "expected", let value = try? JSONReader.node(cell.text.utf8) {
      return value.placed(at: cell.position)
    }
    return text
  }

  private static func insert(
    _ node: Node,
    at path: ArraySlice<String>,
    of column: CSVColumn,
    in members: inout [Node.Member]
  ) {
    guard let key = path.first else { return }
    var value = node
    let index = members.firstIndex { $0.key == key }
    if path.count > 1 {
      var inner = index.flatMap { members[$0].value.members } ?? []
      insert(node, at: path.dropFirst(), of: column, in: &inner)
      value = Node(position: node.position, value: .mapping(inner))
    }
    if let index {
      members[index].value = value
    } else {
      members.append(Node.Member(key: key, keyPosition: column.position, value: value))
    }
  }
}
