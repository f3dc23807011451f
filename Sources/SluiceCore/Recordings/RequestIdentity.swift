package import SluiceSupport

/// The identity of a request: a key for the whole request, and a digest for each part.
package struct RequestIdentity: Hashable, Sendable {
  /// The SHA-256 digest of the request as canonical JSON: the backend's name, the protocol, the
  /// model, the body and the fingerprint.
  package var key: String
  /// The parts, in display order.
  package var parts: [Part]

  /// A part of a request that can change independently.
  package struct Part: Hashable, Sendable {
    /// The name, such as `model`, `temperature` or `system message`.
    package var name: String
    package var kind: Kind
    package var value: JSONValue
    /// The SHA-256 digest of the value's canonical JSON, cut to 16 digits.
    ///
    /// This is enough to compare parts. Only the key must resist collisions.
    package var digest: String

    init(_ name: String, _ kind: Kind, _ value: JSONValue) {
      self.name = name
      self.kind = kind
      self.value = value
      digest = RequestIdentity.digest(value)
    }

    /// The properties by which a part is found in another request.
    struct Place: Hashable {
      var kind: Kind
      var name: String
    }

    var place: Place { Place(kind: kind, name: name) }

    /// True if the part is the backend's name, which is shown with its old and its new value.
    var isBackendName: Bool { place == Place(kind: .backend, name: Self.backendName) }

    fileprivate static let backendName = "backend"

    /// The part that represents the whole body if two requests differ, but none of their parts do.
    static let wholeBody = Part("body", .parameters, .null)

    /// The kind of a part, as messages about a miss name it.
    package enum Kind: Int, Sendable, CaseIterable {
      case backend, model, fingerprint, message, parameters, tools, schema
    }
  }

  /// The name of the backend.
  var backend: String { parts.first(where: \.isBackendName)?.value.string ?? "" }

  /// The digests of the request's user messages, which depend on the case.
  package var question: String {
    Self.question(parts.lazy.map { ($0.name, $0.digest) })
  }

  /// Returns the digests of the user messages, given the names and digests of all parts.
  static func question(_ parts: some Sequence<(name: String, digest: String)>) -> String {
    parts.filter { $0.name.hasPrefix(userMessage) }.map(\.digest).joined(separator: " ")
  }

  private static let userMessage = "user message"

  package init(_ request: ModelRequest) {
    key = Self.key(of: request)
    parts = Self.parts(of: request)
  }

  /// Returns the key of a request without computing its parts.
  package static func key(of request: ModelRequest) -> String {
    SHA256.hexadecimal(JSONWriter.canonical(value(of: request)))
  }

  /// Returns the JSON value that is digested to compute the key.
  static func value(of request: ModelRequest) -> JSONValue {
    var identity: JSONObject = [
      "backend": .string(request.backend), "api": .string(request.api),
      "model": .string(request.model), "body": request.body,
    ]
    identity.set("fingerprint", request.fingerprint.map(JSONValue.string))
    return .object(identity)
  }

  /// Returns the parts of a request.
  ///
  /// Members of the body with unknown names count as parameters.
  private static func parts(of request: ModelRequest) -> [Part] {
    var parts = [
      Part(Part.backendName, .backend, .string(request.backend)),
      Part("protocol", .backend, .string(request.api)),
      Part("model", .model, .string(request.model)),
    ]
    if let fingerprint = request.fingerprint {
      parts.append(Part("fingerprint", .fingerprint, .string(fingerprint)))
    }
    let messageList = ModelAPI.messageNames(in: request.api).list
    for member in request.body.object?.members ?? [] {
      // The whole body of a request to an app counts as the question, because it depends mainly on
      // the case and the prompt.
      if request.api == AppEndpoint.api {
        parts.append(Part("body \(member.name)", .message, member.value))
        continue
      }
      switch member.name {
      case "input" where request.api == ProgramEndpoint.api:
        parts.append(Part("input", .message, member.value))
      case "model":
        // Left out as a duplicate, unless the body names a different model.
        if member.value != .string(request.model) {
          parts.append(Part("model in the body", .model, member.value))
        }
      case messageList: parts += messageParts(member.value)
      // Some APIs separate the instructions from the conversation.
      case "system", "systemInstruction", "instructions":
        parts.append(Part("\(MessageRole.system.rawValue) message", .message, member.value))
      case "output_config", "text", "format":
        parts.append(Part("response form", .schema, member.value))
      case "generationConfig", "options":
        for option in member.value.object?.members ?? [] {
          parts.append(Part(option.name, .parameters, option.value))
        }
      case "tools": parts += toolParts(member.value)
      case "response_format": parts.append(Part("response schema", .schema, member.value))
      default:
        let known = ParameterReader.wireNames.first { $0.wire == member.name }?.name
        // Uses the name that project files use, unless the body has a member of that name, too.
        let name = known.flatMap { request.body[$0] == nil ? $0 : nil } ?? member.name
        parts.append(Part(name, .parameters, member.value))
      }
    }
    return parts
  }

  private static func messageParts(_ messages: JSONValue) -> [Part] {
    guard let list = messages.array else { return [Part("messages", .message, messages)] }
    var names = Ordinals()
    var parts: [Part] = []
    for message in list {
      parts.append(
        Part(names.name("\(role(of: message)) message"), .message, message)
      )
    }
    return parts + order(of: parts, as: "messages", .message)
  }

  /// Returns the role of a message, as prompts name it.
  private static func role(of message: JSONValue) -> String {
    let role = message["role"]?.string ?? "unknown"
    // Gemini calls the assistant "model".
    return role == "model" ? MessageRole.assistant.rawValue : role
  }

  private static func toolParts(_ tools: JSONValue) -> [Part] {
    guard let list = tools.array else { return [Part("tools", .tools, tools)] }
    var names = Ordinals()
    var parts: [Part] = []
    for tool in list {
      let name = tool.value(at: "function.name")?.string ?? tool["name"]?.string ?? "unnamed"
      parts.append(Part(names.name("tool \(name)"), .tools, tool))
    }
    return parts + order(of: parts, as: "tools", .tools)
  }

  /// Returns a part that represents the order of other parts, which can change even if none of
  /// these parts does.
  private static func order(of parts: [Part], as what: String, _ kind: Part.Kind) -> [Part] {
    if parts.count < 2 { return [] }
    return [Part("order of the \(what)", kind, .array(parts.map { .string($0.name) }))]
  }

  /// The numbers for names that occur several times: `user message`, `user message 2`.
  private struct Ordinals {
    private var counts: [String: Int] = [:]
    private var taken: Set<String> = []

    mutating func name(_ name: String) -> String {
      while true {
        let count = counts[name, default: 0] + 1
        counts[name] = count
        let numbered = count == 1 ? name : "\(name) \(count)"
        // The numbered name may already exist, for example as the name of another tool.
        if taken.insert(numbered).inserted { return numbered }
      }
    }
  }

  package static func digest(_ value: JSONValue) -> String {
    String(SHA256.hexadecimal(JSONWriter.canonical(value)).prefix(16))
  }
}
