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
    guard Identifier.isFileName(reference.text), !reference.text.contains(".") else {
      return files.resolve(reference.text, in: suite, at: reference.position)
    }
    let folder = ProjectPath("datasets/\(reference.text)")
    let found = extensions.map { folder.resolvingChild("cases.\($0)") }.filter {
      files.system.kind(of: $0) != .missing
    }
    if found.count == 1 {
      let path = found[0].reference(from: ProjectPath(suite.path).folder)
      return files.resolve(path, in: suite, at: reference.position)
    }
    if found.isEmpty {
      let nearest = NearestName.of(
        reference.text,
        among: files.system.names(in: ProjectPath("datasets"))
      )
      files.diagnostics.error(
        "no dataset '\(reference.text)': there is no \(folder)/cases.* in YAML, JSONL or CSV",
        in: suite,
        at: reference.position,
        fix: nearest.map { "did you mean '\($0)'?" }
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

  /// Reads a dataset; nil, with errors reported, when the file cannot be read.
  package static func read(_ path: ProjectPath, files: ProjectFiles) -> Dataset? {
    let nodes: [Node]
    let source: SourceFile
    switch path.pathExtension {
    case "jsonl", "csv":
      guard let file = files.read(path) else { return nil }
      source = file
      nodes =
        path.pathExtension == "csv"
        ? CSVCases.read(file, diagnostics: files.diagnostics)
        : readLines(file, files: files)
    default:
      guard let (root, file) = files.readTree(path) else { return nil }
      guard case .sequence(let elements) = root.value else {
        files.diagnostics.error(
          "a dataset must be a list of cases, not \(root.kind)",
          in: file,
          at: root.position,
          fix: "start each case with '- id: …'"
        )
        return nil
      }
      (source, nodes) = (file, elements)
    }
    let cases = nodes.compactMap { readCase($0, file: source, diagnostics: files.diagnostics) }
    reportDuplicateIds(cases, file: source, diagnostics: files.diagnostics)
    if nodes.isEmpty, !files.diagnostics.diagnostics.contains(where: { $0.path == source.path }) {
      files.diagnostics.report(
        Diagnostic(path: source.path, message: "the dataset has no cases", fix: "add a case")
      )
    }
    return Dataset(file: source, cases: cases)
  }

  private static func readLines(_ file: SourceFile, files: ProjectFiles) -> [Node] {
    var nodes: [Node] = []
    var number = 0
    for line in file.bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
      number += 1
      if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { continue }
      if let node = files.readJSON(line, line: number, in: file) { nodes.append(node) }
    }
    return nodes
  }

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
    fields.finish()
    if let id, let idNode, !Identifier.isValid(id) {
      diagnostics.error(
        "the case id '\(id)' must be made of \(Identifier.rule)",
        in: file,
        at: idNode.position
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
      isExpectedWrong: expected == nil && fields.optional("expected") != nil,
      assertions: assertions.compactMap {
        ScorerSpec.read($0, file: file, diagnostics: diagnostics)
      }
    )
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
    if node.members != nil { return node }
    fields.wrongType(key, "a mapping", node)
    return nil
  }

  private static func reportDuplicateIds(
    _ cases: [CaseSpec],
    file: SourceFile,
    diagnostics: DiagnosticCollector
  ) {
    var first: [String: SourcePosition] = [:]
    for spec in cases where spec.testCase.id != CaseSpec.noID {
      guard let earlier = first.updateValue(spec.position, forKey: spec.testCase.id) else {
        continue
      }
      first[spec.testCase.id] = earlier
      diagnostics.error(
        "duplicate case id '\(spec.testCase.id)', first on line \(earlier.line)",
        in: file,
        at: spec.position,
        fix: "rename one of the two"
      )
    }
  }
}
