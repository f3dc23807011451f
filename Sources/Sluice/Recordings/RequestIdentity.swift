/// What makes a request the same as a recorded one: a key over all of it, and a digest for each part.
package struct RequestIdentity: Hashable, Sendable {
  /// SHA-256 over the canonical JSON of backend name, protocol, model, body and fingerprint.
  package var key: String
  /// A short digest for each part, in the order in which parts are named to a person.
  package var parts: [Part]

  package struct Part: Hashable, Sendable {
    /// Such as `model`, `temperature` or `system message`.
    package var name: String
    package var digest: String
  }

  /// What the user says in the request: the part that a case decides.
  package var question: String { Self.question(parts) }

  static func question(_ parts: [Part]) -> String {
    parts.filter { $0.name.hasPrefix(userMessage) }.map(\.digest).joined(separator: " ")
  }

  private static let userMessage = "user message"

  package init(_ request: ModelRequest) {
    key = SHA256.hexadecimal(JSONWriter.canonical(Self.value(of: request)))
    parts = Self.parts(of: request)
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
    var parts = [Part(name: "model", digest: digest(.string(request.model)))]
    parts.append(Part(name: "protocol", digest: digest(.string(request.api))))
    if let fingerprint = request.fingerprint {
      parts.append(Part(name: "fingerprint", digest: digest(.string(fingerprint))))
    }
    for member in request.body.object?.members ?? [] {
      switch member.name {
      case "model": continue
      case "messages": parts += messageParts(member.value)
      case "response_format":
        parts.append(Part(name: "response schema", digest: digest(member.value)))
      default:
        let name = PromptReader.wireNames.first { $0.wire == member.name }?.name ?? member.name
        parts.append(Part(name: name, digest: digest(member.value)))
      }
    }
    return parts
  }

  private static func messageParts(_ messages: JSONValue) -> [Part] {
    var counts: [String: Int] = [:]
    return (messages.array ?? []).map { message in
      let role = message["role"]?.string ?? "unknown"
      let count = counts[role, default: 0] + 1
      counts[role] = count
      return Part(
        name: count == 1 ? "\(role) message" : "\(role) message \(count)",
        digest: digest(message)
      )
    }
  }

  /// Sixteen digits tell parts apart; only the key has to withstand more.
  private static func digest(_ value: JSONValue) -> String {
    String(SHA256.hexadecimal(JSONWriter.canonical(value)).prefix(16))
  }
}
