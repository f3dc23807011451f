import SluiceSupport

/// The arguments of an assertion with templates, which each case fills in.
///
/// A text that is only `{{name}}` becomes the value of that name, which may have any type. In any
/// other text, the values are inserted, and the result is a text. The contents of `{literal: …}`
/// are used as they are.
package struct AssertionTemplate: Sendable {
  /// A template with its position in the file.
  package struct Text: Sendable {
    package var template: Template
    package var position: TextPosition
  }

  /// The arguments of an assertion, which may contain templates.
  enum Arguments {
    /// The arguments are the same for every case.
    ///
    /// `literal` wrappers are already removed.
    case plain(Node)
    case template(AssertionTemplate)
  }

  /// The name by which templates refer to the expectations of a case.
  package static let expectedName = "expected"
  /// The name of the member whose value is used as it is.
  static let literalName = "literal"

  /// The templates, in the order in which they are written.
  let texts: [Text]
  private let root: Part
  /// True if the text is a pattern, so that inserted values must be matched literally.
  private let isPattern: Bool

  private indirect enum Part: Sendable {
    case node(Node)
    case text(Template, SourcePosition)
    case list([Part], SourcePosition)
    case mapping([(member: Node.Member, part: Part)], SourcePosition)
  }

  /// Reads the arguments of an assertion; nil, with errors reported, if they are invalid.
  static func read(_ arguments: ScorerArguments) -> Arguments? {
    var reading = Reading(arguments: arguments)
    let root = reading.part(arguments.spec.arguments)
    if reading.isWrong { return nil }
    if reading.texts.isEmpty, case .node(let node) = root { return .plain(node) }
    return .template(
      AssertionTemplate(
        texts: reading.texts,
        root: root,
        isPattern: arguments.spec.type.hasSuffix("regex")
      )
    )
  }

  /// Returns the names of the inputs, and the keys under `expected:`, to which templates in the
  /// arguments refer.
  static func names(in node: Node) -> (inputs: Set<String>, expected: Set<String>) {
    var (inputs, expected): (Set<String>, Set<String>) = ([], [])
    func read(_ node: Node) {
      switch node.value {
      case .string(let text):
        guard text.contains("{{"), let template = try? Template(text) else { return }
        inputs.formUnion(template.inputs.subtracting([expectedName]))
        expected.formUnion(template.names(under: expectedName))
      case .sequence(let nodes): nodes.forEach(read)
      case .mapping(let members):
        if literal(in: members) == nil { for member in members { read(member.value) } }
      default: break
      }
    }
    read(node)
    return (inputs, expected)
  }

  /// Reports each `{{name}}` in the schema of an assertion, since Sluice does not fill in schemas.
  ///
  /// Returns true if the schema contains no `{{name}}`.
  static func isPlainSchema(in arguments: ScorerArguments) -> Bool {
    var isPlain = true
    func read(_ node: Node) {
      switch node.value {
      case .string(let text):
        guard text.contains("{{"), let template = try? Template(text), !template.isConstant else {
          return
        }
        isPlain = false
        let position = TextPosition(text, at: node.position, in: arguments.spec.file)
        arguments.diagnostics.error(
          "templates are not supported in a schema: '\(Excerpt.cut(text))'",
          in: arguments.spec.file,
          at: position.position(of: template.variables.first?.offset ?? 0),
          fix: "compare the value with 'json-path', or put the schema in a file, where braces "
            + "stay as they are"
        )
      case .sequence(let nodes): nodes.forEach(read)
      case .mapping(let members): for member in members { read(member.value) }
      default: break
      }
    }
    read(arguments.spec.arguments)
    return isPlain
  }

  /// Returns true if a text contains a tag (`{{…}}`), even a tag that is not closed.
  ///
  /// Braces are plain text if they are neither closed nor followed by a name.
  private static func hasTag(_ text: String) -> Bool {
    guard let open = text.firstRange(of: "{{") else { return false }
    let rest = text[open.upperBound...]
    let first = rest.unicodeScalars.first { !$0.properties.isWhitespace }
    return rest.contains("}}") || first.map { $0.properties.isAlphabetic || $0 == "_" } ?? false
  }

  private static func literal(in members: [Node.Member]) -> Node? {
    members.count == 1 && members[0].key == literalName ? members[0].value : nil
  }

  // MARK: Reading

  private struct Reading {
    let arguments: ScorerArguments
    var texts: [Text] = []
    var isWrong = false

    mutating func part(_ node: Node) -> Part {
      switch node.value {
      case .null, .bool, .number: return .node(node)
      case .string(let text): return part(text, node)
      case .sequence(let nodes):
        let parts = nodes.map { part($0) }
        return Self.joined(parts).map { .node(Node(position: node.position, value: .sequence($0))) }
          ?? .list(parts, node.position)
      case .mapping(let members):
        if let literal = AssertionTemplate.literal(in: members) { return .node(literal) }
        let parts = members.map { part($0.value) }
        guard let nodes = Self.joined(parts) else {
          return .mapping(Array(zip(members, parts)).map { (member: $0, part: $1) }, node.position)
        }
        let plain = zip(members, nodes).map { member, node in
          Node.Member(key: member.key, keyPosition: member.keyPosition, value: node)
        }
        return .node(Node(position: node.position, value: .mapping(plain)))
      }
    }

    /// Returns the nodes of the given parts; nil if a part depends on the case.
    private static func joined(_ parts: [Part]) -> [Node]? {
      let nodes = parts.compactMap { part in if case .node(let node) = part { node } else { nil } }
      return nodes.count == parts.count ? nodes : nil
    }

    private mutating func part(_ text: String, _ node: Node) -> Part {
      if FileReference.isOne(text) {
        refuse(
          "'\(Excerpt.cut(text))' would be compared as text: assertions cannot read files",
          at: node.position,
          fix: "write the text itself, or put it under 'expected' of the case and write "
            + "'{{expected.NAME}}'; to compare with exactly this text, write \(Self.literal(text))"
        )
        return .node(node)
      }
      guard AssertionTemplate.hasTag(text) else { return .node(node) }
      let position = TextPosition(text, at: node.position, in: arguments.spec.file)
      do throws(Template.Problem) {
        let template = try Template(text)
        if let fault = AssertionTemplate.fault(in: template) {
          refuse(fault.message, at: position.position(of: fault.offset), fix: fault.fix)
        }
        if template.isConstant {
          let plain = try template.render([:])
          return .node(Node(position: node.position, value: .string(plain)))
        }
        texts.append(Text(template: template, position: position))
        return .text(template, node.position)
      } catch {
        let plain = "to use the text literally, write \(Self.literal(text))"
        refuse(
          error.message,
          at: position.position(of: error.offset),
          fix: error.fix.map { "\($0); \(plain)" } ?? plain
        )
        return .node(node)
      }
    }

    /// Returns the form `{literal: …}` of a text.
    private static func literal(_ text: String) -> String {
      "{literal: \(JSONValue.string(text).jsonText)}"
    }

    private mutating func refuse(_ message: String, at position: SourcePosition, fix: String?) {
      isWrong = true
      arguments.diagnostics.error(message, in: arguments.spec.file, at: position, fix: fix)
    }
  }

  /// Returns a problem if a template uses a feature that assertions do not support; otherwise nil.
  private static func fault(in template: Template) -> Template.Problem? {
    if let section = template.firstSection {
      return Template.Problem(
        offset: section.offset,
        message: "template sections such as '\(section.tag)' are not supported in assertions",
        fix: "write only the name of a value, such as {{expected.NAME}}"
      )
    }
    for variable in template.variables {
      if variable.path == [expectedName] {
        return Template.Problem(
          offset: variable.offset,
          message: "'{{expected}}' means all expected values of the case, not a single one",
          fix: "name one value, such as {{expected.NAME}}"
        )
      }
      if variable.path.isEmpty {
        return Template.Problem(
          offset: variable.offset,
          message: "'{{.}}' has no meaning in an assertion",
          fix: "name an input of the case, or {{expected.NAME}}"
        )
      }
    }
    return nil
  }

  // MARK: Filling

  /// Returns the values that an assertion can refer to: the inputs of a case and its expectations.
  static func context(_ testCase: TestCase) -> JSONValue {
    var context = testCase.input.object ?? [:]
    context[expectedName] = testCase.expected.object.map(JSONValue.object) ?? [:]
    return .object(context)
  }

  /// Returns the arguments for a case.
  ///
  /// - Parameter testCase: The case.
  /// - Returns: The arguments, with the source positions of their templates.
  /// - Throws: A problem with the first `{{name}}` for which the case has no value.
  func filled(_ testCase: TestCase) throws(Template.Problem) -> Node {
    try filled(root, Self.context(testCase))
  }

  /// Returns the arguments of an assertion that belongs to a case.
  ///
  /// Nil, with errors reported, if the case has no value for a `{{name}}`.
  func filled(_ testCase: TestCase, reportingTo arguments: ScorerArguments) -> Node? {
    var isWhole = true
    for text in texts {
      for problem in text.template.problems(fillingAssertionFor: testCase) {
        isWhole = false
        arguments.diagnostics.error(
          "the case '\(testCase.id)' has no '\(problem.message)'",
          in: arguments.spec.file,
          at: text.position.position(of: problem.offset),
          fix: problem.fix.map { "did you mean '\($0)'?" } ?? Self.missingFix(problem.message)
        )
      }
    }
    return isWhole ? try? filled(testCase) : nil
  }

  /// Returns the fix for a `{{name}}` for which a case has no value.
  static func missingFix(_ name: String) -> String {
    let part = name.hasPrefix("\(expectedName).") ? expectedName : "input"
    return "give it a value under '\(part)', or remove it from the assertion"
  }

  private func filled(_ part: Part, _ context: JSONValue) throws(Template.Problem) -> Node {
    switch part {
    case .node(let node): return node
    case .text(let template, let position):
      if isPattern {
        var quoted = QuotedOutput()
        try template.render(context, to: &quoted)
        return Node(position: position, value: .string(quoted.text))
      }
      return Node(try template.value(context), at: position)
    case .list(let parts, let position):
      var nodes: [Node] = []
      for part in parts { nodes.append(try filled(part, context)) }
      return Node(position: position, value: .sequence(nodes))
    case .mapping(let members, let position):
      var filledMembers: [Node.Member] = []
      for (member, part) in members {
        filledMembers.append(
          Node.Member(
            key: member.key,
            keyPosition: member.keyPosition,
            value: try filled(part, context)
          )
        )
      }
      return Node(position: position, value: .mapping(filledMembers))
    }
  }

  /// The output for the text of a pattern.
  ///
  /// Inserted values are quoted, so that they match literally.
  private struct QuotedOutput: TemplateOutput {
    var text = ""

    mutating func append(_ text: String) { self.text += text }
    mutating func append(filled text: String) { self.text += BoundedRegex.quoted(text) }
  }
}

extension Template {
  /// Returns a problem for each `{{name}}` of an assertion for which a case has no value.
  ///
  /// The fix of the problem is the name that was most likely meant.
  package func problems(fillingAssertionFor testCase: TestCase) -> [Problem] {
    let context = AssertionTemplate.context(testCase)
    return problems(fillingValue: context).map { problem in
      var problem = problem
      let first = problem.message.split(separator: ".").first.map(String.init) ?? ""
      // The name is a key of `expected`, written without the prefix `expected.`.
      if testCase.expected[first] != nil { problem.fix = "expected.\(problem.message)" }
      return problem
    }
  }
}
