import SluiceReporting

/// Reads the tokens of a script into a tree: one expression, or declarations and returns before it.
struct ScriptParser {
  private let tokens: [ScriptLexer.Token]
  private let language: Script.Language
  private var index = 0
  private var depth = 0
  /// The values of names that were declared, which never change.
  private var declared: [String: Script] = [:]
  private static let maximumDepth = 60
  private static let maximumDeclarations = 40

  /// Reads code as promptfoo would run it.
  ///
  /// - Parameters:
  ///   - text: The code. On a single line it is an expression; on several it returns its result.
  ///   - language: Its language.
  /// - Returns: The tree.
  /// - Throws: The first thing that no expression can say.
  static func parse(_ text: String, _ language: Script.Language) throws(Script.Untranslatable)
    -> Script
  {
    let code = text.trimmed
    if code.isEmpty { throw .init(reason: "there is no code") }
    var parser = ScriptParser(tokens: try ScriptLexer.tokens(code, language), language: language)
    let isFunctionBody = text.trimmedEnd.contains("\n")
    guard isFunctionBody || parser.isDeclaration else {
      let expression = try parser.readExpression()
      parser.skipEnds()
      guard parser.peek == .end else { throw parser.unexpected() }
      return expression
    }
    if language == .python { return try parser.readPythonBody() }
    return try parser.readBody(isOneLine: !isFunctionBody)
  }

  private init(tokens: [ScriptLexer.Token], language: Script.Language) {
    self.tokens = tokens
    self.language = language
  }

  // MARK: Tokens

  /// Line breaks separate statements; within an expression they are space.
  private var peek: ScriptLexer.Token {
    var place = index
    while tokens[place] == .lineBreak { place += 1 }
    return tokens[place]
  }

  private mutating func take() -> ScriptLexer.Token {
    while tokens[index] == .lineBreak { index += 1 }
    let token = tokens[index]
    if token != .end { index += 1 }
    return token
  }

  private mutating func accept(_ sign: String) -> Bool {
    guard peek == .sign(sign) else { return false }
    _ = take()
    return true
  }

  private mutating func accept(word: String) -> Bool {
    guard peek == .word(word) else { return false }
    _ = take()
    return true
  }

  private mutating func expect(_ sign: String) throws(Script.Untranslatable) {
    guard accept(sign) else { throw unexpected() }
  }

  private mutating func skipEnds() { while accept(";") {} }

  private func unexpected() -> Script.Untranslatable {
    switch peek {
    case .word(let word): .init(reason: "'\(word)' has no counterpart in expressions")
    case .sign(let sign): .init(reason: "'\(sign)' has no counterpart in expressions")
    case .end: .init(reason: "the code ends too early")
    default: .init(reason: "the code is more than one expression")
    }
  }

  // MARK: Statements

  private var isDeclaration: Bool {
    guard language == .javaScript, case .word(let word) = peek else { return false }
    return ["const", "let", "var"].contains(word)
  }

  private mutating func readBody(isOneLine: Bool) throws(Script.Untranslatable) -> Script {
    guard let result = try readStatements(until: .end, isOneLine: isOneLine) else {
      throw .init(
        reason: "code of several lines returns nothing without 'return', so promptfoo fails it"
      )
    }
    return result
  }

  /// Reads statements; nil where they may end without a result.
  private mutating func readStatements(
    until end: ScriptLexer.Token,
    isOneLine: Bool = false
  ) throws(Script.Untranslatable) -> Script? {
    skipEnds()
    if peek == end { return nil }
    if isDeclaration {
      try readDeclaration()
      return try readStatements(until: end, isOneLine: isOneLine)
    }
    if accept(word: "return") {
      if peek == .sign(";") || peek == .sign("}") || peek == .end {
        throw .init(reason: "a 'return' without a value")
      }
      let result = try readExpression()
      skipEnds()
      // What follows a return is never reached.
      while peek != end, peek != .end { _ = take() }
      return result
    }
    if accept(word: "if") {
      try expect("(")
      let condition = try readExpression()
      try expect(")")
      guard let then = try readBranch() else {
        throw .init(reason: "an 'if' that changes something instead of returning")
      }
      skipEnds()
      let other =
        accept(word: "else")
        ? try readBranch() : try readStatements(until: end, isOneLine: isOneLine)
      guard let other else {
        throw .init(reason: "code that may end without a result")
      }
      return .conditional(condition, then, other)
    }
    if isOneLine {
      // After declarations promptfoo returns the last expression of the line.
      let result = try readExpression()
      skipEnds()
      guard peek == end else { throw unexpected() }
      return result
    }
    guard case .word(let word) = peek, ["for", "while", "switch", "throw", "try", "function"]
      .contains(word)
    else {
      // An expression whose value nobody takes.
      _ = try readExpression()
      skipEnds()
      return try readStatements(until: end)
    }
    throw .init(reason: "the statement '\(word)'")
  }

  private mutating func readBranch() throws(Script.Untranslatable) -> Script? {
    if peek == .word("if") { return try readStatements(until: .end) }
    guard accept("{") else {
      guard accept(word: "return") else { return nil }
      let result = try readExpression()
      skipEnds()
      return result
    }
    let before = declared
    let result = try readStatements(until: .sign("}"))
    declared = before
    try expect("}")
    return result
  }

  private mutating func readDeclaration() throws(Script.Untranslatable) {
    _ = take()
    repeat {
      guard case .word(let name) = take() else {
        throw .init(reason: "a declaration of several names at once")
      }
      try expect("=")
      declared[name] = try readExpression()
      guard declared.count <= Self.maximumDeclarations else {
        throw .init(reason: "too many declarations")
      }
    } while accept(",")
    skipEnds()
  }

  private mutating func readPythonBody() throws(Script.Untranslatable) -> Script {
    guard accept(word: "return") else {
      throw .init(reason: "more than one expression in Python")
    }
    let result = try readExpression()
    guard peek == .end else { throw unexpected() }
    return result
  }

  // MARK: Expressions

  private mutating func readExpression() throws(Script.Untranslatable) -> Script {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.maximumDepth else { throw .init(reason: "code that is nested too deep") }
    if language == .python { return try readPythonConditional() }
    if let function = try readArrow() { return function }
    let condition = try readOr()
    guard accept("?") else { return condition }
    let then = try readExpression()
    try expect(":")
    return .conditional(condition, then, try readExpression())
  }

  private mutating func readPythonConditional() throws(Script.Untranslatable) -> Script {
    let value = try readOr()
    guard accept(word: "if") else { return value }
    let condition = try readOr()
    guard accept(word: "else") else { throw unexpected() }
    return .conditional(condition, value, try readExpression())
  }

  /// A function `x => …` or `(x) => …`; nil where there is none.
  private mutating func readArrow() throws(Script.Untranslatable) -> Script? {
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
    if peek == .sign("{") { throw .init(reason: "a function with a body in braces") }
    let before = declared
    declared[parameter] = nil
    defer { declared = before }
    return .function(parameter, try readExpression())
  }

  private mutating func readOr() throws(Script.Untranslatable) -> Script {
    var left = try readAnd()
    while language == .python ? accept(word: "or") : accept("||") {
      left = .or(left, try readAnd())
    }
    return left
  }

  private mutating func readAnd() throws(Script.Untranslatable) -> Script {
    var left = try readNot()
    while language == .python ? accept(word: "and") : accept("&&") {
      left = .and(left, try readNot())
    }
    return left
  }

  private mutating func readNot() throws(Script.Untranslatable) -> Script {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.maximumDepth else { throw .init(reason: "code that is nested too deep") }
    if language == .python, accept(word: "not") { return .not(try readNot()) }
    return try readComparison()
  }

  private static let comparisons = ["===", "!==", "==", "!=", "<=", ">=", "<", ">"]

  private mutating func comparison() -> String? {
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

  private mutating func readComparison() throws(Script.Untranslatable) -> Script {
    let first = try readSum()
    var result: Script?
    var left = first
    while let sign = comparison() {
      let right = try readSum()
      let next = Script.binary(sign, left, right)
      if let earlier = result {
        guard language == .python else { throw .init(reason: "several comparisons in a row") }
        // a < b < c means both.
        result = .and(earlier, next)
      } else {
        result = next
      }
      left = right
    }
    return result ?? first
  }

  private mutating func readSum() throws(Script.Untranslatable) -> Script {
    var left = try readProduct()
    while case .sign(let sign) = peek, sign == "+" || sign == "-" {
      _ = take()
      left = .binary(sign, left, try readProduct())
    }
    return left
  }

  private mutating func readProduct() throws(Script.Untranslatable) -> Script {
    var left = try readUnary()
    while case .sign(let sign) = peek, ["*", "/", "%"].contains(sign) {
      _ = take()
      left = .binary(sign, left, try readUnary())
    }
    return left
  }

  private mutating func readUnary() throws(Script.Untranslatable) -> Script {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.maximumDepth else { throw .init(reason: "code that is nested too deep") }
    if accept("-") { return .negative(try readUnary()) }
    if language == .javaScript {
      if accept("!") { return .not(try readUnary()) }
      if accept(word: "typeof") { return .typeOf(try readUnary()) }
    }
    return try readPostfix()
  }

  private mutating func readPostfix() throws(Script.Untranslatable) -> Script {
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

  private mutating func readArguments() throws(Script.Untranslatable) -> [Script] {
    var arguments: [Script] = []
    if accept(")") { return arguments }
    repeat {
      if accept(")") { return arguments }
      let argument = try readExpression()
      // any(x in output for x in [...])
      if language == .python, accept(word: "for") {
        guard case .word(let name) = take(), accept(word: "in") else { throw unexpected() }
        let list = try readOr()
        if peek == .word("if") { throw .init(reason: "a comprehension with a condition") }
        try expect(")")
        return [list, .function(name, argument)]
      }
      arguments.append(argument)
    } while accept(",")
    try expect(")")
    return arguments
  }

  private mutating func readPrimary() throws(Script.Untranslatable) -> Script {
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
        if peek == .word("for") { throw .init(reason: "a list made by a loop") }
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

  private mutating func readObject() throws(Script.Untranslatable) -> Script {
    var members: [(key: String, value: Script)] = []
    while !accept("}") {
      let key: String
      switch take() {
      case .word(let word): key = word
      case .text(let text): key = text
      default: throw .init(reason: "an object with computed keys")
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

  private mutating func readName(_ word: String) throws(Script.Untranslatable) -> Script {
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
    case (_, "await"), (_, "function"), (_, "async"), (_, "lambda"), (_, "import"), (_, "def"):
      throw .init(reason: "'\(word)' has no counterpart in expressions")
    default: return declared[word] ?? .name(word)
    }
  }
}

extension String {
  /// The text without white space at its end.
  var trimmedEnd: String {
    var view = Substring(self).unicodeScalars
    while let last = view.last, last.properties.isWhitespace { view.removeLast() }
    return String(view)
  }
}
