package import SluiceSupport

/// The reader of files with outputs for the cases of a dataset.
///
/// It reports all invalid rows at once.
package struct OutputsReader {
  private let path: ProjectPath
  private let files: ProjectFiles
  private var rows: OutputRows

  /// The maximum size of a CSV file, in bytes.
  ///
  /// The rows of a CSV file stay in memory.
  private static let longestTable = 64 << 20
  /// The number of errors after which reading stops.
  private static let mostFaults = 10_000

  private init(
    _ path: ProjectPath,
    for cases: [StoredCase]?,
    in dataset: ProjectPath,
    files: ProjectFiles
  ) {
    self.path = path
    self.files = files
    rows = OutputRows(for: cases, in: dataset.description, files.diagnostics)
  }

  /// Reads a file of outputs; nil, with errors reported, if a row is invalid.
  ///
  /// - Parameters:
  ///   - path: The file. Its extension shows whether it is JSONL or CSV.
  ///   - cases: The cases that rows may answer. Nil if the cases are unknown; every id is then
  ///     valid.
  ///   - dataset: The file of the cases.
  ///   - files: Gives access to the file, and collects errors.
  /// - Returns: The file with an index of its rows.
  package static func read(
    _ path: ProjectPath,
    for cases: [StoredCase]?,
    in dataset: ProjectPath,
    files: ProjectFiles
  ) -> OutputsFile? {
    guard let file = files.open(path) else { return nil }
    let before = files.diagnostics.count
    var reader = OutputsReader(path, for: cases, in: dataset, files: files)
    let isCSV = path.pathExtension == "csv"
    let lines = isCSV ? reader.readTable(file) : reader.readLines(file)
    guard let lines else { return nil }
    if reader.rows.rows.isEmpty, files.diagnostics.count == before {
      files.diagnostics.report(
        Diagnostic(
          path: path.description,
          message: "the file has no rows",
          fix: "add a row for each case, such as "
            + (isCSV ? "id,text" : #"{"id": "ID", "text": "ANSWER"}"#)
        )
      )
    }
    if files.diagnostics.hasErrors(since: before) { return nil }
    return OutputsFile(
      path: path,
      digest: digest(file.contents),
      lines: lines,
      rows: reader.rows.rows,
      first: reader.rows.first,
      prompts: reader.rows.prompts,
      isCSV: isCSV
    )
  }

  /// Returns the SHA-256 digest of a file, read piece by piece.
  private static func digest(_ contents: FileContents) -> String {
    var digest = SHA256()
    let length = 1 << 20
    for start in stride(from: 0, to: contents.count, by: length) {
      contents.withBytes(start..<min(start + length, contents.count)) { digest.update($0) }
    }
    return digest.hexadecimal()
  }

  // MARK: Lines

  private mutating func readLines(_ file: SourceFile) -> FileContents? {
    let diagnostics = files.diagnostics
    if JSONLines.reportOther(file, of: "row", diagnostics) { return nil }
    let before = diagnostics.count
    files.forEachLine(of: file) { bytes, start, number in
      if diagnostics.count - before >= Self.mostFaults { return }
      var line = UnsafeRawBufferPointer(bytes)
      if number == 1, UTF8Text.startsWithByteOrderMark(line) {
        line = UnsafeRawBufferPointer(rebasing: line[3...])
      }
      if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { return }
      var place = OutputsFile.Row(
        start: start + (bytes.count - line.count),
        count: UInt32(line.count),
        checksum: QuickChecksum.of(line),
        number: UInt32(clamping: number),
        repetition: 1
      )
      if let row = Self.usual(line), rows.isKnown(row) {
        rows.add(row, &place, in: file) { SourcePosition(line: number, column: 1) }
        return
      }
      guard let node = files.readJSON(Array(line)[...], line: number, in: file),
        let row = OutputRow(node, in: file, diagnostics)
      else { return }
      rows.check(row, node, in: file)
      rows.add(row, &place, in: file) { (node["id"] ?? node).position }
    }
    stop(diagnostics.count - before, file)
    return file.contents
  }

  /// Reads a row quickly; nil if the row has an unusual form, and may contain errors.
  private static func usual(_ line: UnsafeRawBufferPointer) -> OutputRow? {
    let read = try? JSONReader.read(line) { reader throws(JSONSyntaxError) in
      let value = try reader.readValue()
      return reader.hasDuplicates ? nil : OutputRow(value)
    }
    return read ?? nil
  }

  private func stop(_ faults: Int, _ file: SourceFile) {
    guard faults >= Self.mostFaults else { return }
    files.diagnostics.report(
      Diagnostic(
        path: file.path,
        message: "reading stopped after \(Self.mostFaults.withThousands) errors"
      )
    )
  }

  // MARK: Tables

  private mutating func readTable(_ file: SourceFile) -> FileContents? {
    let diagnostics = files.diagnostics
    guard file.contents.count <= Self.longestTable else {
      diagnostics.report(
        Diagnostic(
          path: file.path,
          message: "the CSV file is larger than the limit of \(Self.longestTable >> 20) MiB",
          fix: "write the rows as JSON Lines, one object per line, which has no such limit"
        )
      )
      return nil
    }
    let before = diagnostics.count
    guard let table = OutputsTable(file, diagnostics) else { return nil }
    var bytes = ByteBuffer()
    for cells in table.rows {
      if diagnostics.count - before >= Self.mostFaults { break }
      guard let node = table.row(cells, file, diagnostics),
        let row = OutputRow(node, in: file, diagnostics)
      else { continue }
      rows.check(row, node, in: file)
      let start = bytes.count
      JSONWriter.append(node.json, to: &bytes)
      var place = OutputsFile.Row(
        start: start,
        count: UInt32(bytes.count - start),
        checksum: QuickChecksum.of(UnsafeRawBufferPointer(rebasing: bytes.bytes[start...])),
        number: UInt32(clamping: node.position.line),
        repetition: 1
      )
      rows.add(row, &place, in: file) { (node["id"] ?? node).position }
    }
    stop(diagnostics.count - before, file)
    return FileContents(Array(bytes.units))
  }
}
