public import SluiceSupport

/// A version of a prompt: templates of messages, parameters and the form of the answer.
package struct Prompt: Sendable {
  /// The file's name without its ending: `v2`.
  package var name: String
  package var path: ProjectPath
  package var parts: [Part]
  /// Sampling parameters under the names of the wire.
  package var parameters: JSONObject
  /// The places of the parameters in the file.
  package var parameterPositions: [String: SourcePosition] = [:]
  /// True where parameters that an API does not have are left out of its requests.
  package var ignoresUnsupported = false
  package var responseSchema: ResponseSchema?
  /// SHA-256 over the canonical JSON of all of it, templates unfilled.
  package var digest: String
  /// SHA-256 over the canonical JSON of the messages alone, templates unfilled.
  package var templateDigest: String

  package struct MessageTemplate: Sendable {
    package var role: MessageRole
    package var template: Template
    package var position: TextPosition
  }

  /// A piece of a prompt; pieces are sent in their order.
  package enum Part: Sendable {
    case message(MessageTemplate)
    case list(MessageList)

    package var template: Template {
      switch self {
      case .message(let message): message.template
      case .list(let list): list.template
      }
    }

    package var position: TextPosition {
      switch self {
      case .message(let message): message.position
      case .list(let list): list.position
      }
    }
  }

  /// The messages that the prompt itself has.
  package var messages: [MessageTemplate] {
    parts.compactMap { if case .message(let message) = $0 { message } else { nil } }
  }

  /// The lists of messages that cases insert.
  package var lists: [MessageList] {
    parts.compactMap { if case .list(let list) = $0 { list } else { nil } }
  }

  /// The inputs that the templates read.
  package var inputs: Set<String> {
    parts.reduce(into: []) { $0.formUnion($1.template.inputs) }
  }

  /// Returns what is sent for a case.
  ///
  /// - Throws: The first name that the case does not supply, or supplies as what cannot be inserted.
  package func render(_ testCase: TestCase) throws(Template.Problem) -> RenderedPrompt {
    try render(filledWith: testCase.input)
  }

  /// Returns what is sent for the members of an object.
  ///
  /// - Throws: The first name that the object does not supply, or supplies as what cannot be inserted.
  package func render(filledWith context: JSONValue) throws(Template.Problem) -> RenderedPrompt {
    var rendered: [ChatMessage] = []
    for part in parts {
      switch part {
      case .message(let message):
        rendered.append(ChatMessage(role: message.role, text: try message.template.render(context)))
      case .list(let list): rendered += try list.messages(in: context)
      }
    }
    return self.rendered(rendered)
  }
}

extension Prompt {
  /// Returns the prompt filled with messages.
  package func rendered(_ messages: [ChatMessage]) -> RenderedPrompt {
    var rendered = RenderedPrompt(
      messages: messages,
      parameters: parameters,
      responseSchema: responseSchema
    )
    rendered.ignoresUnsupported = ignoresUnsupported
    return rendered
  }
}

/// Who speaks in a message.
public enum MessageRole: String, Sendable, CaseIterable {
  case system, developer, user, assistant
}

/// A message of a conversation with a model.
public struct ChatMessage: Hashable, Sendable {
  /// Who speaks.
  public var role: MessageRole
  /// What is said.
  public var text: String

  /// Creates a message.
  ///
  /// - Parameters:
  ///   - role: Who speaks.
  ///   - text: What is said.
  public init(role: MessageRole, text: String) {
    self.role = role
    self.text = text
  }
}

/// The form that an answer must have.
public struct ResponseSchema: Hashable, Sendable {
  /// The name that is sent along with the schema.
  public var name: String
  /// The JSON Schema.
  public var schema: JSONValue

  /// Creates a form.
  ///
  /// - Parameters:
  ///   - name: The name that is sent along with the schema.
  ///   - schema: The JSON Schema.
  public init(name: String, schema: JSONValue) {
    self.name = name
    self.schema = schema
  }
}

/// A prompt filled for a case: what a backend is asked.
public struct RenderedPrompt: Hashable, Sendable {
  /// The messages, in order.
  public var messages: [ChatMessage]
  /// Sampling parameters under the names of the wire, such as `max_tokens`.
  public var parameters: JSONObject
  /// The form that the answer must have, if one is asked for.
  public var responseSchema: ResponseSchema?
  /// True where parameters that an API or a model does not take are left out.
  package var ignoresUnsupported = false

  /// Creates a rendered prompt.
  ///
  /// - Parameters:
  ///   - messages: The messages, in order.
  ///   - parameters: Sampling parameters under the names of the wire.
  ///   - responseSchema: The form that the answer must have.
  public init(
    messages: [ChatMessage],
    parameters: JSONObject = [:],
    responseSchema: ResponseSchema? = nil
  ) {
    self.messages = messages
    self.parameters = parameters
    self.responseSchema = responseSchema
  }
}
