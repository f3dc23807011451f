package import SluiceSupport

/// A JSON Schema of draft 2020-12, compiled once and then asked about many values.
///
/// Its subschemas stand in one table and name each other by index, so that a reference may lead back
/// to where it came from. What is known of numbers are doubles, of texts their Unicode scalars:
/// lengths count them, and equality is theirs.
package struct JSONSchema: Sendable {
  /// How many violations of one value are told.
  package static let maximumViolations = 20

  /// How deep subschemas may lead into each other while one value is checked.
  static let maximumDepth = 500

  /// What a schema says about a value.
  package enum Outcome: Hashable, Sendable {
    case fits
    /// The value breaks these rules, no more than ``maximumViolations``.
    case breaks([Violation])
    /// It is not known whether the value fits, because finding out would take too long.
    case undecided(Violation)
  }

  /// A rule that a value breaks, and where.
  package struct Violation: Hashable, Sendable, CustomStringConvertible {
    /// The place in the value, such as `actionItems[2].dueDate`; `$` is the value as a whole.
    package var path: String
    package var message: String

    package var description: String { "\(path): \(message)" }
  }

  /// One keyword with its argument; `Int` is the index of a subschema.
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
    case number(Limit<Double>)
    case multiple(Double)
    case reference(Int)
    case all([Int])
    case any([Int])
    case one([Int])
    case not(Int)
    case condition(Int, then: Int?, otherwise: Int?)
  }

  /// A type of the keyword `type`.
  enum ValueType: String, CaseIterable, Sendable {
    case null, boolean, object, array, number, string, integer

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

  /// What holds for the members of an object.
  struct Members: Sendable {
    var named: [ExactString: Int] = [:]
    var patterns: [(pattern: Pattern, schema: Int)] = []
    /// What holds for those that no name and no pattern speaks of.
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

  /// The rules of each subschema in the order in which they are checked; the first is the root.
  private let subschemas: [[Rule]]

  /// Compiles a schema strictly: what this reader does not know is an error, never skipped.
  ///
  /// - Parameters:
  ///   - node: The schema; references in it start here, wherever in a file it stands.
  ///   - file: The file that it stands in.
  ///   - diagnostics: Takes everything that is wrong with it.
  /// - Returns: The schema, or nil when there was an error.
  package static func compile(_ node: Node, file: SourceFile, diagnostics: DiagnosticCollector)
    -> JSONSchema?
  {
    Compiler.compile(node, file: file, diagnostics: diagnostics).map(JSONSchema.init(subschemas:))
  }

  /// Says whether a value fits.
  ///
  /// It takes time in proportion to the value's size: a schema whose alternatives would have it
  /// looked at over and over leaves undecided what a bounded number of steps does not tell.
  package func outcome(of value: JSONValue) -> Outcome {
    var check = Check(subschemas: subschemas, value: value)
    check.apply(0, to: value)
    return check.found.outcome
  }
}

extension JSONSchema {
  /// Reads what an argument says of a schema: a mapping is the schema itself, a text the path of its
  /// file.
  ///
  /// - Parameters:
  ///   - node: The argument.
  ///   - file: The file that it stands in.
  ///   - files: Where the schema's file is read, and faults are reported.
  /// - Returns: The schema, and its content where it was read from a file of its own; nil, with
  ///   errors reported, when it cannot be used.
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
  /// The first of them, with the number of the others.
  package var summary: String {
    let more = count > 1 ? " (and \(count - 1) more)" : ""
    return (first?.description ?? "no rule is broken") + more
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
      case .member(let name):
        // What is cut off is not escaped first: an answer may be a megabyte of it.
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
