import SluiceReporting

extension PromptfooAssertions {
  /// The state while one assertion is converted.
  struct Reading {
    let owner: PromptfooAssertions
    let located: Located
    let test: PromptfooTest
    let type: String
    let plain: String
    let isNegated: Bool
    /// The outcome if the assertion is left out, with the reported reason.
    var outcome = Outcome.leftOut("")

    init(
      _ owner: PromptfooAssertions,
      _ located: Located,
      _ test: PromptfooTest,
      type: String,
      plain: String,
      isNegated: Bool
    ) {
      (self.owner, self.located, self.test) = (owner, located, test)
      (self.type, self.plain, self.isNegated) = (type, plain, isNegated)
    }

    var node: Node { located.node }
    var context: PromptfooContext { owner.context }
    var value: Node? { node.present("value") }

    mutating func refuse(_ reason: String, nearest: String? = nil) {
      outcome = owner.leaveOut(
        located,
        "\(type): \(reason)",
        nearest: nearest ?? ForeignScorers.way(insteadOf: plain)
      )
    }

    func note(_ message: String) {
      context.report(.note, .assertion, located.place, "\(type): \(message)")
    }

    // MARK: Other keys

    /// Converts `transform` to the steps of `extract:`.
    ///
    /// If the transform is unsupported, reports the reason and returns `nil`.
    mutating func extraction() -> JSONValue? {
      for member in node.members ?? [] {
        switch member.key {
        case "type", "value", "threshold", "weight", "metric", "transform", "provider", "assert":
          break
        case "reason", "description", "id":
          note("'\(member.key)' is left out; it is only a note for people")
        case "rubricPrompt":
          refuse("it has a custom prompt for the judge", nearest: "'llm-rubric' with a prompt file")
          return nil
        case "config" where plain == "javascript" || plain == "python":
          refuse("it has settings for the script", nearest: "an 'exec' scorer")
          return nil
        default:
          refuse("the key '\(member.key)' has no counterpart")
          return nil
        }
      }
      let ignoresText = ["latency", "cost", "finish-reason"].contains(plain)
      var steps: [JSONValue] = []
      var sources: [Located] = []
      for key in ["postprocess", "transform"] {
        if let found = owner.defaults.located(key, test.options) { sources.append(found) }
      }
      if let transform = node.present("transform") {
        sources.append(Located(node: transform, path: located.path))
      }
      if ignoresText || sources.isEmpty { return .null }
      for transform in sources {
        guard let code = transform.node.string, !code.hasPrefix("file://"),
          let more = PromptfooTransform.steps(code, outputIsText: owner.outputIsText)
        else {
          context.report(
            .leftOut,
            .assertion,
            transform.place,
            "'transform' is a program: \((transform.node.string ?? "").prefix(60))",
            nearest: "'extract:' in the assertion (docs/scorers.md)"
          )
          outcome = owner.leaveOut(
            located,
            "\(type): it judges an output that 'transform' has changed",
            nearest: "'extract:' in the assertion"
          )
          return nil
        }
        steps += more
      }
      if steps.isEmpty { return .null }
      return steps.count == 1 ? steps[0] : .array(steps)
    }

    /// Returns the assertion's name, made from its `metric`, or `nil` if it has no usable `metric`.
    func name() -> String? {
      guard let metric = node.text("metric") else { return nil }
      var text = metric
      if let template = try? NunjucksTemplate(metric) { text = template.render(.object(test.vars)) }
      let made = Self.metricName(text)
      if made != text {
        note(
          made == nil
            ? "the metric '\(metric)' is left out, because no valid name can be made from it"
            : "the metric '\(metric)' was renamed to '\(made ?? "")'"
        )
      }
      return made
    }

    /// Converts a text to a name of lowercase letters, digits and hyphens, or returns `nil` if
    /// nothing is left.
    static func metricName(_ text: String) -> String? {
      var name = ""
      for character in text.lowercased() {
        if character.isASCII, character.isLetter || character.isNumber {
          name.append(character)
        } else if !name.isEmpty, !name.hasSuffix("-") {
          name.append("-")
        }
      }
      while name.hasSuffix("-") { name.removeLast() }
      guard let first = name.first, first.isLetter, name.count <= 60 else { return nil }
      return name
    }

    // MARK: Values

    /// Replaces Nunjucks variables in a text with the test's values, or with placeholders of
    /// Sluice.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - keepsNames: True if placeholders such as `{{name}}` may remain, to be filled for each case.
    /// - Returns: The text. If the text is unsupported, reports the reason and returns `nil`.
    mutating func filled(_ text: String, keepsNames: Bool = true) -> JSONValue? {
      do throws(NunjucksTemplate.Unsupported) {
        let template = try NunjucksTemplate(text)
        let isSimple = template.names.allSatisfy { path in
          guard path.count == 1, path[0] != "expected",
            case .string(let value)? = test.vars[path[0]]
          else { return false }
          return !value.isEmpty
        }
        let counterpart = try template.counterpart()
        if keepsNames, !template.isConstant, isSimple, !counterpart.contains("{{#"),
          !counterpart.contains("{{^")
        {
          return .string(counterpart)
        }
        return Self.literal(template.render(.object(test.vars)))
      } catch {
        refuse("its value contains \(error.tag): \(error.reason)")
        return nil
      }
    }

    /// Returns a value for a text that Sluice must not read as a template.
    static func literal(_ text: String) -> JSONValue {
      text.contains("{{") || text.hasPrefix("file://") ? ["literal": .string(text)] : .string(text)
    }

    /// Returns the assertion's value as a text.
    ///
    /// Numbers and Booleans are written as in JavaScript.
    ///
    /// - Parameters:
    ///   - keepsNames: True if placeholders such as `{{name}}` may remain, to be filled for each case.
    ///   - mayBeEmpty: True if an empty text is allowed.
    /// - Returns: The text. If the value is unsupported, reports the reason and returns `nil`.
    mutating func text(keepsNames: Bool = true, mayBeEmpty: Bool = false) -> JSONValue? {
      guard let value = resolvedValue() else { return nil }
      switch value {
      case .string(let text):
        guard !text.isEmpty || mayBeEmpty else {
          refuse("promptfoo rejects an empty value")
          return nil
        }
        return filled(text, keepsNames: keepsNames)
      case .number, .exact, .bool: return .string(NunjucksTemplate.text(value))
      default:
        refuse("its value is not a string")
        return nil
      }
    }

    /// Returns the assertion's value.
    ///
    /// If the value refers to a file, the file is read.
    mutating func resolvedValue() -> JSONValue? {
      guard let value else {
        refuse("it has no value, so it always fails in promptfoo")
        return nil
      }
      let found = context.value(value, in: located.path, .assertion)
      guard case .string(let text) = found, text.hasPrefix("file://") else { return found }
      return file(text)
    }

    mutating func file(_ reference: String) -> JSONValue? {
      let path = context.path(reference)
      let script = path.name.split(separator: ":").first.map { ProjectPath(String($0)) } ?? path
      if ["js", "ts", "mjs", "cjs", "py", "rb"].contains(script.pathExtension) {
        refuse(
          "\(reference) is a program",
          nearest:
            "'exec: {command: [./check.py], fingerprint: [check.py]}' under 'scorers:' of the suite"
        )
        return nil
      }
      do throws(ImportSource.Fault) {
        if ["json", "yaml", "yml"].contains(path.pathExtension) {
          return context.value(try context.source.tree(path), in: path, .assertion)
        }
        return .string(try context.source.text(path).trimmed)
      } catch {
        switch error {
        case .missing:
          context.report(
            .missingFile,
            .assertion,
            located.place,
            reference,
            nearest: "put the file there and import again"
          )
          outcome = .leftOut("\(type): \(reference) was not found")
        case .unreadable(let reason): refuse("\(reference) cannot be read: \(reason)")
        }
        return nil
      }
    }

    /// Returns the texts in the assertion's value, which is a list or a comma-separated text.
    mutating func texts() -> JSONValue? {
      guard let value = resolvedValue() else { return nil }
      var parts: [JSONValue] = []
      switch value {
      case .string(let text):
        guard let filled = filled(text, keepsNames: false) else { return nil }
        let plain = filled.string ?? filled["literal"]?.string ?? ""
        guard let split = PromptfooList.parts(of: plain) else {
          refuse("a quotation mark is not closed")
          return nil
        }
        parts = split.map { Self.literal($0) }
      case .array(let elements):
        for element in elements {
          guard case .string(let text) = element else {
            parts.append(.string(NunjucksTemplate.text(element)))
            continue
          }
          guard let filled = filled(text) else { return nil }
          parts.append(filled)
        }
      default: parts = [.string(NunjucksTemplate.text(value))]
      }
      if parts.contains(.string("")) {
        refuse("one of its values is an empty string, which every answer contains")
        return nil
      }
      return parts.isEmpty ? refused("its list is empty") : .array(parts)
    }

    mutating func refused(_ reason: String) -> JSONValue? {
      refuse(reason)
      return nil
    }

    mutating func threshold(_ usual: Double? = nil) -> JSONValue? {
      if let node = node.present("threshold") {
        if case .number(let number) = node.value { return .number(number) }
        return refused("its threshold is not a number")
      }
      return usual.map { .number($0) }
        ?? refused(
          "it has no threshold, so it always fails in promptfoo"
        )
    }
  }
}
