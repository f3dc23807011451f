import SluiceSupport

extension JSONSchema {
  /// The check of one value against the schema.
  struct Check {
    private let subschemas: [[Rule]]
    private var path = ValuePath()
    /// The number of steps that are left.
    private var steps: Int
    /// The depth of nested subschemas at the current position.
    private var depth = 0
    var found = Findings(limit: JSONSchema.maximumViolations)

    init(subschemas: [[Rule]], value: JSONValue) {
      self.subschemas = subschemas
      // Allows 20 steps for each nested value. The constant is enough for small values.
      steps = 200_000 + 20 * value.count
    }

    mutating func apply(_ schema: Int, to value: JSONValue) {
      guard spend(1) else { return }
      guard depth < JSONSchema.maximumDepth else {
        return leaveUndecided(
          "at this point, the schema is more than \(JSONSchema.maximumDepth) levels deep"
        )
      }
      depth += 1
      defer { depth -= 1 }
      for rule in subschemas[schema] where !found.isFull {
        let before = found.violations.count
        apply(rule, to: value)
        // Further violations would only say again that the type is wrong.
        if case .types = rule, found.violations.count > before { return }
      }
    }

    private mutating func apply(_ rule: Rule, to value: JSONValue) {
      switch (rule, value) {
      case (.nothing, _): report("no value is allowed here")
      case (.types(let types), _): check(value, isOneOf: types)
      case (.values(let values), _):
        if !values.contains(value) { report(Self.mismatch(value, values)) }
      case (.reference(let schema), _): apply(schema, to: value)
      case (.all(let schemas), _): for schema in schemas { apply(schema, to: value) }
      case (.any(let alternatives), _): check(value, fitsOneOf: alternatives)
      case (.one(let alternatives), _): check(value, fitsExactlyOneOf: alternatives)
      case (.not(let schema), _): check(value, doesNotFit: schema)
      case (.condition(let condition, let then, let otherwise), _):
        check(value, condition, then: then, otherwise: otherwise)
      case (_, .object(let object)): apply(rule, to: object, value)
      case (_, .array(let elements)): apply(rule, to: elements)
      case (_, .string(let text)): apply(rule, to: text)
      case (.number(let limit), _):
        if let number = value.decimal { check(number, limit) { short($0.description) } }
      case (.multiple(let divisor), _):
        if let number = value.decimal, !number.isMultiple(of: divisor) {
          report("expected a multiple of \(divisor), got \(short(number.description))")
        }
      // A rule does not apply to values of other types.
      default: break
      }
    }

    // MARK: Objects, arrays and texts

    private mutating func apply(_ rule: Rule, to object: JSONObject, _ value: JSONValue) {
      switch rule {
      case .required(let names):
        for name in names where object[name] == nil { report("missing member '\(short(name))'") }
      case .dependentRequired(let dependencies):
        for (name, required) in dependencies where object[name] != nil {
          for other in required where object[other] == nil {
            report(
              "missing member '\(short(other))', which is required if '\(short(name))' is present"
            )
          }
        }
      case .dependentSchemas(let dependencies):
        for (name, schema) in dependencies where object[name] != nil {
          let before = found.violations.count
          apply(schema, to: value)
          found.append(", because '\(short(name))' is present", from: before)
        }
      case .memberCount(let limit):
        check(object.members.count, limit) { counted($0, "member") }
      case .memberNames(let schema):
        for (name, _) in object.members where !found.isFull {
          switch outcome(of: .string(name), schema) {
          case .fits: break
          case .undecided(let reason): found.leaveUndecided(reason)
          case .breaks(let reasons):
            report("the name '\(short(name))' is not allowed: \(brief(reasons))")
          }
        }
      case .members(let members):
        for member in object.members where !found.isFull { check(member, members) }
      default: break
      }
    }

    private mutating func apply(_ rule: Rule, to elements: [JSONValue]) {
      switch rule {
      case .elements(let first, let others):
        for (index, element) in elements.enumerated() where !found.isFull {
          guard let schema = index < first.count ? first[index] : others else { break }
          inside(.element(index)) { $0.apply(schema, to: element) }
        }
      case .contains(let schema, let atLeast, let atMost):
        check(elements, contain: schema, atLeast: atLeast, atMost: atMost)
      case .elementCount(let limit):
        check(elements.count, limit) { counted($0, "element") }
      case .unique: checkUniqueness(of: elements)
      default: break
      }
    }

    private mutating func apply(_ rule: Rule, to text: String) {
      switch rule {
      case .length(let limit):
        check(text.unicodeScalars.count, limit) { counted($0, "character") }
      case .pattern(let pattern):
        if matches(text, pattern) == false {
          report("\(quoted(text)) does not match '\(short(pattern.source))'")
        }
      case .format(let format):
        if !format.accepts(text) {
          report(
            "expected \(format.description), got \(quoted(text)) (format \(format.rawValue))"
          )
        }
      default: break
      }
    }

    private mutating func check(_ member: (name: String, value: JSONValue), _ members: Members) {
      var isKnown = false
      func judge(_ check: inout Check, _ schema: Int) {
        check.inside(.member(member.name)) { $0.apply(schema, to: member.value) }
      }
      if let schema = members.named[ExactString(member.name)] {
        isKnown = true
        judge(&self, schema)
      }
      for (pattern, schema) in members.patterns {
        switch matches(member.name, pattern) {
        case true?:
          isKnown = true
          judge(&self, schema)
        case false?: break
        // The result is then undecided, because the pattern may or may not match the member's name.
        case nil: isKnown = true
        }
      }
      if isKnown { return }
      switch members.others {
      case .allowed: break
      case .refused: report("unknown member '\(short(member.name))'")
      case .schema(let schema): judge(&self, schema)
      }
    }

    private mutating func checkUniqueness(of elements: [JSONValue]) {
      var first: [JSONValue: Int] = [:]
      for (index, element) in elements.enumerated() {
        guard let earlier = first.updateValue(index, forKey: element) else { continue }
        return report("elements \(earlier) and \(index) are equal")
      }
    }

    /// Returns true if a pattern matches a text.
    ///
    /// If matching takes too long, leaves the value undecided and returns nil.
    private mutating func matches(_ text: String, _ pattern: Pattern) -> Bool? {
      guard spend(text.utf8.count / 64) else { return nil }
      do throws(BoundedRegex.TooExpensive) {
        return try pattern.matches(text)
      } catch {
        leaveUndecided("the pattern '\(short(pattern.source))' is too expensive for this text")
        // The match took milliseconds, so the budget must allow only a few such matches.
        _ = spend(10_000)
        return nil
      }
    }

    // MARK: Any value

    private mutating func check(_ value: JSONValue, isOneOf types: [ValueType]) {
      if types.contains(where: { $0.includes(value) }) { return }
      let names = types.map(\.rawValue)
      let wanted =
        names.count < 2
        ? names.joined() : names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
      // A fractional number is also a number, so the name of the type alone would not explain the
      // error.
      let number = types.contains(.integer) ? value.decimal : nil
      report("expected \(wanted), got \(number.map { short($0.description) } ?? value.typeName)")
    }

    private static func mismatch(_ value: JSONValue, _ values: [JSONValue]) -> String {
      let shown = values.prefix(10).map { short($0.jsonText) }.joined(separator: ", ")
      let wanted = (values.count > 1 ? "one of " : "") + shown + (values.count > 10 ? ", …" : "")
      return "expected \(wanted), got \(name(of: value))"
    }

    private mutating func check<Value>(
      _ value: Value,
      _ limit: Limit<Value>,
      describe: (Value) -> String
    ) {
      if limit.holds(for: value) { return }
      report("expected \(limit.wanted(describe)), got \(describe(value))")
    }

    // MARK: Walking

    mutating func report(_ message: String) {
      if found.isFull { return }
      found.add(Violation(path: path.description, message: message))
    }

    mutating func leaveUndecided(_ message: String) {
      if found.undecided != nil { return }
      found.leaveUndecided(Violation(path: path.description, message: message))
    }

    /// Returns the result of checking a value against one subschema, with the first violation.
    mutating func outcome(of value: JSONValue, _ schema: Int) -> Outcome {
      let outer = found
      found = Findings(limit: 1)
      defer { found = outer }
      apply(schema, to: value)
      return found.outcome
    }

    mutating func inside(_ step: ValuePath.Step, _ body: (inout Check) -> Void) {
      path.steps.append(step)
      body(&self)
      path.steps.removeLast()
    }

    /// Subtracts from the number of steps that are left.
    ///
    /// If too few are left, leaves the value undecided, with the reason, and returns false.
    private mutating func spend(_ count: Int) -> Bool {
      steps -= count
      if steps >= 0 { return true }
      leaveUndecided("the schema is too expensive for this value")
      return false
    }

    /// Returns a short description of the first violation.
    ///
    /// If the violation is at a value inside of the checked value, the description contains the
    /// path.
    func brief(_ violations: [Violation]) -> String {
      guard let first = violations.first else { return "" }
      let isHere = first.path.isIdentical(to: path.description)
      return Excerpt.cut(isHere ? first.message : first.description, to: 100)
    }
  }
}

extension JSONSchema.Check {
  /// Returns the words by which a message names a value.
  ///
  /// Values that may be long are named by their type.
  static func name(of value: JSONValue) -> String {
    switch value {
    case .array, .object: value.typeName
    case .string(let text): quoted(text)
    default: value.jsonText
    }
  }
}

/// Returns the start of a text, because a model may write very long texts.
private func short(_ text: String) -> String { Excerpt.cut(text, to: 60) }

/// Returns the start of a text as a JSON string.
private func quoted(_ text: String) -> String {
  // Cut before escaping, because an answer may contain a megabyte of text.
  short(JSONValue.string(Excerpt.cut(text, to: 80)).jsonText)
}

private func counted(_ count: Int, _ unit: String) -> String {
  "\(count) \(unit)\(count == 1 ? "" : "s")"
}

extension JSONValue {
  /// The number of values inside of this value, including itself.
  fileprivate var count: Int {
    switch self {
    case .null, .bool, .number, .exact, .string: 1
    case .array(let elements): elements.reduce(1) { $0 + $1.count }
    case .object(let object): object.members.reduce(1) { $0 + $1.value.count }
    }
  }
}
