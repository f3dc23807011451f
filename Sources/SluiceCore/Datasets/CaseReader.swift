import SluiceSupport

/// Reads the cases of a dataset from the nodes of its file.
struct CaseReader {
  let file: SourceFile
  let diagnostics: DiagnosticCollector
  /// The texts of the files that cases name.
  let texts: CaseTexts
  /// Where those files are read; nil for cases that were read before.
  let files: ProjectFiles?

  /// Creates the reader of a file that is read for the first time.
  init(_ file: SourceFile, texts: CaseTexts = CaseTexts(), files: ProjectFiles) {
    self.file = file
    self.texts = texts
    self.files = files
    diagnostics = files.diagnostics
  }

  /// Creates a reader of cases that were read before, when everything wrong with them was reported.
  init(again file: SourceFile, texts: CaseTexts) {
    self.file = file
    self.texts = texts
    files = nil
    diagnostics = DiagnosticCollector()
  }

  /// Reads a case; of one that lacks something the rest is read, so that it can still be checked.
  func read(_ node: Node) -> CaseSpec? {
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

  private func outputs(_ kind: KnownOutput.Kind, _ fields: FieldReader) -> [KnownOutput] {
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

  private func tags(_ fields: FieldReader) -> [String] {
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

  private func mapping(_ key: String, _ fields: FieldReader, required: Bool) -> Node? {
    guard let node = required ? fields.required(key) : fields.optional(key) else { return nil }
    if node.members != nil { return resolved(node) }
    fields.wrongType(key, "a mapping", node, fix: mappingFix(key, node))
    return nil
  }

  /// The text to write in place of an input or an expectation that is no mapping.
  private func mappingFix(_ key: String, _ node: Node) -> String? {
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
  private func reportLooseMembers(_ fields: FieldReader) {
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
}
