import SluiceSupport

/// The reader of cases from the nodes of a dataset's file.
struct CaseReader {
  let file: SourceFile
  let diagnostics: DiagnosticCollector
  /// The texts of the files that cases reference.
  let texts: CaseTexts
  /// The access to the referenced files; nil if the cases are read again.
  let files: ProjectFiles?
  /// The parts that all cases of the file share.
  private(set) var defaults = CaseDefaults()

  /// Creates a reader for the first read of a file.
  init(_ file: SourceFile, texts: CaseTexts = CaseTexts(), files: ProjectFiles) {
    self.file = file
    self.texts = texts
    self.files = files
    diagnostics = files.diagnostics
  }

  /// Creates a reader for cases that were read before and whose errors have been reported.
  init(again file: SourceFile, texts: CaseTexts) {
    self.file = file
    self.texts = texts
    files = nil
    diagnostics = DiagnosticCollector()
  }

  /// Reads a case.
  ///
  /// If a part is missing, the other parts are still read, so that they can be checked.
  func read(_ node: Node) -> CaseSpec? {
    guard let fields = FieldReader(node, subject: "a case", file: file, diagnostics: diagnostics)
    else { return nil }
    let idNode = fields.required("id")
    let id = fields.text(idNode, "id")
    let tags = tags(fields)
    let split = fields.optionalText("split")
    let cluster = fields.optionalText("cluster")
    if defaults.input.isAbsent { _ = fields.required("input") }
    let input = defaults.input.merged(with: part("input", fields))
    let ownExpected = part("expected", fields)
    let expected = defaults.expected.merged(with: ownExpected)
    let assertions = fields.optionalList("assert") ?? []
    let knownOutputs = KnownOutput.Kind.allCases.flatMap { outputs($0, fields) }
    // Notes are for people and their tools. They do not affect requests or scores.
    _ = fields.optional("notes")
    reportLooseMembers(fields)
    fields.finish(foreign: .testCase)
    if let id, let idNode, !Identifier.isValid(id) {
      diagnostics.error(
        "the case id '\(id)' must consist of \(Identifier.rule)",
        in: file,
        at: idNode.position,
        fix: Identifier.made(of: id).map { "write '\($0)'" }
      )
    }
    let none = Node(position: node.position, value: .mapping([]))
    return CaseSpec(
      testCase: TestCase(
        id: id ?? CaseSpec.noID,
        tags: defaults.tags + tags.filter { !defaults.tags.contains($0) },
        split: split ?? defaults.split,
        cluster: cluster,
        input: (input.node ?? none).json,
        expected: (expected.node ?? none).json,
        assertions: .array((defaults.assertions + assertions).map(\.json))
      ),
      position: idNode?.position ?? node.position,
      input: input.node,
      expected: expected.node ?? none,
      isExpectedWrong: expected.isWrong
        || ownExpected.isAbsent && fields.isMisspelt("expected"),
      assertions: defaults.scorers + scorers(assertions),
      knownOutputs: knownOutputs
    )
  }

  private func scorers(_ assertions: [Node]) -> [ScorerSpec] {
    assertions.compactMap { ScorerSpec.read($0, file: file, diagnostics: diagnostics) }
  }

  private func outputs(_ kind: KnownOutput.Kind, _ fields: FieldReader) -> [KnownOutput] {
    (fields.optionalList(kind.rawValue) ?? []).compactMap { node in
      let text: String
      switch node.value {
      case .null:
        fields.wrongType("an entry of '\(kind.rawValue)'", "an answer", node)
        return nil
      case .string(let value): text = value
      default:
        text = String(decoding: JSONWriter.canonical(node.json, isExact: true), as: UTF8.self)
      }
      return KnownOutput(kind: kind, text: text, position: node.position)
    }
  }

  private func tags(_ fields: FieldReader) -> [String] {
    (fields.optionalTexts("tags") ?? []).compactMap { tag, node in
      if Identifier.isValid(tag) { return tag }
      fields.diagnostics.error(
        "the tag '\(tag)' must consist of \(Identifier.rule)",
        in: fields.file,
        at: node.position
      )
      return nil
    }
  }

  private func part(_ key: String, _ fields: FieldReader) -> CaseDefaults.Part {
    guard let node = fields.optional(key) else { return .absent }
    if node.members != nil { return resolved(node).map { .mapping($0) } ?? .wrong }
    fields.wrongType(key, "a mapping", node, fix: mappingFix(key, node))
    return .wrong
  }

  /// Returns the fix for an input or an expectation that is not a mapping.
  private func mappingFix(_ key: String, _ node: Node) -> String? {
    switch node.value {
    case .string(let text):
      "give the text a name: '\(key): {\(key == "input" ? "message" : "label"): "
        + "\(ValueSource.doubleQuoted(text))}'"
    case .sequence(let nodes) where nodes.allSatisfy { $0.members != nil }:
      "remove the '- ' before each name"
    default: nil
    }
  }

  /// Reports, as one error, all values that should be indented below `input` or `expected`.
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
        "'\(key)' is empty, because the lines below it are not indented",
        in: fields.file,
        at: members[index].keyPosition,
        fix: "indent these keys by two more spaces: "
          + "\(loose.map { "'\($0):'" }.joined(separator: ", "))"
      )
      fields.accept(loose, insteadOf: key)
    }
  }

  // MARK: Defaults

  /// The keys of a case that cannot be defaults.
  private static let singleKeys = ["id", "cluster", "good", "bad", "notes"]

  /// Reads `defaults:` of a dataset, which apply to all cases.
  mutating func readDefaults(_ node: Node) {
    let subject = "'\(CaseDefaults.key)'"
    guard let fields = FieldReader(node, subject: subject, file: file, diagnostics: diagnostics)
    else { return }
    let assertions = fields.optionalList("assert") ?? []
    defaults = CaseDefaults(
      input: part("input", fields),
      expected: part("expected", fields),
      tags: tags(fields),
      split: fields.optionalText("split"),
      assertions: assertions,
      scorers: scorers(assertions)
    )
    for member in node.members ?? [] where Self.singleKeys.contains(member.key) {
      diagnostics.error(
        "\(subject) must not have '\(member.key)', which is a key of single cases",
        in: file,
        at: member.keyPosition,
        fix: "move '\(member.key):' into a case"
      )
      fields.accept([member.key], insteadOf: member.key)
    }
    fields.finish(foreign: .testCase)
  }
}
