import SluiceReporting

/// The translator of a script to an equivalent expression; it throws the reason if there is none.
///
/// Sluice's expressions treat some values differently from the script's language: for example, a
/// text used as a Boolean, the length of an object, or a missing member. So the translator keeps
/// track of types, and rejects code whose types it cannot determine.
struct ScriptTranslator {
  /// The result of a translation.
  struct Translation: Equatable {
    var expression: String
    /// True if the script throws when the answer is not JSON.
    var needsJSON = false
    /// Sentences about rare cases in which the expression differs from the script.
    var notes: [String] = []
  }

  /// The values that promptfoo provides to the script.
  struct Surroundings {
    /// True if `output` is a text, false if it is an object; `nil` if this depends on the provider.
    var outputIsText: Bool?
    /// A closure that returns the kind of a test variable, or `nil` if the variable is missing or
    /// if its kind differs between cases.
    var kindOfVariable: (String) -> Kind?
    /// The lowest number that passes, if the script returns a number.
    var threshold: Double?
  }

  enum Kind: Equatable {
    case text, number, truth
    case list
    /// A value of any type in the answer's JSON.
    case json
  }

  static let lengthNote =
    "lengths count characters as readers see them; promptfoo counts UTF-16 units, which give "
    + "other numbers for emoji and combining accents"
  static let codePointNote =
    "lengths count characters as readers see them; Python counts code points, which give other "
    + "numbers for some emoji and combining accents"
  static let looseNote =
    "values in the answer's JSON are not converted: a number written as a string fails a "
    + "comparison with a number, although JavaScript would convert it"

  struct Value {
    var code: String
    var kind: Kind
    /// The precedence of the code's outermost operator, from 1 for `or` to 8 for a name.
    var level = 8
    /// True if the value may be null where the script would throw, for example `a.b.c` without
    /// `a.b`.
    var mayHideThrow = false
    /// The code of the negation, if there is a shorter form than `not (…)`.
    var opposite: String?

    /// Returns a comparison whose negation uses the opposite operator.
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

    /// The negation of the value, which must be a condition.
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

  let language: Script.Language
  let surroundings: Surroundings
  var parameters: [String] = []
  var parameterKinds: [Kind] = []
  var notes: [String] = []
  var needsJSON = false
  /// The number of enclosing branches, such as those of `a ? b : c`, that the script may skip.
  ///
  /// An error inside such a branch is thrown only if the script runs the branch.
  var conditionalDepth = 0
  var isNegative = false
  var parsedConditionally = false
  var hasNegative = false
  var budget = 4_000

  init(_ language: Script.Language, _ surroundings: Surroundings) {
    self.language = language
    self.surroundings = surroundings
  }

  /// Translates code.
  ///
  /// - Parameters:
  ///   - code: The code.
  ///   - language: The language of the code.
  ///   - surroundings: The values that promptfoo provides.
  /// - Returns: The expression.
  /// - Throws: ``Script/Untranslatable`` if there is no equivalent expression.
  static func translate(
    _ code: String,
    _ language: Script.Language,
    _ surroundings: Surroundings
  ) throws(Script.Untranslatable) -> Translation {
    let script = try ScriptParser.parse(code, language)
    var translator = ScriptTranslator(language, surroundings)
    let value = try translator.result(script)
    guard value.code.unicodeScalars.count <= 3_500 else {
      throw .init(reason: "the expression would be longer than the limit")
    }
    if translator.parsedConditionally, translator.hasNegative {
      throw .init(reason: "'JSON.parse' is in a part that does not always run")
    }
    return Translation(
      expression: value.code,
      needsJSON: translator.needsJSON && !translator.parsedConditionally,
      notes: translator.notes
    )
  }

  // MARK: Results

  /// Translates the result of a script to a condition, as promptfoo interprets it.
  mutating func result(_ script: Script) throws(Script.Untranslatable) -> Value {
    switch script {
    case .literal(.number(let number)):
      return Value(code: passes(number) ? "true" : "false", kind: .truth)
    case .conditional(let condition, let then, let other):
      return try choice(
        condition,
        { (self) throws(Script.Untranslatable) in
          try self.result(then)
        },
        { (self) throws(Script.Untranslatable) in try self.result(other) }
      )
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
      throw .init(reason: "the result is a string, which promptfoo treats as an error")
    case .list, .json:
      throw .init(reason: "the result may be something other than true or false")
    }
  }

  func passes(_ number: Double) -> Bool {
    surroundings.threshold.map { number >= $0 } ?? (number > 0)
  }

  mutating func gradingResult(_ members: [(key: String, value: Script)])
    throws(Script.Untranslatable) -> Value
  {
    var pass: Script?
    var keys: Set<String> = []
    for (key, value) in members {
      keys.insert(key)
      if key == "pass" { pass = value }
    }
    guard let pass, keys.isSuperset(of: ["pass", "score", "reason"]) else {
      throw .init(
        reason: "the result lacks 'pass', 'score' or 'reason', so promptfoo rejects it"
      )
    }
    if keys.count > 3 {
      throw .init(
        reason: "the result has members other than 'pass', 'score' and 'reason'"
      )
    }
    if surroundings.threshold != nil {
      throw .init(
        reason: "the assertion has a threshold, but the script returns its own score"
      )
    }
    note(
      "the script's score and reason are left out; the assertion passes and fails as in promptfoo"
    )
    return try condition(pass)
  }

  // MARK: Conditions

  /// Translates a script to a condition.
  ///
  /// A value that is not a Boolean is converted, if its type allows that.
  mutating func condition(_ script: Script) throws(Script.Untranslatable) -> Value {
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
      throw .init(reason: "a value in the answer's JSON is used as a condition")
    }
  }

  func joined(_ left: Value, _ right: Value, _ word: String, level: Int) -> Value {
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

  mutating func negated(
    _ inner: (inout ScriptTranslator) throws(Script.Untranslatable) -> Value
  ) throws(Script.Untranslatable) -> Value {
    let before = isNegative
    isNegative.toggle()
    hasNegative = true
    let value = try inner(&self)
    isNegative = before
    if value.mayHideThrow {
      throw .init(reason: "a member that may be missing is negated")
    }
    return value.negated
  }

  mutating func skippable(
    _ inner: (inout ScriptTranslator) throws(Script.Untranslatable) -> Value
  ) throws(Script.Untranslatable) -> Value {
    conditionalDepth += 1
    defer { conditionalDepth -= 1 }
    return try inner(&self)
  }

  mutating func choice(
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
        throw .init(reason: "a member that may be missing is negated")
      }
      opposite = test.negated
    }
    // If one branch is constant, write the conditional as a single `and` or `or` with the other
    // branch.
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

  func operand(_ value: Value, _ level: Int) -> String {
    value.level < level ? "(\(value.code))" : value.code
  }

  mutating func note(_ text: String) { if !notes.contains(text) { notes.append(text) } }

  mutating func value(_ script: Script) throws(Script.Untranslatable) -> Value {
    budget -= 1
    guard budget > 0 else { throw .init(reason: "the expression would be longer than the limit") }
    switch script {
    case .literal(let value): return try literal(value)
    case .undefined: throw .init(reason: "'undefined' is used as a value")
    case .name(let name): return try named(name)
    case .not, .and, .or:
      return try condition(script)
    case .conditional(let test, let then, let other):
      return try choice(
        test,
        { (self) throws(Script.Untranslatable) in
          try self.condition(then)
        },
        { (self) throws(Script.Untranslatable) in try self.condition(other) }
      )
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
    case .typeOf: throw .init(reason: "'typeof' is used outside of a comparison")
    case .function: throw .init(reason: "a function is used as a value")
    case .object: throw .init(reason: "an object is used as a value")
    case .regex: throw .init(reason: "a pattern is used as a value")
    }
  }

  func literal(_ value: JSONValue) throws(Script.Untranslatable) -> Value {
    switch value {
    case .string(let text): return Value(code: try quoted(text), kind: .text)
    case .number(let number): return Value(code: JSONWriter.number(number), kind: .number)
    case .bool(let bool): return Value(code: bool ? "true" : "false", kind: .truth)
    default: throw .init(reason: "'null' is used as a value")
    }
  }

  func quoted(_ text: String) throws(Script.Untranslatable) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      default:
        guard scalar.value >= 0x20 else { throw .init(reason: "a string has a control character") }
        result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  mutating func named(_ name: String) throws(Script.Untranslatable) -> Value {
    if let place = parameters.lastIndex(of: name) {
      guard place == parameters.count - 1 else {
        throw .init(reason: "a loop is inside another loop")
      }
      return Value(code: "item", kind: parameterKinds[place])
    }
    guard name == "output" else {
      throw .init(reason: "'\(name)' has no counterpart in expressions")
    }
    if surroundings.outputIsText == false {
      throw .init(reason: "the script uses 'output' as a text, but it is an object here")
    }
    return Value(code: "text", kind: .text)
  }

  mutating func number(_ script: Script) throws(Script.Untranslatable) -> Value {
    let value = try value(script)
    switch value.kind {
    case .number: return value
    case .json:
      note(Self.looseNote)
      return value
    default: throw .init(reason: "a value that is not a number is used as a number")
    }
  }

  mutating func text(_ script: Script) throws(Script.Untranslatable) -> Value {
    let value = try value(script)
    guard value.kind == .text || value.kind == .json else {
      throw .init(reason: "a string method is called on a value that is not a string")
    }
    return value
  }
}
