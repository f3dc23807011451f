import SluiceSupport

/// The check of the values at a path in the answer's JSON.
///
/// It can require that a value exists or is missing, that the path finds a given number of values,
/// or that the value equals a given value.
struct JSONPathCheck: AnswerCheck {
  private enum Wish: Sendable {
    case exists(Bool)
    case equals(JSONValue)
    /// If null is expected, a missing value is also correct.
    case expected(JSONValue)
    case count(CountRange)
  }

  private let path: JSONPath
  private let wishes: [Wish]
  private let comparison: ValueComparison
  /// The value to compare with, unless it is null; the answer must then have a value.
  private let wanted: JSONValue?
  let claim: String
  let readsJSON = true

  init?(_ arguments: ScorerArguments) {
    guard let reader = arguments.fields() else { return nil }
    let before = arguments.diagnostics.count
    // The long form may give the path as `value`.
    let pathNode = reader.optional("value") ?? reader.required("path")
    let text = reader.text(pathNode, "path")
    // A null is also a valid expectation.
    let equals = reader.node["equals"]
    _ = reader.optional("equals")
    let expected = reader.node[AssertionTemplate.expectedName]
    _ = reader.optional(AssertionTemplate.expectedName)
    comparison = ValueComparison(reader)
    let countNode = reader.optional("count")
    let exists = reader.optionalBool("exists")
    reader.finish()
    var path: JSONPath?
    if let text, let pathNode {
      do throws(JSONPath.Problem) {
        path = try JSONPath(text)
      } catch {
        arguments.diagnostics.error(
          error.message,
          in: arguments.spec.file,
          at: pathNode.position,
          fix: "write, for example, '$.items[0].name' or '$.items[*].name'"
        )
      }
    }
    let count = countNode.flatMap { CountRange($0, "'count'", arguments) }
    guard let path, arguments.diagnostics.count == before else { return nil }
    if equals == nil, expected == nil,
      let option = ValueComparison.keys.first(where: { reader.node[$0] != nil })
    {
      arguments.error(
        "'\(option)' changes how values are compared, but there is no value to compare with",
        fix: "add 'equals: …', or 'expected: KEY' for a value under 'expected:' of the case"
      )
      return nil
    }
    if let other = equals ?? expected, path.hasWildcard {
      let key = other.position == equals?.position ? "equals" : AssertionTemplate.expectedName
      arguments.error(
        "'\(key)' compares a single value, but '\(Excerpt.cut(path.text))' may find several",
        fix: "use 'count' or 'exists', or write an index instead of '*'"
      )
      return nil
    }
    var wishes: [Wish] = []
    var claims: [String] = []
    let place = "at '\(Excerpt.cut(path.text))'"
    if let exists {
      wishes.append(.exists(exists))
      claims.append("have \(exists ? "something" : "nothing") \(place)")
    }
    if let equals {
      wishes.append(.equals(equals.json))
      claims.append("have \(Excerpt.json(equals.json)) \(place)")
    }
    if let expected {
      wishes.append(.expected(expected.json))
      let value = expected.json == .null ? "nothing" : Excerpt.json(expected.json)
      claims.append("have \(value) \(place)")
    }
    if let count {
      wishes.append(.count(count))
      claims.append("have \(count.describe("value", "values")) \(place)")
    }
    if wishes.isEmpty {
      wishes = [.exists(true)]
      claims = ["have something \(place)"]
    }
    self.path = path
    self.wishes = wishes
    wanted = [equals, expected].lazy.compactMap { $0?.json }.first { $0 != .null }
    claim = claims.joined(separator: " and ")
  }

  func finding(_ answer: Answer) throws(Undecided) -> Finding {
    let json: JSONValue
    switch answer.json {
    case .success(let value): json = value
    case .failure(let unusable):
      return wanted != nil ? .missing(unusable.reason) : Finding(false, detail: unusable.reason)
    }
    let found = path.values(in: json)
    var isMet = true
    for wish in wishes where isMet {
      switch wish {
      case .exists(let exists): isMet = found.isEmpty != exists
      case .equals where found.isEmpty && wanted != nil: return .missing(shown(found))
      case .equals(let value): isMet = try isOnly(found, value)
      case .expected(.null) where found.isEmpty: break
      case .expected where found.isEmpty: return .missing(shown(found))
      case .expected(let value): isMet = try isOnly(found, value)
      case .count(let range): isMet = range.contains(count(found))
      }
    }
    return Finding(isMet, detail: shown(found))
  }

  private func isOnly(_ found: [JSONValue], _ value: JSONValue) throws(Undecided) -> Bool {
    guard found.count == 1 else { return false }
    return try comparison.isEqual(found[0], value)
  }

  /// Returns the number of values that were found, if the path contains `*`.
  ///
  /// Otherwise returns the number of elements of the value.
  private func count(_ found: [JSONValue]) -> Int {
    if path.hasWildcard { return found.count }
    switch found.first {
    case .array(let elements): return elements.count
    case .object(let object): return object.members.count
    case .none: return 0
    default: return 1
    }
  }

  private func shown(_ found: [JSONValue]) -> String {
    let asksForCount = wishes.contains { if case .count = $0 { true } else { false } }
    if asksForCount { return "there \(count(found) == 1 ? "is" : "are") \(count(found))" }
    guard let first = found.first else { return "there is nothing" }
    if found.count > 1 { return "there are \(found.count)" }
    let shown = "there is \(Excerpt.json(first))"
    guard let wanted = wanted?.string, let text = first.string else { return shown }
    return shown + Excerpt.difference(text, from: wanted, isOnlyAlike: true)
  }
}

/// A JSON path, in the subset of RFC 9535 that has names, indices and wildcards.
struct JSONPath: Sendable {
  /// An error in a path.
  struct Problem: Error {
    var message: String
  }

  private enum Step: Sendable {
    case member(String)
    /// The element at an index.
    ///
    /// A negative index counts from the end.
    case element(Int)
    case all
    /// The member with a name.
    ///
    /// If the value is an array, the name is the index of an element, as in `items.0`.
    case either(String)
  }

  let text: String
  private let steps: [Step]

  /// True if the path contains a wildcard, so that it may find several values.
  var hasWildcard: Bool { steps.contains { if case .all = $0 { true } else { false } } }

  /// Parses a path with or without `$`, such as `$.items[0].name`, `items.0.name` or `$['a b'][*]`.
  init(_ text: String) throws(Problem) {
    self.text = text
    var rest = text.unicodeScalars[...]
    func wrong() -> Problem { Problem(message: "not a valid path: '\(Excerpt.cut(text))'") }
    var steps: [Step] = []
    let isRooted = rest.first == "$"
    if isRooted { rest.removeFirst() }
    var isStart = !isRooted
    while let next = rest.first {
      if next == "[" {
        rest.removeFirst()
        steps.append(try Self.bracket(&rest, wrong))
      } else {
        if !isStart {
          guard next == "." else { throw wrong() }
          rest.removeFirst()
          if rest.first == "." {
            throw Problem(message: "'..' is not supported in the path '\(Excerpt.cut(text))'")
          }
        }
        let name = rest.prefix { $0 != "." && $0 != "[" }
        guard !name.isEmpty else { throw wrong() }
        rest = rest[name.endIndex...]
        steps.append(name.elementsEqual("*".unicodeScalars) ? .all : .either(String(name)))
      }
      isStart = false
    }
    if steps.isEmpty, !isRooted { throw wrong() }
    self.steps = steps
  }

  private static func bracket(
    _ rest: inout Substring.UnicodeScalarView,
    _ wrong: () -> Problem
  ) throws(Problem) -> Step {
    let step: Step
    if let quote = rest.first, quote == "'" || quote == "\"" {
      rest.removeFirst()
      var name = String.UnicodeScalarView()
      while let scalar = rest.popFirst(), scalar != quote {
        guard scalar == "\\" else {
          name.append(scalar)
          continue
        }
        guard let escaped = rest.popFirst() else { throw wrong() }
        name.append(escaped)
      }
      step = .member(String(name))
    } else {
      let inner = rest.prefix { $0 != "]" }
      rest = rest[inner.endIndex...]
      if inner.elementsEqual("*".unicodeScalars) {
        step = .all
      } else if let index = Int(String(inner)) {
        step = .element(index)
      } else {
        throw Problem(
          message: "'[\(Excerpt.cut(String(inner)))]' is not supported in a path"
        )
      }
    }
    guard rest.popFirst() == "]" else { throw wrong() }
    return step
  }

  /// Returns the values at the path, in order; empty if there are none.
  func values(in json: JSONValue) -> [JSONValue] {
    var values = [json]
    for step in steps {
      values = values.flatMap { Self.children(of: $0, step) }
    }
    return values
  }

  /// Returns true if the path leads to no value, although the lists on its way are not empty.
  func isMissing(in json: JSONValue) -> Bool {
    var values = [json]
    for step in steps {
      let next = values.flatMap { Self.children(of: $0, step) }
      if next.isEmpty, case .all = step { return !values.allSatisfy { $0 == [] || $0 == [:] } }
      if next.isEmpty { return true }
      values = next
    }
    return false
  }

  private static func children(of value: JSONValue, _ step: Step) -> [JSONValue] {
    switch (step, value) {
    case (.member(let name), .object(let object)), (.either(let name), .object(let object)):
      return object[name].map { [$0] } ?? []
    case (.element(let index), .array(let elements)):
      let place = index < 0 ? elements.count + index : index
      return elements.indices.contains(place) ? [elements[place]] : []
    case (.either(let name), .array(let elements)):
      guard let index = Int(name), elements.indices.contains(index) else { return [] }
      return [elements[index]]
    case (.all, .array(let elements)): return elements
    case (.all, .object(let object)): return object.members.map(\.value)
    default: return []
    }
  }
}
