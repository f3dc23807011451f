package import SluiceSupport

/// A JSON value with templates for the input of a case: the body of a request to an app.
///
/// A text that consists of one `{{name}}` becomes the value of that name, of any type; any other
/// text becomes a text. Member names are not templates.
package struct BodyTemplate: Hashable, Sendable {
  /// The name of the suite's prompt in a body.
  package static let promptName = "prompt"

  /// The value as written.
  package let source: JSONValue
  /// The templates in it, in order.
  package let texts: [Text]
  private let root: Part

  /// A template with its position in its file.
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

  /// Reads a body; nil, with errors reported, if a text in it is not a valid template.
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

  /// The inputs that the templates use.
  package var inputs: Set<String> {
    texts.reduce(into: []) { $0.formUnion($1.template.inputs) }
  }

  /// Returns the body for a case.
  ///
  /// - Parameter context: The case's input, with the prompt: ``RenderedPrompt/context(with:)``.
  /// - Returns: The body.
  /// - Throws: The first name that the context does not supply.
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

  // The written value counts, not its position.
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  package static func == (left: Self, right: Self) -> Bool { left.source == right.source }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  package func hash(into hasher: inout Hasher) { hasher.combine(source) }
}

extension RenderedPrompt {
  /// Returns the input of a case together with the prompt, for body templates.
  ///
  /// `prompt` contains `text` (all messages, separated by blank lines), the text of each role that
  /// occurs, and `messages`. It hides an input of the same name.
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

  /// The messages in the API's form.
  package var messagesJSON: JSONValue {
    .array(messages.map { ["role": .string($0.role.rawValue), "content": .string($0.text)] })
  }
}
