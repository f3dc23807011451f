import SluiceSupport

/// The evaluation of an expression for one answer.
///
/// The number of steps and the size of results are limited.
struct ExpressionEvaluator {
  /// The reason why an expression has no value for an answer.
  enum Fault: Error {
    /// A value has the wrong type, because the answer does not have the expected form.
    case value(String)
    /// A limit was reached, so the result is unknown.
    case tooExpensive
  }

  private let expression: Expression
  private let values: [Expression.Name: JSONValue]
  private var items: [JSONValue] = []
  private var budget: Int
  /// The operands of comparisons with their values, for explanations, in the order of evaluation.
  private(set) var shown: [String] = []
  private var isShowing: Bool

  /// The maximum number of steps, to which the size of the answer is added.
  ///
  /// The length of each text or list that is created counts as steps, too.
  private static let bound = 2_000_000
  private static let shownOperands = 6

  /// Creates an evaluator.
  ///
  /// - Parameters:
  ///   - expression: The expression.
  ///   - answer: The answer, or the part of it that was extracted.
  ///   - testCase: The case; nil if the expression does not read it.
  ///   - isShowing: True to collect the values for an explanation.
  init(
    _ expression: Expression,
    _ answer: Answer,
    _ testCase: TestCase?,
    isShowing: Bool = false
  ) {
    self.expression = expression
    self.isShowing = isShowing
    var values: [Expression.Name: JSONValue] = [
      .text: .string(answer.text), .answer: (try? answer.json.get()) ?? .string(answer.text),
    ]
    if let testCase {
      values[.input] = testCase.input
      values[.expected] = testCase.expected
      values[.tags] = .array(testCase.tags.map(JSONValue.string))
      values[.id] = .string(testCase.id)
    }
    self.values = values
    budget = Self.bound + 16 * answer.text.utf8.count
  }

  /// Returns the value of the whole expression.
  mutating func value() throws(Fault) -> JSONValue { try value(expression.root) }

  // MARK: Nodes

  private mutating func value(_ node: Expression.Node) throws(Fault) -> JSONValue {
    try spend(1)
    switch node.form {
    case .literal(let value): return value
    case .name(.item): return items.last ?? .null
    case .name(let name): return values[name] ?? .null
    case .list(let nodes):
      var list: [JSONValue] = []
      for node in nodes { list.append(try value(node)) }
      return .array(list)
    case .member(let base, let key): return try member(base, key)
    case .index(let base, let place): return try element(try value(base), try value(place), place)
    case .each(let base):
      switch try value(base) {
      case .array(let list) where isSpread(base):
        // The elements of all lists, as in `answer.orders[*].items[*]`.
        var elements: [JSONValue] = []
        for inner in list {
          guard let inner = inner.array else { throw wrong(base, inner, "a list of lists") }
          try spend(inner.count)
          elements += inner
        }
        return .array(elements)
      case .array(let list): return .array(list)
      case let other: throw wrong(base, other, "a list")
      }
    case .not(let inner): return .bool(!(try truth(inner)))
    case .negative(let inner): return Self.negated(try numeric(inner))
    case .arithmetic(let operation, let left, let right):
      return try arithmetic(operation, left, right)
    case .comparison(let comparison, let left, let right):
      let (one, other) = (try value(left), try value(right))
      show(left, one)
      show(right, other)
      return .bool(try holds(comparison, one, other, node))
    case .logic(let logic, let left, let right):
      let first = try truth(left)
      // The second operand is evaluated only if the first one does not determine the result.
      if first == (logic == .or) { return .bool(first) }
      return .bool(try truth(right))
    case .call(let function, let arguments): return try call(function, arguments, node)
    case .pattern(let inner, let regex):
      let text = try text(inner)
      try spend(text.utf8.count)
      show(inner, .string(text))
      do throws(BoundedRegex.TooExpensive) {
        return .bool(try regex.matches(text))
      } catch {
        throw .tooExpensive
      }
    }
  }

  private mutating func member(_ base: Expression.Node, _ key: String) throws(Fault)
    -> JSONValue
  {
    let value = try value(base)
    guard case .array(let list) = value, isSpread(base) else { return value[key] ?? .null }
    // Collects this member of each element, as in `answer.items[*].price`. An element without it
    // gives null, so that no condition holds just because there is nothing to check.
    try spend(list.count)
    return .array(list.map { $0[key] ?? .null })
  }

  /// Returns true if the value of a node is a list of values, one for each element of a list.
  private func isSpread(_ node: Expression.Node) -> Bool {
    switch node.form {
    case .each: true
    case .member(let base, _): isSpread(base)
    default: false
    }
  }

  private func element(_ base: JSONValue, _ place: JSONValue, _ node: Expression.Node)
    throws(Fault) -> JSONValue
  {
    switch (base, place) {
    case (.object(let object), .string(let key)): return object[key] ?? .null
    case (.array(let list), .number(let number)):
      guard let index = Int(exactly: number) else { throw wrong(node, place, "a whole number") }
      let position = index < 0 ? list.count + index : index
      return list.indices.contains(position) ? list[position] : .null
    case (.null, _): return .null
    default: return .null
    }
  }

  // MARK: Operators

  private mutating func arithmetic(
    _ operation: Expression.Arithmetic,
    _ left: Expression.Node,
    _ right: Expression.Node
  ) throws(Fault) -> JSONValue {
    if operation == .plus {
      let (one, other) = (try value(left), try value(right))
      switch (one, other) {
      case (.string(let first), .string(let second)):
        try spend(first.utf8.count + second.utf8.count)
        return .string(first + second)
      case (.array(let first), .array(let second)):
        try spend(first.count + second.count)
        return .array(first + second)
      default: break
      }
      guard let first = one.number else { throw wrong(left, one, "a number") }
      guard let second = other.number else { throw wrong(right, other, "a number") }
      return try finite(first + second, left)
    }
    let (first, second) = (try number(left), try number(right))
    switch operation {
    case .plus, .minus: return try finite(first - second, left)
    case .times: return try finite(first * second, left)
    case .divided, .modulo:
      if second == 0 {
        throw .value("\(expression.text(of: right)) is 0, so the division is not possible")
      }
      return try finite(
        operation == .divided ? first / second : first.truncatingRemainder(dividingBy: second),
        left
      )
    }
  }

  private func finite(_ number: Double, _ node: Expression.Node) throws(Fault) -> JSONValue {
    guard number.isFinite else { throw .value("\(expression.text(of: node)) is too large") }
    return .number(number)
  }

  private mutating func holds(
    _ comparison: Expression.Comparison,
    _ left: JSONValue,
    _ right: JSONValue,
    _ node: Expression.Node
  ) throws(Fault) -> Bool {
    switch comparison {
    case .equal: return try equal(left, right, node)
    case .notEqual: return try !equal(left, right, node)
    case .contained: return try contains(right, left, node)
    case .notContained: return try !contains(right, left, node)
    case .less, .lessOrEqual, .greater, .greaterOrEqual: break
    }
    let order: Int
    switch (left, right) {
    case _ where left.number != nil && right.number != nil:
      order = isSame(left, right, node) ? 0 : left.isLess(than: right) ? -1 : 1
    case (.string(let one), .string(let other)):
      try spend(min(one.utf8.count, other.utf8.count))
      let isLess = one.unicodeScalars.lexicographicallyPrecedes(other.unicodeScalars)
      order = one.isIdentical(to: other) ? 0 : isLess ? -1 : 1
    default:
      guard case .comparison(_, let first, let second) = node.form else { return false }
      throw left.number != nil ? wrong(second, right, "a number") : wrong(first, left, "a number")
    }
    switch comparison {
    case .less: return order < 0
    case .lessOrEqual: return order <= 0
    case .greater: return order > 0
    default: return order >= 0
    }
  }

  private mutating func equal(
    _ left: JSONValue,
    _ right: JSONValue,
    _ node: Expression.Node
  ) throws(Fault) -> Bool {
    try spend(Self.size(left))
    return isSame(left, right, node)
  }

  /// Returns true if two values are equal, where computed numbers may have rounding errors.
  ///
  /// For example, 0.1 + 0.2 equals 0.3.
  private func isSame(_ left: JSONValue, _ right: JSONValue, _ node: Expression.Node) -> Bool {
    guard case .number(let one) = left, case .number(let other) = right, one != other,
      one != one.rounded() || other != other.rounded(),
      Swift.abs(one - other) <= 1e-12 * Swift.max(1, Swift.abs(one), Swift.abs(other))
    else { return left == right }
    // In a quantifier, the elements may be computed elsewhere in the expression.
    return node.hasArithmetic || !items.isEmpty && expression.root.hasArithmetic
  }

  private static func negated(_ value: JSONValue) -> JSONValue {
    guard case .exact(var exact) = value else { return .number(-(value.number ?? 0)) }
    exact.isNegative.toggle()
    return .exact(exact)
  }

  /// Returns the size of a value, which is proportional to the cost of comparing it.
  private static func size(_ value: JSONValue) -> Int {
    switch value {
    case .string(let text): 1 + text.utf8.count
    case .array(let list): list.reduce(1) { $0 + size($1) }
    case .object(let object):
      object.members.reduce(1) { $0 + $1.name.utf8.count + size($1.value) }
    default: 1
    }
  }

  private mutating func contains(
    _ whole: JSONValue,
    _ part: JSONValue,
    _ node: Expression.Node
  ) throws(Fault) -> Bool {
    switch (whole, part) {
    case (.array(let list), _):
      for element in list where try equal(element, part, node) { return true }
      return false
    case (.string(let text), .string(let part)):
      try spend(text.utf8.count)
      return TextSearch.contains(part, in: text)
    case (.object(let object), .string(let key)): return object[key] != nil
    default:
      guard case .comparison(_, let left, let right) = node.form else { return false }
      if case .string = whole { throw wrong(left, part, "a text") }
      throw wrong(right, whole, "a list or a text")
    }
  }

  // MARK: Functions

  private mutating func call(
    _ function: Expression.Function,
    _ arguments: [Expression.Node],
    _ node: Expression.Node
  ) throws(Fault) -> JSONValue {
    let first = arguments[0]
    switch function {
    case .all, .any, .count, .filter, .map: return try quantified(function, arguments)
    case .exists:
      if case .null = try value(first) { return false }
      return true
    case .len:
      switch try value(first) {
      case .string(let text):
        try spend(text.utf8.count)
        return .number(Double(text.count))
      case .array(let list): return .number(Double(list.count))
      case .object(let object): return .number(Double(object.members.count))
      case let other: throw wrong(first, other, "a text, a list or an object")
      }
    case .keys:
      guard case .object(let object) = try value(first) else {
        throw wrong(first, try value(first), "an object")
      }
      return .array(object.members.map { .string($0.name) })
    case .lower, .upper, .trim, .words:
      let text = try text(first)
      try spend(text.utf8.count)
      switch function {
      case .lower: return .string(text.lowercased())
      case .upper: return .string(text.uppercased())
      case .trim: return .string(text.trimmed)
      default:
        return .array(
          text.unicodeScalars.split { $0.properties.isWhitespace }
            .map { .string(String(String.UnicodeScalarView($0))) }
        )
      }
    case .text:
      let value = try value(first)
      if let text = value.string { return .string(text) }
      let text = value.jsonText
      try spend(text.utf8.count)
      return .string(text)
    case .number:
      switch try value(first) {
      case .string(let text):
        try spend(text.utf8.count)
        guard case .success(let number) = WrittenNumber.number(in: text, .only) else {
          throw wrong(first, .string(text), "one number")
        }
        return number
      case let number where number.number != nil: return number
      case let other: throw wrong(first, other, "a number")
      }
    case .abs:
      let number = try numeric(first)
      return number.isLess(than: 0) ? Self.negated(number) : number
    case .round:
      let number = try number(first)
      let digits = arguments.count > 1 ? try self.number(arguments[1]) : 0
      guard (0...12).contains(digits) else {
        throw wrong(arguments[1], .number(digits), "between 0 and 12")
      }
      var scale = 1.0
      for _ in 0..<Int(digits) { scale *= 10 }
      let scaled = (number * scale).rounded(.toNearestOrAwayFromZero) / scale
      return .number(scaled.isFinite ? scaled : number)
    case .sum, .mean: return try total(function, first)
    case .max, .min: return try extreme(function, arguments)
    case .sort:
      let numbers = try list(first)
      try spend(numbers.count * 16)
      let texts = numbers.compactMap(\.string)
      if texts.count == numbers.count {
        return .array(
          texts.sorted { $0.unicodeScalars.lexicographicallyPrecedes($1.unicodeScalars) }
            .map(JSONValue.string)
        )
      }
      return .array(try self.numbers(first, numbers).sorted { $0.isLess(than: $1) })
    case .unique:
      let list = try list(first)
      var (seen, found) = (Set<JSONValue>(), [JSONValue]())
      for element in list {
        try spend(Self.size(element))
        if seen.insert(element).inserted { found.append(element) }
      }
      return .array(found)
    case .startsWith, .endsWith:
      let (whole, part) = (try text(first), try text(arguments[1]))
      try spend(part.utf8.count)
      let isThere =
        function == .startsWith
        ? whole.utf8.starts(with: part.utf8)
        : whole.utf8.count >= part.utf8.count
          && whole.utf8.suffix(part.utf8.count).elementsEqual(part.utf8)
      return .bool(isThere)
    case .split:
      let (whole, part) = (try text(first), try text(arguments[1]))
      guard !part.isEmpty else { throw .value("\(expression.text(of: arguments[1])) is empty") }
      return .array(try split(Array(whole.utf8), by: Array(part.utf8)))
    case .join:
      let (parts, between) = (try list(first), try text(arguments[1]))
      var texts: [String] = []
      for part in parts {
        guard let text = part.string else { throw wrong(first, part, "a list of texts") }
        try spend(text.utf8.count + between.utf8.count)
        texts.append(text)
      }
      return .string(texts.joined(separator: between))
    case .matches: return false
    }
  }

  private mutating func split(_ text: [UInt8], by part: [UInt8]) throws(Fault) -> [JSONValue] {
    var (parts, start, place) = ([JSONValue](), 0, 0)
    try spend(text.count)
    while place + part.count <= text.count {
      guard text[place] == part[0] else {
        place += 1
        continue
      }
      try spend(part.count)
      guard text[place..<place + part.count].elementsEqual(part) else {
        place += 1
        continue
      }
      parts.append(.string(String(decoding: text[start..<place], as: UTF8.self)))
      place += part.count
      start = place
    }
    return parts + [.string(String(decoding: text[start...], as: UTF8.self))]
  }

  private mutating func quantified(
    _ function: Expression.Function,
    _ arguments: [Expression.Node]
  ) throws(Fault) -> JSONValue {
    let elements = try list(arguments[0])
    guard arguments.count > 1 else {
      if function == .count { return .number(Double(elements.count)) }
      for element in elements {
        guard case .bool(let holds) = element else {
          throw wrong(arguments[0], element, "a list of true and false")
        }
        if function == .any, holds { return true }
        if function == .all, !holds { return false }
      }
      return .bool(function == .all)
    }
    let wasShowing = isShowing
    isShowing = false
    defer { isShowing = wasShowing }
    var found: [JSONValue] = []
    items.append(.null)
    defer { items.removeLast() }
    for (place, element) in elements.enumerated() {
      items[items.count - 1] = element
      if function == .map {
        found.append(try value(arguments[1]))
        continue
      }
      let holds = try truth(arguments[1])
      switch function {
      case .any where holds:
        return true
      case .all where !holds:
        let name = "\(expression.text(of: arguments[0]))[\(place)]"
        if wasShowing { note("\(name) is \(Excerpt.json(element))") }
        return false
      case .count, .filter: if holds { found.append(element) }
      default: break
      }
    }
    switch function {
    case .any: return false
    case .all: return true
    case .count: return .number(Double(found.count))
    default: return .array(found)
    }
  }

  private mutating func total(_ function: Expression.Function, _ node: Expression.Node)
    throws(Fault) -> JSONValue
  {
    let numbers = try numbers(node, try list(node))
    if function == .mean, numbers.isEmpty {
      throw .value("\(expression.text(of: node)) is empty, so it has no mean")
    }
    // The rounding errors of the additions are summed separately, and added at the end (Neumaier
    // 1974).
    var (sum, lost) = (0.0, 0.0)
    for number in numbers.compactMap(\.number) {
      let next = sum + number
      lost += Swift.abs(sum) >= Swift.abs(number) ? (sum - next) + number : (number - next) + sum
      sum = next
    }
    sum += lost
    return try finite(function == .mean ? sum / Double(numbers.count) : sum, node)
  }

  private mutating func extreme(_ function: Expression.Function, _ arguments: [Expression.Node])
    throws(Fault) -> JSONValue
  {
    var numbers: [JSONValue] = []
    if arguments.count == 1 {
      numbers = try self.numbers(arguments[0], try list(arguments[0]))
    } else {
      for argument in arguments { numbers.append(try numeric(argument)) }
    }
    func isLess(_ one: JSONValue, _ other: JSONValue) -> Bool { one.isLess(than: other) }
    guard let found = function == .max ? numbers.max(by: isLess) : numbers.min(by: isLess) else {
      throw .value(
        "\(expression.text(of: arguments[0])) is empty, so it has no \(function.rawValue)"
      )
    }
    return found
  }

  // MARK: Types

  private mutating func truth(_ node: Expression.Node) throws(Fault) -> Bool {
    let value = try value(node)
    guard case .bool(let truth) = value else { throw wrong(node, value, "true or false") }
    return truth
  }

  private mutating func numeric(_ node: Expression.Node) throws(Fault) -> JSONValue {
    let value = try value(node)
    guard value.number != nil else { throw wrong(node, value, "a number") }
    return value
  }

  private mutating func number(_ node: Expression.Node) throws(Fault) -> Double {
    try numeric(node).number ?? 0
  }

  private mutating func text(_ node: Expression.Node) throws(Fault) -> String {
    let value = try value(node)
    guard case .string(let text) = value else { throw wrong(node, value, "a text") }
    return text
  }

  private mutating func list(_ node: Expression.Node) throws(Fault) -> [JSONValue] {
    let value = try value(node)
    guard case .array(let list) = value else { throw wrong(node, value, "a list") }
    try spend(list.count)
    return list
  }

  private mutating func numbers(_ node: Expression.Node, _ list: [JSONValue]) throws(Fault)
    -> [JSONValue]
  {
    for element in list where element.number == nil {
      throw wrong(node, element, "a list of numbers")
    }
    return list
  }

  private func wrong(_ node: Expression.Node, _ value: JSONValue, _ wanted: String) -> Fault {
    .value("\(expression.text(of: node)) is \(Excerpt.json(value)), not \(wanted)")
  }

  private mutating func spend(_ steps: Int) throws(Fault) {
    budget -= steps
    if budget < 0 { throw .tooExpensive }
  }

  // MARK: Explanations

  private mutating func show(_ node: Expression.Node, _ value: JSONValue) {
    guard isShowing, !node.isConstant else { return }
    note("\(expression.text(of: node)) is \(Excerpt.json(value))")
  }

  private mutating func note(_ text: String) {
    if shown.count < Self.shownOperands, !shown.contains(text) { shown.append(text) }
  }
}
