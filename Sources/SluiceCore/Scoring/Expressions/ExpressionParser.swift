import SluiceSupport

/// The parser of expressions.
///
/// This is the grammar:
///
/// ```
/// expression = and { "or" and }
/// and        = not { "and" not }
/// not        = "not" not | comparison
/// comparison = sum [ ( "==" | "!=" | "<" | "<=" | ">" | ">=" | "in" | "not in" ) sum ]
/// sum        = product { ( "+" | "-" ) product }
/// product    = unary { ( "*" | "/" | "%" ) unary }
/// unary      = "-" unary | value
/// value      = primary { "." word | "[" ( expression | "*" ) "]" }
/// primary    = number | text | "true" | "false" | "null" | "[" [ list ] "]" | "(" expression ")"
///            | word "(" [ list ] ")" | "answer" | "text" | "input" | "expected" | "tags" | "id"
///            | "item"
/// list       = expression { "," expression }
/// word       = letter { letter | digit | "_" }
/// text       = '"' { character } '"' | "'" { character } "'"
/// ```
struct ExpressionParser {
  /// A syntax error in an expression, with its position.
  struct Problem: Error, Hashable {
    /// The offset in Unicode scalars from the start of the text.
    var offset: Int
    var message: String
    var fix: String?
  }

  private let scalars: [Unicode.Scalar]
  private var index = 0
  private var depth = 0
  /// The number of quantifiers around the current position.
  ///
  /// `item` is valid only inside of a quantifier.
  private var quantifiers = 0
  private var inputs: Set<String>? = []
  private var expected: Set<String>? = []

  private static let maximumLength = 4_000
  private static let maximumDepth = 40

  private init(_ text: String) { scalars = Array(text.unicodeScalars) }

  /// Parses an expression.
  ///
  /// - Throws: ``Problem`` for the first error.
  static func parse(_ text: String) throws(Problem) -> Expression {
    var parser = ExpressionParser(text)
    guard parser.scalars.count <= maximumLength else {
      throw Problem(
        offset: 0,
        message: "the expression is longer than \(maximumLength.withThousands) characters",
        fix: "let a program judge the answer: 'exec' under 'scorers:' (docs/extending.md)"
      )
    }
    let root = try parser.readExpression()
    parser.skipSpace()
    if parser.index < parser.scalars.count { throw parser.unexpected() }
    return Expression(
      source: text,
      root: root,
      inputKeys: parser.inputs,
      expectedKeys: parser.expected
    )
  }

  // MARK: Operators

  private mutating func readExpression() throws(Problem) -> Expression.Node {
    depth += 1
    defer { depth -= 1 }
    if depth > Self.maximumDepth { throw problem("nested too deeply") }
    var node = try readAnd()
    while takeWord("or") { node = binary(.logic(.or, node, try readAnd()), from: node) }
    return node
  }

  private mutating func readAnd() throws(Problem) -> Expression.Node {
    var node = try readNot()
    while takeWord("and") { node = binary(.logic(.and, node, try readNot()), from: node) }
    return node
  }

  private mutating func readNot() throws(Problem) -> Expression.Node {
    skipSpace()
    let start = index
    guard takeWord("not") else { return try readComparison() }
    depth += 1
    defer { depth -= 1 }
    if depth > Self.maximumDepth { throw problem("nested too deeply") }
    return node(.not(try readNot()), from: start)
  }

  private mutating func readComparison() throws(Problem) -> Expression.Node {
    let left = try readSum()
    guard let comparison = takeComparison() else { return left }
    let right = try readSum()
    let whole = binary(.comparison(comparison, left, right), from: left)
    skipSpace()
    let next = index
    if takeComparison() != nil {
      throw Problem(
        offset: next,
        message: "comparisons cannot be chained",
        fix: "write, for example, 'a < b and b < c'"
      )
    }
    return whole
  }

  private mutating func takeComparison() -> Expression.Comparison? {
    for (symbol, comparison) in Self.comparisons where take(symbol) { return comparison }
    if takeWord("in") { return .contained }
    let start = index
    if takeWord("not") {
      if takeWord("in") { return .notContained }
      index = start
    }
    return nil
  }

  /// The symbols of comparisons.
  ///
  /// `<=` precedes `<`, so that the longer symbol is found first.
  private static let comparisons: [(String, Expression.Comparison)] = [
    ("==", .equal), ("!=", .notEqual), ("<=", .lessOrEqual), (">=", .greaterOrEqual),
    ("<", .less), (">", .greater),
  ]

  private mutating func readSum() throws(Problem) -> Expression.Node {
    var node = try readProduct()
    while true {
      if take("+") {
        node = binary(.arithmetic(.plus, node, try readProduct()), from: node)
      } else if take("-") {
        node = binary(.arithmetic(.minus, node, try readProduct()), from: node)
      } else {
        return node
      }
    }
  }

  private mutating func readProduct() throws(Problem) -> Expression.Node {
    var node = try readUnary()
    while true {
      if take("*") {
        node = binary(.arithmetic(.times, node, try readUnary()), from: node)
      } else if take("/") {
        node = binary(.arithmetic(.divided, node, try readUnary()), from: node)
      } else if take("%") {
        node = binary(.arithmetic(.modulo, node, try readUnary()), from: node)
      } else {
        return node
      }
    }
  }

  private mutating func readUnary() throws(Problem) -> Expression.Node {
    skipSpace()
    let start = index
    guard take("-") else { return try readValue() }
    depth += 1
    defer { depth -= 1 }
    if depth > Self.maximumDepth { throw problem("nested too deeply") }
    return node(.negative(try readUnary()), from: start)
  }

  // MARK: Values

  private mutating func readValue() throws(Problem) -> Expression.Node {
    var value = try readPrimary()
    var steps = 0
    while true {
      steps += 1
      if steps > Self.maximumDepth { throw problem("nested too deeply") }
      if take(".") {
        let place = index
        let name = try readWord("the name of a member")
        if peek("(") { throw method(name, at: place) }
        if name == "length" {
          throw Problem(
            offset: place,
            message: "values have no member 'length'",
            fix: "write 'len(\(text(value.range)))'"
          )
        }
        note(name, of: value)
        value = node(.member(value, name), from: value.range.lowerBound)
      } else if take("[") {
        if take("*") {
          try expect("]")
          value = node(.each(value), from: value.range.lowerBound)
          continue
        }
        let index = try readExpression()
        try expect("]")
        if case .literal(.string(let name)) = index.form { note(name, of: value) }
        value = node(.index(value, index), from: value.range.lowerBound)
      } else {
        noteWhole(value)
        return value
      }
    }
  }

  /// Records that a key of the case is read.
  private mutating func note(_ key: String, of node: Expression.Node) {
    if case .name(.input) = node.form { inputs?.insert(key) }
    if case .name(.expected) = node.form { expected?.insert(key) }
  }

  /// Records that all keys of a part of the case are read.
  private mutating func noteWhole(_ node: Expression.Node) {
    var base = node
    if case .index(let inner, let place) = node.form {
      if case .literal(.string) = place.form { return }
      base = inner
    }
    if case .each(let inner) = node.form { base = inner }
    if case .name(.input) = base.form { inputs = nil }
    if case .name(.expected) = base.form { expected = nil }
  }

  private mutating func readPrimary() throws(Problem) -> Expression.Node {
    skipSpace()
    let start = index
    guard index < scalars.count else { throw problem("expected a value") }
    let scalar = scalars[index]
    if take("(") {
      let inner = try readExpression()
      try expect(")")
      return inner
    }
    if take("[") {
      let nodes = try readList(until: "]")
      return node(.list(nodes), from: start)
    }
    if scalar == "\"" || scalar == "'" {
      return node(.literal(.string(try readText())), from: start)
    }
    if ("0"..."9").contains(scalar) {
      return node(.literal(try readNumber()), from: start)
    }
    guard scalar.properties.isAlphabetic || scalar == "_" else { throw unexpected() }
    let word = try readWord("a value")
    switch word {
    case "true": return node(.literal(.bool(true)), from: start)
    case "false": return node(.literal(.bool(false)), from: start)
    case "null": return node(.literal(.null), from: start)
    default: break
    }
    if peek("(") { return try readCall(word, from: start) }
    guard let name = Expression.Name(rawValue: word) else { throw unknown(word, at: start) }
    if name == .item, quantifiers == 0 {
      throw Problem(
        offset: start,
        message: "'item' is an element of a list; it exists only inside all, any, count, filter "
          + "and map",
        fix: "write, for example, 'all(answer.items, item.price > 0)'"
      )
    }
    return node(.name(name), from: start)
  }

  private mutating func readCall(_ word: String, from start: Int) throws(Problem)
    -> Expression.Node
  {
    guard let function = Expression.Function(rawValue: word) else {
      let known = Expression.Function.allCases.map(\.rawValue).sorted()
      throw Problem(
        offset: start,
        message: "unknown function '\(word)'",
        fix: Self.foreignFunctions[word] ?? NearestName.suggestion(for: word, among: known)
      )
    }
    try expect("(")
    if function.isQuantifier { quantifiers += 1 }
    let nodes = try readList(until: ")")
    if function.isQuantifier { quantifiers -= 1 }
    guard function.arity.contains(nodes.count) else {
      let arity = function.arity
      let wanted =
        arity.count == 1
        ? "\(arity.lowerBound)" : "\(arity.lowerBound) to \(arity.upperBound)"
      throw Problem(
        offset: start,
        message:
          "'\(word)' takes \(wanted) \(wanted == "1" ? "value" : "values"), not \(nodes.count)"
      )
    }
    guard function == .matches else { return node(.call(function, nodes), from: start) }
    guard case .literal(.string(let pattern)) = nodes[1].form else {
      throw Problem(
        offset: nodes[1].range.lowerBound,
        message: "the pattern of 'matches' must be a quoted text",
        fix: "write, for example, 'matches(text, \"^[A-Z]\")'"
      )
    }
    do throws(BoundedRegex.PatternError) {
      return node(.pattern(nodes[0], try BoundedRegex(pattern)), from: start)
    } catch {
      throw Problem(
        offset: nodes[1].range.lowerBound,
        message: "not a valid pattern: \(error.message)"
      )
    }
  }

  private mutating func readList(until end: String) throws(Problem) -> [Expression.Node] {
    if take(end) { return [] }
    var nodes: [Expression.Node] = []
    while true {
      nodes.append(try readExpression())
      if take(end) { return nodes }
      guard take(",") else { throw problem("expected ',' or '\(end)'") }
    }
  }

  private mutating func readNumber() throws(Problem) -> JSONValue {
    let start = index
    while index < scalars.count, ("0"..."9").contains(scalars[index]) { index += 1 }
    if index + 1 < scalars.count, scalars[index] == ".", ("0"..."9").contains(scalars[index + 1]) {
      index += 1
      while index < scalars.count, ("0"..."9").contains(scalars[index]) { index += 1 }
    }
    guard let number = ExactNumber(text(start..<index).utf8) else {
      throw Problem(offset: start, message: "not a number")
    }
    return JSONValue(number)
  }

  private mutating func readText() throws(Problem) -> String {
    let start = index
    let quote = scalars[index]
    index += 1
    var text = String.UnicodeScalarView()
    while index < scalars.count, scalars[index] != quote {
      guard scalars[index] == "\\" else {
        text.append(scalars[index])
        index += 1
        continue
      }
      let escape = index
      index += 1
      guard index < scalars.count else { break }
      switch scalars[index] {
      case "n": text.append("\n")
      case "t": text.append("\t")
      case "\\", "\"", "'", "/": text.append(scalars[index])
      // The backslash before these characters is kept, because patterns often contain such escapes.
      case "d", "w", "s", "b", "D", "W", "S", "B", ".", "[", "]", "(", ")", "*", "+", "?", "{", "}",
        "|", "^", "$", "-":
        text.append("\\")
        text.append(scalars[index])
      default:
        throw Problem(
          offset: escape,
          message: "unknown escape '\\\(scalars[index])'",
          fix: "write '\\\\' for a backslash"
        )
      }
      index += 1
    }
    guard index < scalars.count else {
      throw Problem(offset: start, message: "the text has no closing quotation mark \(quote)")
    }
    index += 1
    return String(text)
  }

  // MARK: Words

  private mutating func readWord(_ what: String) throws(Problem) -> String {
    skipSpace()
    let start = index
    if index < scalars.count, isWordStart(scalars[index]) {
      index += 1
      while index < scalars.count, isWordPart(scalars[index]) { index += 1 }
    }
    guard index > start else { throw problem("expected \(what)") }
    return text(start..<index)
  }

  private func isWordStart(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || scalar.properties.isAlphabetic
  }

  private func isWordPart(_ scalar: Unicode.Scalar) -> Bool {
    isWordStart(scalar) || scalar.properties.numericType != nil
  }

  private mutating func takeWord(_ word: String) -> Bool {
    skipSpace()
    let wanted = Array(word.unicodeScalars)
    let end = index + wanted.count
    guard end <= scalars.count, scalars[index..<end].elementsEqual(wanted),
      end == scalars.count || !isWordPart(scalars[end])
    else { return false }
    index = end
    return true
  }

  private mutating func take(_ symbol: String) -> Bool {
    skipSpace()
    guard peek(symbol) else { return false }
    index += symbol.unicodeScalars.count
    return true
  }

  private func peek(_ symbol: String) -> Bool {
    var place = index
    while place < scalars.count, scalars[place].properties.isWhitespace { place += 1 }
    let wanted = symbol.unicodeScalars
    return place + wanted.count <= scalars.count
      && scalars[place..<place + wanted.count].elementsEqual(wanted)
  }

  private mutating func expect(_ symbol: String) throws(Problem) {
    if !take(symbol) {
      if index < scalars.count, Self.foreignSymbols.contains(where: { peek($0.symbol) }) {
        throw unexpected()
      }
      throw problem("expected '\(symbol)'")
    }
  }

  private mutating func skipSpace() {
    while index < scalars.count, scalars[index].properties.isWhitespace { index += 1 }
  }

  private func text(_ range: Range<Int>) -> String {
    String(String.UnicodeScalarView(scalars[range]))
  }

  // The function is mutating so that its arguments are evaluated before it reads the current
  // position.
  private mutating func node(_ form: Expression.Form, from start: Int) -> Expression.Node {
    Expression.Node(form, start..<index)
  }

  private mutating func binary(_ form: Expression.Form, from left: Expression.Node)
    -> Expression.Node
  {
    node(form, from: left.range.lowerBound)
  }

  // MARK: Problems

  private func problem(_ message: String) -> Problem {
    Problem(offset: min(index, scalars.count), message: message)
  }

  private func unexpected() -> Problem {
    guard index < scalars.count else { return problem("expected a value") }
    for (symbol, fix) in Self.foreignSymbols where peek(symbol) {
      return Problem(offset: index, message: "unknown operator '\(symbol)'", fix: fix)
    }
    return problem("unexpected '\(scalars[index])'")
  }

  /// Operators of JavaScript, Python and templates, with their equivalents.
  private static let foreignSymbols: [(symbol: String, fix: String)] = [
    ("&&", "write 'and'"), ("||", "write 'or'"), ("===", "write '=='"), ("!==", "write '!='"),
    ("{{", "write 'input.NAME' or 'expected.NAME'"),
    ("=>", "write only the condition, with 'item' for the element"),
    ("=", "write '=='"), ("!", "write 'not'"), ("?", "write 'and' and 'or'"),
  ]

  private static let foreignFunctions = [
    "length": "write 'len(…)'", "size": "write 'len(…)'", "str": "write 'text(…)'",
    "String": "write 'text(…)'", "int": "write 'number(…)'", "float": "write 'number(…)'",
    "Number": "write 'number(…)'", "parseInt": "write 'number(…)'",
    "parseFloat": "write 'number(…)'", "avg": "write 'mean(…)'", "every": "write 'all(…)'",
    "some": "write 'any(…)'", "contains": "write 'PART in TEXT'",
    "includes": "write 'PART in TEXT'", "regex": "write 'matches(TEXT, \"PATTERN\")'",
  ]

  private static let foreignNames = [
    "output": "write 'answer', or 'text' for the unchanged text",
    "response": "write 'answer', or 'text' for the unchanged text",
    "context": "write 'input.NAME' or 'expected.NAME'", "vars": "write 'input.NAME'",
    "None": "write 'null'", "undefined": "write 'null'", "True": "write 'true'",
    "False": "write 'false'", "JSON": "write 'answer', which is the JSON of the answer",
    "json": "write 'answer', which is the JSON of the answer",
  ]

  private func unknown(_ word: String, at place: Int) -> Problem {
    let known = Expression.Name.allCases.map(\.rawValue)
    return Problem(
      offset: place,
      message: "unknown name '\(Excerpt.cut(word))'",
      fix: Self.foreignNames[word] ?? NearestName.suggestion(for: word, among: known)
    )
  }

  private func method(_ name: String, at place: Int) -> Problem {
    let ways = [
      "includes": "write 'PART in TEXT'", "toLowerCase": "write 'lower(…)'",
      "lower": "write 'lower(…)'", "toUpperCase": "write 'upper(…)'", "trim": "write 'trim(…)'",
      "strip": "write 'trim(…)'", "startsWith": "write 'starts_with(…, …)'",
      "startswith": "write 'starts_with(…, …)'", "endsWith": "write 'ends_with(…, …)'",
      "endswith": "write 'ends_with(…, …)'", "every": "write 'all(LIST, …)'",
      "some": "write 'any(LIST, …)'", "filter": "write 'filter(LIST, …)'",
      "map": "write 'map(LIST, …)'", "split": "write 'split(TEXT, SEPARATOR)'",
      "test": "write 'matches(TEXT, \"PATTERN\")'", "match": "write 'matches(TEXT, \"PATTERN\")'",
    ]
    return Problem(
      offset: place,
      message: "values have no methods, but '\(Excerpt.cut(name))()' is called as one",
      fix: ways[name] ?? "write it as a function: \(Excerpt.cut(name))(…)"
    )
  }
}
