/// Reads the backends of `sluice.yaml`.
package enum BackendReader {
  /// Reads an entry; nil, with errors reported, when it cannot be used.
  ///
  /// - Parameters:
  ///   - entry: The entry.
  ///   - file: `sluice.yaml`.
  ///   - files: The project's files, which fingerprints are made of.
  ///   - environment: The environment variables, which may hold a version.
  /// - Returns: The backend.
  package static func read(
    _ entry: ProjectConfiguration.BackendEntry,
    file: SourceFile,
    files: ProjectFiles,
    environment: [String: String]
  ) -> BackendDefinition? {
    let diagnostics = files.diagnostics
    guard
      let fields = FieldReader(
        entry.node,
        subject: "the backend '\(entry.name)'",
        file: file,
        diagnostics: diagnostics
      )
    else { return nil }
    let typeNode = fields.required("type")
    let type = fields.text(typeNode, "type")
    guard let type, let typeNode else {
      // Which other keys it may have is not known, so it is read as the usual one.
      _ = readSending(fields)
      _ = readOpenAI(fields, isStreamed: false)
      fields.finish()
      return nil
    }
    let kind: BackendDefinition.Kind?
    let isStreamed: Bool
    var sending = SendingPolicy()
    switch type {
    case "openai":
      (sending, isStreamed) = readSending(fields)
      kind = readOpenAI(fields, isStreamed: isStreamed)
    case "http":
      (sending, isStreamed) = readSending(fields)
      kind = readApp(
        fields,
        entry.name,
        isStreamed: isStreamed,
        files: files,
        environment: environment
      )
    case "exec":
      sending = readLimits(fields, SendingPolicy(maximumInFlight: 4))
      kind = readProgram(fields, entry.name, files: files, environment: environment)
    default:
      diagnostics.error(
        "unknown backend type '\(type)'",
        in: file,
        at: typeNode.position,
        fix: NearestName.suggestion(for: type, among: BackendDefinition.types)
      )
      return nil
    }
    fields.finish()
    return kind.map { BackendDefinition(name: entry.name, kind: $0, sending: sending) }
  }

  private static func readOpenAI(_ fields: FieldReader, isStreamed: Bool)
    -> BackendDefinition.Kind?
  {
    let model = fields.requiredText("model")
    let server = readServer(fields, address: "base-url", or: OpenAIChatEndpoint.defaultBaseURL)
    let parameters = PromptReader.readParameters(fields)
    guard let model, let server else { return nil }
    return .openAIChat(
      OpenAIChatEndpoint(
        server: server,
        model: model,
        isStreamed: isStreamed,
        parameters: parameters
      )
    )
  }

  // MARK: An app's own endpoint

  private static func readApp(
    _ fields: FieldReader,
    _ name: String,
    isStreamed: Bool,
    files: ProjectFiles,
    environment: [String: String]
  ) -> BackendDefinition.Kind? {
    let server = readServer(fields, address: "url")
    let model = fields.optionalText("model")
    let bodyNode = fields.required("body")
    if let bodyNode, bodyNode.members == nil {
      fields.wrongType("body", "a mapping", bodyNode)
    }
    let body = bodyNode.flatMap {
      BodyTemplate($0, file: fields.file, diagnostics: fields.diagnostics)
    }
    var places = readPlaces(fields)
    places.isStreamed = isStreamed
    let fingerprint = Fingerprint.read(fields, of: name, files: files, environment: environment)
    guard let server, let body, let fingerprint else { return nil }
    return .app(
      AppEndpoint(
        server: server,
        model: model,
        body: body,
        places: places,
        fingerprint: fingerprint
      )
    )
  }

  private static func readPlaces(_ outer: FieldReader) -> AnswerPlaces {
    guard let node = outer.optional("answer"),
      let fields = FieldReader(
        node,
        subject: "'answer'",
        file: outer.file,
        diagnostics: outer.diagnostics
      )
    else { return AnswerPlaces() }
    func place(_ key: String, mayBeWhole: Bool = false) -> String? {
      guard let node = fields.optional(key), let path = fields.text(node, key) else { return nil }
      if path == AnswerPlaces.whole, mayBeWhole { return path }
      let steps = path.split(separator: ".", omittingEmptySubsequences: false)
      if !steps.contains("") { return path }
      fields.diagnostics.error(
        "'\(key)' must be names with dots between them, not '\(path)'",
        in: fields.file,
        at: node.position,
        fix: mayBeWhole ? "write such as 'reply.text', or '.' for the whole answer" : nil
      )
      return nil
    }
    let places = AnswerPlaces(
      text: place("text", mayBeWhole: true),
      piece: place("piece", mayBeWhole: true),
      usage: place("usage"),
      error: place("error"),
      model: place("model"),
      finishReason: place("finish-reason")
    )
    fields.finish()
    return places
  }

  // MARK: A program

  private static func readProgram(
    _ fields: FieldReader,
    _ name: String,
    files: ProjectFiles,
    environment: [String: String]
  ) -> BackendDefinition.Kind? {
    let commandNode = fields.required("command")
    let command = (commandNode == nil ? nil : fields.optionalTexts("command")) ?? []
    if let commandNode, case .sequence(let nodes) = commandNode.value, nodes.isEmpty {
      fields.diagnostics.error("'command' is empty", in: fields.file, at: commandNode.position)
    }
    var isThere = command.first.map { !$0.text.isEmpty } ?? false
    if let (program, node) = command.first, program.contains("/") {
      isThere = files.resolve(program, in: fields.file, at: node.position) != nil
    }
    let variables = (fields.optionalTexts("env") ?? []).compactMap { name, node -> String? in
      if isVariable(name) { return name }
      fields.diagnostics.error(
        "'\(name)' is no name of an environment variable",
        in: fields.file,
        at: node.position,
        fix: "list the names alone; values stay in the environment"
      )
      return nil
    }
    let model = fields.optionalText("model")
    let parameters = PromptReader.readParameters(fields)
    let texts = command.map(\.text)
    let fingerprint = Fingerprint.read(
      fields,
      of: name,
      with: ["command": .array(texts.map(JSONValue.string))],
      files: files,
      environment: environment
    )
    guard isThere, let fingerprint else { return nil }
    return .program(
      ProgramEndpoint(
        command: texts,
        variables: variables,
        model: model,
        parameters: parameters,
        fingerprint: fingerprint
      )
    )
  }

  // MARK: What backends share

  /// Reads where a server is and what every request to it carries.
  ///
  /// - Parameters:
  ///   - fields: The backend.
  ///   - address: The key of its address.
  ///   - usual: The address where none is given; nil where one must be.
  /// - Returns: The server; nil, with errors reported, when it cannot be used.
  static func readServer(_ fields: FieldReader, address: String, or usual: String? = nil)
    -> ServerAccess?
  {
    let node = usual == nil ? fields.required(address) : fields.optional(address)
    let url = fields.text(node, address)
    if let node, let url, !(url.hasPrefix("https://") || url.hasPrefix("http://")) {
      fields.diagnostics.error(
        "the \(address) '\(url)' must start with https:// or http://",
        in: fields.file,
        at: node.position
      )
    }
    var headers = readTexts("headers", fields, isHeader: true)
    if let organization = fields.optionalText("organization") {
      headers.append(HTTPHeader("OpenAI-Organization", organization))
    }
    let server = ServerAccess(
      url: url ?? usual ?? "",
      key: fields.optional("key").flatMap { readKey($0, fields) },
      headers: headers,
      query: readTexts("query", fields, isHeader: false)
    )
    return server.url.isEmpty ? nil : server
  }

  /// Reads a mapping of names to texts.
  private static func readTexts(_ key: String, _ outer: FieldReader, isHeader: Bool)
    -> [HTTPHeader]
  {
    guard let node = outer.optional(key) else { return [] }
    guard let members = node.members else {
      outer.wrongType(key, "a mapping of names to texts", node)
      return []
    }
    return members.compactMap { member in
      let secrets = ["authorization", "api-key", "x-api-key", "cookie", "proxy-authorization"]
      if isHeader, secrets.contains(member.key.lowercased()) {
        outer.diagnostics.hideLine(from: member.value.position, in: outer.file)
        outer.diagnostics.error(
          "the header '\(member.key)' holds a secret, which must not stand in a file",
          in: outer.file,
          at: member.keyPosition,
          fix: "put it into an environment variable and write "
            + "'key: {env: NAME, header: \(member.key)}'"
        )
        return nil
      }
      let value: String? =
        if case .number(let number) = member.value.value {
          JSONWriter.number(number)
        } else {
          outer.text(member.value, "'\(member.key)' in '\(key)'")
        }
      return value.map { HTTPHeader(member.key, $0) }
    }
  }

  /// Reads how requests are sent, and whether answers come in pieces.
  static func readSending(_ fields: FieldReader) -> (policy: SendingPolicy, isStreamed: Bool) {
    var policy = readLimits(fields)
    guard let node = fields.optional("stream") else { return (policy, false) }
    if case .bool(let isStreamed) = node.value { return (policy, isStreamed) }
    guard node.members != nil else {
      fields.wrongType("stream", "true, false or a mapping", node)
      return (policy, false)
    }
    guard
      let inner = FieldReader(
        node,
        subject: "'stream'",
        file: fields.file,
        diagnostics: fields.diagnostics
      )
    else { return (policy, false) }
    policy.streamTimeout = readSeconds("timeout", inner) ?? policy.streamTimeout
    policy.fallsBack = inner.optionalBool("fallback") ?? policy.fallsBack
    inner.finish()
    return (policy, true)
  }

  /// Reads how long is waited for answers, and how many are asked for at once.
  private static func readLimits(
    _ fields: FieldReader,
    _ usual: SendingPolicy = SendingPolicy()
  ) -> SendingPolicy {
    var policy = usual
    policy.timeout = readSeconds("timeout", fields) ?? policy.timeout
    policy.totalTimeout = readSeconds("total-timeout", fields)
    policy.retries = fields.optionalInteger("retries", in: 0...20) ?? policy.retries
    policy.maximumInFlight =
      fields.optionalInteger("max-in-flight", in: 1...10_000) ?? policy.maximumInFlight
    return policy
  }

  /// Reads a number of seconds.
  static func readSeconds(_ key: String, _ fields: FieldReader) -> Duration? {
    guard let seconds = fields.optionalNumber(key) else { return nil }
    guard (0.001...86_400).contains(seconds) else {
      fields.diagnostics.error(
        "'\(key)' must be between 0.001 and 86400 seconds",
        in: fields.file,
        at: fields.optional(key)?.position
      )
      return nil
    }
    return .milliseconds(Int64((seconds * 1_000).rounded()))
  }

  /// Reads `key: {env: NAME}`; a key itself has no place in a file.
  private static func readKey(_ node: Node, _ outer: FieldReader) -> ServerAccess.KeyReference? {
    func refuse(_ message: String, at position: SourcePosition) {
      outer.diagnostics.hideLine(from: position, in: outer.file)
      outer.diagnostics.error(
        message,
        in: outer.file,
        at: position,
        fix: "put it into an environment variable and write 'key: {env: NAME}'"
      )
    }
    switch node.value {
    case .string, .number:
      refuse("a key must not stand in a file", at: node.position)
      return nil
    default: break
    }
    guard
      let fields = FieldReader(
        node,
        subject: "'key'",
        file: outer.file,
        diagnostics: outer.diagnostics
      )
    else { return nil }
    let nameNode = fields.required("env")
    let name = fields.text(nameNode, "env")
    let header = fields.optionalText("header")
    fields.finish()
    if let name, let nameNode, !isVariable(name) {
      refuse("'env' must be the name of a variable, not a key", at: nameNode.position)
      return nil
    }
    return name.map { ServerAccess.KeyReference(variable: $0, header: header) }
  }

  /// Whether a text can be the name of an environment variable (POSIX.1, 3.216 "Name").
  private static func isVariable(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, !("0"..."9").contains(first) else { return false }
    return text.unicodeScalars.allSatisfy {
      ("a"..."z").contains($0) || ("A"..."Z").contains($0) || ("0"..."9").contains($0) || $0 == "_"
    }
  }
}
