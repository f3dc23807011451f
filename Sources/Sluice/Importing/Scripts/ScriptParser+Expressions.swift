import SluiceReporting

extension ScriptParser {
  // MARK: Expressions

  mutating func readExpression() throws(Script.Untranslatable) -> Script {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.maximumDepth else { throw .init(reason: "the code is nested too deeply") }
    if language == .python { return try readPythonConditional() }
    if let function = try readArrow() { return function }
    let condition = try readOr()
    guard accept("?") else { return condition }
    let then = try readExpression()
    try expect(":")
    return .conditional(condition, then, try readExpression())
  }

  mutating func readPythonConditional() throws(Script.Untranslatable) -> Script {
    let value = try readOr()
    guard accept(word: "if") else { return value }
    let condition = try readOr()
    guard accept(word: "else") else { throw unexpected() }
    return .conditional(condition, value, try readExpression())
  }

  /// Reads a function `x => …` or `(x) => …`, or returns `nil` if there is none.
  mutating func readArrow() throws(Script.Untranslatable) -> Script? {
    let start = index
    var parameter: String?
    if case .word(let name) = peek {
      _ = take()
      parameter = name
    } else if accept("("), case .word(let name) = peek {
      _ = take()
      if accept(")") { parameter = name }
    }
    guard let parameter, accept("=>") else {
      index = start
      return nil
    }
    if peek == .sign("{") { throw .init(reason: "the body of a function is in braces") }
    let before = declared
    declared[parameter] = nil
    defer { declared = before }
    return .function(parameter, try readExpression())
  }

  mutating func readOr() throws(Script.Untranslatable) -> Script {
    var left = try readAnd()
    while language == .python ? accept(word: "or") : accept("||") {
      left = .or(left, try readAnd())
    }
    return left
  }

  mutating func readAnd() throws(Script.Untranslatable) -> Script {
    var left = try readNot()
    while language == .python ? accept(word: "and") : accept("&&") {
      left = .and(left, try readNot())
    }
    return left
  }

  mutating func readNot() throws(Script.Untranslatable) -> Script {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.maximumDepth else { throw .init(reason: "the code is nested too deeply") }
    if language == .python, accept(word: "not") { return .not(try readNot()) }
    return try readComparison()
  }

  static let comparisons = ["===", "!==", "==", "!=", "<=", ">=", "<", ">"]

  mutating func comparison() -> String? {
    if case .sign(let sign) = peek, Self.comparisons.contains(sign) {
      _ = take()
      return sign
    }
    guard language == .python else { return nil }
    if accept(word: "in") { return "in" }
    if accept(word: "is") { return accept(word: "not") ? "is not" : "is" }
    let start = index
    if accept(word: "not") {
      if accept(word: "in") { return "not in" }
      index = start
    }
    return nil
  }

  mutating func readComparison() throws(Script.Untranslatable) -> Script {
    let first = try readSum()
    var result: Script?
    var left = first
    while let sign = comparison() {
      let right = try readSum()
      let next = Script.binary(sign, left, right)
      if let earlier = result {
        guard language == .python else { throw .init(reason: "comparisons are chained") }
        // In Python, `a < b < c` is true if both comparisons are true.
        result = .and(earlier, next)
      } else {
        result = next
      }
      left = right
    }
    return result ?? first
  }

  mutating func readSum() throws(Script.Untranslatable) -> Script {
    var left = try readProduct()
    while case .sign(let sign) = peek, sign == "+" || sign == "-" {
      _ = take()
      left = .binary(sign, left, try readProduct())
    }
    return left
  }

  mutating func readProduct() throws(Script.Untranslatable) -> Script {
    var left = try readUnary()
    while case .sign(let sign) = peek, ["*", "/", "%"].contains(sign) {
      _ = take()
      left = .binary(sign, left, try readUnary())
    }
    return left
  }

  mutating func readUnary() throws(Script.Untranslatable) -> Script {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.maximumDepth else { throw .init(reason: "the code is nested too deeply") }
    if accept("-") { return .negative(try readUnary()) }
    if language == .javaScript {
      if accept("!") { return .not(try readUnary()) }
      if accept(word: "typeof") { return .typeOf(try readUnary()) }
    }
    return try readPostfix()
  }

  mutating func readPostfix() throws(Script.Untranslatable) -> Script {
    var value = try readPrimary()
    while true {
      let isOptional = accept("?.")
      if isOptional || accept(".") {
        if isOptional, accept("[") {
          value = .index(value, try readExpression())
          try expect("]")
          continue
        }
        guard case .word(let key) = take() else { throw unexpected() }
        value = .member(value, key, isOptional: isOptional)
      } else if accept("[") {
        value = .index(value, try readExpression())
        try expect("]")
      } else if accept("(") {
        value = .call(value, try readArguments())
      } else {
        return value
      }
    }
  }

  mutating func readArguments() throws(Script.Untranslatable) -> [Script] {
    var arguments: [Script] = []
    if accept(")") { return arguments }
    repeat {
      if accept(")") { return arguments }
      let argument = try readExpression()
      // Read a generator, such as any(x in output for x in [...]).
      if language == .python, accept(word: "for") {
        guard case .word(let name) = take(), accept(word: "in") else { throw unexpected() }
        let list = try readOr()
        if peek == .word("if") { throw .init(reason: "a comprehension has a condition") }
        try expect(")")
        return [list, .function(name, argument)]
      }
      arguments.append(argument)
    } while accept(",")
    try expect(")")
    return arguments
  }

  mutating func readPrimary() throws(Script.Untranslatable) -> Script {
    switch take() {
    case .number(let number): return .literal(.number(number))
    case .text(let text): return .literal(.string(text))
    case .regex(let pattern, let flags): return .regex(pattern: pattern, flags: flags)
    case .sign("("):
      let inner = try readExpression()
      if language == .python, accept(",") {
        var elements = [inner]
        while peek != .sign(")") {
          elements.append(try readExpression())
          if !accept(",") { break }
        }
        try expect(")")
        return .list(elements)
      }
      try expect(")")
      return inner
    case .sign("["):
      var elements: [Script] = []
      while !accept("]") {
        elements.append(try readExpression())
        if peek == .word("for") { throw .init(reason: "a loop builds a list") }
        if !accept(",") {
          try expect("]")
          break
        }
      }
      return .list(elements)
    case .sign("{"): return try readObject()
    case .word(let word): return try readName(word)
    default:
      index = max(0, index - 1)
      throw unexpected()
    }
  }

  mutating func readObject() throws(Script.Untranslatable) -> Script {
    var members: [(key: String, value: Script)] = []
    while !accept("}") {
      let key: String
      switch take() {
      case .word(let word): key = word
      case .text(let text): key = text
      default: throw .init(reason: "an object has computed keys")
      }
      try expect(":")
      members.append((key, try readExpression()))
      if !accept(",") {
        try expect("}")
        break
      }
    }
    return .object(members)
  }

  mutating func readName(_ word: String) throws(Script.Untranslatable) -> Script {
    switch (language, word) {
    case (.javaScript, "true"), (.python, "True"): return .literal(true)
    case (.javaScript, "false"), (.python, "False"): return .literal(false)
    case (.javaScript, "null"), (.python, "None"): return .literal(.null)
    case (.javaScript, "undefined"): return .undefined
    case (.javaScript, "new"):
      guard accept(word: "RegExp"), accept("("), case .text(let pattern) = take() else {
        throw .init(reason: "'new' has no counterpart in expressions")
      }
      var flags = ""
      if accept(",") {
        guard case .text(let text) = take() else { throw unexpected() }
        flags = text
      }
      try expect(")")
      return .regex(pattern: pattern, flags: flags)
    case (_, "return"):
      throw .init(reason: "one-line code has a 'return', so it always fails in promptfoo")
    case (_, "await"), (_, "function"), (_, "async"), (_, "lambda"), (_, "import"), (_, "def"):
      throw .init(reason: "'\(word)' has no counterpart in expressions")
    default: return declared[word] ?? .name(word)
    }
  }
}
