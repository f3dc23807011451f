package import SluiceSupport

/// Reads a file of outputs for the cases of a dataset, and reports all rows that are wrong at once.
package struct OutputsReader {
  private let path: ProjectPath
  private let files: ProjectFiles
  private let dataset: String
  private var cases: CaseIndex?
  private var rows: [OutputsFile.Row] = []
  private var first: [String: UInt32] = [:]
  private var last: [String: UInt32] = [:]
  private var prompts: [String] = []

  /// The size up to which a CSV file is read, whose rows stay in memory.
  private static let longestTable = 64 << 20
  /// The number of faults after which reading stops.
  private static let mostFaults = 10_000

  private init(
    _ path: ProjectPath,
    for cases: [StoredCase]?,
    in dataset: ProjectPath,
    files: ProjectFiles
  ) {
    self.path = path
    self.files = files
    self.dataset = dataset.description
    self.cases = cases.map(CaseIndex.init)
    first.reserveCapacity(cases?.count ?? 0)
  }

  /// Reads a file of outputs; nil, with errors reported, where a row is wrong.
  ///
  /// - Parameters:
  ///   - path: The file, JSONL or CSV by its ending.
  ///   - cases: The cases that rows may answer; nil where they are not known, and any name will do.
  ///   - dataset: The file of the cases.
  ///   - files: Where the file is read and faults are reported.
  /// - Returns: The index over the file.
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
    if reader.rows.isEmpty, files.diagnostics.count == before {
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
      rows: reader.rows,
      first: reader.first,
      prompts: reader.prompts,
      isCSV: isCSV
    )
  }

  /// SHA-256 over a file, read a piece at a time.
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
      if let row = Self.usual(line), isKnown(row) {
        add(row, &place, in: file) { SourcePosition(line: number, column: 1) }
        return
      }
      guard let node = files.readJSON(Array(line)[...], line: number, in: file),
        let row = OutputRow(node, in: file, diagnostics)
      else { return }
      check(row, node, in: file)
      add(row, &place, in: file) { (node["id"] ?? node).position }
    }
    stop(diagnostics.count - before, file)
    return file.contents
  }

  /// A row of the usual form; nil where there may be something to report.
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
        message: "reading stopped after \(Self.mostFaults.withThousands) faults"
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
          message: "a CSV file of \(file.contents.count >> 20) MiB, more than "
            + "\(Self.longestTable >> 20) MiB",
          fix: "write the rows as JSONL, which stays on the disk: sluice import outputs"
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
      check(row, node, in: file)
      let start = bytes.count
      JSONWriter.append(node.json, to: &bytes)
      var place = OutputsFile.Row(
        start: start,
        count: UInt32(bytes.count - start),
        checksum: QuickChecksum.of(UnsafeRawBufferPointer(rebasing: bytes.bytes[start...])),
        number: UInt32(clamping: node.position.line),
        repetition: 1
      )
      add(row, &place, in: file) { (node["id"] ?? node).position }
    }
    stop(diagnostics.count - before, file)
    return FileContents(Array(bytes.units))
  }

  // MARK: Cases

  private mutating func isKnown(_ row: OutputRow) -> Bool {
    guard cases != nil else { return row.input == nil }
    guard let id = row.id, row.input == nil else { return false }
    return cases?.contains(id) == true
  }

  /// Reports a row of an unknown case, or with another input than that of its case.
  private mutating func check(_ row: OutputRow, _ node: Node, in file: SourceFile) {
    guard cases != nil else { return }
    func refuse(_ message: String, _ node: Node, fix: String?) {
      files.diagnostics.error(message, in: file, at: node.position, fix: fix)
    }
    if let id = row.id {
      guard let stored = cases?[id] else {
        return refuse(
          "there is no case '\(id)' in \(dataset)",
          node["id"] ?? node,
          fix: cases?.nearest(id).map { "did you mean '\($0)'?" }
            ?? "remove the row, or add the case"
        )
      }
      if let input = row.input, stored.testCase.input != input {
        refuse(
          "the input differs from that of the case '\(id)' in \(dataset)",
          node["input"] ?? node,
          fix: "the answer belongs to another input: remove the row, or correct the case"
        )
      }
    } else if let input = row.input, cases?.ids(of: input).isEmpty == true {
      refuse(
        "no case in \(dataset) has this input",
        node["input"] ?? node,
        fix: "name the case by 'id', or remove the row"
      )
    }
  }

  private mutating func add(
    _ row: OutputRow,
    _ place: inout OutputsFile.Row,
    in file: SourceFile,
    _ position: () -> SourcePosition
  ) {
    place.repetition = UInt32(row.repetition)
    if let prompt = row.prompt { place.prompt = number(prompt) }
    let ids = row.id.map { [$0] } ?? row.input.flatMap { cases?.ids(of: $0) } ?? []
    for id in ids { add(place, of: id, row, in: file, position) }
  }

  private mutating func add(
    _ place: OutputsFile.Row,
    of id: String,
    _ row: OutputRow,
    in file: SourceFile,
    _ position: () -> SourcePosition
  ) {
    guard rows.count < Int(OutputsFile.Row.none) else { return }
    let own = UInt32(rows.count)
    guard let previous = last[id] ?? first[id] else {
      first[id] = own
      rows.append(place)
      return
    }
    var other = first[id] ?? OutputsFile.Row.none
    while other != OutputsFile.Row.none {
      let earlier = rows[Int(other)]
      let isSamePrompt =
        earlier.prompt == place.prompt || earlier.prompt == 0 || place.prompt == 0
      if earlier.repetition == place.repetition, isSamePrompt {
        files.diagnostics.error(
          "a second row for \(Self.name(id, row)), after line \(earlier.number)",
          in: file,
          at: position(),
          fix: "remove one of the two; answers to the same case are numbered with 'repeat' from 1"
        )
        return
      }
      other = earlier.next
    }
    rows[Int(previous)].next = own
    rows.append(place)
    last[id] = own
  }

  private static func name(_ id: String, _ row: OutputRow) -> String {
    var name = "the case '\(id)'"
    if let prompt = row.prompt { name += " with the prompt '\(prompt)'" }
    return row.repetition == 1 ? name : name + ", repeat \(row.repetition)"
  }

  private mutating func number(_ prompt: String) -> UInt32 {
    if let place = prompts.lastIndex(of: prompt) { return UInt32(place + 1) }
    prompts.append(prompt)
    return UInt32(prompts.count)
  }
}

/// The cases of a dataset by id, and by input where rows name none.
private struct CaseIndex {
  private let cases: [StoredCase]
  private var places: [String: UInt32]
  /// The cases by the digest of their input; made for the first row that needs it.
  private var inputs: [Digest: [String]]?

  init(_ cases: [StoredCase]) {
    self.cases = cases
    places = Dictionary(minimumCapacity: cases.count)
    for (index, stored) in cases.enumerated() { places[stored.id] = UInt32(index) }
  }

  func contains(_ id: String) -> Bool { places[id] != nil }

  subscript(id: String) -> StoredCase? { places[id].map { cases[Int($0)] } }

  func nearest(_ id: String) -> String? {
    NearestName.of(id, among: cases.lazy.map(\.id))
  }

  /// The cases that have an input; canonical JSON tells.
  mutating func ids(of input: JSONValue) -> [String] {
    if inputs == nil {
      inputs = Dictionary(
        cases.map { (SHA256.digest(JSONWriter.canonical($0.testCase.input)), [$0.id]) },
        uniquingKeysWith: +
      )
    }
    return inputs?[SHA256.digest(JSONWriter.canonical(input))] ?? []
  }
}
