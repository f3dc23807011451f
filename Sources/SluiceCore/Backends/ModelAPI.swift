import SluiceSupport

/// The API of a vendor's models.
package enum ModelAPI: Hashable, Sendable {
  /// OpenAI's chat completions, which many other servers also support.
  case chatCompletions
  /// OpenAI's Responses API.
  case responses
  /// Anthropic's Messages API.
  case messages(MessagesVersion)
  /// Gemini's `generateContent`.
  case generateContent
  /// Ollama's own chat API.
  case ollamaChat

  /// The version of Anthropic's API, which determines the meaning of a request.
  package struct MessagesVersion: Hashable, Sendable {
    /// The value of the header `anthropic-version`.
    package var date: String
    /// The values of the header `anthropic-beta`, sorted.
    package var betas: [String]

    package init(_ date: String = known[0], betas: [String] = []) {
      self.date = date
      self.betas = betas.sorted()
    }

    /// The known versions.
    ///
    /// The first one is the default.
    package static let known = ["2023-06-01", "2026-10-21"]
  }

  // MARK: Names

  /// The values of `type:` for backends with a vendor's API.
  static let types = ["openai", "openai-responses", "anthropic", "gemini", "ollama"]

  /// Creates the API for a value of `type:`; nil for another kind of backend.
  package init?(type: String) {
    switch type {
    case "openai": self = .chatCompletions
    case "openai-responses": self = .responses
    case "anthropic": self = .messages(MessagesVersion())
    case "gemini": self = .generateContent
    case "ollama": self = .ollamaChat
    default: return nil
    }
  }

  /// The value of `type:`.
  package var type: String {
    switch self {
    case .chatCompletions: "openai"
    case .responses: "openai-responses"
    case .messages: "anthropic"
    case .generateContent: "gemini"
    case .ollamaChat: "ollama"
    }
  }

  /// The name of the API in messages.
  package var title: String {
    switch self {
    case .chatCompletions: "chat completions"
    case .responses: "OpenAI's Responses API"
    case .messages: "Anthropic's Messages API"
    case .generateContent: "Gemini's generateContent"
    case .ollamaChat: "Ollama's chat API"
    }
  }

  private static let chatName = "openai-chat"
  private static let responsesName = "openai-responses"
  private static let messagesName = "anthropic-messages/"
  private static let contentName = "gemini-generate-content"
  private static let streamedContentName = "gemini-stream-generate-content"
  private static let ollamaName = "ollama-chat"

  /// Returns the name of the API in requests and recordings.
  ///
  /// The name contains details that affect the answer but are not in the body of a request. For
  /// Anthropic, this is the version. For Gemini, it is the method, which determines whether the
  /// answer is streamed.
  package func name(isStreamed: Bool = false) -> String {
    switch self {
    case .chatCompletions: Self.chatName
    case .responses: Self.responsesName
    case .messages(let version):
      Self.messagesName + ([version.date] + version.betas).joined(separator: "+")
    case .generateContent: isStreamed ? Self.streamedContentName : Self.contentName
    case .ollamaChat: Self.ollamaName
    }
  }

  /// Creates the API from its name in a request or a recording; nil for another kind of backend.
  package init?(name: String) {
    switch name {
    case Self.chatName: self = .chatCompletions
    case Self.responsesName: self = .responses
    case Self.contentName, Self.streamedContentName: self = .generateContent
    case Self.ollamaName: self = .ollamaChat
    case let name where name.hasPrefix(Self.messagesName):
      let parts = name.dropFirst(Self.messagesName.count).split(separator: "+").map(String.init)
      self = .messages(MessagesVersion(parts.first ?? "", betas: Array(parts.dropFirst())))
    default: return nil
    }
  }

  /// Returns true if a request asks for a streamed answer.
  package static func isStreamed(_ request: ModelRequest) -> Bool {
    request.api == streamedContentName
      || ModelAPI(name: request.api) != nil && request.body["stream"] == .bool(true)
  }

  /// Returns a request for the same answer without streaming.
  package static func unstreamed(_ request: ModelRequest) -> ModelRequest {
    var plain = request
    if request.api == streamedContentName { plain.api = contentName }
    guard case .object(var body) = request.body else { return plain }
    body["stream"] = nil
    body["stream_options"] = nil
    // By default, Ollama streams.
    if request.api == ollamaName { body["stream"] = false }
    plain.body = .object(body)
    return plain
  }

  /// True if the API accepts instructions between the messages of a conversation.
  package var takesLateInstructions: Bool {
    switch self {
    case .chatCompletions, .responses, .ollamaChat: true
    case .messages(let version): version.date > MessagesVersion.known[0]
    case .generateContent: false
    }
  }

  /// The names of the members that contain the messages of a request and their texts.
  package struct MessageNames: Sendable {
    /// The member of the body that contains the messages.
    package var list = "messages"
    /// The member of a message that contains its text.
    package var content = "content"
  }

  /// Returns the member names in the requests of a protocol.
  ///
  /// - Parameter name: The protocol's name in requests and recordings.
  /// - Returns: The names; for an unknown protocol, the names in chat completions.
  package static func messageNames(in name: String) -> MessageNames {
    switch ModelAPI(name: name) {
    case .responses: MessageNames(list: "input")
    case .generateContent: MessageNames(list: "contents", content: "parts")
    case .chatCompletions, .messages, .ollamaChat, nil: MessageNames()
    }
  }

  // MARK: The server

  /// The vendor's default address.
  package var defaultBaseURL: String {
    switch self {
    case .chatCompletions, .responses: "https://api.openai.com/v1"
    case .messages: "https://api.anthropic.com/v1"
    case .generateContent: "https://generativelanguage.googleapis.com/v1beta"
    case .ollamaChat: "http://localhost:11434"
    }
  }

  /// The header that contains the key alone; nil if the key is sent as `Authorization: Bearer`.
  package var keyHeader: String? {
    switch self {
    case .chatCompletions, .responses, .ollamaChat: nil
    case .messages: "x-api-key"
    case .generateContent: "x-goog-api-key"
    }
  }

  /// The headers that the API requires in every request.
  var headers: [HTTPHeader] {
    guard case .messages(let version) = self else { return [] }
    var headers = [HTTPHeader("anthropic-version", version.date)]
    if !version.betas.isEmpty {
      headers.append(HTTPHeader("anthropic-beta", version.betas.joined(separator: ",")))
    }
    return headers
  }

  /// A path and a query below the server's address.
  struct Route: Hashable, Sendable {
    var path: String
    var query: [HTTPHeader] = []
  }

  /// Returns the route of requests for a model.
  func route(to model: String, isStreamed: Bool) -> Route {
    switch self {
    case .chatCompletions: return Route(path: "/chat/completions")
    case .responses: return Route(path: "/responses")
    case .messages: return Route(path: "/messages")
    case .ollamaChat: return Route(path: "/api/chat")
    case .generateContent:
      // A name such as `tunedModels/x` already contains its collection.
      let name = model.contains("/") ? model : "models/\(model)"
      return isStreamed
        ? Route(path: "/\(name):streamGenerateContent", query: [HTTPHeader("alt", "sse")])
        : Route(path: "/\(name):generateContent")
    }
  }

  /// The media type of a streamed answer.
  var streamType: String {
    if case .ollamaChat = self { "application/x-ndjson" } else { "text/event-stream" }
  }
}
