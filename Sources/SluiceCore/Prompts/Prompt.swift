package import SluiceSupport

/// A version of a prompt: message templates, parameters, and the schema of the answer.
package struct Prompt: Sendable {
  /// The file's name without its extension, such as `v2`.
  package var name: String
  package var path: ProjectPath
  package var parts: [Part]
  /// The sampling parameters, under their names in the API.
  package var parameters: JSONObject
  /// The positions of the parameters in the file.
  package var parameterPositions: [String: SourcePosition] = [:]
  /// True if parameters that an API or a model does not support are left out.
  package var ignoresUnsupported = false
  package var responseSchema: ResponseSchema?
  /// The SHA-256 digest of the whole prompt as canonical JSON, before its templates are filled in.
  package var digest: String
  /// The SHA-256 digest of the messages alone as canonical JSON, before their templates are filled
  /// in.
  package var templateDigest: String

  package struct MessageTemplate: Sendable {
    package var role: MessageRole
    package var template: Template
    package var position: TextPosition
  }

  /// A part of a prompt.
  ///
  /// Parts are sent in order.
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

  /// The prompt's own messages.
  package var messages: [MessageTemplate] {
    parts.compactMap { if case .message(let message) = $0 { message } else { nil } }
  }

  /// The lists of messages that cases insert.
  package var lists: [MessageList] {
    parts.compactMap { if case .list(let list) = $0 { list } else { nil } }
  }

  /// The names of the inputs that the templates use.
  package var inputs: Set<String> {
    parts.reduce(into: []) { $0.formUnion($1.template.inputs) }
  }

  /// Returns the prompt filled in for a case.
  ///
  /// - Throws: ``Template/Problem`` about the first variable for which the case has no value, or
  ///   about a value that cannot be inserted.
  package func render(_ testCase: TestCase) throws(Template.Problem) -> RenderedPrompt {
    try render(filledWith: testCase.input)
  }

  /// Returns the prompt filled in with the members of an object.
  ///
  /// - Throws: ``Template/Problem`` about the first variable for which the object has no value, or
  ///   about a value that cannot be inserted.
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
  /// Returns the prompt as sent, with the given messages.
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

/// The role of a message.
public enum MessageRole: String, Sendable, CaseIterable {
  /// Instructions for the model.
  case system
  /// Instructions for the model, under the name of newer OpenAI APIs.
  ///
  /// Anthropic, Gemini and Ollama receive them as system instructions.
  case developer
  /// A message of the user.
  case user
  /// An answer of the model.
  case assistant
}

/// A message of a conversation with a model.
public struct ChatMessage: Hashable, Sendable {
  /// The role of the sender.
  public var role: MessageRole
  /// The text of the message.
  public var text: String

  /// Creates a message.
  ///
  /// - Parameters:
  ///   - role: The role of the sender.
  ///   - text: The text of the message.
  public init(role: MessageRole, text: String) {
    self.role = role
    self.text = text
  }
}

/// The structure that an answer must have.
package struct ResponseSchema: Hashable, Sendable {
  /// The name sent with the schema.
  package var name: String
  /// The JSON Schema.
  package var schema: JSONValue

  /// Creates a response schema.
  ///
  /// - Parameters:
  ///   - name: The name sent with the schema.
  ///   - schema: The JSON Schema.
  package init(name: String, schema: JSONValue) {
    self.name = name
    self.schema = schema
  }
}

/// A prompt filled in for a case, as sent to a backend.
package struct RenderedPrompt: Hashable, Sendable {
  /// The messages, in order.
  package var messages: [ChatMessage]
  /// The sampling parameters under their names in the API, such as `max_tokens`.
  package var parameters: JSONObject
  /// The structure that the answer must have, if any.
  package var responseSchema: ResponseSchema?
  /// True if parameters that an API or a model does not support are left out.
  package var ignoresUnsupported = false

  /// Creates a rendered prompt.
  ///
  /// - Parameters:
  ///   - messages: The messages, in order.
  ///   - parameters: The sampling parameters under their names in the API.
  ///   - responseSchema: The required structure of the answer.
  package init(
    messages: [ChatMessage],
    parameters: JSONObject = [:],
    responseSchema: ResponseSchema? = nil
  ) {
    self.messages = messages
    self.parameters = parameters
    self.responseSchema = responseSchema
  }
}
