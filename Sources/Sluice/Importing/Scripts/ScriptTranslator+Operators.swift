import SluiceReporting

extension ScriptTranslator {
  // MARK: Operators

  mutating func binary(_ sign: String, _ left: Script, _ right: Script)
    throws(Script.Untranslatable) -> Value
  {
    switch sign {
    case "==", "===", "!=", "!==", "is", "is not": return try equality(sign, left, right)
    case "in", "not in": return try contains(right, left, sign)
    case "<", "<=", ">", ">=":
      let (one, other) = (try value(left), try value(right))
      let kinds = [one.kind, other.kind]
      guard
        kinds.allSatisfy({ $0 == .number || $0 == .json })
          || kinds.allSatisfy({ $0 == .text })
      else { throw .init(reason: "a string is compared with a value of another type") }
      if kinds.contains(.json) { note(Self.looseNote) }
      return .comparison(operand(one, 5), sign, operand(other, 5))
    case "+", "-", "*", "/", "%":
      if sign == "+", case .text = try value(left).kind {
        throw .init(reason: "expressions cannot build a string from parts")
      }
      if language == .python, sign == "%" { throw .init(reason: "'%' differs in Python") }
      let (one, other) = (try number(left), try number(right))
      guard one.kind == .number, other.kind == .number else {
        throw .init(reason: "a value that may be a string is used as a number")
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

  mutating func equality(_ sign: String, _ left: Script, _ right: Script)
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
        throw .init(reason: "a member that may be missing is negated")
      }
    }
    // `===`, `!==` and Python's comparisons do not convert types. All other comparisons convert
    // them, so their two sides must have the same type.
    let isStrict = sign.count == 3 || language == .python
    if !isStrict, one.kind == .json || other.kind == .json || one.kind != other.kind {
      throw .init(reason: "'\(sign)' compares values of different types, which JavaScript converts")
    }
    if one.kind == .list || other.kind == .list {
      throw .init(reason: "expressions cannot compare lists")
    }
    if [one, other].contains(where: { $0.kind == .number && $0.level < 8 }) {
      throw .init(reason: "a comparison requires an exact computed number")
    }
    return .comparison(
      operand(one, 5),
      isNegated ? "!=" : "==",
      operand(other, 5),
      mayHideThrow: one.mayHideThrow || other.mayHideThrow
    )
  }

  func isNothing(_ script: Script) -> Bool {
    switch script {
    case .undefined, .literal(.null): true
    default: false
    }
  }

  /// Translates a comparison with null or undefined, if the result is the same for null and for
  /// undefined.
  mutating func nothingComparison(_ script: Script, _ sign: String, isNegated: Bool)
    throws(Script.Untranslatable) -> Value
  {
    hasNegative = true
    guard sign.count == 2, language == .javaScript else {
      throw .init(
        reason: "null differs from a missing value in the script, but not in expressions"
      )
    }
    let value = try value(script)
    guard value.kind == .json, !value.mayHideThrow else {
      throw .init(reason: "this comparison with null has no counterpart in expressions")
    }
    return .comparison(value.code, isNegated ? "!=" : "==", "null")
  }

  /// Returns the constant result of a comparison such as `typeof output === 'string'`, or `nil` for
  /// other scripts.
  ///
  /// Throws if the type is unknown.
  mutating func typeComparison(_ left: Script, _ right: Script)
    throws(Script.Untranslatable) -> Bool?
  {
    guard case .typeOf(let inner) = left, case .literal(.string(let type)) = right else {
      return nil
    }
    if case .name("output") = inner, surroundings.outputIsText == nil {
      throw .init(reason: "the type of the output depends on the provider")
    }
    switch try value(inner).kind {
    case .text: return type == "string"
    case .number: return type == "number"
    case .truth: return type == "boolean"
    case .list: return type == "object"
    case .json: throw .init(reason: "the type of a value in the answer's JSON is unknown")
    }
  }

  /// Translates a condition such as `output.match(/a/) !== null`, or returns `nil` for other
  /// scripts.
  mutating func patternComparison(_ left: Script, _ right: Script, isNegated: Bool)
    throws(Script.Untranslatable) -> Value?
  {
    guard case .literal(.null) = right,
      case .call(.member(let text, "match", _), let arguments) = left,
      arguments.count == 1, case .regex(let pattern, let flags) = arguments[0]
    else { return nil }
    let found = try matches(text, pattern, flags)
    if isNegated { return found }
    hasNegative = true
    return found.negated
  }

  /// Translates a condition such as `output.indexOf('a') !== -1`, or returns `nil` for other
  /// scripts.
  mutating func placeComparison(_ left: Script, _ sign: String, _ right: Script)
    throws(Script.Untranslatable) -> Value?
  {
    guard case .call(.member(let whole, "indexOf", _), let arguments) = left, arguments.count == 1,
      case .negative(.literal(.number(1))) = right
    else { return nil }
    return try contains(whole, arguments[0], sign.hasPrefix("!") ? "in" : "not in")
  }
}
