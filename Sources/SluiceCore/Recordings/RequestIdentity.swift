package import SluiceSupport

/// What makes a request the same as a recorded one: a key over all of it, and a digest for each part.
package struct RequestIdentity: Hashable, Sendable {
  /// SHA-256 over the canonical JSON of backend name, protocol, model, body and fingerprint.
  package var key: String
  /// The parts, in the order in which they are named to a person.
  package var parts: [Part]

  /// A part of a request that can change by itself.
  package struct Part: Hashable, Sendable {
    /// Such as `model`, `temperature` or `system message`.
    package var name: String
    package var kind: Kind
    package var value: JSONValue
    /// The first 16 digits of SHA-256 over the canonical JSON of the value.
    ///
    /// Sixteen digits tell parts apart; only the key has to withstand more.
    package var digest: String

    init(_ name: String, _ kind: Kind, _ value: JSONValue) {
      self.name = name
      self.kind = kind
      self.value = value
      digest = RequestIdentity.digest(value)
    }

    /// What is the same part in two requests.
    struct Place: Hashable {
      var kind: Kind
      var name: String
    }

    var place: Place { Place(kind: kind, name: name) }

    /// What is said to have changed when no part did.
    static let wholeBody = Part("body", .parameters, .null)

    /// What a part belongs to, in the words of a miss.
    package enum Kind: Int, Sendable, CaseIterable {
      case backend, model, fingerprint, message, parameters, tools, schema
    }
  }

  /// What the user says in the request: the part that a case decides.
  package var question: String {
    Self.question(parts.lazy.map { ($0.name, $0.digest) })
  }

  /// What the user says, by the digests of named parts.
  static func question(_ parts: some Sequence<(name: String, digest: String)>) -> String {
    parts.filter { $0.name.hasPrefix(userMessage) }.map(\.digest).joined(separator: " ")
  }

  private static let userMessage = "user message"

  package init(_ request: ModelRequest) {
    key = Self.key(of: request)
    parts = Self.parts(of: request)
  }

  /// The key alone.
  package static func key(of request: ModelRequest) -> String {
    SHA256.hexadecimal(JSONWriter.canonical(value(of: request)))
  }

  /// What the key is the digest of.
  static func value(of request: ModelRequest) -> JSONValue {
    var identity: JSONObject = [
      "backend": .string(request.backend), "api": .string(request.api),
      "model": .string(request.model), "body": request.body,
    ]
    identity.set("fingerprint", request.fingerprint.map(JSONValue.string))
    return .object(identity)
  }

  /// The body's members by the words that people use for them; everything else is a parameter.
  private static func parts(of request: ModelRequest) -> [Part] {
    var parts = [
      Part("backend", .backend, .string(request.backend)),
      Part("protocol", .backend, .string(request.api)),
      Part("model", .model, .string(request.model)),
    ]
    if let fingerprint = request.fingerprint {
      parts.append(Part("fingerprint", .fingerprint, .string(fingerprint)))
    }
    let messageList = ModelAPI.messageNames(in: request.api).list
    for member in request.body.object?.members ?? [] {
      // What an app is asked is its own: what a case and a prompt put into its body, in the main.
      if request.api == AppEndpoint.api {
        parts.append(Part("body \(member.name)", .message, member.value))
        continue
      }
      switch member.name {
      case "input" where request.api == ProgramEndpoint.api:
        parts.append(Part("input", .message, member.value))
      case "model":
        // Said once, unless the body says something else.
        if member.value != .string(request.model) {
          parts.append(Part("model in the body", .model, member.value))
        }
      case messageList: parts += messageParts(member.value)
      // Instructions that an API takes apart from the conversation.
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
        // The word of the project's files, unless the body has a member of that name, too.
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

  /// The speaker of a message in the words of a prompt.
  private static func role(of message: JSONValue) -> String {
    let role = message["role"]?.string ?? "unknown"
    // Gemini's word.
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

  /// The order in which things stand, which can change while each of them stays as it is.
  private static func order(of parts: [Part], as what: String, _ kind: Part.Kind) -> [Part] {
    if parts.count < 2 { return [] }
    return [Part("order of the \(what)", kind, .array(parts.map { .string($0.name) }))]
  }

  /// Numbers what has the same name: `user message`, `user message 2`.
  private struct Ordinals {
    private var counts: [String: Int] = [:]
    private var taken: Set<String> = []

    mutating func name(_ name: String) -> String {
      while true {
        let count = counts[name, default: 0] + 1
        counts[name] = count
        let numbered = count == 1 ? name : "\(name) \(count)"
        // A tool may be called like the second one of another name.
        if taken.insert(numbered).inserted { return numbered }
      }
    }
  }

  package static func digest(_ value: JSONValue) -> String {
    String(SHA256.hexadecimal(JSONWriter.canonical(value)).prefix(16))
  }
}
