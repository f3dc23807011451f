import SluiceReporting

extension ScriptTranslator {
  /// Returns the name of the test variable that `context.vars.NAME` refers to, or `nil` for other
  /// scripts.
  func variable(_ script: Script) -> String? {
    func isVariables(_ script: Script) -> Bool {
      switch script {
      case .member(.name("context"), "vars", _): true
      case .index(.name("context"), .literal(.string("vars"))): true
      default: false
      }
    }
    switch script {
    case .member(let base, let key, _) where isVariables(base): return key
    case .index(let base, .literal(.string(let key))) where isVariables(base): return key
    default: return nil
    }
  }

  static func isName(_ text: String) -> Bool {
    text.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*/) != nil
  }

  func path(_ base: String, _ key: String) throws(Script.Untranslatable) -> String {
    Self.isName(key) ? "\(base).\(key)" : "\(base)[\(try quoted(key))]"
  }

  func variable(named name: String) throws(Script.Untranslatable) -> Value {
    guard let kind = surroundings.kindOfVariable(name) else {
      throw .init(reason: "the variable '\(name)' does not have the same type in every case")
    }
    return Value(code: try path("input", name), kind: kind)
  }

  mutating func member(_ base: Script, _ key: String, _ isOptional: Bool)
    throws(Script.Untranslatable) -> Value
  {
    if let name = variable(.member(base, key, isOptional: isOptional)) {
      return try variable(named: name)
    }
    if key == "length", language == .javaScript { return try length(base, isOptional) }
    return try jsonMember(base, key, isStrict: language == .python, isOptional: isOptional)
  }

  mutating func length(_ base: Script, _ isOptional: Bool = false)
    throws(Script.Untranslatable) -> Value
  {
    // The length of a filtered list becomes the function that counts matching elements.
    if case .call(.member(let list, "filter", _), let arguments) = base, arguments.count == 1,
      case .function(let parameter, let body) = arguments[0]
    {
      let elements = try listValue(list)
      let inner = try loop(parameter, elements, body)
      return Value(code: "count(\(elements.code), \(inner.code))", kind: .number)
    }
    // `text.trim().split(/\s+/).length` becomes the number of words.
    if case .call(.member(let inner, "split", _), let arguments) = base, arguments.count == 1,
      case .regex(pattern: "\\s+", _) = arguments[0],
      case .call(.member(let trimmed, "trim", _), let none) = inner, none.isEmpty
    {
      return Value(code: "len(words(\(try text(trimmed).code)))", kind: .number)
    }
    let value = try value(base)
    switch value.kind {
    case .text: note(language == .python ? Self.codePointNote : Self.lengthNote)
    case .list: break
    case .json:
      note(Self.looseNote)
      note(Self.lengthNote)
    case .number, .truth: throw .init(reason: "a number has no length")
    }
    return Value(code: "len(\(value.code))", kind: .number)
  }

  /// Returns the code for the answer parsed as JSON, and notes that the answer must be JSON.
  mutating func answer() -> Value {
    needsJSON = true
    if conditionalDepth > 0 { parsedConditionally = true }
    return Value(code: "answer", kind: .json)
  }

  mutating func jsonMember(
    _ base: Script,
    _ key: String,
    isStrict: Bool,
    isOptional: Bool
  ) throws(Script.Untranslatable) -> Value {
    let inner: Value
    if case .name("output") = base, parameters.isEmpty {
      guard surroundings.outputIsText == false else {
        throw .init(
          reason: surroundings.outputIsText == true
            ? "'output.\(key)' is always missing, because this provider's output is a string"
            : "'output.\(key)' exists only if the provider's output is an object"
        )
      }
      inner = answer()
    } else {
      inner = try value(base)
    }
    guard inner.kind == .json else {
      throw .init(reason: "'\(key)' is read from a string or a list, not from an object")
    }
    let isRoot = inner.code == "answer" || inner.code == "item"
    return Value(
      code: try path(inner.code, key),
      kind: .json,
      mayHideThrow: isStrict || inner.mayHideThrow || !isRoot && !isOptional
    )
  }

  mutating func element(_ base: Script, _ place: Script) throws(Script.Untranslatable)
    -> Value
  {
    if let name = variable(.index(base, place)) { return try variable(named: name) }
    switch place {
    case .literal(.string(let key)):
      return try jsonMember(base, key, isStrict: language == .python, isOptional: false)
    case .literal(.number(let number)):
      guard let index = Int(exactly: number), index >= 0 || language == .python else {
        throw .init(reason: "an index is negative")
      }
      let inner = try value(base)
      switch inner.kind {
      case .json, .list:
        return Value(code: "\(inner.code)[\(index)]", kind: .json, mayHideThrow: true)
      default: throw .init(reason: "expressions have no index into a string")
      }
    default: throw .init(reason: "an index is computed")
    }
  }

  mutating func listValue(_ script: Script) throws(Script.Untranslatable) -> Value {
    let value = try value(script)
    guard value.kind == .list || value.kind == .json else {
      throw .init(reason: "a list method is called on a value that is not a list")
    }
    return value
  }

  /// Translates a function that is called for each element of a list, such as the argument of
  /// `some`.
  mutating func loop(_ parameter: String, _ list: Value, _ body: Script)
    throws(Script.Untranslatable) -> Value
  {
    guard parameters.isEmpty else { throw .init(reason: "a loop is inside another loop") }
    parameters.append(parameter)
    parameterKinds.append(elementKind(list))
    conditionalDepth += 1
    defer {
      parameters.removeLast()
      parameterKinds.removeLast()
      conditionalDepth -= 1
    }
    return try condition(body)
  }

  func elementKind(_ list: Value) -> Kind {
    // The elements are texts if the list is a literal or comes from splitting a text.
    let isTexts =
      list.code.hasPrefix("[\"") || list.code.hasPrefix("split(")
      || list.code.hasPrefix("words(") || list.code.hasPrefix("keys(")
    return isTexts ? .text : .json
  }

  mutating func call(_ callee: Script, _ arguments: [Script])
    throws(Script.Untranslatable) -> Value
  {
    switch callee {
    case .name(let name): return try function(name, arguments)
    case .member(.name("JSON"), "parse", _), .member(.name("json"), "loads", _):
      guard arguments.count == 1, case .name("output") = arguments[0] else {
        throw .init(reason: "JSON.parse reads something other than the output")
      }
      if surroundings.outputIsText == false {
        throw .init(reason: "JSON.parse reads an output that is already an object")
      }
      return answer()
    case .member(.name("Object"), "keys", _) where arguments.count == 1:
      let value = try value(arguments[0])
      guard value.kind == .json else {
        throw .init(
          reason: "the script lists the keys of a value that is not an object"
        )
      }
      return Value(code: "keys(\(value.code))", kind: .list)
    case .member(.name("Math"), let name, _):
      guard ["abs", "max", "min"].contains(name), !arguments.isEmpty else {
        throw .init(reason: "'Math.\(name)' has no counterpart in expressions")
      }
      var codes: [String] = []
      for argument in arguments { codes.append(try number(argument).code) }
      return Value(code: "\(name)(\(codes.joined(separator: ", ")))", kind: .number)
    case .member(.regex(let pattern, let flags), "test", _) where arguments.count == 1:
      return try matches(arguments[0], pattern, flags)
    case .member(let base, let name, _): return try method(base, name, arguments)
    default: throw .init(reason: "a call has no counterpart in expressions")
    }
  }

  mutating func function(_ name: String, _ arguments: [Script])
    throws(Script.Untranslatable) -> Value
  {
    switch (language, name, arguments.count) {
    case (_, "Boolean", 1), (.python, "bool", 1): return try condition(arguments[0])
    case (.javaScript, "String", 1), (.python, "str", 1):
      let value = try value(arguments[0])
      guard value.kind == .text else {
        throw .init(
          reason: "expressions cannot convert this value to a string"
        )
      }
      return value
    case (.python, "len", 1): return try length(arguments[0])
    case (.python, "abs", 1):
      return Value(code: "abs(\(try number(arguments[0]).code))", kind: .number)
    case (.python, "any", 2), (.python, "all", 2):
      guard case .function(let parameter, let body) = arguments[1] else { break }
      let list = try listValue(arguments[0])
      let inner = try loop(parameter, list, body)
      return Value(code: "\(name)(\(list.code), \(inner.code))", kind: .truth)
    default: break
    }
    throw .init(reason: "'\(name)(…)' has no counterpart in expressions")
  }

  mutating func method(_ base: Script, _ name: String, _ arguments: [Script])
    throws(Script.Untranslatable) -> Value
  {
    func wrap(_ function: String, _ inner: Value) -> Value {
      Value(code: "\(function)(\(inner.code))", kind: .text)
    }
    switch (language, name, arguments.count) {
    case (.javaScript, "toLowerCase", 0), (.python, "lower", 0):
      return wrap("lower", try text(base))
    case (.javaScript, "toUpperCase", 0), (.python, "upper", 0):
      return wrap("upper", try text(base))
    case (.javaScript, "trim", 0), (.python, "strip", 0): return wrap("trim", try text(base))
    case (.javaScript, "toString", 0):
      let value = try value(base)
      guard value.kind == .text else {
        throw .init(
          reason: "expressions cannot convert this value to a string"
        )
      }
      return value
    case (.javaScript, "includes", 1): return try contains(base, arguments[0], "in")
    case (.javaScript, "startsWith", 1), (.python, "startswith", 1):
      return try affix("starts_with", base, arguments[0])
    case (.javaScript, "endsWith", 1), (.python, "endswith", 1):
      return try affix("ends_with", base, arguments[0])
    case (_, "split", 1):
      guard case .literal(.string(let separator)) = arguments[0], !separator.isEmpty else {
        throw .init(reason: "the separator of 'split' is not a string")
      }
      return Value(code: "split(\(try text(base).code), \(try quoted(separator)))", kind: .list)
    case (.python, "split", 0): return Value(code: "words(\(try text(base).code))", kind: .list)
    case (.javaScript, "some", 1), (.javaScript, "every", 1), (.javaScript, "filter", 1):
      guard case .function(let parameter, let body) = arguments[0] else {
        throw .init(reason: "a function is defined elsewhere")
      }
      let list = try listValue(base)
      let inner = try loop(parameter, list, body)
      let function = ["some": "any", "every": "all", "filter": "filter"][name] ?? name
      // The elements of a filtered list are of the same kind.
      return Value(
        code: "\(function)(\(list.code), \(inner.code))",
        kind: name == "filter" ? .list : .truth
      )
    case (.javaScript, "match", 1):
      throw .init(reason: "expressions cannot use the texts that 'match' returns")
    default: throw .init(reason: "'.\(name)(…)' has no counterpart in expressions")
    }
  }

  mutating func affix(_ function: String, _ base: Script, _ part: Script)
    throws(Script.Untranslatable) -> Value
  {
    let (whole, end) = (try text(base), try value(part))
    guard end.kind == .text else { throw .init(reason: "a prefix or suffix is not a string") }
    return Value(code: "\(function)(\(whole.code), \(end.code))", kind: .truth)
  }

  /// Translates the condition `whole.includes(part)` or `part in whole`.
  mutating func contains(_ whole: Script, _ part: Script, _ word: String)
    throws(Script.Untranslatable) -> Value
  {
    let (container, element) = (try value(whole), try value(part))
    switch container.kind {
    case .text:
      guard element.kind == .text else {
        throw .init(reason: "the script searches a string for a value that is not a string")
      }
    case .list: break
    case .json: guard language == .javaScript else { break }
    default: throw .init(reason: "the script searches a value that is not a string or a list")
    }
    if word != "in" { hasNegative = true }
    // If the list is missing, the script throws and the expression is false. Both fail the case.
    return .comparison(operand(element, 5), word, operand(container, 5))
  }

  mutating func matches(_ subject: Script, _ pattern: String, _ flags: String)
    throws(Script.Untranslatable) -> Value
  {
    let text = try text(subject)
    let translated: String
    do throws(ECMAScriptPattern.Fault) {
      translated = try ECMAScriptPattern.translated(pattern, flags: flags)
    } catch {
      throw .init(reason: error.reason)
    }
    return Value(code: "matches(\(text.code), \(try quoted(translated)))", kind: .truth)
  }
}
