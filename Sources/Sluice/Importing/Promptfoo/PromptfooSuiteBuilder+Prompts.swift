import SluiceReporting

extension PromptfooSuiteBuilder {
  // MARK: Options

  mutating func readOptions() {
    let known = [
      "provider", "transform", "postprocess", "rubricPrompt", "disableVarExpansion", "prefix",
      "suffix",
      "factuality",
    ]
    func read(_ options: PromptfooTest.Located?, isDefault: Bool) -> Bool {
      var isWhole = true
      for member in options?.node.members ?? [] {
        let place = PromptfooContext.Place(
          options?.path ?? context.configuration,
          member.keyPosition
        )
        switch member.key {
        case "delay", "timeout", "runSerially", "repeat", "providers", "includeMetrics",
          "showOutput":
          context.report(
            .note,
            .setting,
            place,
            "the option '\(member.key)' is left out; it does not affect any case"
          )
        case "prefix", "suffix":
          if isDefault { continue }
          isWhole = false
          context.report(
            .leftOut,
            .testCase,
            place,
            "the option '\(member.key)' of a single test",
            nearest: "a variable such as {{\(member.key)}} in the prompt, with a value in each case"
          )
        case let key where known.contains(key): break
        default:
          isWhole = false
          context.report(
            .leftOut,
            .testCase,
            place,
            "the option '\(member.key)' has no counterpart"
          )
        }
      }
      return isWhole
    }
    _ = read(defaults.options, isDefault: true)
    for index in cases.indices where !read(cases[index].test.options, isDefault: false) {
      cases[index].isPartial = true
    }
  }

  // MARK: Prompts

  static let wireNames = Dictionary(
    uniqueKeysWithValues: ParameterReader.wireNames.map { ($0.wire, $0.name) }
  )

  mutating func readPromptSettings() {
    for index in prompts.indices {
      for member in prompts[index].config?.node.members ?? [] {
        let path = prompts[index].config?.path ?? context.configuration
        if let name = Self.wireNames[member.key] {
          prompts[index].parameters[name] = member.value.json
          continue
        }
        let schema = member.value["json_schema"]?.json ?? member.value.json
        if member.key == "response_format", member.value.text("type") == "json_schema",
          schema["strict"]?.bool != false, let form = schema["schema"], form.object != nil
        {
          prompts[index].schema = addSchema(form, for: prompts[index].name)
          continue
        }
        context.report(
          .leftOut,
          .parameter,
          .init(path, member.keyPosition),
          "'\(member.key)' in the settings of the prompt '\(prompts[index].name)'",
          nearest: "'parameters:' of the prompt"
        )
      }
    }
    // In promptfoo, the setting of a prompt overrides that of the provider. In Sluice, the setting
    // of the backend overrides that of the prompt. So if both have a setting, write it only to the
    // prompts.
    let own = Set(prompts.flatMap { $0.parameters.members.map(\.name) })
    for name in own.sorted() {
      let values = providers.backends.map { $0.parameters[name] }
      guard let first = values.first, values.allSatisfy({ $0 == first }) else {
        context.report(
          .leftOut,
          .parameter,
          .init(context.configuration, nil),
          "'\(name)' of prompts: the backends have their own values, which take precedence in "
            + "Sluice",
          nearest: "remove it from the backends in sluice.yaml"
        )
        continue
      }
      providers.removeParameter(name)
      if let first {
        for index in prompts.indices where prompts[index].parameters[name] == nil {
          prompts[index].parameters[name] = first
        }
      }
    }
    var all: JSONObject = [:]
    for prompt in prompts { all.addMembers(prompt.parameters) }
    providers.leaveOutRefused(all)
    placeResponseSchemas()
    placeInstructions()
  }

  /// Adds the system texts of providers to the prompts, as their first message.
  mutating func placeInstructions() {
    let all = providers.backends.map(\.instructions)
    guard all.contains(where: { $0 != nil }) else { return }
    guard let first = all.first, let text = first, all.allSatisfy({ $0 == text }),
      let template = try? NunjucksTemplate(text)
    else {
      context.report(
        .leftOut,
        .backend,
        .init(context.configuration, nil),
        "'instructions' that are not the same for all providers",
        nearest: "a 'developer' message in the prompt; write one suite for each different "
          + "'instructions' text"
      )
      return
    }
    for index in prompts.indices {
      prompts[index].messages.insert(
        .init(role: "developer", template: template, text: text),
        at: 0
      )
    }
  }

  /// Moves the response schemas of providers to the prompts.
  mutating func placeResponseSchemas() {
    let schemas = providers.backends.map(\.responseSchema)
    guard schemas.contains(where: { $0 != nil }) else { return }
    guard let first = schemas.first, let schema = first, schemas.allSatisfy({ $0 == schema }) else {
      providers.keepResponseFormats()
      return
    }
    let file = addSchema(schema, for: "answer")
    for index in prompts.indices where prompts[index].schema == nil { prompts[index].schema = file }
  }

  mutating func addSchema(_ schema: JSONValue, for name: String) -> String {
    if let known = schemas.first(where: { $0.schema == schema }) { return known.file }
    let file = "\(name).schema.json"
    schemas.append((file, schema))
    return file
  }

  /// Adds each variable that a test lacks as an empty text, since promptfoo renders nothing for a
  /// missing variable.
  mutating func supplyNames(isSilent: Bool = false) {
    for path in Set(prompts.flatMap(\.messages).flatMap(\.template.names)).sorted(by: {
      $0.lexicographicallyPrecedes($1)
    }) {
      var first: PromptfooContext.Place?
      var count = 0
      for index in cases.indices {
        let value = Self.supplied(cases[index].test.vars[path[0]], path.dropFirst())
        guard let value else { continue }
        cases[index].test.vars[path[0]] = value
        first = first ?? cases[index].test.place
        count += 1
      }
      guard let first, !isSilent else { continue }
      context.report(
        .note,
        .testCase,
        first,
        "\(count == 1 ? "a test has" : "\(count) tests have") no "
          + "'\(path.joined(separator: "."))', which a prompt uses: promptfoo inserts nothing, "
          + "so the import wrote \"\""
      )
    }
  }

  /// Returns a value with an empty text added at a path, or `nil` if that is impossible.
  static func supplied(_ value: JSONValue?, _ path: ArraySlice<String>) -> JSONValue? {
    guard let first = path.first else {
      switch value {
      case nil, .null?: return ""
      default: return nil
      }
    }
    switch value {
    case nil, .null?:
      guard let inner = supplied(nil, path.dropFirst()) else { return nil }
      return .object([first: inner])
    case .object(var object)?:
      guard let inner = supplied(object[first], path.dropFirst()) else { return nil }
      object[first] = inner
      return .object(object)
    default: return nil
    }
  }

  /// Leaves out prompts that Sluice would render differently from promptfoo for at least one case.
  mutating func compareTexts() {
    var kept: [PromptfooPrompt] = []
    for prompt in prompts {
      guard !prompt.isPlaceholder else {
        kept.append(prompt)
        promptCount.whole += 1
        continue
      }
      var reason: String?
      let templates = prompt.messages.map { ($0.template, try? Template($0.text)) }
      search: for testCase in cases {
        let vars = JSONValue.object(testCase.test.vars)
        for (theirs, ours) in templates {
          let expected = theirs.render(vars)
          guard let ours, let text = try? ours.render(vars), text.isIdentical(to: expected) else {
            reason =
              "with the variables at line \(testCase.test.place.position?.line ?? 0), Sluice "
              + "would send a different text, because a value is not a string or a section refers "
              + "to an object"
            break search
          }
          if prompt.isText,
            Self.becomesMessages(expected)
          {
            reason =
              "with the variables at line \(testCase.test.place.position?.line ?? 0), it becomes "
              + "JSON, which promptfoo sends as messages"
            break search
          }
        }
      }
      if let reason {
        promptCount.notAtAll += 1
        context.report(
          .leftOut,
          .prompt,
          prompt.place,
          "the prompt '\(prompt.name)': \(reason)",
          nearest: "a prompt whose variables are strings"
        )
        continue
      }
      promptCount.whole += 1
      kept.append(prompt)
    }
    prompts = kept
  }

  /// Returns true if promptfoo would parse a text as a list of messages.
  static func becomesMessages(_ text: String) -> Bool {
    guard let first = text.trimmed.unicodeScalars.first,
      "[{\"-0123456789tfn".unicodeScalars.contains(first)
    else { return false }
    if text.trimmed.hasPrefix("- role:") { return true }
    return (try? JSONReader.value(text)) != nil
  }
}
