import SluiceSupport

/// The rows of an external file, which is CSV, JSON Lines or a JSON array.
struct ImportedTable {
  private let file: SourceFile
  private let diagnostics: DiagnosticCollector
  private let content: Content
  /// The names of the columns.
  ///
  /// For JSON, these are the dotted paths of the members.
  private(set) var columns: [String] = []
  /// True if the column `prompt` has names of prompts, not their words.
  private(set) var namesPrompts = true
  /// True if a row has no id.
  private(set) var lacksIDs = false
  /// True if the rows are trials of a run log or report of Sluice.
  private(set) var isOwn = false

  private enum Content {
    /// Rows that stay in the file.
    case lines
    case nodes([Node])
    case cells(names: [String: Int], rows: ArraySlice<[CSVReader.Cell]>)
  }

  /// The maximum size in bytes of a file that must be read into memory as a whole.
  private static let largest = 64 << 20
  private static let mostColumns = 1_000
  /// The number of errors after which reading stops.
  static let mostFaults = 10_000

  /// Reads the column names; nil, with errors reported, if the names cannot be read.
  init?(_ file: SourceFile, _ diagnostics: DiagnosticCollector) {
    self.file = file
    self.diagnostics = diagnostics
    switch ProjectPath(file.path).pathExtension {
    case "csv":
      guard Self.fits(file, diagnostics) else { return nil }
      // Any text is a valid column name. But if the first line has no ',', the file probably uses
      // another separator.
      if CSVHeader.reportOtherSeparator(file, diagnostics, isColumn: { !$0.isEmpty }) { return nil }
      let (rows, problems) = CSVReader.read(file.bytes)
      CSVHeader.report(problems, in: file, diagnostics)
      guard problems.isEmpty, let header = rows.first else {
        if problems.isEmpty {
          diagnostics.report(Diagnostic(path: file.path, message: "the file is empty"))
        }
        return nil
      }
      guard header.count <= Self.mostColumns else {
        diagnostics.error(
          "\(header.count.withThousands) columns; the limit is \(Self.mostColumns.withThousands)",
          in: file,
          at: header.first?.position,
          fix: "keep only the columns that you need"
        )
        return nil
      }
      var names: [String: Int] = [:]
      for (index, cell) in header.enumerated() {
        if names[cell.text] != nil {
          diagnostics.error("duplicate column '\(cell.text)'", in: file, at: cell.position)
          return nil
        }
        names[cell.text] = index
      }
      content = .cells(names: names, rows: rows.dropFirst())
      columns = header.map(\.text)
    case "json":
      guard Self.fits(file, diagnostics) else { return nil }
      let files = ProjectFiles(InMemoryFileSystem(), diagnostics: diagnostics)
      guard let root = files.readJSON(file.bytes[...], in: file) else { return nil }
      guard let rows = Self.rows(in: root) else {
        diagnostics.error(
          "a JSON file must be a list of rows, not \(root.kind)",
          in: file,
          at: root.position,
          fix: (root.members ?? []).first {
            if case .sequence = $0.value.value { true } else { false }
          }
          .map { "extract the list from it: jq .\($0.key) \(file.path) > NEW.json" }
            ?? "write each row as a line of JSON, and name the file .jsonl"
        )
        return nil
      }
      content = .nodes(rows)
    case "jsonl", "ndjson":
      if JSONLines.reportOther(file, of: "row", diagnostics) { return nil }
      content = .lines
    default:
      diagnostics.report(
        Diagnostic(
          path: file.path,
          message: "the file's name does not end in .csv, .jsonl or .json",
          fix: "rename the file so that its name ends in .csv, .jsonl or .json"
        )
      )
      return nil
    }
    scan()
  }

  private static func fits(_ file: SourceFile, _ diagnostics: DiagnosticCollector) -> Bool {
    if file.contents.count <= largest { return true }
    diagnostics.report(
      Diagnostic(
        path: file.path,
        message: "the file is larger than the limit of \(largest >> 20) MiB",
        fix: "write the rows as JSON Lines, which has no such limit"
      )
    )
    return false
  }

  /// Returns a line without the byte-order mark with which the file may start.
  private static func text(_ line: UnsafeRawBufferPointer, _ number: Int) -> UnsafeRawBufferPointer
  {
    number == 1 && UTF8Text.startsWithByteOrderMark(line)
      ? UnsafeRawBufferPointer(rebasing: line[3...]) : line
  }

  /// Collects the dotted paths of the members, in the order in which rows contain them.
  private mutating func scan() {
    var names = columns
    var seen = Set(names)
    var (hasOtherPrompt, lacksID, hasTrial) = (false, false, false)
    func add(_ node: Node, _ prefix: String, _ depth: Int) {
      for member in node.members ?? [] {
        let name = prefix + member.key
        if seen.count < Self.mostColumns || depth == 0, seen.insert(name).inserted {
          names.append(name)
        }
        if depth < 8 { add(member.value, name + ".", depth + 1) }
      }
    }
    forEachRow(DiagnosticCollector()) { row in
      add(row, "", 0)
      if let prompt = row["prompt"], !OutputsImport.isAbsent(prompt), prompt.json.number == nil,
        !Identifier.isValid(prompt.json.string ?? " ")
      {
        hasOtherPrompt = true
      }
      lacksID = lacksID || row["id"].map(OutputsImport.isAbsent) ?? true
      hasTrial = hasTrial || row["outcome"] != nil && row["case"] != nil
    }
    (columns, namesPrompts, lacksIDs, isOwn) = (names, !hasOtherPrompt, lacksID, hasTrial)
  }

  // MARK: Mappings

  /// Reports mappings whose column does not exist, and required members without a mapping.
  ///
  /// Returns true if there is nothing to report.
  func check(_ mappings: [OutputsImport.Mapping], _ diagnostics: DiagnosticCollector) -> Bool {
    let before = diagnostics.count
    for mapping in mappings {
      guard case .column(let name) = mapping.source, !isKnown(name) else { continue }
      diagnostics.report(
        Diagnostic(
          path: file.path,
          message: "unknown column '\(name)'",
          fix: NearestName.suggestion(for: name, among: Array(columns.prefix(40)))
        )
      )
    }
    for (needed, others) in [
      ("id", ["input"]), ("text", ["error", "refusal", ProgramAnswer.toolCalls]),
    ] {
      let isMapped = mappings.contains { mapping in
        ([needed] + others).contains { mapping.target == $0 || mapping.target.hasPrefix($0 + ".") }
      }
      if isMapped { continue }
      diagnostics.report(
        Diagnostic(
          path: "command line",
          message: "no column is mapped to '\(needed)'",
          fix: "add --map \(needed)=COLUMN; the columns of the file are "
            + columns.prefix(12).joined(separator: ", ") + (columns.count > 12 ? " …" : "")
        )
      )
    }
    return diagnostics.count == before
  }

  private func isKnown(_ name: String) -> Bool {
    if columns.contains(name) { return true }
    // A number in a path is the index of a list element, which has no name.
    guard case .cells = content else {
      let parts = name.split(separator: ".").map(String.init)
      guard let place = parts.firstIndex(where: { Int($0) != nil }), place > 0 else { return false }
      return columns.contains(parts[..<place].joined(separator: "."))
    }
    return false
  }

  // MARK: Rows

  /// Calls a closure for each row, in order.
  ///
  /// Reports invalid rows.
  func forEachRow(_ other: DiagnosticCollector? = nil, _ use: (Node) -> Void) {
    let diagnostics = other ?? self.diagnostics
    func isObject(_ node: Node) -> Bool {
      if node.members != nil { return true }
      diagnostics.error("a row must be a mapping, not \(node.kind)", in: file, at: node.position)
      return false
    }
    func body(_ node: Node) {
      if let row = Self.row(of: node, file, diagnostics) { use(row) }
    }
    switch content {
    case .nodes(let nodes):
      for node in nodes where isObject(node) { body(node) }
    case .cells(let names, let rows):
      let sorted = names.sorted { $0.value < $1.value }
      for row in rows {
        let members = sorted.map { name, index in
          Node.Member(
            key: name,
            keyPosition: row[index].position,
            value: Node(position: row[index].position, value: .string(row[index].text))
          )
        }
        let start = row.first?.position ?? SourcePosition(line: 1, column: 1)
        body(Node(position: start, value: .mapping(members)))
      }
    case .lines:
      let before = diagnostics.count
      let files = ProjectFiles(InMemoryFileSystem(), diagnostics: diagnostics)
      files.forEachLine(of: file) { line, _, number in
        let text = Self.text(line, number)
        if diagnostics.count - before >= Self.mostFaults { return }
        if text.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { return }
        guard let node = files.readJSON(Array(text)[...], line: number, in: file), isObject(node)
        else { return }
        body(node)
      }
    }
  }

  /// Returns the value of a column in a row.
  ///
  /// A dot in the column's name leads to a member of a mapping. A number after a dot leads to an
  /// element of a list.
  func value(_ column: String, in row: Node) -> Node? {
    if let value = row[column] { return value }
    if case .cells = content { return nil }
    var node: Node? = row
    for part in column.split(separator: ".") {
      if case .sequence(let elements) = node?.value {
        node = Int(part).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
      } else {
        node = node?[String(part)]
      }
    }
    return node
  }
}
