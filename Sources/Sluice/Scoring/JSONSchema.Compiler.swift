extension JSONSchema {
  /// Turns a tree with positions into the table of subschemas.
  struct Compiler {
    private let file: SourceFile
    private let diagnostics: DiagnosticCollector
    private var subschemas: [[Rule]] = []
    private var hasFailed = false

    private init(file: SourceFile, diagnostics: DiagnosticCollector) {
      self.file = file
      self.diagnostics = diagnostics
    }

    /// Returns the subschemas, the root first, or nil when there was an error.
    static func compile(_ node: Node, file: SourceFile, diagnostics: DiagnosticCollector)
      -> [[Rule]]?
    {
      var compiler = Compiler(file: file, diagnostics: diagnostics)
      _ = compiler.schema(node)
      return compiler.hasFailed ? nil : compiler.subschemas
    }

    /// The keywords that are understood, in the order in which their rules are checked.
    private enum Keyword: String, CaseIterable {
      case type, `enum`, const
      case required, properties, additionalProperties
      case minItems, maxItems, uniqueItems, items
      case minLength, maxLength, pattern
      case minimum, exclusiveMinimum, maximum, exclusiveMaximum
      case anyOf
      // These tell a reader something and a validator nothing.
      case title, description, `default`, examples
      case schema = "$schema"
      case comment = "$comment"
    }

    /// The rest of draft 2020-12, so that an author learns that the word was right.
    private static let unsupportedKeywords: Set<String> = [
      "$anchor", "$defs", "$dynamicAnchor", "$dynamicRef", "$id", "$ref", "$vocabulary", "allOf",
      "contains", "contentEncoding", "contentMediaType", "contentSchema", "dependentRequired",
      "dependentSchemas", "deprecated", "else", "format", "if", "maxContains", "maxProperties",
      "minContains", "minProperties", "multipleOf", "not", "oneOf", "patternProperties",
      "prefixItems", "propertyNames", "readOnly", "then", "unevaluatedItems",
      "unevaluatedProperties", "writeOnly",
    ]

    // MARK: Schemas

    /// Compiles a subschema and returns its index.
    private mutating func schema(_ node: Node) -> Int {
      let index = subschemas.count
      subschemas.append([])
      switch node.value {
      case .bool(let allowsAll): subschemas[index] = allowsAll ? [] : [.nothing]
      case .mapping: subschemas[index] = rules(node)
      default: wrongType("a schema", "a mapping, true or false", node)
      }
      return index
    }

    private mutating func rules(_ node: Node) -> [Rule] {
      var values: [Keyword: Node] = [:]
      for member in uniqueMembers(of: node) {
        if let keyword = Keyword(rawValue: member.key) {
          values[keyword] = member.value
        } else if Self.unsupportedKeywords.contains(member.key) {
          fail(
            "the keyword '\(member.key)' is not supported",
            at: member.keyPosition,
            fix: "supported: \(Self.knownNames.joined(separator: ", "))"
          )
        } else {
          fail(
            "unknown keyword '\(member.key)' in a schema",
            at: member.keyPosition,
            fix: NearestName.suggestion(for: member.key, among: Self.knownNames)
          )
        }
      }
      return Keyword.allCases.compactMap { keyword in
        values[keyword].flatMap { rule(keyword, $0, beside: values) }
      }
    }

    private static let knownNames = Keyword.allCases.map(\.rawValue)

    private mutating func rule(
      _ keyword: Keyword,
      _ value: Node,
      beside siblings: [Keyword: Node]
    ) -> Rule? {
      switch keyword {
      case .type: return .types(types(value))
      case .enum: return list(value, keyword).map { .values($0.map(\.json)) }
      case .const: return .values([value.json])
      case .required: return .required(names(value, keyword))
      case .properties:
        let named = properties(value)
        return .members(named: named, others: self.others(siblings[.additionalProperties]))
      case .additionalProperties:
        // Beside `properties` it has been read with them.
        return siblings[.properties] == nil ? .members(named: [], others: self.others(value)) : nil
      case .minItems: return natural(value, keyword).map { .count(.atLeast($0)) }
      case .maxItems: return natural(value, keyword).map { .count(.atMost($0)) }
      case .uniqueItems: return truth(value, keyword) == true ? .unique : nil
      case .items: return items(value)
      case .minLength: return natural(value, keyword).map { .length(.atLeast($0)) }
      case .maxLength: return natural(value, keyword).map { .length(.atMost($0)) }
      case .pattern: return pattern(value).map(Rule.pattern)
      case .minimum: return number(value, keyword).map { .number(.atLeast($0)) }
      case .exclusiveMinimum: return number(value, keyword).map { .number(.moreThan($0)) }
      case .maximum: return number(value, keyword).map { .number(.atMost($0)) }
      case .exclusiveMaximum: return number(value, keyword).map { .number(.lessThan($0)) }
      case .anyOf: return list(value, keyword).map { .any(alternatives($0)) }
      case .title, .description, .default, .examples, .schema, .comment: return nil
      }
    }

    // MARK: Arguments

    private mutating func types(_ node: Node) -> [ValueType] {
      guard case .sequence(let nodes) = node.value else {
        return type(node, "'type'", "a text or a list").map { [$0] } ?? []
      }
      if nodes.isEmpty { fail("'type' must not be an empty list", at: node.position) }
      var types: [ValueType] = []
      for node in nodes {
        guard let type = type(node, "an entry of 'type'", "a text") else { continue }
        if types.contains(type) {
          fail("'\(type.rawValue)' is listed twice in 'type'", at: node.position)
        }
        types.append(type)
      }
      return types
    }

    private mutating func type(_ node: Node, _ subject: String, _ wanted: String) -> ValueType? {
      guard case .string(let name) = node.value else {
        // YAML's `type: null` is the absence of a value, not the name of the type.
        let isNull = if case .null = node.value { true } else { false }
        fail(
          "\(subject) must be \(wanted), not \(node.kind)",
          at: node.position,
          fix: isNull ? "put it in double quotes if the type is meant" : nil
        )
        return nil
      }
      if let type = ValueType(rawValue: name) { return type }
      fail(
        "unknown type '\(name)'",
        at: node.position,
        fix: NearestName.suggestion(for: name, among: ValueType.allCases.map(\.rawValue))
      )
      return nil
    }

    private mutating func properties(_ node: Node) -> [(name: String, schema: Int)] {
      guard node.members != nil else {
        wrongType("'properties'", "a mapping", node)
        return []
      }
      return uniqueMembers(of: node).map { ($0.key, schema($0.value)) }
    }

    private mutating func others(_ node: Node?) -> Others {
      switch node?.value {
      case nil, .bool(true): .allowed
      // Rather than as a subschema: "unknown member" says more than "no value is allowed here".
      case .bool(false): .refused
      default: node.map { .schema(schema($0)) } ?? .allowed
      }
    }

    private mutating func items(_ node: Node) -> Rule? {
      if case .sequence = node.value {
        fail(
          "'items' must be one schema for all elements, not a list",
          at: node.position,
          fix: "put the alternatives under 'anyOf' inside 'items'"
        )
        return nil
      }
      return .elements(schema(node))
    }

    private mutating func alternatives(_ nodes: [Node]) -> [Int] { nodes.map { schema($0) } }

    private mutating func pattern(_ node: Node) -> Pattern? {
      guard case .string(let source) = node.value else {
        wrongType("'pattern'", "a text", node)
        return nil
      }
      do throws(BoundedRegex.PatternError) {
        return try Pattern(source)
      } catch {
        fail("'pattern' is not a regular expression: \(error.message)", at: node.position)
        return nil
      }
    }

    private mutating func names(_ node: Node, _ keyword: Keyword) -> [String] {
      guard case .sequence(let nodes) = node.value else {
        wrongType("'\(keyword.rawValue)'", "a list", node)
        return []
      }
      var names: [String] = []
      for node in nodes {
        guard case .string(let name) = node.value else {
          wrongType("an entry of '\(keyword.rawValue)'", "a text", node)
          continue
        }
        if names.contains(where: { $0.isIdentical(to: name) }) {
          fail("'\(name)' is listed twice in '\(keyword.rawValue)'", at: node.position)
        }
        names.append(name)
      }
      return names
    }

    /// A list that is not empty: with an empty one no value could be right.
    private mutating func list(_ node: Node, _ keyword: Keyword) -> [Node]? {
      guard case .sequence(let nodes) = node.value else {
        wrongType("'\(keyword.rawValue)'", "a list", node)
        return nil
      }
      if nodes.isEmpty {
        fail("'\(keyword.rawValue)' must not be an empty list", at: node.position)
      }
      return nodes
    }

    private mutating func number(_ node: Node, _ keyword: Keyword) -> Double? {
      if case .number(let number) = node.value { return number }
      wrongType("'\(keyword.rawValue)'", "a number", node)
      return nil
    }

    private mutating func natural(_ node: Node, _ keyword: Keyword) -> Int? {
      guard case .number(let number) = node.value else {
        wrongType("'\(keyword.rawValue)'", "a whole number from 0", node)
        return nil
      }
      if let count = Int(exactly: number), count >= 0 { return count }
      fail(
        "'\(keyword.rawValue)' must be a whole number from 0, not \(JSONWriter.number(number))",
        at: node.position
      )
      return nil
    }

    private mutating func truth(_ node: Node, _ keyword: Keyword) -> Bool? {
      if case .bool(let value) = node.value { return value }
      wrongType("'\(keyword.rawValue)'", "true or false", node)
      return nil
    }

    // MARK: Errors

    /// The members of a mapping; a JSON text may repeat a name.
    private mutating func uniqueMembers(of node: Node) -> [Node.Member] {
      var first: [[UInt8]: SourcePosition] = [:]
      var members: [Node.Member] = []
      for member in node.members ?? [] {
        if let earlier = first[Array(member.key.utf8)] {
          fail(
            "duplicate key '\(member.key)', first on line \(earlier.line)",
            at: member.keyPosition,
            fix: "remove one of the two"
          )
        } else {
          first[Array(member.key.utf8)] = member.keyPosition
          members.append(member)
        }
      }
      return members
    }

    private mutating func wrongType(_ subject: String, _ wanted: String, _ node: Node) {
      fail("\(subject) must be \(wanted), not \(node.kind)", at: node.position)
    }

    private mutating func fail(_ message: String, at position: SourcePosition, fix: String? = nil) {
      hasFailed = true
      diagnostics.error(message, in: file, at: position, fix: fix)
    }
  }
}
