import SluiceReporting

/// The splitter of JavaScript or Python code into tokens.
struct ScriptLexer {
  enum Token: Equatable {
    case word(String)
    case number(Double)
    case text(String)
    case regex(String, String)
    case sign(String)
    case lineBreak
    case end
  }

  private let scalars: [Unicode.Scalar]
  private var index = 0
  private let language: Script.Language
  private static let maximumLength = 20_000

  private static let signs = [
    "===", "!==", "...", "=>", "==", "!=", "<=", ">=", "&&", "||", "??", "?.", "**", "//", "+=",
    "-=", "++", "--",
  ]

  /// Returns the tokens of a text.
  static func tokens(_ text: String, _ language: Script.Language) throws(Script.Untranslatable)
    -> [Token]
  {
    var lexer = ScriptLexer(text, language)
    guard lexer.scalars.count <= maximumLength else {
      throw Script.Untranslatable(reason: "the code is longer than the limit for an expression")
    }
    var tokens: [Token] = []
    while true {
      let token = try lexer.next(after: tokens.last)
      tokens.append(token)
      if token == .end { return tokens }
    }
  }

  private init(_ text: String, _ language: Script.Language) {
    scalars = Array(text.unicodeScalars)
    self.language = language
  }

  private func at(_ offset: Int) -> Unicode.Scalar? {
    index + offset < scalars.count ? scalars[index + offset] : nil
  }

  private mutating func next(after last: Token?) throws(Script.Untranslatable) -> Token {
    while let scalar = at(0) {
      if scalar == "\n" {
        index += 1
        return .lineBreak
      }
      if scalar.properties.isWhitespace {
        index += 1
      } else if language == .javaScript, scalar == "/", at(1) == "/" {
        while at(0) != nil, at(0) != "\n" { index += 1 }
      } else if language == .javaScript, scalar == "/", at(1) == "*" {
        index += 2
        while index < scalars.count, !(at(0) == "*" && at(1) == "/") { index += 1 }
        index += 2
      } else if language == .python, scalar == "#" {
        while at(0) != nil, at(0) != "\n" { index += 1 }
      } else {
        break
      }
    }
    guard let scalar = at(0) else { return .end }
    if scalar == "\"" || scalar == "'" { return .text(try readText(scalar, isRaw: false)) }
    if scalar == "`" {
      let text = try readText("`", isRaw: false)
      if text.contains("${") { throw .init(reason: "a string contains '${…}'") }
      return .text(text)
    }
    if isStart(scalar) {
      let word = readWord()
      if language == .python, let quote = at(0), quote == "\"" || quote == "'" {
        guard word.lowercased() == "r" else {
          throw .init(reason: "a string has the prefix '\(word)'")
        }
        return .text(try readText(quote, isRaw: true))
      }
      return .word(word)
    }
    if isDigit(scalar) || scalar == ".", isDigit(scalar) || at(1).map(isDigit) ?? false {
      return try readNumber()
    }
    if language == .javaScript, scalar == "/", Self.mayBeginRegex(last) { return try readRegex() }
    for sign in Self.signs where matches(sign) {
      index += sign.unicodeScalars.count
      return .sign(sign)
    }
    index += 1
    return .sign(String(Character(scalar)))
  }

  private func matches(_ sign: String) -> Bool {
    // In 'a?.5:b', '?.' is a question mark followed by the number .5.
    if sign == "?.", at(2).map(isDigit) ?? false { return false }
    return sign.unicodeScalars.enumerated().allSatisfy { at($0.offset) == $0.element }
  }

  private static func mayBeginRegex(_ last: Token?) -> Bool {
    switch last {
    case nil, .lineBreak: true
    case .sign(let sign): ![")", "]", "}"].contains(sign)
    case .word(let word): ["return", "typeof", "case", "in"].contains(word)
    default: false
    }
  }

  private func isStart(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || scalar == "_" || scalar == "$"
  }

  private func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  private mutating func readWord() -> String {
    let start = index
    while let scalar = at(0), isStart(scalar) || isDigit(scalar) { index += 1 }
    return String(String.UnicodeScalarView(scalars[start..<index]))
  }

  private mutating func readNumber() throws(Script.Untranslatable) -> Token {
    let start = index
    while let scalar = at(0), isDigit(scalar) || isStart(scalar) || scalar == "." { index += 1 }
    let text = String(String.UnicodeScalarView(scalars[start..<index]))
      .replacing("_", with: "")
    guard text.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == "." || $0 == "e") }),
      !(text.hasPrefix("0") && text.count > 1 && !text.hasPrefix("0.")),
      let number = Double(text), number.isFinite
    else { throw .init(reason: "the number '\(text)' is not supported") }
    return .number(number)
  }

  private mutating func readRegex() throws(Script.Untranslatable) -> Token {
    index += 1
    var pattern = String.UnicodeScalarView()
    var isInClass = false
    while let scalar = at(0), scalar != "\n", scalar != "/" || isInClass {
      if scalar == "\\", let escaped = at(1) {
        // The slash needs no escape outside of a JavaScript literal.
        if escaped != "/" { pattern.append(scalar) }
        pattern.append(escaped)
        index += 2
        continue
      }
      if scalar == "[" { isInClass = true }
      if scalar == "]" { isInClass = false }
      pattern.append(scalar)
      index += 1
    }
    guard at(0) == "/" else { throw .init(reason: "a pattern is not closed") }
    index += 1
    return .regex(String(pattern), readWord())
  }

  private mutating func readText(_ quote: Unicode.Scalar, isRaw: Bool)
    throws(Script.Untranslatable) -> String
  {
    if language == .python, at(1) == quote, at(2) == quote {
      throw .init(reason: "a string is in triple quotation marks")
    }
    index += 1
    var text = String.UnicodeScalarView()
    while let scalar = at(0), scalar != quote {
      index += 1
      guard scalar == "\\", let escaped = at(0) else {
        if scalar == "\n", quote != "`" { throw .init(reason: "a string is not closed") }
        text.append(scalar)
        continue
      }
      index += 1
      if isRaw {
        text.append(scalar)
        text.append(escaped)
        continue
      }
      switch escaped {
      case "n": text.append("\n")
      case "t": text.append("\t")
      case "\\", "'", "\"", "`", "/": text.append(escaped)
      case "u":
        let digits = (0..<4).compactMap { at($0) }
        guard digits.count == 4, digits.allSatisfy(\.properties.isASCIIHexDigit),
          let value = UInt32(String(String.UnicodeScalarView(digits)), radix: 16),
          let scalar = Unicode.Scalar(value)
        else { throw .init(reason: "the escape '\\u' is not supported") }
        text.append(scalar)
        index += 4
      default: throw .init(reason: "the escape '\\\(escaped)' is not supported")
      }
    }
    guard at(0) == quote else { throw .init(reason: "a string is not closed") }
    index += 1
    return String(text)
  }
}
