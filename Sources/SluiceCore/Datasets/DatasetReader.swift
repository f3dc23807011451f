package import SluiceSupport

/// The reader of datasets in YAML, JSONL or CSV.
package enum DatasetReader {
  /// The extensions of dataset files, in the order in which they are tried if a suite names no
  /// file.
  package static let extensions = ["yaml", "yml", "jsonl", "csv"]

  /// Reads a dataset; nil, with errors reported, if the file cannot be read.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - files: The access to the file; it also reports errors.
  /// - Returns: The cases.
  package static func read(_ path: ProjectPath, files: ProjectFiles) -> Dataset? {
    read(path, files: files) { _, _ in false }
  }

  /// Reads a dataset; nil, with errors reported, if the file cannot be read.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - files: The access to the file; it also reports errors.
  ///   - isFine: Called for each case that will stay in its file, while the case is in memory.
  ///     Receives the case and its index, and returns true if the case needs no further checks.
  /// - Returns: The cases.
  package static func read(
    _ path: ProjectPath,
    files: ProjectFiles,
    isFine: (CaseLine, Int) -> Bool
  ) -> Dataset? {
    let found: [Node]?
    let source: SourceFile
    var defaults: Node?
    switch path.pathExtension {
    case "jsonl":
      guard let file = files.open(path), !JSONLines.reportOther(file, of: "case", files.diagnostics)
      else { return nil }
      return readLines(file, files: files, isFine: isFine)
    case "csv":
      guard let file = files.read(path),
        let rows = CSVCases.read(file, diagnostics: files.diagnostics)
      else { return nil }
      (source, found) = (file, rows)
    default:
      guard let (root, file) = files.readTree(path) else { return nil }
      guard let read = content(root, file, files.diagnostics) else { return nil }
      (source, found, defaults) = (file, read.cases, read.defaults)
    }
    var reader = CaseReader(source, files: files)
    if let defaults { reader.readDefaults(defaults) }
    guard let nodes = found else { return nil }
    let cases = nodes.compactMap(reader.read)
    let dataset = Dataset(file: source, specs: cases)
    reportDuplicateIds(dataset, diagnostics: files.diagnostics)
    if nodes.isEmpty { reportNoCases(source, diagnostics: files.diagnostics) }
    return dataset
  }

  /// Returns the cases and the defaults of a YAML dataset.
  ///
  /// The dataset is a list of cases, or a mapping with cases and defaults. For anything else,
  /// returns nil and reports an error. The cases are nil if they are not a list.
  private static func content(
    _ root: Node,
    _ file: SourceFile,
    _ diagnostics: DiagnosticCollector
  ) -> (cases: [Node]?, defaults: Node?)? {
    if case .sequence(let nodes) = root.value { return (nodes, nil) }
    let isMapping = (root.members ?? []).contains { ["cases", CaseDefaults.key].contains($0.key) }
    guard isMapping,
      let fields = FieldReader(root, subject: "a dataset", file: file, diagnostics: diagnostics)
    else {
      diagnostics.error(
        "a dataset must be a list of cases, not \(root.kind)",
        in: file,
        at: root.position,
        fix: listFix(root)
      )
      return nil
    }
    let defaults = fields.optional(CaseDefaults.key)
    let cases = fields.list(fields.required("cases"), "cases")
    fields.finish(foreign: .dataset)
    return (cases, defaults)
  }

  private static func reportNoCases(_ file: SourceFile, diagnostics: DiagnosticCollector) {
    if diagnostics.diagnostics.contains(where: { $0.path == file.path }) { return }
    diagnostics.report(
      Diagnostic(path: file.path, message: "the dataset has no cases", fix: "add a case")
    )
  }

  // MARK: Lines

  private static func readLines(
    _ file: SourceFile,
    files: ProjectFiles,
    isFine: (CaseLine, Int) -> Bool
  ) -> Dataset {
    let texts = CaseTexts()
    let caseFile = CaseFile(file, texts: texts)
    let reader = CaseReader(file, texts: texts, files: files)
    var cases: [StoredCase] = []
    var casesToCheck: [Int] = []
    var pool = CaseLabels.Pool()
    var repeated = CaseLine.Repeated()
    var isEmpty = true
    files.forEachLine(of: file) { _ in
      isEmpty = false
    } body: { bytes, start, number in
      let line = bytes.bindMemory(to: UInt8.self)
      if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { return }
      if cases.count == Self.sampleSize {
        cases.reserveCapacity(file.contents.expectedLines(cases.count, before: start))
      }
      if let read = CaseLine(line, &repeated) {
        isEmpty = false
        if !isFine(read, cases.count) { casesToCheck.append(cases.count) }
        cases.append(
          StoredCase(
            id: read.id,
            labels: pool.labels(tags: read.tags, split: read.split, cluster: read.cluster),
            digest: read.digest,
            line: CaseFile.Line(line, at: start, number: number),
            of: caseFile
          )
        )
        return
      }
      guard let node = files.readJSON(Array(line)[...], line: number, in: file) else { return }
      isEmpty = false
      guard let spec = reader.read(node) else { return }
      let testCase = spec.testCase
      casesToCheck.append(cases.count)
      let mark = number == 1 && UTF8Text.startsWithByteOrderMark(line) ? 3 : 0
      let text = UnsafeBufferPointer(rebasing: line[mark...])
      cases.append(
        StoredCase(
          id: testCase.id,
          labels: pool.labels(
            tags: testCase.tags,
            split: testCase.split,
            cluster: testCase.cluster
          ),
          digest: testCase.contentDigest,
          line: CaseFile.Line(text, at: start + mark, number: number),
          of: caseFile
        )
      )
    }
    let dataset = Dataset(file: file, cases: cases, casesToCheck: casesToCheck)
    reportDuplicateIds(dataset, diagnostics: files.diagnostics)
    if isEmpty { reportNoCases(file, diagnostics: files.diagnostics) }
    return dataset
  }

  /// The number of cases that are read before the total is estimated.
  private static let sampleSize = 256

  /// Reads a case that stayed in its file, with all source positions.
  static func readAgain(_ stored: StoredCase, in file: SourceFile) -> CaseSpec {
    let number = stored.lineNumber ?? 1
    if let (caseFile, line) = stored.line,
      let node = try? caseFile.withLine(line, { try? JSONReader.node($0, line: number) }),
      let spec = CaseReader(again: file, texts: caseFile.texts).read(node)
    {
      return spec
    }
    let position = SourcePosition(line: number, column: 1)
    return CaseSpec(
      testCase: stored.testCase,
      position: position,
      input: nil,
      expected: Node(position: position, value: .mapping([])),
      isExpectedWrong: true,
      assertions: []
    )
  }

  /// Returns the fix for a dataset that is a mapping.
  private static func listFix(_ root: Node) -> String {
    let usual = "start each case with '- id: …'"
    guard let members = root.members, let first = members.first else { return usual }
    if members.count == 1, case .sequence(let cases) = first.value.value, !cases.isEmpty {
      return "remove '\(first.key):'"
    }
    if members.contains(where: { $0.key == "id" }) {
      return "write '- ' before the first line of the case, and two spaces before the other lines"
    }
    return first.value.members == nil
      ? usual : "write '- id: \(first.key)' instead of '\(first.key):'"
  }

  private static func reportDuplicateIds(_ dataset: Dataset, diagnostics: DiagnosticCollector) {
    var names = RisingNames()
    if dataset.cases.indices.allSatisfy({ names.rise(to: dataset.cases[$0].id) }) { return }
    var ids: Set<String> = Set(minimumCapacity: dataset.cases.count)
    var first: [String: Int] = [:]
    // Most datasets have no duplicates. So an id's first case is searched for only if the id occurs
    // again.
    for stored in dataset.cases where stored.id != CaseSpec.noID && !ids.insert(stored.id).inserted
    {
      first[stored.id] = .max
    }
    if first.isEmpty { return }
    for (index, stored) in dataset.cases.enumerated() {
      guard let earlier = first[stored.id] else { continue }
      if earlier == .max {
        first[stored.id] = index
        continue
      }
      diagnostics.error(
        "duplicate case id '\(stored.id)', first on line \(dataset.spec(earlier).position.line)",
        in: dataset.file,
        at: dataset.spec(index).position,
        fix: "rename one of the two"
      )
    }
  }
}
