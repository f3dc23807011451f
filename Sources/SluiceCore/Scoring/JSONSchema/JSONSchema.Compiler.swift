import SluiceSupport

extension JSONSchema {
  /// The compiler of a schema, which produces a table of subschemas.
  ///
  /// The schema is given as a tree with source positions.
  struct Compiler {
    let file: SourceFile
    let diagnostics: DiagnosticCollector
    private var subschemas: [[Rule]] = []
    var references = References()
    private var hasFailed = false

    private init(file: SourceFile, diagnostics: DiagnosticCollector) {
      self.file = file
      self.diagnostics = diagnostics
    }

    /// Returns the subschemas, the root first, or nil if there was an error.
    static func compile(_ node: Node, file: SourceFile, diagnostics: DiagnosticCollector)
      -> [[Rule]]?
    {
      var compiler = Compiler(file: file, diagnostics: diagnostics)
      _ = compiler.schema(node, at: "")
      let (rules, problems) = compiler.references.resolved(in: compiler.subschemas)
      for problem in problems {
        compiler.fail(problem.message, at: problem.position, fix: problem.fix)
      }
      return compiler.hasFailed ? nil : rules
    }

    /// The supported keywords, in the order in which their rules are checked.
    enum Keyword: String, CaseIterable {
      case type, `enum`, const
      case reference = "$ref"
      case required, dependentRequired, minProperties, maxProperties, propertyNames
      case properties, patternProperties, additionalProperties, dependentSchemas
      case minItems, maxItems, uniqueItems, prefixItems, items, contains, minContains, maxContains
      case minLength, maxLength, pattern, format
      case minimum, exclusiveMinimum, maximum, exclusiveMaximum, multipleOf
      case allOf, anyOf, oneOf, not
      case `if`, then, `else`
      case definitions = "$defs"
      /// The name of `$defs` in drafts before 2019-09.
      ///
      /// Later drafts still support it.
      case oldDefinitions = "definitions"
      case anchor = "$anchor"
      case id = "$id"
      case schema = "$schema"
      // These keywords are annotations. They do not affect validation.
      case comment = "$comment"
      case title, description, `default`, examples, deprecated, readOnly, writeOnly
    }

    private static let knownNames = Keyword.allCases.map(\.rawValue)

    /// The keywords of JSON Schema that are not supported, each with a fix.
    ///
    /// Their own message tells authors that the keyword is not misspelled.
    private static let unsupportedKeywords: [(name: String, fix: String)] = [
      ("$dynamicAnchor", "write '$anchor'"),
      ("$dynamicRef", "write '$ref'"),
      ("$recursiveAnchor", "remove it"),
      ("$recursiveRef", "write '$ref'"),
      ("$vocabulary", "remove it"),
      ("additionalItems", "write 'prefixItems' for the list and 'items' for the elements after it"),
      ("contentEncoding", "remove it, or write 'pattern'"),
      ("contentMediaType", "remove it"),
      ("contentSchema", "remove it; Sluice does not parse the contents of strings"),
      ("dependencies", "write 'dependentRequired' or 'dependentSchemas'"),
      ("unevaluatedItems", "write 'items: false' next to 'prefixItems'"),
      ("unevaluatedProperties", "write 'additionalProperties: false' next to all 'properties'"),
    ]

    // MARK: Schemas

    /// Compiles the subschema at a JSON pointer, and returns its index.
    mutating func schema(_ node: Node, at pointer: String) -> Int {
      let index = subschemas.count
      subschemas.append([])
      references.places[ExactString(pointer)] = index
      switch node.value {
      case .bool(let allowsAll): subschemas[index] = allowsAll ? [] : [.nothing]
      case .mapping: subschemas[index] = rules(node, at: pointer)
      default: wrongType("a schema", "a mapping, true or false", node)
      }
      return index
    }

    private mutating func rules(_ node: Node, at pointer: String) -> [Rule] {
      var values: [Keyword: Node] = [:]
      for member in uniqueMembers(of: node) {
        if let keyword = Keyword(rawValue: member.key) {
          values[keyword] = member.value
        } else if let known = Self.unsupportedKeywords.first(where: { $0.name == member.key }) {
          fail(
            "the keyword '\(known.name)' is not supported",
            at: member.keyPosition,
            fix: known.fix
          )
        } else {
          fail(
            "unknown keyword '\(member.key)' in a schema",
            at: member.keyPosition,
            fix: NearestName.suggestion(for: member.key, among: Self.knownNames)
          )
        }
      }
      if let draft = values[.schema] { readDraft(draft) }
      let siblings = Siblings(pointer: pointer, values: values)
      return Keyword.allCases.compactMap { keyword in
        values[keyword].flatMap { rule(keyword, $0, siblings) }
      }
    }

    /// The keywords of one schema.
    ///
    /// Some of them must be read together.
    struct Siblings {
      let pointer: String
      let values: [Keyword: Node]

      func place(_ keyword: Keyword) -> String { "\(pointer)/\(keyword.rawValue)" }

      /// Returns true if a keyword is the first keyword of a group in this schema.
      ///
      /// The keywords of a group are read together, at the first of them.
      func isFirst(_ keyword: Keyword, of group: [Keyword]) -> Bool {
        group.first { values[$0] != nil } == keyword
      }
    }

    private mutating func rule(_ keyword: Keyword, _ value: Node, _ siblings: Siblings) -> Rule? {
      let place = siblings.place(keyword)
      switch keyword {
      case .type: return .types(types(value))
      case .enum: return list(value, keyword).map { .values($0.map(\.json)) }
      case .const: return .values([value.json])
      case .required: return .required(names(value, "'required'"))
      case .minProperties: return natural(value, keyword).map { .memberCount(.atLeast($0)) }
      case .maxProperties: return natural(value, keyword).map { .memberCount(.atMost($0)) }
      case .propertyNames: return .memberNames(schema(value, at: place))
      case .dependentRequired: return .dependentRequired(requirements(value))
      case .dependentSchemas: return .dependentSchemas(schemas(value, keyword, at: place))
      case .properties, .patternProperties, .additionalProperties:
        let group: [Keyword] = [.properties, .patternProperties, .additionalProperties]
        return siblings.isFirst(keyword, of: group) ? members(siblings) : nil
      case .minItems: return natural(value, keyword).map { .elementCount(.atLeast($0)) }
      case .maxItems: return natural(value, keyword).map { .elementCount(.atMost($0)) }
      case .uniqueItems: return truth(value, keyword) == true ? .unique : nil
      case .prefixItems, .items:
        return siblings.isFirst(keyword, of: [.prefixItems, .items]) ? elements(siblings) : nil
      case .contains:
        let least = siblings.values[.minContains].flatMap { natural($0, .minContains) }
        let most = siblings.values[.maxContains].flatMap { natural($0, .maxContains) }
        return .contains(schema(value, at: place), atLeast: least ?? 1, atMost: most)
      case .minContains, .maxContains:
        // These keywords have no effect without 'contains'.
        if siblings.values[.contains] == nil { _ = natural(value, keyword) }
        return nil
      case .minLength: return natural(value, keyword).map { .length(.atLeast($0)) }
      case .maxLength: return natural(value, keyword).map { .length(.atMost($0)) }
      case .pattern: return pattern(value).map(Rule.pattern)
      case .format: return format(value).map(Rule.format)
      case .minimum: return number(value, keyword).map { .number(.atLeast($0)) }
      case .exclusiveMinimum: return number(value, keyword).map { .number(.moreThan($0)) }
      case .maximum: return number(value, keyword).map { .number(.atMost($0)) }
      case .exclusiveMaximum: return number(value, keyword).map { .number(.lessThan($0)) }
      case .multipleOf: return divisor(value).map(Rule.multiple)
      case .allOf: return alternatives(value, keyword, at: place).map(Rule.all)
      case .anyOf: return alternatives(value, keyword, at: place).map(Rule.any)
      case .oneOf: return alternatives(value, keyword, at: place).map(Rule.one)
      case .not: return .not(schema(value, at: place))
      case .if: return condition(value, siblings)
      case .then, .else:
        // These keywords have no effect without 'if', but references may lead to them.
        if siblings.values[.if] == nil { _ = schema(value, at: place) }
        return nil
      case .definitions, .oldDefinitions:
        _ = schemas(value, keyword, at: place)
        return nil
      case .reference: return reference(value, siblings)
      case .anchor: nameAnchor(value, at: siblings.pointer)
      case .id: readID(value, at: siblings.pointer)
      case .schema, .comment, .title, .description, .default, .examples, .deprecated, .readOnly,
        .writeOnly:
        break
      }
      return nil
    }

    private mutating func members(_ siblings: Siblings) -> Rule {
      var members = Members()
      if let node = siblings.values[.properties] {
        for (name, schema) in schemas(node, .properties, at: siblings.place(.properties)) {
          members.named[ExactString(name)] = schema
        }
      }
      if let node = siblings.values[.patternProperties] {
        let place = siblings.place(.patternProperties)
        let patterns = Dictionary(
          (node.members ?? []).map { (ExactString($0.key), $0.keyPosition) },
          uniquingKeysWith: { first, _ in first }
        )
        for (source, schema) in schemas(node, .patternProperties, at: place) {
          let position = patterns[ExactString(source)] ?? node.position
          guard let pattern = pattern(source, "a name in 'patternProperties'", at: position) else {
            continue
          }
          members.patterns.append((pattern, schema))
        }
      }
      if let node = siblings.values[.additionalProperties] {
        let index = schema(node, at: siblings.place(.additionalProperties))
        members.others =
          switch node.value {
          // "Unknown member" is a more specific message than "no value is allowed here".
          case .bool(let allowsAll): allowsAll ? .allowed : .refused
          default: .schema(index)
          }
      }
      return .members(members)
    }

    private mutating func elements(_ siblings: Siblings) -> Rule? {
      let first = siblings.values[.prefixItems].flatMap {
        alternatives($0, .prefixItems, at: siblings.place(.prefixItems))
      }
      guard let others = siblings.values[.items] else {
        return first.map { .elements(first: $0, others: nil) }
      }
      if case .sequence = others.value {
        fail(
          "'items' must be one schema for all elements, not a list",
          at: others.position,
          fix: "write 'prefixItems' for one schema per element, or 'anyOf' inside 'items' for "
            + "alternatives"
        )
        return nil
      }
      return .elements(first: first ?? [], others: schema(others, at: siblings.place(.items)))
    }

    private mutating func condition(_ node: Node, _ siblings: Siblings) -> Rule? {
      let condition = schema(node, at: siblings.place(.if))
      let then = siblings.values[.then].map { schema($0, at: siblings.place(.then)) }
      let otherwise = siblings.values[.else].map { schema($0, at: siblings.place(.else)) }
      if then == nil, otherwise == nil { return nil }
      return .condition(condition, then: then, otherwise: otherwise)
    }

    // MARK: Errors

    mutating func wrongType(_ subject: String, _ wanted: String, _ node: Node) {
      fail("\(subject) must be \(wanted), not \(node.kind)", at: node.position)
    }

    mutating func fail(_ message: String, at position: SourcePosition, fix: String? = nil) {
      hasFailed = true
      diagnostics.error(message, in: file, at: position, fix: fix)
    }
  }
}
