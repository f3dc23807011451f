package import SluiceSupport

/// The reader of suites.
///
/// It also finds all suites of a project.
package enum SuiteReader {
  /// The file name that every suite must have.
  package static let fileName = "suite.yaml"
  /// The folder of the suites.
  package static let folder = ProjectPath("prompts")
  private static let maximumDepth = 16

  /// Returns the sorted paths of all suites.
  ///
  /// They include suites behind links that lead out of the project.
  package static func allSuites(_ system: any FileSystem) -> [ProjectPath] {
    var found: [ProjectPath] = []
    func search(_ folder: ProjectPath, depth: Int) {
      for name in system.names(in: folder) where !name.hasPrefix(".") {
        let path = folder.resolvingChild(name)
        switch system.kind(of: path) {
        case .file where name == fileName, .linkOutOfRoot where name == fileName:
          found.append(path)
        case .linkOutOfRoot where system.kind(of: path.resolvingChild(fileName)) != .missing:
          found.append(path.resolvingChild(fileName))
        case .folder where depth < maximumDepth: search(path, depth: depth + 1)
        default: break
        }
      }
    }
    search(folder, depth: 0)
    return found.sorted()
  }

  /// Returns the value of `suite:` in a suite file; nil if the value cannot be read.
  ///
  /// Errors are not reported, because a later, full read reports them.
  package static func name(of path: ProjectPath, in system: any FileSystem) -> String? {
    guard let bytes = try? system.read(path), let root = YAMLReader.read(bytes).root,
      case .string(let name) = root["suite"]?.value
    else { return nil }
    return name
  }

  /// Returns the names of a suite's scorers that are written in Swift.
  package static func swiftScorers(of path: ProjectPath, in system: any FileSystem) -> [String] {
    // Few suites have a scorer written in Swift, so most files need not be parsed.
    guard let bytes = try? system.read(path),
      String(decoding: bytes, as: UTF8.self).contains(SwiftScorer.type),
      let root = YAMLReader.read(bytes).root,
      case .sequence(let scorers) = root["scorers"]?.value
    else { return [] }
    return scorers.compactMap { scorer in
      guard let named = scorer[SwiftScorer.type] else { return nil }
      switch (named.value, named["name"]?.value) {
      case (.string(let name), _), (_, .string(let name)): return name
      default: return nil
      }
    }
  }

  /// Reads a suite and reports all errors; nil if the file cannot be read as a mapping.
  package static func read(_ path: ProjectPath, files: ProjectFiles) -> SuiteSpec? {
    let diagnostics = files.diagnostics
    do throws(ProjectFiles.Fault) {
      try files.check(path, writtenAs: path.description, from: ProjectPath("."))
    } catch {
      diagnostics.report(
        Diagnostic(path: path.description, message: error.message, fix: error.fix)
      )
      return nil
    }
    guard let (root, file) = files.readTree(path),
      let fields = FieldReader(root, subject: "a suite", file: file, diagnostics: diagnostics)
    else { return nil }
    let name = reference("suite", fields)
    if let name, !Identifier.isFileName(name.text) {
      diagnostics.error(
        "the suite name '\(name.text)' must consist of \(Identifier.fileNameRule)",
        in: file,
        at: name.position,
        fix: Identifier.made(of: name.text).map { "write 'suite: \($0)'" }
      )
    }
    let prompts = references("prompt", "prompts", fields)
    let dataset = reference("dataset", fields)
    let backends = references("backend", "backends", fields)
    let repetitions = fields.optionalInteger("repeat", in: 1...10_000) ?? 1
    // Missing scorers are not reported here, because cases may have assertions instead.
    let scorerNodes = fields.list(fields.optional("scorers"), "scorers")
    let scorers = (scorerNodes ?? []).compactMap {
      ScorerSpec.read($0, file: file, diagnostics: diagnostics)
    }
    let extract = fields.optional("extract")
    let takesEmptyAnswers = takesEmptyAnswers(fields)
    let gates = conditions("gates", fields)
    let goals = conditions("goals", fields)
    let onCredibleRegression = fields.optional("on-credible-regression").flatMap { node in
      fields.text(node, "on-credible-regression").map {
        SuiteSpec.Reference(text: $0, position: node.position)
      }
    }
    let groupings = Grouping.read(fields)
    let quarantine = ExemptionSpec.read("quarantine", subject: "case", fields)
    let waivers = ExemptionSpec.read("waivers", subject: "gate", fields)
    fields.finish(foreign: .suite)
    let isMissingScorers = fields.optional("scorers") == nil && !fields.isMisspelt("scorers")
    let hasAllScorers =
      isMissingScorers || scorerNodes != nil && scorers.count == scorerNodes?.count
    // Without scorers, the caller warns after it has read the cases, if any has an assertion.
    if !isMissingScorers, !fields.isMisspelt("gates"),
      fields.optional("gates").map(isEmptyList) ?? true
    {
      warnOfNoGates(file, diagnostics)
    }
    return SuiteSpec(
      name: name,
      file: file,
      prompts: prompts,
      dataset: dataset,
      backends: backends,
      repetitions: repetitions,
      scorers: scorers,
      extract: extract,
      hasAllScorers: hasAllScorers,
      scorersPosition: fields.optional("scorers")?.position ?? root.position,
      takesEmptyAnswers: takesEmptyAnswers,
      gates: gates,
      goals: goals,
      onCredibleRegression: onCredibleRegression,
      groupings: groupings,
      quarantine: quarantine,
      waivers: waivers
    )
  }

  /// Warns about a suite without gates.
  package static func warnOfNoGates(_ file: SourceFile, _ diagnostics: DiagnosticCollector) {
    diagnostics.warning(
      "the suite has no gates, so it cannot reach a verdict",
      in: file,
      at: nil,
      fix: "add 'gates:' with a condition such as '- accuracy >= 85%'"
    )
  }

  /// Reads `empty-answer:`, which is `usable` or `unusable` (the default).
  private static func takesEmptyAnswers(_ fields: FieldReader) -> Bool {
    let key = "empty-answer"
    guard let node = fields.optional(key), let word = fields.text(node, key) else { return false }
    let words = ["usable", "unusable"]
    if !words.contains(word) {
      fields.diagnostics.error(
        "'\(key)' must be 'usable' or 'unusable', not '\(word)'",
        in: fields.file,
        at: node.position,
        fix: NearestName.suggestion(for: word, among: words)
      )
    }
    return word == "usable"
  }

  private static func reference(_ key: String, _ fields: FieldReader) -> SuiteSpec.Reference? {
    fields.required(key).flatMap { node in
      fields.text(node, key).map { SuiteSpec.Reference(text: $0, position: node.position) }
    }
  }

  /// Returns the texts under a singular key such as `prompt`, or under its plural, such as
  /// `prompts`.
  ///
  /// The suite must contain exactly one of the two keys.
  private static func references(
    _ one: String,
    _ several: String,
    _ fields: FieldReader
  ) -> [SuiteSpec.Reference] {
    let single = fields.optional(one)
    let list = fields.optional(several)
    switch (single, list) {
    case (let node?, nil):
      if case .sequence = node.value {
        fields.wrongType(one, "a text", node, fix: "write '\(several):' for more than one")
        return []
      }
      return fields.text(node, one).map { [.init(text: $0, position: node.position)] } ?? []
    case (nil, let node?):
      // A single name must be under the singular key.
      if case .string(let text) = node.value {
        fields.wrongType(several, "a list", node, fix: "write '\(one): \(text)'")
        return []
      }
      let texts = fields.optionalTexts(several) ?? []
      if case .sequence(let nodes) = node.value, nodes.isEmpty {
        fields.diagnostics.error("'\(several)' is empty", in: fields.file, at: node.position)
      }
      var references: [SuiteSpec.Reference] = []
      for (text, node) in texts {
        if references.contains(where: { $0.text == text }) {
          fields.diagnostics.error(
            "'\(text)' appears twice under '\(several)'",
            in: fields.file,
            at: node.position,
            fix: "remove one of the two"
          )
        } else {
          references.append(.init(text: text, position: node.position))
        }
      }
      return references
    case (nil, nil):
      _ = fields.required(one)
    case (.some, let node?):
      fields.diagnostics.error(
        "both '\(one)' and '\(several)' are given",
        in: fields.file,
        at: node.position,
        fix: "keep one of the two"
      )
    }
    return []
  }

  private static func isEmptyList(_ node: Node) -> Bool {
    if case .sequence(let nodes) = node.value { nodes.isEmpty } else { false }
  }

  private static func conditions(_ key: String, _ fields: FieldReader) -> [ConditionSpec] {
    let node = fields.optional(key)
    if let node, let first = node.members?.first {
      let entry = Node(position: node.position, value: .mapping([first]))
      let fix = ConditionSpec.condition(entry).map { "begin each entry with '- ', as in '- \($0)'" }
      fields.wrongType(key, "a list", node, fix: fix ?? "begin each entry with '- '")
      return []
    }
    let nodes = fields.list(node, key) ?? []
    for node in nodes {
      guard let condition = ConditionSpec.condition(node) else { continue }
      fields.wrongType("an entry of '\(key)'", "a text", node, fix: "write '- \(condition)'")
    }
    return fields.texts(nodes.filter { ConditionSpec.condition($0) == nil }, key).map {
      ConditionSpec(text: $0.text, position: $0.node.position)
    }
  }
}
