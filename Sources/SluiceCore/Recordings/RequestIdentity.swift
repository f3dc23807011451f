package import SluiceSupport

/// The identity of a request: a key over all of it, and a digest for each part.
package struct RequestIdentity: Hashable, Sendable {
  /// The SHA-256 digest of the canonical JSON of backend name, protocol, model, body and
  /// fingerprint.
  package var key: String
  /// The parts, in the order in which they are shown.
  package var parts: [Part]

  /// A part of a request that can change independently.
  package struct Part: Hashable, Sendable {
    /// The name, such as `model`, `temperature` or `system message`.
    package var name: String
    package var kind: Kind
    package var value: JSONValue
    /// The first 16 digits of the SHA-256 digest of the value's canonical JSON.
    ///
    /// Sixteen digits are enough to compare parts; only the key must resist collisions.
    package var digest: String

    init(_ name: String, _ kind: Kind, _ value: JSONValue) {
      self.name = name
      self.kind = kind
      self.value = value
      digest = RequestIdentity.digest(value)
    }

    /// The identity of a part across requests.
    struct Place: Hashable {
      var kind: Kind
      var name: String
    }

    var place: Place { Place(kind: kind, name: name) }

    /// True for the backend's name, which is shown with its old and its new value.
    var isBackendName: Bool { place == Place(kind: .backend, name: Self.backendName) }

    fileprivate static let backendName = "backend"

    /// Represents the change if no part differs.
    static let wholeBody = Part("body", .parameters, .null)

    /// The kind of a part, as named in a miss.
    package enum Kind: Int, Sendable, CaseIterable {
      case backend, model, fingerprint, message, parameters, tools, schema
    }
  }

  /// The name of the backend.
  var backend: String { parts.first(where: \.isBackendName)?.value.string ?? "" }

  /// The user messages of the request, which depend on the case.
  package var question: String {
    Self.question(parts.lazy.map { ($0.name, $0.digest) })
  }

  /// The user messages, by the digests of named parts.
  static func question(_ parts: some Sequence<(name: String, digest: String)>) -> String {
    parts.filter { $0.name.hasPrefix(userMessage) }.map(\.digest).joined(separator: " ")
  }

  private static let userMessage = "user message"

  package init(_ request: ModelRequest) {
    key = Self.key(of: request)
    parts = Self.parts(of: request)
  }

  /// Returns only the key of a request.
  package static func key(of request: ModelRequest) -> String {
    SHA256.hexadecimal(JSONWriter.canonical(value(of: request)))
  }

  /// Returns the value of which the key is the digest.
  static func value(of request: ModelRequest) -> JSONValue {
    var identity: JSONObject = [
      "backend": .string(request.backend), "api": .string(request.api),
      "model": .string(request.model), "body": request.body,
    ]
    identity.set("fingerprint", request.fingerprint.map(JSONValue.string))
    return .object(identity)
  }

  /// Returns the body's members under their common names; all others are parameters.
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
      // The whole body of an app's request counts as its question, since it mainly depends on the
      // case and the prompt.
      if request.api == AppEndpoint.api {
        parts.append(Part("body \(member.name)", .message, member.value))
        continue
      }
      switch member.name {
      case "input" where request.api == ProgramEndpoint.api:
        parts.append(Part("input", .message, member.value))
      case "model":
        // Omitted as a duplicate, unless the body has another model.
        if member.value != .string(request.model) {
          parts.append(Part("model in the body", .model, member.value))
        }
      case messageList: parts += messageParts(member.value)
      // Instructions that an API separates from the conversation.
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
        // Uses the name in project files, unless the body has a member of that name too.
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

  /// Returns the role of a message, as named in prompts.
  private static func role(of message: JSONValue) -> String {
    let role = message["role"]?.string ?? "unknown"
    // Gemini's name.
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

  /// Returns the order of parts, which can change while each of them stays the same.
  private static func order(of parts: [Part], as what: String, _ kind: Part.Kind) -> [Part] {
    if parts.count < 2 { return [] }
    return [Part("order of the \(what)", kind, .array(parts.map { .string($0.name) }))]
  }

  /// Numbers duplicate names: `user message`, `user message 2`.
  private struct Ordinals {
    private var counts: [String: Int] = [:]
    private var taken: Set<String> = []

    mutating func name(_ name: String) -> String {
      while true {
        let count = counts[name, default: 0] + 1
        counts[name] = count
        let numbered = count == 1 ? name : "\(name) \(count)"
        // Another tool may already have the numbered name.
        if taken.insert(numbered).inserted { return numbered }
      }
    }
  }

  package static func digest(_ value: JSONValue) -> String {
    String(SHA256.hexadecimal(JSONWriter.canonical(value)).prefix(16))
  }
}
