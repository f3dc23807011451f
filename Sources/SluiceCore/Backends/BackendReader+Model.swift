import SluiceSupport

/// Backends that use a vendor's API.
extension BackendReader {
  /// Reads the keys of a backend that uses a vendor's API.
  ///
  /// - Parameters:
  ///   - fields: The fields of the backend.
  ///   - api: The API that the backend's type names.
  ///   - isStreamed: True if answers are streamed.
  ///   - files: The project's files, which may include a program that prints keys.
  /// - Returns: The backend; nil, with errors reported, if it is invalid.
  static func readModel(
    _ fields: FieldReader,
    _ api: ModelAPI,
    isStreamed: Bool,
    files: ProjectFiles
  ) -> BackendDefinition.Kind? {
    let model = readModel(fields.required("model"), fields)
    var api = api
    if case .messages = api { api = .messages(readVersion(fields)) }
    var contextLength: Int?
    if api == .ollamaChat {
      let node = fields.required(contextKey)
      if node != nil { contextLength = fields.optionalInteger(contextKey, in: 1...100_000_000) }
    }
    var server = readServer(fields, address: "base-url", or: api.defaultBaseURL, files: files)
    if case .messages(let version) = api, let found = server {
      api = .messages(takingBetas(of: found, into: version, fields))
    }
    // A key from a variable is sent in the API's own header. A token that a program prints is sent
    // in the standard header.
    if let key = server?.key, key.variable != nil, key.header == nil {
      server?.key?.header = api.keyHeader
    }
    server?.headers += api.headers
    server?.headers.removeAll { header in
      header.name.lowercased() == betaHeader && !api.headers.contains(header)
    }
    let parameters = ParameterReader.read(fields, takesAway: true)
    let extra = readExtra(fields, api)
    guard let model, let server else { return nil }
    let endpoint = ModelEndpoint(
      api,
      server: server,
      model: model,
      isStreamed: isStreamed,
      parameters: parameters.values,
      extra: extra,
      contextLength: contextLength
    )
    for refusal in ParameterSupport.refusals(of: parameters.values.withoutNulls, by: endpoint) {
      fields.diagnostics.error(
        refusal.reason,
        in: fields.file,
        at: parameters.positions[refusal.wire],
        fix: refusal.fix ?? "remove it"
      )
    }
    return .model(endpoint)
  }

  private static let contextKey = "context-length"
  private static let betaHeader = "anthropic-beta"

  /// Reads `version`, which selects the version of Anthropic's API.
  private static func readVersion(_ fields: FieldReader) -> ModelAPI.MessagesVersion {
    guard let node = fields.optional("version") else { return ModelAPI.MessagesVersion() }
    let known = ModelAPI.MessagesVersion.known
    if let date = fields.text(node, "version") {
      if known.contains(date) { return ModelAPI.MessagesVersion(date) }
      fields.diagnostics.error(
        "unknown version '\(date)' of Anthropic's API",
        in: fields.file,
        at: node.position,
        fix: "write one of these: \(known.joined(separator: ", "))"
      )
    }
    return ModelAPI.MessagesVersion()
  }

  /// Returns the version, extended by the beta features that the headers request.
  ///
  /// Beta features change the meaning of requests.
  private static func takingBetas(
    of server: ServerAccess,
    into version: ModelAPI.MessagesVersion,
    _ fields: FieldReader
  ) -> ModelAPI.MessagesVersion {
    if let node = fields.optional("headers"),
      let member = node.members?.first(where: { $0.key.lowercased() == "anthropic-version" })
    {
      fields.diagnostics.error(
        "the header 'anthropic-version' is set by the key 'version'",
        in: fields.file,
        at: member.keyPosition,
        fix: "write 'version: …' next to 'type', and remove the header"
      )
    }
    let betas = server.headers.filter { $0.name.lowercased() == betaHeader }
      .flatMap { $0.value.split(separator: ",").map { String($0).trimmed } }
    return ModelAPI.MessagesVersion(version.date, betas: betas.filter { !$0.isEmpty })
  }

  /// Reads `extra`, which contains members of the request body that only some servers support.
  private static func readExtra(_ fields: FieldReader, _ api: ModelAPI) -> JSONObject {
    guard let node = fields.optional("extra") else { return [:] }
    guard let members = node.members else {
      fields.wrongType("extra", "a mapping", node)
      return [:]
    }
    func refuse(_ member: Node.Member, _ message: String = "is set by Sluice itself", fix: String) {
      fields.diagnostics.error(
        "'\(member.key)' in 'extra' \(message)",
        in: fields.file,
        at: member.keyPosition,
        fix: fix
      )
    }
    var extra: JSONObject = [:]
    for member in members {
      if let name = api.parameter(member.key) {
        refuse(member, fix: "write it under 'parameters:', as '\(name): …'")
      } else if api.ownMembers.contains(member.key) {
        refuse(member, fix: "remove it")
      } else if api == .responses, statefulMembers.contains(member.key) {
        refuse(
          member,
          "refers to data on the server, so a recording could not contain the whole request",
          fix: "remove it, and send the whole conversation as messages"
        )
      } else {
        extra[member.key] = member.value.json
      }
    }
    return extra
  }

  /// The members of a Responses API request that refer to data on the server.
  private static let statefulMembers = [
    "previous_response_id", "conversation", "prompt", "background",
  ]
}

extension ModelAPI {
  /// The members of a request body that Sluice sets itself.
  ///
  /// `extra` must not contain them.
  fileprivate var ownMembers: [String] {
    switch self {
    case .chatCompletions: ["model", "messages", "stream", "stream_options", "n"]
    case .responses: ["model", "input", "stream", "stream_options"]
    case .messages: ["model", "messages", "system", "stream"]
    case .generateContent: ["contents", "systemInstruction"]
    case .ollamaChat: ["model", "messages", "stream", "format"]
    }
  }

  /// Returns the parameter that sets a member of the body; nil if there is none.
  fileprivate func parameter(_ member: String) -> String? {
    switch self {
    case .chatCompletions: ParameterReader.wireNames.first { $0.wire == member }?.name
    case .responses:
      ["temperature": "temperature", "top_p": "top-p", "max_output_tokens": "max-tokens"][member]
    case .messages:
      [
        "temperature": "temperature", "top_p": "top-p", "max_tokens": "max-tokens",
        "stop_sequences": "stop",
      ][member]
    case .generateContent: nil
    case .ollamaChat: member == "think" ? "reasoning-effort" : nil
    }
  }
}

extension JSONObject {
  /// The members whose value is not null.
  package var withoutNulls: JSONObject { JSONObject(members.filter { $0.value != .null }) }
}
