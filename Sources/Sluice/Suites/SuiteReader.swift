/// Finds and reads the suites of a project.
package enum SuiteReader {
  /// The name that a file must have to be a suite.
  package static let fileName = "suite.yaml"
  /// The folder that holds the suites.
  package static let folder = ProjectPath("prompts")
  private static let maximumDepth = 16

  /// The paths of all suites, sorted.
  package static func allSuites(_ system: any FileSystem) -> [ProjectPath] {
    var found: [ProjectPath] = []
    func search(_ folder: ProjectPath, depth: Int) {
      for name in system.names(in: folder) where !name.hasPrefix(".") {
        let path = folder.resolvingChild(name)
        switch system.kind(of: path) {
        case .file where name == fileName: found.append(path)
        case .folder where depth < maximumDepth: search(path, depth: depth + 1)
        default: break
        }
      }
    }
    search(folder, depth: 0)
    return found.sorted()
  }

  /// Reads a suite; nil, with errors reported, when it lacks what nothing can go on without.
  package static func read(_ path: ProjectPath, files: ProjectFiles) -> SuiteSpec? {
    let diagnostics = files.diagnostics
    guard let (root, file) = files.readTree(path),
      let fields = FieldReader(root, subject: "a suite", file: file, diagnostics: diagnostics)
    else { return nil }
    let name = fields.required("suite").flatMap { node in
      identifier(fields.text(node, "suite"), node, "the suite's name", fields)
    }
    let prompts = references("prompt", "prompts", fields, required: true)
    let dataset = fields.required("dataset").flatMap { node in
      fields.text(node, "dataset").map { SuiteSpec.Reference(text: $0, position: node.position) }
    }
    let backends = references("backend", "backends", fields, required: true)
    let repetitions = fields.optionalInteger("repeat", in: 1...10_000) ?? 1
    var scorers: [ScorerSpec] = []
    if let node = fields.required("scorers") {
      if case .sequence(let nodes) = node.value {
        scorers = nodes.compactMap { ScorerSpec.read($0, file: file, diagnostics: diagnostics) }
        if nodes.isEmpty {
          diagnostics.error("'scorers' is empty", in: file, at: node.position, fix: "add a scorer")
        }
      } else {
        fields.wrongType("scorers", "a list", node)
      }
    }
    let gates = conditions("gates", fields)
    let goals = conditions("goals", fields)
    fields.finish()
    guard let name, let dataset else { return nil }
    return SuiteSpec(
      name: name,
      file: file,
      prompts: prompts,
      dataset: dataset,
      backends: backends,
      repetitions: repetitions,
      scorers: scorers,
      gates: gates,
      goals: goals
    )
  }

  private static func identifier(
    _ text: String?,
    _ node: Node,
    _ what: String,
    _ fields: FieldReader
  ) -> String? {
    guard let text else { return nil }
    if Identifier.isValid(text) { return text }
    fields.diagnostics.error(
      "\(what) '\(text)' holds characters other than \(Identifier.rule)",
      in: fields.file,
      at: node.position
    )
    return nil
  }

  /// The texts under a key for one or a key for several, of which exactly one must be there.
  private static func references(
    _ one: String,
    _ several: String,
    _ fields: FieldReader,
    required: Bool
  ) -> [SuiteSpec.Reference] {
    let single = fields.optional(one)
    let list = fields.optional(several)
    switch (single, list) {
    case (let node?, nil):
      return fields.text(node, one).map { [.init(text: $0, position: node.position)] } ?? []
    case (nil, let node?):
      let texts = fields.optionalTexts(several) ?? []
      if case .sequence(let nodes) = node.value, nodes.isEmpty {
        fields.diagnostics.error("'\(several)' is empty", in: fields.file, at: node.position)
      }
      var seen: Set<String> = []
      for (text, node) in texts where !seen.insert(text).inserted {
        fields.diagnostics.error(
          "'\(text)' stands twice under '\(several)'",
          in: fields.file,
          at: node.position,
          fix: "remove one of the two"
        )
      }
      return texts.map { .init(text: $0.text, position: $0.node.position) }
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

  private static func conditions(_ key: String, _ fields: FieldReader) -> [ConditionSpec] {
    (fields.optionalTexts(key) ?? []).map {
      ConditionSpec(text: $0.text, position: $0.node.position)
    }
  }
}
