package import SluiceSupport

/// Reads the cases of a dataset from YAML, JSONL or CSV.
package enum DatasetReader {
  /// The endings of dataset files, in the order in which a short name tries them.
  package static let extensions = ["yaml", "yml", "jsonl", "csv"]

  /// The file that a suite's `dataset:` means; `clarity` is short for `datasets/clarity/cases.*`.
  package static func resolve(
    _ reference: SuiteSpec.Reference,
    in suite: SourceFile,
    files: ProjectFiles
  ) -> ProjectPath? {
    let datasets = ProjectPath("datasets")
    let folder = datasets.resolvingChild(reference.text)
    let isName =
      Identifier.isFileName(reference.text) && !reference.text.contains(".")
      || !reference.text.contains("/") && files.system.kind(of: folder) == .folder
    guard isName else { return resolveFile(reference, in: suite, files: files) }
    let found = extensions.map { folder.resolvingChild("cases.\($0)") }.filter {
      files.system.kind(of: $0) != .missing
    }
    if found.count == 1 {
      let path = found[0].reference(from: ProjectPath(suite.path).folder)
      return files.resolve(path, in: suite, at: reference.position)
    }
    if found.isEmpty {
      files.diagnostics.error(
        "no dataset '\(reference.text)': there is no \(folder)/cases.* in YAML, JSONL or CSV",
        in: suite,
        at: reference.position,
        fix: fix(forMissing: folder, in: suite, files.system)
      )
    } else {
      files.diagnostics.error(
        "dataset '\(reference.text)' is ambiguous: \(found.map(\.name).joined(separator: ", "))",
        in: suite,
        at: reference.position,
        fix: "name the file: '\(found[0].reference(from: ProjectPath(suite.path).folder))'"
      )
    }
    return nil
  }

  /// The file that a path or a name with an ending means.
  private static func resolveFile(
    _ reference: SuiteSpec.Reference,
    in suite: SourceFile,
    files: ProjectFiles
  ) -> ProjectPath? {
    let text = reference.text
    let system = files.system
    let path = ProjectPath(suite.path).resolving(text)
    func refuse(_ message: String, fix: String?) -> ProjectPath? {
      files.diagnostics.error(message, in: suite, at: reference.position, fix: fix)
      return nil
    }
    guard !text.hasPrefix("file://"), system.kind(of: path) != .file else {
      return files.resolve(text, in: suite, at: reference.position)
    }
    // A path that ends at a dataset's folder or file if it begins elsewhere.
    let datasets = ProjectPath("datasets")
    for candidate in [path, ProjectPath(text), datasets.resolvingChild(text)] {
      let kind = system.kind(of: candidate)
      let folder = kind == .folder ? candidate : candidate.folder
      guard kind != .missing, folder.folder == datasets else { continue }
      let isWhole = kind == .folder || candidate.stem == "cases"
      guard isWhole else { continue }
      return refuse(
        kind == .folder
          ? "'\(text)' is a folder, not a file" : "file not found: \(path)",
        fix: "write 'dataset: \(folder.name)', which is short for \(folder)/cases.*"
      )
    }
    guard !text.contains("/"), Identifier.isFileName(text), path.isInsideRoot,
      !extensions.contains(ProjectPath(text).pathExtension)
    else { return files.resolve(text, in: suite, at: reference.position) }
    return refuse(
      "no dataset '\(text)': there is neither the folder \(datasets)/\(text) nor the file \(path)",
      fix: fix(forMissing: datasets.resolvingChild(text), in: suite, system)
    )
  }

  /// The fix for a folder without cases, or for a missing folder.
  private static func fix(
    forMissing folder: ProjectPath,
    in suite: SourceFile,
    _ system: any FileSystem
  ) -> String? {
    let names = system.names(in: folder)
    // JSON is YAML too.
    if names.contains("cases.json") {
      return "rename the file: mv \(folder)/cases.json \(folder)/cases.yaml"
    }
    let files = names.filter { extensions.contains(ProjectPath($0).pathExtension) }
    if let name = files.first, files.count == 1 {
      let ending = ProjectPath(name).pathExtension
      return "rename the file: mv \(folder)/\(name) \(folder)/cases.\(ending)"
    }
    for ending in extensions {
      let file = folder.folder.resolvingChild("\(folder.name).\(ending)")
      guard system.kind(of: file) == .file else { continue }
      return "write 'dataset: \(file.reference(from: ProjectPath(suite.path).folder))'"
    }
    let others = system.names(in: folder.folder).filter { $0 != folder.name }
    return NearestName.of(folder.name, among: others).map { "did you mean '\($0)'?" }
      ?? (names.isEmpty ? nil : "write \(folder)/cases.yaml")
  }

  /// Reads a dataset; nil, with errors reported, when the file cannot be read.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - files: Where it is read and faults are reported.
  /// - Returns: The cases.
  package static func read(_ path: ProjectPath, files: ProjectFiles) -> Dataset? {
    read(path, files: files) { _, _ in false }
  }

  /// Reads a dataset; nil, with errors reported, when the file cannot be read.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - files: Where it is read and faults are reported.
  ///   - isFine: Told a case and its index while it is at hand, if it is left in its file afterwards;
  ///     says whether it need not be looked at again.
  /// - Returns: The cases.
  package static func read(
    _ path: ProjectPath,
    files: ProjectFiles,
    isFine: (CaseLine, Int) -> Bool
  ) -> Dataset? {
    let nodes: [Node]
    let source: SourceFile
    switch path.pathExtension {
    case "jsonl":
      guard let file = files.open(path), isLines(file, files.diagnostics) else { return nil }
      return readLines(file, files: files, isFine: isFine)
    case "csv":
      guard let file = files.read(path),
        let rows = CSVCases.read(file, diagnostics: files.diagnostics)
      else { return nil }
      (source, nodes) = (file, rows)
    default:
      guard let (root, file) = files.readTree(path) else { return nil }
      guard case .sequence(let elements) = root.value else {
        files.diagnostics.error(
          "a dataset must be a list of cases, not \(root.kind)",
          in: file,
          at: root.position,
          fix: listFix(root)
        )
        return nil
      }
      (source, nodes) = (file, elements)
    }
    let cases = nodes.compactMap { readCase($0, file: source, diagnostics: files.diagnostics) }
    let dataset = Dataset(file: source, specs: cases)
    reportDuplicateIds(dataset, diagnostics: files.diagnostics)
    if nodes.isEmpty { reportNoCases(source, diagnostics: files.diagnostics) }
    return dataset
  }

  private static func reportNoCases(_ file: SourceFile, diagnostics: DiagnosticCollector) {
    if diagnostics.diagnostics.contains(where: { $0.path == file.path }) { return }
    diagnostics.report(
      Diagnostic(path: file.path, message: "the dataset has no cases", fix: "add a case")
    )
  }

  // MARK: Lines

  /// Reports a file that holds JSON which goes over several lines, and returns false for it.
  private static func isLines(_ file: SourceFile, _ diagnostics: DiagnosticCollector) -> Bool {
    let start = file.contents.bytes(0..<min(64, file.contents.count))
    let mark = UTF8Text.startsWithByteOrderMark(start) ? 3 : 0
    let head = start.dropFirst(mark).drop { $0 <= 0x20 }
    let isList = head.first == UInt8(ascii: "[")
    let isObject = head.first == UInt8(ascii: "{")
    let next = head.dropFirst().drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }.first
    guard isList || isObject && next == 0x0A else { return true }
    let position = SourcePosition(line: 1, column: 1)
    if isList {
      let yaml = file.path.dropLast("jsonl".count) + "yaml"
      diagnostics.error(
        "a JSONL file has one case on each line, not a list",
        in: file,
        at: position,
        fix: "rename it, since YAML takes lists of JSON: mv \(file.path) \(yaml)"
      )
    } else {
      diagnostics.error(
        "a JSONL file has one case on each line, and this one goes over several",
        in: file,
        at: position,
        fix: "put each case on one line, as 'jq -c .' does"
      )
    }
    return false
  }

  private static func readLines(
    _ file: SourceFile,
    files: ProjectFiles,
    isFine: (CaseLine, Int) -> Bool
  ) -> Dataset {
    let caseFile = CaseFile(file)
    var cases: [StoredCase] = []
    var casesToCheck: [Int] = []
    var pool = CaseLabels.Pool()
    var repeated = CaseLine.Repeated()
    var (number, isEmpty) = (0, true)
    file.contents.forEachLine { bytes, start in
      number += 1
      if files.refuseLongLine(bytes.count, number, in: file) {
        isEmpty = false
        return
      }
      let line = bytes.bindMemory(to: UInt8.self)
      if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { return }
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
      guard let spec = readCase(node, file: file, diagnostics: files.diagnostics) else { return }
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

  /// Reads a case that was left in its file, with the place of everything.
  static func readAgain(_ stored: StoredCase, in file: SourceFile) -> CaseSpec {
    // What is wrong with it was reported when it was read first.
    let unheard = DiagnosticCollector()
    let number = stored.lineNumber ?? 1
    let node: Node? = stored.line.flatMap { file, line in
      try? file.withLine(line) { try? JSONReader.node($0, line: number) }
    }
    if let spec = node.flatMap({ readCase($0, file: file, diagnostics: unheard) }) { return spec }
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

  // MARK: Cases

  /// Reads a case; of one that lacks something the rest is read, so that it can still be checked.
  private static func readCase(
    _ node: Node,
    file: SourceFile,
    diagnostics: DiagnosticCollector
  ) -> CaseSpec? {
    guard let fields = FieldReader(node, subject: "a case", file: file, diagnostics: diagnostics)
    else { return nil }
    let idNode = fields.required("id")
    let id = fields.text(idNode, "id")
    let tags = tags(fields)
    let split = fields.optionalText("split")
    let cluster = fields.optionalText("cluster")
    let input = mapping("input", fields, required: true)
    let expected = mapping("expected", fields, required: false)
    let assertions = fields.optionalList("assert") ?? []
    let knownOutputs = KnownOutput.Kind.allCases.flatMap { outputs($0, fields) }
    // For people, and for programs of theirs: no part of what is asked or scored.
    _ = fields.optional("notes")
    reportLooseMembers(fields)
    fields.finish(foreign: .testCase)
    if let id, let idNode, !Identifier.isValid(id) {
      diagnostics.error(
        "the case id '\(id)' must be made of \(Identifier.rule)",
        in: file,
        at: idNode.position,
        fix: Identifier.made(of: id).map { "write '\($0)'" }
      )
    }
    let none = Node(position: node.position, value: .mapping([]))
    return CaseSpec(
      testCase: TestCase(
        id: id ?? CaseSpec.noID,
        tags: tags,
        split: split,
        cluster: cluster,
        input: (input ?? none).json,
        expected: (expected ?? none).json,
        assertions: .array(assertions.map(\.json))
      ),
      position: idNode?.position ?? node.position,
      input: input,
      expected: expected ?? none,
      isExpectedWrong: expected == nil
        && (fields.optional("expected") != nil || fields.isMisspelt("expected")),
      assertions: assertions.compactMap {
        ScorerSpec.read($0, file: file, diagnostics: diagnostics)
      },
      knownOutputs: knownOutputs
    )
  }

  private static func outputs(_ kind: KnownOutput.Kind, _ fields: FieldReader) -> [KnownOutput] {
    (fields.optionalList(kind.rawValue) ?? []).compactMap { node in
      let text: String
      switch node.value {
      case .null:
        fields.wrongType("an entry of '\(kind.rawValue)'", "an answer", node)
        return nil
      case .string(let value): text = value
      default: text = String(decoding: JSONWriter.canonical(node.json), as: UTF8.self)
      }
      return KnownOutput(kind: kind, text: text, position: node.position)
    }
  }

  private static func tags(_ fields: FieldReader) -> [String] {
    (fields.optionalTexts("tags") ?? []).compactMap { tag, node in
      if Identifier.isValid(tag) { return tag }
      fields.diagnostics.error(
        "the tag '\(tag)' must be made of \(Identifier.rule)",
        in: fields.file,
        at: node.position
      )
      return nil
    }
  }

  private static func mapping(_ key: String, _ fields: FieldReader, required: Bool) -> Node? {
    guard let node = required ? fields.required(key) : fields.optional(key) else { return nil }
    if node.members != nil {
      return FileReference.unwrapped(node, in: fields.file, fields.diagnostics)
    }
    fields.wrongType(key, "a mapping", node, fix: mappingFix(key, node))
    return nil
  }

  /// The text to write in place of an input or an expectation that is no mapping.
  private static func mappingFix(_ key: String, _ node: Node) -> String? {
    switch node.value {
    case .string(let text):
      "give it a name: '\(key): {\(key == "input" ? "message" : "label"): "
        + "\(ValueSource.doubleQuoted(text))}'"
    case .sequence(let nodes) where nodes.allSatisfy { $0.members != nil }:
      "remove the '- ' before each name"
    default: nil
    }
  }

  /// Reports values that stand beside `input` or `expected`, and not below it, as one fault.
  private static func reportLooseMembers(_ fields: FieldReader) {
    let members = fields.node.members ?? []
    for key in ["input", "expected"] {
      guard let index = members.firstIndex(where: { $0.key == key }),
        case .null = members[index].value.value
      else { continue }
      let unasked = Set(fields.unasked.map(\.key))
      let loose = members[(index + 1)...].prefix { unasked.contains($0.key) }.map(\.key)
      guard !loose.isEmpty else { continue }
      fields.diagnostics.error(
        "'\(key)' is empty: the lines below it are not indented",
        in: fields.file,
        at: members[index].keyPosition,
        fix: "put two more spaces before \(loose.map { "'\($0):'" }.joined(separator: ", "))"
      )
      fields.accept(loose, insteadOf: key)
    }
  }

  /// The fix for a dataset that is a mapping.
  private static func listFix(_ root: Node) -> String {
    let usual = "start each case with '- id: …'"
    guard let members = root.members, let first = members.first else { return usual }
    if members.count == 1, case .sequence(let cases) = first.value.value, !cases.isEmpty {
      return "remove '\(first.key):'"
    }
    if members.contains(where: { $0.key == "id" }) {
      return "write '- ' before the first line of the case, and two spaces before its others"
    }
    return first.value.members == nil
      ? usual : "write '- id: \(first.key)' in place of '\(first.key):'"
  }

  private static func reportDuplicateIds(_ dataset: Dataset, diagnostics: DiagnosticCollector) {
    var names = RisingNames()
    if dataset.cases.indices.allSatisfy({ names.rise(to: dataset.cases[$0].id) }) { return }
    var ids: Set<String> = Set(minimumCapacity: dataset.cases.count)
    var first: [String: Int] = [:]
    // Most datasets have none: which case was first is asked only where there is a second.
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
