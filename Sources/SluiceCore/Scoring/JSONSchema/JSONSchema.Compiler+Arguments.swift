import SluiceSupport

/// The methods that read the arguments of keywords.
extension JSONSchema.Compiler {
  mutating func types(_ node: Node) -> [JSONSchema.ValueType] {
    guard case .sequence(let nodes) = node.value else {
      return type(node, "'type'", "a text or a list").map { [$0] } ?? []
    }
    if nodes.isEmpty { fail("'type' must not be an empty list", at: node.position) }
    var types: [JSONSchema.ValueType] = []
    for node in nodes {
      guard let type = type(node, "an entry of 'type'", "a text") else { continue }
      if types.contains(type) {
        fail("'\(type.rawValue)' is listed twice in 'type'", at: node.position)
      }
      types.append(type)
    }
    return types
  }

  private mutating func type(_ node: Node, _ subject: String, _ wanted: String)
    -> JSONSchema.ValueType?
  {
    guard case .string(let name) = node.value else {
      // In YAML, `type: null` means that the value is missing, not the type named null.
      let isNull = if case .null = node.value { true } else { false }
      fail(
        "\(subject) must be \(wanted), not \(node.kind)",
        at: node.position,
        fix: isNull ? "write \"null\" in double quotes if you mean the type null" : nil
      )
      return nil
    }
    if let type = JSONSchema.ValueType(rawValue: name) { return type }
    fail(
      "unknown type '\(name)'",
      at: node.position,
      fix: NearestName.suggestion(
        for: name,
        among: JSONSchema.ValueType.allCases.map(\.rawValue)
      )
    )
    return nil
  }

  /// Compiles the schemas that a mapping contains, by name.
  mutating func schemas(_ node: Node, _ keyword: Keyword, at place: String) -> [(
    name: String, schema: Int
  )] {
    guard node.members != nil else {
      wrongType("'\(keyword.rawValue)'", "a mapping", node)
      return []
    }
    return uniqueMembers(of: node).map {
      ($0.key, schema($0.value, at: "\(place)/\(Self.pointerToken($0.key))"))
    }
  }

  /// Returns a name as a token of a JSON pointer (RFC 6901, section 3).
  private static func pointerToken(_ name: String) -> String {
    var token = ""
    for scalar in name.unicodeScalars {
      switch scalar {
      case "~": token += "~0"
      case "/": token += "~1"
      default: token.unicodeScalars.append(scalar)
      }
    }
    return token
  }

  mutating func alternatives(_ node: Node, _ keyword: Keyword, at place: String) -> [Int]? {
    list(node, keyword).map { nodes in
      nodes.enumerated().map { index, node in schema(node, at: "\(place)/\(index)") }
    }
  }

  mutating func requirements(_ node: Node) -> [(name: String, required: [String])] {
    guard node.members != nil else {
      wrongType("'dependentRequired'", "a mapping", node)
      return []
    }
    return uniqueMembers(of: node).map {
      ($0.key, names($0.value, "'\($0.key)' in 'dependentRequired'"))
    }
  }

  mutating func pattern(_ node: Node) -> JSONSchema.Pattern? {
    guard case .string(let source) = node.value else {
      wrongType("'pattern'", "a text", node)
      return nil
    }
    return pattern(source, "'pattern'", at: node.position)
  }

  mutating func pattern(_ source: String, _ subject: String, at position: SourcePosition)
    -> JSONSchema.Pattern?
  {
    do throws(BoundedRegex.PatternError) {
      return try JSONSchema.Pattern(source)
    } catch {
      fail("\(subject) is not a regular expression: \(error.message)", at: position)
      return nil
    }
  }

  mutating func format(_ node: Node) -> JSONSchema.Format? {
    guard case .string(let name) = node.value else {
      wrongType("'format'", "a text", node)
      return nil
    }
    if let format = JSONSchema.Format(rawValue: name) { return format }
    fail(
      "unknown format '\(name)'",
      at: node.position,
      fix: NearestName.suggestion(for: name, among: JSONSchema.Format.allCases.map(\.rawValue))
    )
    return nil
  }

  mutating func names(_ node: Node, _ subject: String) -> [String] {
    guard case .sequence(let nodes) = node.value else {
      wrongType(subject, "a list", node)
      return []
    }
    var names: [String] = []
    var known: Set<ExactString> = []
    for node in nodes {
      guard case .string(let name) = node.value else {
        wrongType("an entry of \(subject)", "a text", node)
        continue
      }
      if !known.insert(ExactString(name)).inserted {
        fail("'\(name)' is listed twice in \(subject)", at: node.position)
      }
      names.append(name)
    }
    return names
  }

  /// Reads the list of a keyword such as `enum` or `anyOf`.
  ///
  /// An empty list is an error.
  mutating func list(_ node: Node, _ keyword: Keyword) -> [Node]? {
    guard case .sequence(let nodes) = node.value else {
      wrongType("'\(keyword.rawValue)'", "a list", node)
      return nil
    }
    if nodes.isEmpty {
      fail("'\(keyword.rawValue)' must not be an empty list", at: node.position)
    }
    return nodes
  }

  mutating func number(_ node: Node, _ keyword: Keyword) -> ExactNumber? {
    if let number = node.json.decimal { return number }
    wrongType("'\(keyword.rawValue)'", "a number", node)
    return nil
  }

  mutating func divisor(_ node: Node) -> ExactNumber? {
    guard let number = number(node, .multipleOf) else { return nil }
    let most = ExactNumber.mostDivisorDigits
    if node.json.number ?? 0 <= 0 {
      fail("'multipleOf' must be more than 0, not \(number)", at: node.position)
    } else if number.digitCount > most {
      fail("'multipleOf' must have at most \(most) digits", at: node.position)
    } else {
      return number
    }
    return nil
  }

  mutating func natural(_ node: Node, _ keyword: Keyword) -> Int? {
    guard case .number = node.value else {
      wrongType("'\(keyword.rawValue)'", "a whole number of 0 or more", node)
      return nil
    }
    if let count = node.json.integer, count >= 0 { return count }
    fail(
      "'\(keyword.rawValue)' must be a whole number of 0 or more, not \(Excerpt.json(node.json))",
      at: node.position
    )
    return nil
  }

  mutating func truth(_ node: Node, _ keyword: Keyword) -> Bool? {
    if case .bool(let value) = node.value { return value }
    wrongType("'\(keyword.rawValue)'", "true or false", node)
    return nil
  }

  /// Returns the members of a mapping without duplicates.
  ///
  /// JSON text may contain duplicates.
  mutating func uniqueMembers(of node: Node) -> [Node.Member] {
    var first: [ExactString: SourcePosition] = [:]
    var members: [Node.Member] = []
    for member in node.members ?? [] {
      if let earlier = first[ExactString(member.key)] {
        fail(
          "duplicate key '\(member.key)', first on line \(earlier.line)",
          at: member.keyPosition,
          fix: "remove one of the two"
        )
      } else {
        first[ExactString(member.key)] = member.keyPosition
        members.append(member)
      }
    }
    return members
  }
}
