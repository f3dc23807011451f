package import SluiceSupport

/// A JSON Schema of draft 2020-12, compiled once and then applied to many values.
///
/// The subschemas are stored in one table and refer to each other by index, so that references can
/// be recursive. Numbers are doubles. Texts are sequences of Unicode scalars: their length is the
/// number of scalars, and they are equal if their scalars are equal.
package struct JSONSchema: Sendable {
  /// The maximum number of violations that are reported for a value.
  package static let maximumViolations = 20

  /// The maximum depth of nested subschemas while a value is checked.
  static let maximumDepth = 500

  /// The result of checking a value.
  package enum Outcome: Hashable, Sendable {
    case fits
    /// The value violates these rules.
    ///
    /// The list contains at most ``maximumViolations`` of them.
    case breaks([Violation])
    /// The result is unknown, because the check would take too long.
    case undecided(Violation)
  }

  /// A rule that a value violates, with the location of the violation.
  package struct Violation: Hashable, Sendable, CustomStringConvertible {
    /// The path in the value, such as `actionItems[2].dueDate`; `$` for the whole value.
    package var path: String
    package var message: String

    package var description: String { "\(path): \(message)" }
  }

  /// A keyword with its argument.
  ///
  /// An `Int` is the index of a subschema.
  enum Rule: Sendable {
    case nothing
    case types([ValueType])
    case values([JSONValue])
    case required([String])
    case dependentRequired([(name: String, required: [String])])
    case dependentSchemas([(name: String, schema: Int)])
    case memberCount(Limit<Int>)
    case memberNames(Int)
    case members(Members)
    case elements(first: [Int], others: Int?)
    case contains(Int, atLeast: Int, atMost: Int?)
    case elementCount(Limit<Int>)
    case unique
    case length(Limit<Int>)
    case pattern(Pattern)
    case format(Format)
    case number(Limit<ExactNumber>)
    case multiple(ExactNumber)
    case reference(Int)
    case all([Int])
    case any([Int])
    case one([Int])
    case not(Int)
    case condition(Int, then: Int?, otherwise: Int?)
  }

  /// A type that the keyword `type` can name.
  enum ValueType: String, CaseIterable, Sendable {
    case null, boolean, object, array, number, string, integer

    func includes(_ value: JSONValue) -> Bool {
      switch (self, value) {
      case (.null, .null), (.boolean, .bool), (.object, .object), (.array, .array),
        (.string, .string), (.number, .number), (.number, .exact):
        true
      // 1.0 is also an integer, because JSON has only one kind of number.
      case (.integer, .number(let number)): number == number.rounded(.towardZero)
      case (.integer, .exact(let number)): number.isWhole
      default: false
      }
    }
  }

  /// The rules for the members of an object.
  struct Members: Sendable {
    var named: [ExactString: Int] = [:]
    var patterns: [(pattern: Pattern, schema: Int)] = []
    /// The rule for members that no name or pattern matches.
    var others = Others.allowed
  }

  enum Others: Sendable {
    case allowed, refused
    case schema(Int)
  }

  /// A bound of a number, a length or a count.
  enum Limit<Value: Comparable & Sendable>: Sendable {
    case atLeast(Value), moreThan(Value), atMost(Value), lessThan(Value)

    func holds(for value: Value) -> Bool {
      switch self {
      case .atLeast(let bound): value >= bound
      case .moreThan(let bound): value > bound
      case .atMost(let bound): value <= bound
      case .lessThan(let bound): value < bound
      }
    }

    func wanted(_ describe: (Value) -> String) -> String {
      switch self {
      case .atLeast(let bound): "at least \(describe(bound))"
      case .moreThan(let bound): "more than \(describe(bound))"
      case .atMost(let bound): "at most \(describe(bound))"
      case .lessThan(let bound): "less than \(describe(bound))"
      }
    }
  }

  /// The rules of each subschema, in the order in which they are checked.
  ///
  /// The first subschema is the root.
  private let subschemas: [[Rule]]

  /// Compiles a schema strictly: keywords that are not supported are errors, and never ignored.
  ///
  /// - Parameters:
  ///   - node: The schema. Its references start from this node, wherever it is in the file.
  ///   - file: The file that contains the schema.
  ///   - diagnostics: Receives all errors.
  /// - Returns: The schema, or nil if there was an error.
  package static func compile(_ node: Node, file: SourceFile, diagnostics: DiagnosticCollector)
    -> JSONSchema?
  {
    Compiler.compile(node, file: file, diagnostics: diagnostics).map(JSONSchema.init(subschemas:))
  }

  /// Checks a value against the schema.
  ///
  /// The time is proportional to the size of the value, because the number of steps is limited. If
  /// the alternatives of the schema would need too many steps, the result is undecided.
  package func outcome(of value: JSONValue) -> Outcome {
    var check = Check(subschemas: subschemas, value: value)
    check.apply(0, to: value)
    return check.found.outcome
  }
}

extension JSONSchema {
  /// Reads the schema that a scorer has as its argument.
  ///
  /// A mapping is the schema itself, and a text is the path of a file with the schema.
  ///
  /// - Parameters:
  ///   - node: The argument.
  ///   - file: The file that contains the argument.
  ///   - files: Gives access to the schema's file, and collects errors.
  /// - Returns: The schema, and its content if it was read from another file. Nil, with errors
  ///   reported, if it is invalid.
  package static func read(_ node: Node, in file: SourceFile, files: ProjectFiles)
    -> (schema: JSONSchema, content: JSONValue)?
  {
    guard case .string(let reference) = node.value else {
      return compile(node, file: file, diagnostics: files.diagnostics).map { ($0, .null) }
    }
    guard let path = files.resolve(reference, in: file, at: node.position),
      let (root, source) = files.readTree(path),
      let schema = compile(root, file: source, diagnostics: files.diagnostics)
    else { return nil }
    return (schema, root.json)
  }
}

extension [JSONSchema.Violation] {
  /// The first violation, and the number of the other violations.
  package var summary: String {
    let more = count > 1 ? " (and \(count - 1) more)" : ""
    return (first?.description ?? "no violations") + more
  }
}

/// The path from a JSON value to a value inside of it.
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
      case .member(let name):
        // Cut before escaping, because an answer may contain a megabyte of text.
        let quoted = JSONValue.string(Excerpt.cut(name, to: 80)).jsonText
        text += "[\(Excerpt.cut(quoted, to: 60))]"
      }
    }
    return text
  }

  private func isPlain(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= 240 && name.unicodeScalars.count <= 60
      && name.unicodeScalars.allSatisfy {
        $0.properties.isAlphabetic || $0.properties.numericType != nil
          || "_-$".unicodeScalars.contains($0)
      }
  }
}
