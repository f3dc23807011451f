import SluiceReporting

/// Writes a script as an expression of the same meaning, or says why there is none.
///
/// Types decide: a text in place of a truth value, a length of an object and a missing member mean
/// something else in JavaScript, so what cannot be told apart is refused.
struct ScriptTranslator {
  /// The result of a translation.
  struct Translation: Equatable {
    var expression: String
    /// True where the answer has to be JSON besides: the script throws where it is not.
    var needsJSON = false
    /// What differs in rare cases, as sentences.
    var notes: [String] = []
  }

  /// What the script finds in promptfoo.
  struct Surroundings {
    /// The form of `output`; nil where the provider decides it.
    var outputIsText: Bool?
    /// The kind of a variable of the test; nil where cases have several, or none.
    var kindOfVariable: (String) -> Kind?
    /// The score from which a number passes.
    var threshold: Double?
  }

  enum Kind: Equatable {
    case text, number, truth
    case list
    /// A value of the answer's JSON, of any type.
    case json
  }

  static let lengthNote =
    "lengths count characters as readers see them; promptfoo counts UTF-16 units, which differ for "
    + "emoji and combining accents"
  static let codePointNote =
    "lengths count characters as readers see them; Python counts code points, which differ for some "
    + "emoji and combining accents"
  static let looseNote =
    "values of the answer's JSON are not converted: a number written as a text fails a comparison with "
    + "a number, which JavaScript would convert"

  private struct Value {
    var code: String
    var kind: Kind
    /// From 1, `or`, to 8, a name.
    var level = 8
    /// True for what is null where a script would throw: a member of a member.
    var mayHideThrow = false
    /// The code of the opposite, where that has a form of its own.
    var opposite: String?

    /// A comparison, whose opposite is another comparison.
    static func comparison(
      _ left: String,
      _ sign: String,
      _ right: String,
      mayHideThrow: Bool = false
    ) -> Value {
      let opposites = [
        "==": "!=", "!=": "==", "in": "not in", "not in": "in", "<": ">=", ">=": "<", ">": "<=",
        "<=": ">",
      ]
      return Value(
        code: "\(left) \(sign) \(right)",
        kind: .truth,
        level: 4,
        mayHideThrow: mayHideThrow,
        opposite: opposites[sign].map { "\(left) \($0) \(right)" }
      )
    }

    /// The opposite of a truth value.
    var negated: Value {
      switch code {
      case "true": return Value(code: "false", kind: .truth)
      case "false": return Value(code: "true", kind: .truth)
      default: break
      }
      if let opposite {
        let isNot = opposite.hasPrefix("not ")
        return Value(code: opposite, kind: .truth, level: isNot ? 3 : 4, opposite: code)
      }
      return Value(
        code: "not \(level < 8 ? "(\(code))" : code)",
        kind: .truth,
        level: 3,
        opposite: level < 8 ? nil : code
      )
    }
  }

  private let language: Script.Language
  private let surroundings: Surroundings
  private var parameters: [String] = []
  private var parameterKinds: [Kind] = []
  private var notes: [String] = []
  private var needsJSON = false
  /// The number of places around that may be skipped, so that what they throw is not thrown.
  private var conditionalDepth = 0
  private var isNegative = false
  private var parsedConditionally = false
  private var hasNegative = false
  private var budget = 4_000

  private init(_ language: Script.Language, _ surroundings: Surroundings) {
    self.language = language
    self.surroundings = surroundings
  }

  /// Translates code.
  ///
  /// - Parameters:
  ///   - code: The code.
  ///   - language: Its language.
  ///   - surroundings: What it finds.
  /// - Returns: The expression.
  /// - Throws: Why there is none.
  static func translate(
    _ code: String,
    _ language: Script.Language,
    _ surroundings: Surroundings
  ) throws(Script.Untranslatable) -> Translation {
    let script = try ScriptParser.parse(code, language)
    var translator = ScriptTranslator(language, surroundings)
    let value = try translator.result(script)
    guard value.code.unicodeScalars.count <= 3_500 else {
      throw .init(reason: "the expression would be too long")
    }
    if translator.parsedConditionally, translator.hasNegative {
      throw .init(reason: "JSON that is read in one branch alone")
    }
    return Translation(
      expression: value.code,
      needsJSON: translator.needsJSON && !translator.parsedConditionally,
      notes: translator.notes
    )
  }

  // MARK: Results

  /// The result of a script, which promptfoo takes as passed or failed.
  private mutating func result(_ script: Script) throws(Script.Untranslatable) -> Value {
    switch script {
    case .literal(.number(let number)):
      return Value(code: passes(number) ? "true" : "false", kind: .truth)
    case .conditional(let condition, let then, let other):
      return try choice(condition, { (self) throws(Script.Untranslatable) in
        try self.result(then)
      }, { (self) throws(Script.Untranslatable) in try self.result(other) })
    case .object(let members): return try gradingResult(members)
    default: break
    }
    let value = try value(script)
    switch value.kind {
    case .truth: return value
    case .number:
      guard let threshold = surroundings.threshold else {
        return .comparison(operand(value, 5), ">", "0")
      }
      return .comparison(operand(value, 5), ">=", JSONWriter.number(threshold))
    case .text:
      throw .init(reason: "a result that is a text, which promptfoo takes as an error")
    case .list, .json:
      throw .init(reason: "a result that may be something else than true or false")
    }
  }

  private func passes(_ number: Double) -> Bool {
    surroundings.threshold.map { number >= $0 } ?? (number > 0)
  }

  private mutating func gradingResult(_ members: [(key: String, value: Script)])
    throws(Script.Untranslatable) -> Value
  {
    var pass: Script?
    var keys: Set<String> = []
    for (key, value) in members {
      keys.insert(key)
      if key == "pass" { pass = value }
    }
    guard let pass, keys.isSuperset(of: ["pass", "score", "reason"]) else {
      throw .init(reason: "a result without 'pass', 'score' and 'reason', which promptfoo refuses")
    }
    if keys.count > 3 { throw .init(reason: "a result with parts of its own") }
    if surroundings.threshold != nil { throw .init(reason: "a threshold on a score of its own") }
    note("the score and the reason that the script gives are left out; it passes and fails the same")
    return try condition(pass)
  }

  // MARK: Conditions

  /// A value as a condition is asked: true, false, or what stands for them.
  private mutating func condition(_ script: Script) throws(Script.Untranslatable) -> Value {
    switch script {
    case .not(let inner):
      return try negated { (self) throws(Script.Untranslatable) in try self.condition(inner) }
    case .and(let left, let right):
      let first = try condition(left)
      let second = try skippable { (self) throws(Script.Untranslatable) in
        try self.condition(right)
      }
      return joined(first, second, "and", level: 2)
    case .or(let left, let right):
      let first = try condition(left)
      let second = try skippable { (self) throws(Script.Untranslatable) in
        try self.condition(right)
      }
      return joined(first, second, "or", level: 1)
    case .call(.name("Boolean"), let arguments) where arguments.count == 1,
      .call(.name("bool"), let arguments) where arguments.count == 1:
      return try condition(arguments[0])
    case .call(.member(let text, "match", isOptional: false), let arguments):
      if arguments.count == 1, case .regex(let pattern, let flags) = arguments[0] {
        return try matches(text, pattern, flags)
      }
    default: break
    }
    let value = try value(script)
    switch value.kind {
    case .truth: return value
    case .text:
      hasNegative = true
      return .comparison(operand(value, 5), "!=", "\"\"")
    case .number:
      hasNegative = true
      return .comparison(operand(value, 5), "!=", "0")
    case .list where language == .javaScript: return Value(code: "true", kind: .truth)
    case .list: return .comparison("len(\(value.code))", ">", "0")
    case .json:
      throw .init(reason: "a value of the answer's JSON in place of a condition")
    }
  }

  private func joined(_ left: Value, _ right: Value, _ word: String, level: Int) -> Value {
    let (absorbing, neutral) = word == "and" ? ("false", "true") : ("true", "false")
    if left.code == neutral { return right }
    if left.code == absorbing { return left }
    if right.code == neutral { return left }
    return Value(
      code: "\(operand(left, level)) \(word) \(operand(right, level + 1))",
      kind: .truth,
      level: level
    )
  }

  private mutating func negated(
    _ inner: (inout ScriptTranslator) throws(Script.Untranslatable) -> Value
  ) throws(Script.Untranslatable) -> Value {
    let before = isNegative
    isNegative.toggle()
    hasNegative = true
    let value = try inner(&self)
    isNegative = before
    if value.mayHideThrow {
      throw .init(reason: "a negation of a member that may be missing")
    }
    return value.negated
  }

  private mutating func skippable(
    _ inner: (inout ScriptTranslator) throws(Script.Untranslatable) -> Value
  ) throws(Script.Untranslatable) -> Value {
    conditionalDepth += 1
    defer { conditionalDepth -= 1 }
    return try inner(&self)
  }

  private mutating func choice(
    _ condition: Script,
    _ then: (inout ScriptTranslator) throws(Script.Untranslatable) -> Value,
    _ other: (inout ScriptTranslator) throws(Script.Untranslatable) -> Value
  ) throws(Script.Untranslatable) -> Value {
    let test = try self.condition(condition)
    let first = try skippable(then)
    let second = try skippable(other)
    let opposite: Value
    switch test.code {
    case "true": return first
    case "false": return second
    default:
      hasNegative = true
      if test.mayHideThrow, first.code != "true" {
        throw .init(reason: "a negation of a member that may be missing")
      }
      opposite = test.negated
    }
    // Where one side is plain, the other decides alone.
    switch (first.code, second.code) {
    case ("true", "true"), ("false", "false"): return first
    case ("true", "false"): return test
    case ("false", "true"): return opposite
    case ("true", _): return joined(test, second, "or", level: 1)
    case ("false", _): return joined(opposite, second, "and", level: 2)
    case (_, "true"): return joined(opposite, first, "or", level: 1)
    case (_, "false"): return joined(test, first, "and", level: 2)
    default:
      let one = joined(test, first, "and", level: 2)
      let two = joined(opposite, second, "and", level: 2)
      return joined(one, two, "or", level: 1)
    }
  }

  // MARK: Values

  private func operand(_ value: Value, _ level: Int) -> String {
    value.level < level ? "(\(value.code))" : value.code
  }

  private mutating func note(_ text: String) { if !notes.contains(text) { notes.append(text) } }

  private mutating func value(_ script: Script) throws(Script.Untranslatable) -> Value {
    budget -= 1
    guard budget > 0 else { throw .init(reason: "the expression would be too long") }
    switch script {
    case .literal(let value): return try literal(value)
    case .undefined: throw .init(reason: "'undefined' in place of a value")
    case .name(let name): return try named(name)
    case .not, .and, .or:
      return try condition(script)
    case .conditional(let test, let then, let other):
      return try choice(test, { (self) throws(Script.Untranslatable) in
        try self.condition(then)
      }, { (self) throws(Script.Untranslatable) in try self.condition(other) })
    case .negative(let inner):
      let value = try number(inner)
      return Value(code: "-\(operand(value, 7))", kind: .number, level: 7)
    case .binary(let sign, let left, let right): return try binary(sign, left, right)
    case .list(let elements):
      var codes: [String] = []
      for element in elements { codes.append(try value(element).code) }
      return Value(code: "[\(codes.joined(separator: ", "))]", kind: .list)
    case .member(let base, let key, let isOptional): return try member(base, key, isOptional)
    case .index(let base, let place): return try element(base, place)
    case .call(let callee, let arguments): return try call(callee, arguments)
    case .typeOf: throw .init(reason: "a type in place of a value")
    case .function: throw .init(reason: "a function in place of a value")
    case .object: throw .init(reason: "an object in place of a value")
    case .regex: throw .init(reason: "a pattern in place of a value")
    }
  }

  private func literal(_ value: JSONValue) throws(Script.Untranslatable) -> Value {
    switch value {
    case .string(let text): return Value(code: try quoted(text), kind: .text)
    case .number(let number): return Value(code: JSONWriter.number(number), kind: .number)
    case .bool(let bool): return Value(code: bool ? "true" : "false", kind: .truth)
    default: throw .init(reason: "'null' in place of a value")
    }
  }

  private func quoted(_ text: String) throws(Script.Untranslatable) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      default:
        guard scalar.value >= 0x20 else { throw .init(reason: "a control character in a text") }
        result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  private mutating func named(_ name: String) throws(Script.Untranslatable) -> Value {
    if let place = parameters.lastIndex(of: name) {
      guard place == parameters.count - 1 else {
        throw .init(reason: "a loop in a loop")
      }
      return Value(code: "item", kind: parameterKinds[place])
    }
    guard name == "output" else {
      throw .init(reason: "'\(name)' has no counterpart in expressions")
    }
    if surroundings.outputIsText == false {
      throw .init(reason: "'output' is an object here, and is used as a whole")
    }
    return Value(code: "text", kind: .text)
  }

  private mutating func number(_ script: Script) throws(Script.Untranslatable) -> Value {
    let value = try value(script)
    switch value.kind {
    case .number: return value
    case .json:
      note(Self.looseNote)
      return value
    default: throw .init(reason: "a number that is made of something else")
    }
  }

  private mutating func text(_ script: Script) throws(Script.Untranslatable) -> Value {
    let value = try value(script)
    guard value.kind == .text || value.kind == .json else {
      throw .init(reason: "a method of texts on something else")
    }
    return value
  }
}

// MARK: Members and calls

extension ScriptTranslator {
  /// The variable of the test that `context.vars.NAME` is.
  private func variable(_ script: Script) -> String? {
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

  private static func isName(_ text: String) -> Bool {
    text.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*/) != nil
  }

  private func path(_ base: String, _ key: String) throws(Script.Untranslatable) -> String {
    Self.isName(key) ? "\(base).\(key)" : "\(base)[\(try quoted(key))]"
  }

  private func variable(named name: String) throws(Script.Untranslatable) -> Value {
    guard let kind = surroundings.kindOfVariable(name) else {
      throw .init(reason: "the variable '\(name)', which not every case has as one type")
    }
    return Value(code: try path("input", name), kind: kind)
  }

  private mutating func member(_ base: Script, _ key: String, _ isOptional: Bool)
    throws(Script.Untranslatable) -> Value
  {
    if let name = variable(.member(base, key, isOptional: isOptional)) {
      return try variable(named: name)
    }
    if key == "length", language == .javaScript { return try length(base, isOptional) }
    return try jsonMember(base, key, isStrict: language == .python, isOptional: isOptional)
  }

  private mutating func length(_ base: Script, _ isOptional: Bool = false)
    throws(Script.Untranslatable) -> Value
  {
    // The number of elements that pass is a function of its own.
    if case .call(.member(let list, "filter", _), let arguments) = base, arguments.count == 1,
      case .function(let parameter, let body) = arguments[0]
    {
      let elements = try listValue(list)
      let inner = try loop(parameter, elements, body)
      return Value(code: "count(\(elements.code), \(inner.code))", kind: .number)
    }
    // Words are what stands between white space.
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
    case .number, .truth: throw .init(reason: "a length of a number")
    }
    return Value(code: "len(\(value.code))", kind: .number)
  }

  /// The JSON of the answer, where a script reads it.
  private mutating func answer() -> Value {
    needsJSON = true
    if conditionalDepth > 0 { parsedConditionally = true }
    return Value(code: "answer", kind: .json)
  }

  private mutating func jsonMember(
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
            ? "'output.\(key)', although this provider's output is a text"
            : "'output.\(key)': whether the output is an object depends on the provider"
        )
      }
      inner = answer()
    } else {
      inner = try value(base)
    }
    guard inner.kind == .json else { throw .init(reason: "the member '\(key)' of a text or a list") }
    let isRoot = inner.code == "answer" || inner.code == "item"
    return Value(
      code: try path(inner.code, key),
      kind: .json,
      mayHideThrow: isStrict || inner.mayHideThrow || !isRoot && !isOptional
    )
  }

  private mutating func element(_ base: Script, _ place: Script) throws(Script.Untranslatable)
    -> Value
  {
    if let name = variable(.index(base, place)) { return try variable(named: name) }
    switch place {
    case .literal(.string(let key)):
      return try jsonMember(base, key, isStrict: language == .python, isOptional: false)
    case .literal(.number(let number)):
      guard let index = Int(exactly: number), index >= 0 || language == .python else {
        throw .init(reason: "an element at a negative place")
      }
      let inner = try value(base)
      switch inner.kind {
      case .json, .list:
        return Value(code: "\(inner.code)[\(index)]", kind: .json, mayHideThrow: true)
      default: throw .init(reason: "a character of a text")
      }
    default: throw .init(reason: "an element at a computed place")
    }
  }

  private mutating func listValue(_ script: Script) throws(Script.Untranslatable) -> Value {
    let value = try value(script)
    guard value.kind == .list || value.kind == .json else {
      throw .init(reason: "a method of lists on something else")
    }
    return value
  }

  /// A condition on each element of a list.
  private mutating func loop(_ parameter: String, _ list: Value, _ body: Script)
    throws(Script.Untranslatable) -> Value
  {
    guard parameters.isEmpty else { throw .init(reason: "a loop in a loop") }
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

  private func elementKind(_ list: Value) -> Kind {
    // Lists of texts are written out or split from one.
    let isTexts = list.code.hasPrefix("[\"") || list.code.hasPrefix("split(")
      || list.code.hasPrefix("words(") || list.code.hasPrefix("keys(")
    return isTexts ? .text : .json
  }

  private mutating func call(_ callee: Script, _ arguments: [Script])
    throws(Script.Untranslatable) -> Value
  {
    switch callee {
    case .name(let name): return try function(name, arguments)
    case .member(.name("JSON"), "parse", _), .member(.name("json"), "loads", _):
      guard arguments.count == 1, case .name("output") = arguments[0] else {
        throw .init(reason: "JSON of something else than the output")
      }
      if surroundings.outputIsText == false {
        throw .init(reason: "JSON of an output that is an object already")
      }
      return answer()
    case .member(.name("Object"), "keys", _) where arguments.count == 1:
      let value = try value(arguments[0])
      guard value.kind == .json else { throw .init(reason: "the keys of no object") }
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
    default: throw .init(reason: "a call that has no counterpart in expressions")
    }
  }

  private mutating func function(_ name: String, _ arguments: [Script])
    throws(Script.Untranslatable) -> Value
  {
    switch (language, name, arguments.count) {
    case (_, "Boolean", 1), (.python, "bool", 1): return try condition(arguments[0])
    case (.javaScript, "String", 1), (.python, "str", 1):
      let value = try value(arguments[0])
      guard value.kind == .text else { throw .init(reason: "a text that is made of a value") }
      return value
    case (.python, "len", 1): return try length(arguments[0])
    case (.python, "abs", 1): return Value(code: "abs(\(try number(arguments[0]).code))", kind: .number)
    case (.python, "any", 2), (.python, "all", 2):
      guard case .function(let parameter, let body) = arguments[1] else { break }
      let list = try listValue(arguments[0])
      let inner = try loop(parameter, list, body)
      return Value(code: "\(name)(\(list.code), \(inner.code))", kind: .truth)
    default: break
    }
    throw .init(reason: "'\(name)(…)' has no counterpart in expressions")
  }

  private mutating func method(_ base: Script, _ name: String, _ arguments: [Script])
    throws(Script.Untranslatable) -> Value
  {
    func wrap(_ function: String, _ inner: Value) -> Value {
      Value(code: "\(function)(\(inner.code))", kind: .text)
    }
    switch (language, name, arguments.count) {
    case (.javaScript, "toLowerCase", 0), (.python, "lower", 0): return wrap("lower", try text(base))
    case (.javaScript, "toUpperCase", 0), (.python, "upper", 0): return wrap("upper", try text(base))
    case (.javaScript, "trim", 0), (.python, "strip", 0): return wrap("trim", try text(base))
    case (.javaScript, "toString", 0):
      let value = try value(base)
      guard value.kind == .text else { throw .init(reason: "a text that is made of a value") }
      return value
    case (.javaScript, "includes", 1): return try contains(base, arguments[0], "in")
    case (.javaScript, "startsWith", 1), (.python, "startswith", 1):
      return try affix("starts_with", base, arguments[0])
    case (.javaScript, "endsWith", 1), (.python, "endswith", 1):
      return try affix("ends_with", base, arguments[0])
    case (_, "split", 1):
      guard case .literal(.string(let separator)) = arguments[0], !separator.isEmpty else {
        throw .init(reason: "a split by something else than a text")
      }
      return Value(code: "split(\(try text(base).code), \(try quoted(separator)))", kind: .list)
    case (.python, "split", 0): return Value(code: "words(\(try text(base).code))", kind: .list)
    case (.javaScript, "some", 1), (.javaScript, "every", 1), (.javaScript, "filter", 1):
      guard case .function(let parameter, let body) = arguments[0] else {
        throw .init(reason: "a function that is defined elsewhere")
      }
      let list = try listValue(base)
      let inner = try loop(parameter, list, body)
      let function = ["some": "any", "every": "all", "filter": "filter"][name] ?? name
      // A filtered list has elements of the same kind.
      return Value(
        code: "\(function)(\(list.code), \(inner.code))",
        kind: name == "filter" ? .list : .truth
      )
    case (.javaScript, "match", 1):
      throw .init(reason: "the places that a pattern finds")
    default: throw .init(reason: "'.\(name)(…)' has no counterpart in expressions")
    }
  }

  private mutating func affix(_ function: String, _ base: Script, _ part: Script)
    throws(Script.Untranslatable) -> Value
  {
    let (whole, end) = (try text(base), try value(part))
    guard end.kind == .text else { throw .init(reason: "an end that is no text") }
    return Value(code: "\(function)(\(whole.code), \(end.code))", kind: .truth)
  }

  /// `whole.includes(part)`, or `part in whole`.
  private mutating func contains(_ whole: Script, _ part: Script, _ word: String)
    throws(Script.Untranslatable) -> Value
  {
    let (container, element) = (try value(whole), try value(part))
    switch container.kind {
    case .text: guard element.kind == .text else { throw .init(reason: "a part that is no text") }
    case .list: break
    case .json: guard language == .javaScript else { break }
    default: throw .init(reason: "a part of a number")
    }
    if word != "in" { hasNegative = true }
    // Where the list is missing, a script throws and an expression fails: both fail.
    return .comparison(operand(element, 5), word, operand(container, 5))
  }

  private mutating func matches(_ subject: Script, _ pattern: String, _ flags: String)
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

  // MARK: Operators

  private mutating func binary(_ sign: String, _ left: Script, _ right: Script)
    throws(Script.Untranslatable) -> Value
  {
    switch sign {
    case "==", "===", "!=", "!==", "is", "is not": return try equality(sign, left, right)
    case "in", "not in": return try contains(right, left, sign)
    case "<", "<=", ">", ">=":
      let (one, other) = (try value(left), try value(right))
      let kinds = [one.kind, other.kind]
      guard kinds.allSatisfy({ $0 == .number || $0 == .json })
        || kinds.allSatisfy({ $0 == .text })
      else { throw .init(reason: "a comparison of a text with something else") }
      if kinds.contains(.json) { note(Self.looseNote) }
      return .comparison(operand(one, 5), sign, operand(other, 5))
    case "+", "-", "*", "/", "%":
      if sign == "+", case .text = try value(left).kind {
        throw .init(reason: "a text that is put together")
      }
      if language == .python, sign == "%" { throw .init(reason: "'%' of negative numbers") }
      let (one, other) = (try number(left), try number(right))
      guard one.kind == .number, other.kind == .number else {
        throw .init(reason: "a sum of values that may be texts")
      }
      let level = sign == "+" || sign == "-" ? 5 : 6
      return Value(
        code: "\(operand(one, level)) \(sign) \(operand(other, level + 1))",
        kind: .number,
        level: level
      )
    default: throw .init(reason: "'\(sign)' has no counterpart in expressions")
    }
  }

  private mutating func equality(_ sign: String, _ left: Script, _ right: Script)
    throws(Script.Untranslatable) -> Value
  {
    let isNegated = sign.hasPrefix("!") || sign == "is not"
    if let value = try typeComparison(left, right) {
      return Value(code: value != isNegated ? "true" : "false", kind: .truth)
    }
    if let found = try patternComparison(left, right, isNegated: isNegated) { return found }
    if isNothing(right) || isNothing(left) {
      return try nothingComparison(isNothing(right) ? left : right, sign, isNegated: isNegated)
    }
    if let found = try placeComparison(left, sign, right) { return found }
    let (one, other) = (try value(left), try value(right))
    if isNegated || isNegative {
      hasNegative = true
      if one.mayHideThrow || other.mayHideThrow {
        throw .init(reason: "a negation of a member that may be missing")
      }
    }
    // Without conversion both sides have to be of one type anyway.
    let isStrict = sign.count == 3 || language == .python
    if !isStrict, one.kind == .json || other.kind == .json || one.kind != other.kind {
      throw .init(reason: "'\(sign)' between values of several types, which JavaScript converts")
    }
    if one.kind == .list || other.kind == .list {
      throw .init(reason: "a comparison of lists")
    }
    if [one, other].contains(where: { $0.kind == .number && $0.level < 8 }) {
      throw .init(reason: "a computed number that has to be exact")
    }
    return .comparison(
      operand(one, 5),
      isNegated ? "!=" : "==",
      operand(other, 5),
      mayHideThrow: one.mayHideThrow || other.mayHideThrow
    )
  }

  private func isNothing(_ script: Script) -> Bool {
    switch script {
    case .undefined, .literal(.null): true
    default: false
    }
  }

  /// A comparison with null or undefined: only one that takes both for the same is the same here.
  private mutating func nothingComparison(_ script: Script, _ sign: String, isNegated: Bool)
    throws(Script.Untranslatable) -> Value
  {
    hasNegative = true
    guard sign.count == 2, language == .javaScript else {
      throw .init(reason: "a value that is missing and one that is null, which mean the same here")
    }
    let value = try value(script)
    guard value.kind == .json, !value.mayHideThrow else {
      throw .init(reason: "a comparison of something else with null")
    }
    return .comparison(value.code, isNegated ? "!=" : "==", "null")
  }

  /// `typeof output === 'string'`, where the type is known.
  private mutating func typeComparison(_ left: Script, _ right: Script)
    throws(Script.Untranslatable) -> Bool?
  {
    guard case .typeOf(let inner) = left, case .literal(.string(let type)) = right else {
      return nil
    }
    if case .name("output") = inner, surroundings.outputIsText == nil {
      throw .init(reason: "the type of the output, which depends on the provider")
    }
    switch try value(inner).kind {
    case .text: return type == "string"
    case .number: return type == "number"
    case .truth: return type == "boolean"
    case .list: return type == "object"
    case .json: throw .init(reason: "the type of a value of the answer's JSON")
    }
  }

  /// `output.match(/a/) !== null`.
  private mutating func patternComparison(_ left: Script, _ right: Script, isNegated: Bool)
    throws(Script.Untranslatable) -> Value?
  {
    guard case .literal(.null) = right, case .call(.member(let text, "match", _), let arguments) = left,
      arguments.count == 1, case .regex(let pattern, let flags) = arguments[0]
    else { return nil }
    let found = try matches(text, pattern, flags)
    if isNegated { return found }
    hasNegative = true
    return found.negated
  }

  /// `output.indexOf('a') !== -1`.
  private mutating func placeComparison(_ left: Script, _ sign: String, _ right: Script)
    throws(Script.Untranslatable) -> Value?
  {
    guard case .call(.member(let whole, "indexOf", _), let arguments) = left, arguments.count == 1,
      case .negative(.literal(.number(1))) = right
    else { return nil }
    return try contains(whole, arguments[0], sign.hasPrefix("!") ? "in" : "not in")
  }
}
