import SluiceReporting

/// The parser of a script: an expression, optionally with declarations, conditions and `return`
/// statements.
struct ScriptParser {
  let tokens: [ScriptLexer.Token]
  let language: Script.Language
  var index = 0
  var depth = 0
  /// The value of each declared variable.
  ///
  /// Supported code never assigns to a variable again.
  var declared: [String: Script] = [:]
  static let maximumDepth = 60
  static let maximumDeclarations = 40

  /// Parses code by promptfoo's rules.
  ///
  /// - Parameters:
  ///   - text: The code. A single line returns its last expression. Several lines are a function
  ///     body with `return`.
  ///   - language: The language of the code.
  /// - Returns: The tree.
  /// - Throws: ``Script/Untranslatable`` for the first construct that has no equivalent expression.
  static func parse(_ text: String, _ language: Script.Language) throws(Script.Untranslatable)
    -> Script
  {
    let code = text.trimmed
    if code.isEmpty { throw .init(reason: "there is no code") }
    var parser = ScriptParser(tokens: try ScriptLexer.tokens(code, language), language: language)
    let isFunctionBody = text.trimmedEnd.unicodeScalars.contains("\n")
    guard isFunctionBody || parser.isDeclaration else {
      let expression = try parser.readExpression()
      parser.skipEnds()
      guard parser.peek == .end else { throw parser.unexpected() }
      return expression
    }
    if language == .python { return try parser.readPythonBody() }
    return try parser.readBody(isOneLine: !isFunctionBody)
  }

  init(tokens: [ScriptLexer.Token], language: Script.Language) {
    self.tokens = tokens
    self.language = language
  }

  // MARK: Tokens

  /// The next token.
  ///
  /// Line breaks separate statements, but are skipped within an expression.
  var peek: ScriptLexer.Token {
    var place = index
    while tokens[place] == .lineBreak { place += 1 }
    return tokens[place]
  }

  mutating func take() -> ScriptLexer.Token {
    while tokens[index] == .lineBreak { index += 1 }
    let token = tokens[index]
    if token != .end { index += 1 }
    return token
  }

  mutating func accept(_ sign: String) -> Bool {
    guard peek == .sign(sign) else { return false }
    _ = take()
    return true
  }

  mutating func accept(word: String) -> Bool {
    guard peek == .word(word) else { return false }
    _ = take()
    return true
  }

  mutating func expect(_ sign: String) throws(Script.Untranslatable) {
    guard accept(sign) else { throw unexpected() }
  }

  mutating func skipEnds() { while accept(";") {} }

  func unexpected() -> Script.Untranslatable {
    switch peek {
    case .word(let word): .init(reason: "'\(word)' has no counterpart in expressions")
    case .sign(let sign): .init(reason: "'\(sign)' has no counterpart in expressions")
    case .end: .init(reason: "the code ends too early")
    default: .init(reason: "the code contains more than one expression")
    }
  }

  // MARK: Statements

  var isDeclaration: Bool {
    guard language == .javaScript, case .word(let word) = peek else { return false }
    return ["const", "let", "var"].contains(word)
  }

  mutating func readBody(isOneLine: Bool) throws(Script.Untranslatable) -> Script {
    guard let result = try readStatements(until: .end, isOneLine: isOneLine) else {
      throw .init(
        reason: "code of several lines has no 'return', so it always fails in promptfoo"
      )
    }
    return result
  }

  /// Reads statements and returns their result, or `nil` if the statements may end without
  /// `return`.
  mutating func readStatements(
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
        throw .init(reason: "a 'return' has no value")
      }
      let result = try readExpression()
      skipEnds()
      // Skip the code after a `return`, which never runs.
      while peek != end, peek != .end { _ = take() }
      return result
    }
    if accept(word: "if") {
      try expect("(")
      let condition = try readExpression()
      try expect(")")
      guard let then = try readBranch() else {
        throw .init(reason: "an 'if' does something other than return")
      }
      skipEnds()
      let other =
        accept(word: "else")
        ? try readBranch() : try readStatements(until: end, isOneLine: isOneLine)
      guard let other else {
        throw .init(reason: "the code may end without returning a result")
      }
      return .conditional(condition, then, other)
    }
    if isOneLine {
      // In a single line, promptfoo returns the last expression after the declarations.
      let result = try readExpression()
      skipEnds()
      guard peek == end else { throw unexpected() }
      return result
    }
    guard case .word(let word) = peek,
      ["for", "while", "switch", "throw", "try", "function"]
        .contains(word)
    else {
      // Skip an expression whose value is not used.
      _ = try readExpression()
      skipEnds()
      return try readStatements(until: end)
    }
    throw .init(reason: "the statement '\(word)' is not supported")
  }

  mutating func readBranch() throws(Script.Untranslatable) -> Script? {
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

  mutating func readDeclaration() throws(Script.Untranslatable) {
    _ = take()
    repeat {
      guard case .word(let name) = take() else {
        throw .init(reason: "a declaration has several names")
      }
      try expect("=")
      declared[name] = try readExpression()
      guard declared.count <= Self.maximumDeclarations else {
        throw .init(reason: "the code has too many declarations")
      }
    } while accept(",")
    skipEnds()
  }

  mutating func readPythonBody() throws(Script.Untranslatable) -> Script {
    guard accept(word: "return") else {
      throw .init(reason: "Python code has more than one expression")
    }
    let result = try readExpression()
    guard peek == .end else { throw unexpected() }
    return result
  }
}

extension String {
  /// The text without trailing white space.
  var trimmedEnd: String {
    var view = Substring(self).unicodeScalars
    while let last = view.last, last.properties.isWhitespace { view.removeLast() }
    return String(view)
  }
}
