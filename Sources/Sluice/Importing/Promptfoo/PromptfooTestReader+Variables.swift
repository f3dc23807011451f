import SluiceReporting

extension PromptfooTestReader {
  // MARK: One test

  func assertions(_ node: Node?, in path: ProjectPath) -> [PromptfooTest.Located] {
    guard let node else { return [] }
    guard let nodes = node.elements else {
      context.report(.leftOut, .assertion, .init(path, node.position), "'assert' is not a list")
      return []
    }
    return nodes.map { .init(node: $0, path: path) }
  }

  /// Reads the variables of a test, which are written inline or in files.
  mutating func variables(_ node: Node, in path: ProjectPath) -> JSONObject {
    var references: [Node] = []
    switch node.value {
    case .mapping:
      return context.value(node, in: path, area).object ?? [:]
    case .string: references = [node]
    case .sequence(let nodes): references = nodes
    default: break
    }
    var vars: JSONObject = [:]
    for node in references {
      guard let reference = node.string else { continue }
      let file = context.path(reference)
      let paths = file.name.contains("*") ? context.source.matches(file) : [file]
      for path in paths {
        guard
          let root = tree(path, named: reference, at: .init(context.configuration, node.position))
        else { continue }
        for member in context.value(root, in: path, area).object?.members ?? [] {
          vars[member.name] = member.value
        }
      }
    }
    return vars
  }

  mutating func addTest(_ node: Node, in path: ProjectPath, isRow: Bool = false) {
    guard node.members != nil else {
      lost += 1
      return context.report(
        .leftOut,
        area,
        .init(path, node.position),
        "a test that is not a mapping"
      )
    }
    var own: JSONObject = [:]
    if let vars = node.present("vars") { own = variables(vars, in: path) }
    var merged = defaults.vars
    for member in own.members { merged[member.name] = member.value }
    var metadata = defaults.metadata
    for member in node.present("metadata")?.json.object?.members ?? [] {
      metadata[member.name] = member.value
    }
    var test = PromptfooTest(
      place: .init(path, node.position),
      description: node.text("description"),
      vars: [:],
      assertions: assertions(node.present("assert"), in: path),
      options: node.present("options").map { .init(node: $0, path: path) },
      metadata: metadata,
      threshold: node.number("threshold") ?? defaults.threshold,
      providerOutput: node.present("providerOutput")?.json
    )
    for member in node.members ?? [] {
      switch member.key {
      case "vars", "assert", "options", "metadata", "threshold", "description", "providerOutput",
        "$schema":
        break
      case "provider", "providers", "prompts":
        test.isPartial = true
        leaveOut(member, of: "the test", in: path)
      default:
        test.isPartial = true
        leaveOut(member, of: "the test", in: path)
      }
    }
    let expands =
      defaults.option("disableVarExpansion", test.options) != .bool(true)
    let all = expands ? combinations(merged, test.place) : [merged]
    if all.isEmpty { lost += 1 }
    for vars in all {
      guard tests.count < Self.maximumTests else {
        lost += 1
        continue
      }
      var expanded = test
      guard let resolved = resolved(vars, &expanded) else {
        lost += 1
        continue
      }
      expanded.vars = resolved
      tests.append(expanded)
    }
  }

  /// Returns all combinations of the values of list variables, as promptfoo does.
  ///
  /// A list whose first element is not a text is used as a single value. A pattern of file names is
  /// used as a list of files.
  func combinations(_ vars: JSONObject, _ place: PromptfooContext.Place) -> [JSONObject] {
    var combinations: [JSONObject] = [[:]]
    for member in vars.members {
      var values = [member.value]
      if case .array(let elements) = member.value, case .string? = elements.first {
        values = elements
      }
      if case .string(let text) = member.value, text.hasPrefix("file://"), text.contains("*") {
        let paths = context.source.matches(context.path(text))
        if !paths.isEmpty {
          values = paths.map { .string("file://\($0.reference(from: context.folder))") }
        }
      }
      guard combinations.count * values.count <= Self.maximumTests else {
        context.report(.leftOut, area, place, "a test whose lists have too many combinations")
        return []
      }
      combinations = combinations.flatMap { combination in
        values.map { value in
          var next = combination
          next[member.name] = value
          return next
        }
      }
    }
    return combinations
  }

  /// Replaces references to files and to other variables with their values.
  ///
  /// Returns `nil` if the test cannot be converted.
  mutating func resolved(_ vars: JSONObject, _ test: inout PromptfooTest) -> JSONObject? {
    var resolved: JSONObject = [:]
    for member in vars.members {
      guard case .string(let text) = member.value else {
        resolved[member.name] = member.value
        continue
      }
      guard text.hasPrefix("file://") else {
        // promptfoo removes the last line break of a file.
        resolved[member.name] = .string(text.withoutLastBreak)
        continue
      }
      guard let read = fileText(text, member.name, test.place) else { return nil }
      resolved[member.name] = .string(read)
    }
    Self.fillNames(&resolved)
    for member in resolved.members {
      guard case .string(let text) = member.value, NunjucksTemplate.hasTags(text) else { continue }
      func leaveOut(_ tag: String, _ reason: String) {
        context.report(
          .leftOut,
          area,
          test.place,
          "the variable '\(member.name)' contains \(tag), which promptfoo would fill in: \(reason)",
          nearest: "write the intended text without braces"
        )
      }
      do throws(NunjucksTemplate.Unsupported) {
        let filled = try NunjucksTemplate(text).render(.object(resolved))
        guard !NunjucksTemplate.hasTags(filled) else {
          leaveOut("a template", "the result contains another template")
          return nil
        }
        resolved[member.name] = .string(filled)
      } catch {
        leaveOut(error.tag, error.reason)
        return nil
      }
    }
    return resolved
  }

  /// Replaces references between variables, such as `{{name}}`, as promptfoo does.
  ///
  /// In each of 5 rounds, it replaces the first reference in each variable.
  static func fillNames(_ vars: inout JSONObject) {
    for _ in 0..<5 {
      var isDone = true
      for member in vars.members {
        guard case .string(let text) = vars[member.name] ?? .null,
          let match = text.firstMatch(of: /\{\{\s*(\w+)\s*\}\}/),
          let value = vars[String(match.1)]
        else { continue }
        let filled = text.replacingCharacters(in: match.range, with: NunjucksTemplate.text(value))
        guard filled.utf8.count <= 1 << 20 else { continue }
        vars[member.name] = .string(filled)
        isDone = false
      }
      if isDone { return }
    }
  }

  /// Returns the text of a file that a variable refers to.
  mutating func fileText(
    _ reference: String,
    _ name: String,
    _ place: PromptfooContext.Place
  ) -> String? {
    let path = context.path(reference)
    func leaveOut(_ reason: String, nearest: String? = nil) -> String? {
      context.report(
        .leftOut,
        area,
        place,
        "the variable '\(name)' from \(reference): \(reason)",
        nearest: nearest
      )
      return nil
    }
    let file = path.name.split(separator: ":").first.map { ProjectPath(String($0)) } ?? path
    let images = [
      "jpg", "jpeg", "png", "gif", "bmp", "webp", "svg", "mp4", "webm", "ogg", "mov", "avi", "wmv",
      "mkv", "m4v", "mp3", "wav", "pdf",
    ]
    switch file.pathExtension {
    case "js", "ts", "mjs", "cjs", "mts", "cts", "py":
      return leaveOut("a program generates it", nearest: "the text that the program generates")
    case let ending where images.contains(ending):
      return leaveOut("it is not text", nearest: "an 'http' or 'exec' backend that reads the file")
    default: break
    }
    do throws(ImportSource.Fault) {
      if ["yaml", "yml"].contains(path.pathExtension) {
        return context.value(try context.source.tree(path), in: path, area).jsonText
      }
      let text = try context.source.text(path).trimmed
      return text.utf8.count <= 4 << 20 ? text : leaveOut("it is larger than 4 MiB")
    } catch {
      switch error {
      case .missing:
        context.report(
          .missingFile,
          area,
          place,
          reference,
          nearest: "put the file there and import again, or write its text into the dataset"
        )
        context.fillIn(
          "the input '\(name)' of cases: the text of \(reference), which was not found"
        )
        return "FILL IN: the text of \(path.name)"
      case .unreadable(let reason): return leaveOut(reason)
      }
    }
  }
}

extension String {
  /// Returns a copy of the text in which a range is replaced.
  fileprivate func replacingCharacters(in range: Range<Index>, with text: String) -> String {
    String(self[..<range.lowerBound]) + text + String(self[range.upperBound...])
  }
}
