package import SluiceSupport

/// The conversion of an external file to a file of outputs for cases.
///
/// All rows are checked before the first one is written. Then the file is read again to write the
/// rows.
package struct OutputsImport {
  /// A member of an output row, and the column or constant that supplies its value.
  package struct Mapping: Hashable, Sendable {
    package var target: String
    package var source: Source

    package enum Source: Hashable, Sendable {
      case column(String)
      /// A text that is the same in every row.
      case constant(String)
    }

    package init(_ target: String, from source: Source) {
      self.target = target
      self.source = source
    }
  }

  /// The members that a row may contain, for suggestions.
  package static let targets = OutputRow.columns

  /// Returns true if a name is a valid member of a row, at any depth.
  package static func isTarget(_ name: String) -> Bool { OutputsTable.path(of: name) != nil }

  /// The counts of written rows and of redacted texts.
  package struct Outcome: Sendable {
    package var rows: Int
    /// The number of texts whose secrets were replaced by placeholders.
    package var redacted: Int
  }

  private let file: SourceFile
  private let mappings: [Mapping]
  private let diagnostics: DiagnosticCollector
  private let table: ImportedTable

  /// Checks all rows of a file; nil, with errors reported, if one is invalid.
  ///
  /// - Parameters:
  ///   - file: The file. Its extension shows whether it is CSV, JSONL or a JSON array.
  ///   - mappings: The members of output rows and their sources.
  ///   - cases: The cases that rows may answer, with the file of the cases. If nil, any id is
  ///     valid.
  ///   - diagnostics: Receives the errors.
  package init?(
    _ file: SourceFile,
    _ mappings: [Mapping],
    for cases: (cases: [StoredCase], dataset: ProjectPath)?,
    _ diagnostics: DiagnosticCollector
  ) {
    self.file = file
    self.diagnostics = diagnostics
    let before = diagnostics.count
    guard let table = ImportedTable(file, diagnostics) else { return nil }
    self.table = table
    self.mappings = Self.completed(mappings, table)
    guard table.check(self.mappings, diagnostics) else { return nil }
    var rows = OutputRows(
      for: cases?.cases,
      in: cases?.dataset.description ?? "",
      diagnostics
    )
    var count = 0
    table.forEachRow { source in
      count += 1
      guard diagnostics.count - before < ImportedTable.mostFaults,
        let node = row(from: source, reporting: true),
        let row = OutputRow(node, in: file, diagnostics)
      else { return }
      rows.check(row, node, in: file)
      var place = OutputsFile.Row(
        start: 0,
        count: 0,
        checksum: 0,
        number: UInt32(clamping: source.position.line),
        repetition: 1
      )
      rows.add(row, &place, in: file) { (node["id"] ?? node).position }
    }
    if count == 0, diagnostics.count == before {
      diagnostics.report(Diagnostic(path: file.path, message: "the file has no rows"))
    }
    if diagnostics.hasErrors(since: before) { return nil }
    reportUnused()
  }

  /// Returns the mappings, completed for columns whose name is that of a member.
  private static func completed(_ mappings: [Mapping], _ table: ImportedTable) -> [Mapping] {
    let takesInput = table.lacksIDs && !mappings.contains { $0.target == "id" }
    var mappings = mappings
    for column in table.columns {
      guard let target = OutputRow.target(of: column),
        // Other tools call the words of a prompt a prompt, and have other inputs.
        target != "prompt" || table.namesPrompts,
        !isRelated(target, "input") || takesInput,
        !mappings.contains(where: { $0.source == .column(column) || isRelated($0.target, target) })
      else { continue }
      mappings.append(Mapping(target, from: .column(column)))
    }
    return mappings
  }

  /// Returns true if one of two dotted paths leads into the other, or if they are equal.
  private static func isRelated(_ one: String, _ other: String) -> Bool {
    one == other || one.hasPrefix(other + ".") || other.hasPrefix(one + ".")
  }

  /// Names all columns that are not used, because each may say that an answer is not usable.
  private func reportUnused() {
    var unused: [String] = []
    var maps: [String] = []
    for column in table.isOwn ? [] : table.columns {
      let isKnown = mappings.contains { mapping in
        if case .column(let name) = mapping.source { Self.isRelated(name, column) } else { false }
      }
      if isKnown || unused.contains(where: { column.hasPrefix($0 + ".") }) { continue }
      unused.append(column)
      let name = String(column.split(separator: ".").last ?? "")
      let near =
        ForeignWords.outputs.key(for: name) ?? NearestName.of(name, among: OutputRow.columns)
      if let near, near != column, !mappings.contains(where: { Self.isRelated($0.target, near) }) {
        maps.append("\(near)=\(column)")
      }
    }
    if unused.isEmpty { return }
    let count = unused.count == 1 ? "one column is" : "\(unused.count) columns are"
    let fault = Diagnostic(
      .warning,
      path: file.path,
      message: "\(count) not used: \(unused.joined(separator: ", "))",
      fix: maps.isEmpty
        ? "map a column that describes the answer: --map TARGET=COLUMN"
        : "did you mean --map \(maps.joined(separator: ","))?"
    )
    diagnostics.report(fault)
  }

  /// Writes the rows.
  ///
  /// - Throws: ``FileError`` if the file cannot be written. An existing file then stays unchanged.
  package func write(to path: ProjectPath, in files: any FileSystem) throws(FileError) -> Outcome {
    let redaction = Redaction()
    var outcome = Outcome(rows: 0, redacted: 0)
    try files.write(to: path) { (sink) throws(FileError) in
      var failure: FileError?
      table.forEachRow { source in
        guard failure == nil else { return }
        guard let node = row(from: source, reporting: false) else {
          failure = FileError(path: path, reason: "\(file.path) changed during the import")
          return
        }
        outcome.rows += 1
        JSONWriter.append(redacted(node.json, redaction, &outcome.redacted), to: &sink.buffer)
        sink.buffer.append(UInt8(ascii: "\n"))
        do throws(FileError) { try sink.spill() } catch { failure = error }
      }
      if let failure { throw failure }
    }
    return outcome
  }

  /// Returns a row in which the answer's texts contain no secrets.
  private func redacted(_ row: JSONValue, _ redaction: Redaction, _ count: inout Int) -> JSONValue {
    func clean(_ value: JSONValue) -> JSONValue {
      switch value {
      case .string(let text):
        let clean = redaction.redactedJudged(text)
        if clean != text { count += 1 }
        return .string(clean)
      case .array(let elements): return .array(elements.map(clean))
      case .object(let object):
        return .object(JSONObject(object.members.map { (name: $0.name, value: clean($0.value)) }))
      case .null, .bool, .number, .exact: return value
      }
    }
    // The order of members does not depend on the options, so equal contents give equal files.
    let ordered = OutputRow.keys.compactMap { key in
      row[key].map { (name: key, value: $0) }
    }
    let members = ordered.map { member in
      (
        name: member.name,
        value: OutputRow.placeKeys.contains(member.name) ? member.value : clean(member.value)
      )
    }
    return .object(JSONObject(members))
  }

  // MARK: A row

  /// Returns the output row for a row of the external file; nil if a required part is missing.
  private func row(from source: Node, reporting: Bool) -> Node? {
    var row = Node(position: source.position, value: .mapping([]))
    var missing: [(mapping: Mapping, column: String, position: SourcePosition)] = []
    for mapping in mappings {
      let path = mapping.target.split(separator: ".").map(String.init)
      switch mapping.source {
      case .constant(let text):
        let value = Node(position: source.position, value: .string(text))
        row = row.setting(
          OutputsTable.typed(value, path),
          at: path[...],
          keyPosition: source.position
        )
      case .column(let column):
        guard let found = table.value(column, in: source), !Self.isAbsent(found),
          mapping.target != "error" || !ServerFault.isEmpty(found.json),
          found.json.string.map({ !OutputsTable.saysNothing($0, path) }) ?? true
        else {
          missing.append(
            (mapping, column, table.value(column, in: source)?.position ?? source.position)
          )
          continue
        }
        row = row.setting(
          OutputsTable.typed(Self.named(found, path), path),
          at: path[...],
          keyPosition: found.position
        )
      }
    }
    // An empty text is also an answer. The text is missing only if the row contains something else
    // instead.
    let hasOther = ["error", "refusal", ProgramAnswer.toolCalls].contains { row[$0] != nil }
    var isWhole = true
    for (mapping, column, position) in missing {
      switch mapping.target {
      case "text" where !hasOther:
        if case .string = table.value(column, in: source)?.value {
          let empty = Node(position: position, value: .string(""))
          row = row.setting(empty, at: ["text"], keyPosition: position)
          continue
        }
      case "id" where row["input"] == nil: break
      default: continue
      }
      isWhole = false
      guard reporting else { continue }
      diagnostics.error(
        "the row has no '\(column)', which is mapped to '\(mapping.target)'",
        in: file,
        at: position,
        fix: mapping.target == "text"
          ? "remove the row, or give the reason in a column that is mapped to 'error'"
          : nil
      )
    }
    return isWhole ? row : nil
  }

  static func isAbsent(_ node: Node) -> Bool {
    switch node.value {
    case .null: true
    case .string(let text): text.isEmpty
    default: false
    }
  }

  /// Returns a number as a text if the member at the path must be a text; otherwise returns the
  /// node unchanged.
  ///
  /// In files of other tools, ids are often numbers.
  private static func named(_ node: Node, _ path: [String]) -> Node {
    guard ["id", "prompt", "model"].contains(path[0]), case .number = node.value else {
      return node
    }
    return Node(position: node.position, value: .string(node.json.jsonText))
  }
}
