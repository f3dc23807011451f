/// A JSON Schema of draft 2020-12, compiled once and then asked about many values.
///
/// Its subschemas stand in one table and name each other by index, so that a reference may lead back
/// to where it came from.
package struct JSONSchema: Sendable {
  /// How many violations of one value are told.
  package static let maximumViolations = 20

  /// A rule that a value breaks, and where.
  package struct Violation: Hashable, Sendable {
    /// The place in the value, such as `actionItems[2].dueDate`; `$` is the value as a whole.
    package var path: String
    package var message: String
    /// Whether it is unknown if the rule is broken, because finding out would take too long.
    package var isUndecided = false
  }

  /// One keyword with its argument; `Int` is the index of a subschema.
  enum Rule: Sendable {
    case nothing
    case types([ValueType])
    case values([JSONValue])
    case required([String])
    case members(named: [(name: String, schema: Int)], others: Others)
    case elements(Int)
    case count(Limit<Int>)
    case unique
    case length(Limit<Int>)
    case pattern(Pattern)
    case number(Limit<Double>)
    case any([Int])
  }

  /// A type of the keyword `type`.
  enum ValueType: String, CaseIterable, Sendable {
    case null, boolean, object, array, number, string, integer
  }

  /// What holds for the members that `properties` does not name.
  enum Others: Sendable {
    case allowed, refused
    case schema(Int)
  }

  /// A bound of a number, a length or a count.
  enum Limit<Value: Comparable & Sendable>: Sendable {
    case atLeast(Value), moreThan(Value), atMost(Value), lessThan(Value)
  }

  /// The rules of each subschema in the order in which they are checked; the first is the root.
  private let subschemas: [[Rule]]

  /// Compiles a schema strictly: what this reader does not know is an error, never skipped.
  ///
  /// - Parameters:
  ///   - node: The schema.
  ///   - file: The file that it stands in.
  ///   - diagnostics: Takes everything that is wrong with it.
  /// - Returns: The schema, or nil when there was an error.
  package static func compile(_ node: Node, file: SourceFile, diagnostics: DiagnosticCollector)
    -> JSONSchema?
  {
    Compiler.compile(node, file: file, diagnostics: diagnostics).map(JSONSchema.init(subschemas:))
  }

  /// What is wrong with a value: no more than ``maximumViolations`` of it.
  package func violations(in value: JSONValue) -> [Violation] {
    var check = Check(subschemas: subschemas, limit: Self.maximumViolations)
    check.apply(0, to: value)
    return check.violations
  }
}

// MARK: -

extension JSONSchema {
  /// One walk through a value.
  ///
  /// It goes no deeper than schema and value are nested, which their readers limit.
  private struct Check {
    let subschemas: [[Rule]]
    let limit: Int
    var path = ValuePath()
    var violations: [Violation] = []

    mutating func apply(_ schema: Int, to value: JSONValue) {
      for rule in subschemas[schema] where violations.count < limit {
        let before = violations.count
        apply(rule, to: value)
        // The other rules would only say in other words that the type is wrong.
        if case .types = rule, violations.count > before { return }
      }
    }

    private mutating func apply(_ rule: Rule, to value: JSONValue) {
      switch (rule, value) {
      case (.nothing, _): report("no value is allowed here")
      case (.types(let types), _): check(value, isOneOf: types)
      case (.values(let values), _):
        if !values.contains(value) { report(Self.mismatch(value, values)) }
      case (.required(let names), .object(let object)):
        for name in names where object[name] == nil { report("missing member '\(short(name))'") }
      case (.members(let named, let others), .object(let object)):
        for member in object.members {
          check(member, named, others)
          if violations.count >= limit { return }
        }
      case (.elements(let schema), .array(let elements)):
        for (index, element) in elements.enumerated() {
          inside(.element(index)) { $0.apply(schema, to: element) }
          if violations.count >= limit { return }
        }
      case (.count(let limit), .array(let elements)):
        check(elements.count, limit) { $0 == 1 ? "1 element" : "\($0) elements" }
      case (.unique, .array(let elements)): checkUniqueness(of: elements)
      case (.length(let limit), .string(let text)):
        check(text.unicodeScalars.count, limit) { $0 == 1 ? "1 character" : "\($0) characters" }
      case (.pattern(let pattern), .string(let text)): check(text, pattern)
      case (.number(let limit), .number(let number)):
        check(number, limit, describe: JSONWriter.number)
      case (.any(let alternatives), _): check(value, alternatives)
      // A rule says nothing about values of another type.
      case (.required, _), (.members, _), (.elements, _), (.count, _), (.unique, _), (.length, _),
        (.pattern, _), (.number, _):
        break
      }
    }

    private mutating func report(_ message: String, isUndecided: Bool = false) {
      guard violations.count < limit else { return }
      violations.append(
        Violation(path: path.description, message: message, isUndecided: isUndecided)
      )
    }

    private mutating func inside(_ step: ValuePath.Step, _ body: (inout Check) -> Void) {
      path.steps.append(step)
      body(&self)
      path.steps.removeLast()
    }

    // MARK: Rules

    private mutating func check(_ value: JSONValue, isOneOf types: [ValueType]) {
      if types.contains(where: { $0.includes(value) }) { return }
      let names = types.map(\.rawValue)
      let wanted =
        names.count < 2
        ? names.joined() : names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
      // A number that is not whole is a number too: the name of its type would not explain it.
      let number = types.contains(.integer) ? value.number : nil
      report("expected \(wanted), got \(number.map(JSONWriter.number) ?? value.typeName)")
    }

    private static func mismatch(_ value: JSONValue, _ values: [JSONValue]) -> String {
      let shown = values.prefix(10).map { short($0.jsonText) }.joined(separator: ", ")
      let found =
        switch value {
        case .array, .object: value.typeName
        default: short(value.jsonText)
        }
      let wanted = (values.count > 1 ? "one of " : "") + shown + (values.count > 10 ? ", …" : "")
      return "expected \(wanted), got \(found)"
    }

    private mutating func check(
      _ member: (name: String, value: JSONValue),
      _ named: [(name: String, schema: Int)],
      _ others: Others
    ) {
      let schema: Int
      if let known = named.first(where: { $0.name.isIdentical(to: member.name) }) {
        schema = known.schema
      } else {
        switch others {
        case .allowed: return
        case .refused: return report("unknown member '\(short(member.name))'")
        case .schema(let index): schema = index
        }
      }
      inside(.member(member.name)) { $0.apply(schema, to: member.value) }
    }

    private mutating func checkUniqueness(of elements: [JSONValue]) {
      var first: [JSONValue: Int] = [:]
      for (index, element) in elements.enumerated() {
        guard let earlier = first.updateValue(index, forKey: element) else { continue }
        return report("elements \(earlier) and \(index) are equal")
      }
    }

    private mutating func check(_ text: String, _ pattern: Pattern) {
      do throws(BoundedRegex.TooExpensive) {
        if try pattern.matches(text) { return }
        report(
          "\(short(JSONValue.string(text).jsonText)) does not match '\(short(pattern.source))'"
        )
      } catch {
        report(
          "'\(short(pattern.source))' is too expensive to match with this text",
          isUndecided: true
        )
      }
    }

    private mutating func check<Value>(
      _ value: Value,
      _ limit: Limit<Value>,
      describe: (Value) -> String
    ) {
      let (isKept, wanted) =
        switch limit {
        case .atLeast(let bound): (value >= bound, "at least \(describe(bound))")
        case .moreThan(let bound): (value > bound, "more than \(describe(bound))")
        case .atMost(let bound): (value <= bound, "at most \(describe(bound))")
        case .lessThan(let bound): (value < bound, "less than \(describe(bound))")
        }
      if !isKept { report("expected \(wanted), got \(describe(value))") }
    }

    private mutating func check(_ value: JSONValue, _ alternatives: [Int]) {
      var reasons: [String] = []
      var isUndecided = false
      for alternative in alternatives {
        var trial = Check(subschemas: subschemas, limit: 1, path: path)
        trial.apply(alternative, to: value)
        guard let reason = trial.violations.first else { return }
        let place = reason.path == path.description ? "" : "\(reason.path): "
        reasons.append(short(place + reason.message, to: 100))
        isUndecided = isUndecided || reason.isUndecided
      }
      let shown = reasons.prefix(4).joined(separator: "; ") + (reasons.count > 4 ? "; …" : "")
      report("fits none of \(alternatives.count) alternatives: \(shown)", isUndecided: isUndecided)
    }
  }
}

extension JSONSchema.ValueType {
  func includes(_ value: JSONValue) -> Bool {
    switch (self, value) {
    case (.null, .null), (.boolean, .bool), (.object, .object), (.array, .array),
      (.string, .string), (.number, .number):
      true
    // 1.0 is an integer: JSON knows only one kind of number.
    case (.integer, .number(let number)): number == number.rounded(.towardZero)
    default: false
    }
  }
}

/// The way from a JSON value to a value in it.
struct ValuePath: CustomStringConvertible {
  enum Step {
    case member(String)
    case element(Int)
  }

  var steps: [Step] = []

  var description: String {
    if steps.isEmpty { return "$" }
    var text = ""
    for step in steps {
      switch step {
      case .element(let index): text += "[\(index)]"
      case .member(let name) where isPlain(name): text += text.isEmpty ? name : "." + name
      case .member(let name): text += "[\(short(JSONValue.string(name).jsonText))]"
      }
    }
    return text
  }

  private func isPlain(_ name: String) -> Bool {
    !name.isEmpty && name.unicodeScalars.count <= 60
      && name.unicodeScalars.allSatisfy {
        $0.properties.isAlphabetic || $0.properties.numericType != nil
          || "_-$".unicodeScalars.contains($0)
      }
  }
}

/// The start of a text that a model may have made as long as it liked.
private func short(_ text: String, to limit: Int = 60) -> String {
  let start = text.unicodeScalars.prefix(limit)
  return start.endIndex == text.unicodeScalars.endIndex ? text : String(start) + "…"
}
