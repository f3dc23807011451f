import SluiceReporting

extension PromptfooSuiteBuilder {
  // MARK: Cases

  mutating func nameCases() {
    var taken: Set<String> = []
    var inputs: [JSONValue: String] = [:]
    for index in cases.indices {
      let test = cases[index].test
      if cases[index].id.isEmpty {
        let input = JSONValue.object(test.vars)
        let digest = SHA256.hexadecimal(JSONWriter.canonical(input)).prefix(8)
        let words = test.description.flatMap { Identifier.made(of: $0.lowercased()) }
        let stem = Self.shortened(words ?? name)
        var id = "\(stem)-\(digest)"
        if let first = inputs[input] {
          context.report(
            .note,
            .testCase,
            test.place,
            "it has the same input as the case '\(first)', so Sluice counts both as one piece of "
              + "evidence"
          )
        }
        var number = 1
        while !taken.insert(id).inserted {
          number += 1
          id = "\(stem)-\(digest)-\(number)"
        }
        inputs[input] = inputs[input] ?? id
        cases[index].id = id
      }
      for member in test.metadata.members {
        guard let text = member.value.string ?? Self.shortText(member.value), text.count <= 40,
          let tag = Identifier.made(of: "\(member.name).\(text)")
        else { continue }
        if !cases[index].tags.contains(tag) { cases[index].tags.append(tag) }
      }
    }
  }

  static func shortText(_ value: JSONValue) -> String? {
    switch value {
    case .number, .exact, .bool: value.jsonText
    default: nil
    }
  }

  static func shortened(_ text: String) -> String {
    if text.count <= 40 { return text }
    let start = text.prefix(40)
    let end = start.lastIndex(of: "-") ?? start.endIndex
    return String(start[..<end])
  }

  func notes(_ testCase: Case) -> JSONValue? {
    var notes: JSONObject = [:]
    notes.set("description", testCase.test.description.map(JSONValue.string))
    if !testCase.test.metadata.members.isEmpty {
      notes["metadata"] = .object(testCase.test.metadata)
    }
    if notes.members.isEmpty { return nil }
    return notes.members.count == 1 ? notes["description"] ?? .object(notes) : .object(notes)
  }

  /// Escapes a value, so that a dataset reads it literally and not as a reference to a file.
  static func asWritten(_ value: JSONValue) -> JSONValue {
    switch value {
    case .string(let text): return text.hasPrefix("file://") ? ["literal": value] : value
    case .array(let elements): return .array(elements.map(asWritten))
    case .object(let object):
      let members = object.members.map { (name: $0.name, value: asWritten($0.value)) }
      let inner = JSONValue.object(JSONObject(members))
      let isReference =
        object.members.count == 1 && object.members[0].name == "file"
        && object.members[0].value.string != nil
      return isReference ? ["literal": inner] : inner
    default: return value
    }
  }

  static func input(_ vars: JSONObject) -> JSONValue {
    .object(JSONObject(vars.members.map { (name: $0.name, value: asWritten($0.value)) }))
  }

  var dataset: ImportPlan.File {
    let folder = ProjectPath("datasets/\(name)")
    if cases.count > Self.longestYAML {
      var text = ""
      for testCase in cases {
        var object: JSONObject = ["id": .string(testCase.id)]
        if !testCase.tags.isEmpty { object["tags"] = .array(testCase.tags.map(JSONValue.string)) }
        object["input"] = Self.input(testCase.test.vars)
        if !testCase.expected.members.isEmpty { object["expected"] = .object(testCase.expected) }
        if !testCase.assertions.isEmpty { object["assert"] = .array(testCase.assertions) }
        var notes = notes(testCase)
        if !testCase.comments.isEmpty {
          notes = [
            "text": notes ?? .null, "left-out": .array(testCase.comments.map(JSONValue.string)),
          ]
        }
        object.set("notes", notes)
        text += JSONValue.object(object).jsonText + "\n"
      }
      return ImportPlan.File(folder.resolvingChild("cases.jsonl"), text)
    }
    let items = cases.map { testCase -> YAMLWriter.Item in
      var members: [YAMLWriter.Member] = [.init("id", .string(testCase.id))]
      if !testCase.tags.isEmpty {
        members.append(.init("tags", .array(testCase.tags.map(JSONValue.string))))
      }
      members.append(.init("input", Self.input(testCase.test.vars)))
      if !testCase.expected.members.isEmpty {
        members.append(.init("expected", .object(testCase.expected)))
      }
      if !testCase.assertions.isEmpty {
        let list = testCase.assertions.map { YAMLWriter.Item(.json($0)) }
        members.append(.init("assert", .list(list), comments: testCase.comments))
      } else if !testCase.comments.isEmpty {
        members[members.count - 1].comments = testCase.comments
      }
      if let notes = notes(testCase) { members.append(.init("notes", notes)) }
      return .init(.mapping(members))
    }
    return ImportPlan.File(
      folder.resolvingChild("cases.yaml"),
      YAMLWriter.text(.list(items), head: ["Imported from \(context.configuration)."])
    )
  }

  // MARK: Files

  func file(of prompt: PromptfooPrompt) -> ImportPlan.File {
    var head: [String] = []
    if let original = prompt.original {
      head.append("FILL IN: \(original) could not be read. Write its text below.")
    }
    let messages = prompt.messages.map { message in
      YAMLWriter.Item(.mapping([.init(message.role, .string(message.text))]))
    }
    var members: [YAMLWriter.Member] = [.init("messages", .list(messages))]
    if !prompt.parameters.members.isEmpty {
      members.append(.init("parameters", .object(prompt.parameters)))
    }
    if let schema = prompt.schema { members.append(.init("response-schema", .string(schema))) }
    return ImportPlan.File(
      ProjectPath("prompts/\(name)/\(prompt.name).yaml"),
      YAMLWriter.text(.mapping(members), head: head)
    )
  }

  var decides: Bool {
    cases.contains { !$0.assertions.isEmpty } || scorers.contains { $0["llm-rubric"] == nil }
  }

  var suite: ImportPlan.File {
    var members: [YAMLWriter.Member] = [.init("suite", .string(name))]
    let files = prompts.map { "\($0.name).yaml" }
    if files.count == 1 {
      members.append(.init("prompt", .string(files[0])))
    } else {
      members.append(.init("prompts", .array(files.map(JSONValue.string))))
    }
    members.append(.init("dataset", .string(name)))
    let names = providers.backends.map(\.name)
    if names.count == 1 {
      members.append(.init("backend", .string(names[0])))
    } else {
      members.append(.init("backends", .array(names.map(JSONValue.string))))
    }
    if repetitions > 1 { members.append(.init("repeat", .number(Double(repetitions)))) }
    let comments = sharedComments
    if !scorers.isEmpty {
      members.append(
        .init("scorers", .list(scorers.map { .init(.json($0)) }), comments: comments)
      )
    } else if !comments.isEmpty {
      members[members.count - 1].comments += comments
    }
    if decides {
      members.append(
        .init(
          "gates",
          ["accuracy >= 100%"],
          comments: ["promptfoo fails a run if any test fails."]
        )
      )
    }
    if !goals.isEmpty { members.append(.init("goals", .array(goals.map(JSONValue.string)))) }
    var head = ["Imported from \(context.configuration)."]
    if let description, !description.trimmed.isEmpty { head.append(description) }
    return ImportPlan.File(
      ProjectPath("prompts/\(name)/suite.yaml"),
      YAMLWriter.text(.mapping(members), head: head)
    )
  }

  /// The comments in the suite file about shared assertions that could not be imported.
  var sharedComments: [String] {
    guard let first = cases.first else { return [] }
    return first.shared.compactMap { outcome in
      if case .leftOut(let reason) = outcome { "left out: \(reason)" } else { nil }
    }
  }

  var backends: [ImportedBackend] {
    providers.backends.map { backend in
      var entry = backend.entry
      if !backend.parameters.members.isEmpty { entry["parameters"] = .object(backend.parameters) }
      return ImportedBackend(name: backend.name, entry: entry, comments: backend.comments)
    } + judgeBackends
  }

  mutating func result() -> PromptfooImport.Result {
    var files = [suite] + prompts.map { file(of: $0) }
    for (file, text) in judges { files.append(.init(ProjectPath("prompts/\(name)/\(file)"), text)) }
    for (file, schema) in schemas {
      let text = String(decoding: JSONWriter.pretty(schema), as: UTF8.self)
      files.append(.init(ProjectPath("prompts/\(name)/\(file)"), text))
    }
    files.append(dataset)
    let redaction = Redaction()
    for index in files.indices {
      let text = String(decoding: files[index].bytes, as: UTF8.self)
      let clean = redaction.redactedJudged(text)
      if clean == text { continue }
      files[index].bytes = Array(clean.utf8)
      context.report(
        .changed,
        .testCase,
        .init(context.configuration, nil),
        "a secret was left out of the new file \(files[index].path)",
        nearest: "'key: {env: NAME}' of a backend"
      )
    }
    var report = ImportReport(source: context.configuration.description)
    report.findings = context.findings.sorted { left, right in
      func key(_ finding: ImportReport.Finding) -> (Int, SourcePosition) {
        (
          finding.path == context.configuration.description ? 0 : 1,
          finding.position ?? SourcePosition(line: 0, column: 0)
        )
      }
      return key(left) < key(right)
    }
    report.fillIns = context.fillIns
    report.differences = differences
    let states = assertionStates.values
    let providerCount = ImportReport.Count(
      "providers",
      whole: providers.hasPlaceholder ? 0 : providers.backends.count - providers.partial,
      inPart: providers.partial,
      notAtAll: providers.lost
    )
    report.counts = [
      promptCount, caseCount,
      .init(
        "assertions",
        whole: states.count { $0.whole && !$0.lost },
        inPart: states.count { $0.whole && $0.lost },
        notAtAll: states.count { !$0.whole }
      ),
      providerCount,
    ]
    var byVariables: [JSONValue: [String]] = [:]
    for testCase in cases where testCase.id != "fill-in" {
      byVariables[.object(testCase.variables), default: []].append(testCase.id)
    }
    return PromptfooImport.Result(
      name: name,
      files: files,
      backends: backends,
      report: report,
      casesByVariables: byVariables,
      promptNames: promptNames
    )
  }
}
