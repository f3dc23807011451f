package import SluiceSupport

/// The body of a request to an app: a JSON value with templates for the input of a case.
///
/// A text that consists of a single `{{name}}` becomes the value of that name, which may have any
/// type. In any other text, the variables are filled in, and the result is a text. Member names are
/// not templates.
package struct BodyTemplate: Hashable, Sendable {
  /// The name by which a body refers to the suite's prompt.
  package static let promptName = "prompt"

  /// The value as it is written in `sluice.yaml`.
  package let source: JSONValue
  /// The templates that the value contains, in order.
  package let texts: [Text]
  private let root: Part

  /// A template with its position in the file.
  package struct Text: Sendable {
    package var template: Template
    package var position: TextPosition
  }

  private indirect enum Part: Sendable {
    case value(JSONValue)
    case text(Template)
    case list([Part])
    case object([(name: String, part: Part)])
  }

  /// Reads a body; nil, with errors reported, if one of its texts is not a valid template.
  package init?(_ node: Node, file: SourceFile, diagnostics: DiagnosticCollector) {
    var texts: [Text] = []
    var isWhole = true
    func read(_ node: Node) -> Part {
      switch node.value {
      case .null, .bool, .number: return .value(node.json)
      case .sequence(let nodes): return .list(nodes.map(read))
      case .mapping(let members): return .object(members.map { ($0.key, read($0.value)) })
      case .string(let text):
        let position = TextPosition(text, at: node.position, in: file)
        do throws(Template.Problem) {
          let template = try Template(text)
            .renaming([Self.promptName], to: [Self.promptName, "text"])
          if template.isConstant { return .value(.string(try template.render([:]))) }
          texts.append(Text(template: template, position: position))
          return .text(template)
        } catch {
          diagnostics.error(
            error.message,
            in: file,
            at: position.position(of: error.offset),
            fix: error.fix
          )
          isWhole = false
          return .value(.null)
        }
      }
    }
    root = read(node)
    self.texts = texts
    source = node.json
    if !isWhole { return nil }
  }

  /// The names of the inputs that the templates use.
  package var inputs: Set<String> {
    texts.reduce(into: []) { $0.formUnion($1.template.inputs) }
  }

  /// Returns the body for a case.
  ///
  /// - Parameter context: The case's input together with the prompt, from
  ///   ``RenderedPrompt/context(with:)``.
  /// - Returns: The body.
  /// - Throws: ``Template/Problem`` about the first variable for which the context has no value.
  package func filled(_ context: JSONValue) throws(Template.Problem) -> JSONValue {
    try Self.filled(root, context)
  }

  private static func filled(_ part: Part, _ context: JSONValue) throws(Template.Problem)
    -> JSONValue
  {
    switch part {
    case .value(let value): return value
    case .text(let template): return try template.value(context)
    case .list(let parts):
      var elements: [JSONValue] = []
      for part in parts { elements.append(try filled(part, context)) }
      return .array(elements)
    case .object(let members):
      var object: [(name: String, value: JSONValue)] = []
      for member in members { object.append((member.name, try filled(member.part, context))) }
      return .object(JSONObject(object))
    }
  }

  // Two bodies are equal if their values are equal, whatever their positions in a file.
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  package static func == (left: Self, right: Self) -> Bool { left.source == right.source }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  package func hash(into hasher: inout Hasher) { hasher.combine(source) }
}

extension RenderedPrompt {
  /// Returns the input of a case together with the prompt, for body templates.
  ///
  /// The result is the input with an added or replaced member `prompt`. Inside of `prompt`, `text`
  /// contains all messages, separated by blank lines. A member such as `user` contains the messages
  /// of one role. `messages` is the list of all messages with their roles.
  package func context(with input: JSONValue) -> JSONValue {
    var prompt: JSONObject = ["text": .string(messages.map(\.text).joined(separator: "\n\n"))]
    for role in MessageRole.allCases {
      let texts = messages.filter { $0.role == role }.map(\.text)
      if !texts.isEmpty { prompt[role.rawValue] = .string(texts.joined(separator: "\n\n")) }
    }
    prompt["messages"] = messagesJSON
    var context = input.object ?? [:]
    context[BodyTemplate.promptName] = .object(prompt)
    return .object(context)
  }

  /// The messages as a JSON list of objects with `role` and `content`.
  package var messagesJSON: JSONValue {
    .array(messages.map { ["role": .string($0.role.rawValue), "content": .string($0.text)] })
  }
}
