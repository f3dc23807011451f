import SluiceSupport

/// The reader of the backends in `sluice.yaml`.
package enum BackendReader {
  /// Reads an entry of `backends:`.
  ///
  /// - Parameters:
  ///   - entry: The entry.
  ///   - file: `sluice.yaml`.
  ///   - files: The project's files, from which fingerprints are computed.
  ///   - environment: The environment variables, which may contain the version for a fingerprint.
  /// - Returns: The backend; nil, with errors reported, if the entry is invalid.
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
      // Without a type, only the keys that many types share are read.
      _ = readSending(fields)
      _ = readEndings(fields)
      _ = readTimes(fields)
      _ = readAsked(fields)
      _ = readModel(fields, .chatCompletions, isStreamed: false, files: files)
      fields.finish(fix, foreign: .backend)
      return nil
    }
    let kind: BackendDefinition.Kind?
    let isStreamed: Bool
    var sending = SendingPolicy()
    var isAskedThroughFiles = false
    switch type {
    case let type where ModelAPI(type: type) != nil:
      (sending, isStreamed) = readSending(fields)
      isAskedThroughFiles = readAsked(fields)
      kind = ModelAPI(type: type).flatMap {
        readModel(fields, $0, isStreamed: isStreamed, files: files)
      }
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
    case "file":
      kind = readFile(fields, files: files)
    default:
      diagnostics.error(
        "unknown backend type '\(type)'",
        in: file,
        at: typeNode.position,
        fix: speaksOpenAI.contains(type.lowercased())
          ? "write 'type: openai', and write the server's address as 'base-url: …'"
          : otherNames[type.lowercased()].map { "write 'type: \($0)'" }
            ?? NearestName.suggestion(for: type, among: BackendDefinition.types)
      )
      return nil
    }
    let endings = readEndings(fields)
    let hasMeaninglessTimes = readTimes(fields)
    fields.finish(fix, foreign: .backend)
    return kind.map { kind in
      var backend = BackendDefinition(
        name: entry.name,
        kind: kind,
        sending: sending,
        endings: endings
      )
      backend.hasMeaninglessTimes = hasMeaninglessTimes
      backend.isAskedThroughFiles = isAskedThroughFiles
      return backend
    }
  }

  /// The names of providers and servers that support OpenAI's chat completions.
  private static let speaksOpenAI: Set<String> = [
    "azure", "bedrock", "chat", "deepseek", "groq", "llama", "llama.cpp", "lmstudio", "mistral",
    "openai-chat", "openai-compatible", "openrouter", "together", "vertex", "vllm", "xai",
  ]
  /// Names that users may write by mistake, each with the type that they probably mean.
  private static let otherNames = [
    "claude": "anthropic", "google": "gemini", "responses": "openai-responses",
  ]

  /// Reads `times`, and returns true if its value is `meaningless`.
  private static func readTimes(_ fields: FieldReader) -> Bool {
    guard let node = fields.optional("times"), let text = fields.text(node, "times") else {
      return false
    }
    if text == BackendDefinition.meaninglessTimes { return true }
    fields.diagnostics.error(
      "'times' can only be '\(BackendDefinition.meaninglessTimes)', not '\(text)'",
      in: fields.file,
      at: node.position,
      fix:
        "write 'times: \(BackendDefinition.meaninglessTimes)' if Sluice must not use the answers' "
        + "times; otherwise remove 'times'"
    )
    return false
  }

  /// Returns the fix for an unknown key that probably is a secret or a parameter; nil for other
  /// keys.
  private static func fix(_ key: String) -> String? {
    let name = key.lowercased().filter { $0 != "-" && $0 != "_" }
    let endings = ["apikey", "token", "secret", "password", "authorization", "auth", "credentials"]
    if endings.contains(where: name.hasSuffix) {
      return "write 'key: {env: NAME}' and set the variable NAME"
    }
    let parameter = key.replacing("_", with: "-")
    guard ParameterReader.wireNames.contains(where: { $0.name == parameter }) else { return nil }
    return "move it under 'parameters:', as 'parameters: {\(parameter): …}'"
  }

  // MARK: An app's own endpoint

  private static func readApp(
    _ fields: FieldReader,
    _ name: String,
    isStreamed: Bool,
    files: ProjectFiles,
    environment: [String: String]
  ) -> BackendDefinition.Kind? {
    let server = readServer(fields, address: "url", files: files)
    let model = readModel(fields.optional("model"), fields)
    let bodyNode = fields.required("body")
    if let bodyNode, bodyNode.members == nil {
      fields.wrongType("body", "a mapping", bodyNode)
    }
    let body = bodyNode.flatMap {
      BodyTemplate($0, file: fields.file, diagnostics: fields.diagnostics)
    }
    var places = readPlaces(fields)
    places.isStreamed = isStreamed
    let fingerprint = Fingerprint.read(
      fields,
      of: "the backend '\(name)'",
      because: elsewhere,
      files: files,
      environment: environment
    )
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
        "'\(key)' must be a path of names with dots between them, not '\(path)'",
        in: fields.file,
        at: node.position,
        fix: mayBeWhole ? "write, for example, 'reply.text', or '.' for the whole answer" : nil
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
    let command = readCommand(fields, files: files)
    let model = readModel(fields.optional("model"), fields)
    let keepsRunning = fields.optionalBool(keepRunning) ?? false
    let parameters = ParameterReader.read(fields).values
    let fingerprint = Fingerprint.read(
      fields,
      of: "the backend '\(name)'",
      because: elsewhere,
      with: ["command": .array((command?.words ?? []).map(JSONValue.string))],
      files: files,
      environment: environment
    )
    guard let command, let fingerprint else { return nil }
    return .program(
      ProgramEndpoint(
        command: command.words,
        variables: command.variables,
        keepsRunning: keepsRunning,
        model: model,
        parameters: parameters,
        fingerprint: fingerprint
      )
    )
  }

  /// The key in `sluice.yaml` for a program that answers several requests in turn.
  static let keepRunning = "keep-running"

  /// The reason why a backend that contains its prompt itself needs a fingerprint.
  private static let elsewhere =
    "its prompt is not in this project, so without 'fingerprint' Sluice would replay old answers "
    + "after the prompt changes"

  /// Reads `command`, and `env` with the names of the variables that the program receives.
  ///
  /// - Returns: The program with its arguments, and the names of the variables. Nil, with errors
  ///   reported, if no program is named, or if the program does not exist.
  static func readCommand(_ fields: FieldReader, files: ProjectFiles)
    -> (words: [String], variables: [String])?
  {
    let commandNode = fields.required("command")
    let command = (commandNode == nil ? nil : fields.optionalTexts("command")) ?? []
    if let commandNode, case .sequence(let nodes) = commandNode.value, nodes.isEmpty {
      fields.diagnostics.error("'command' is empty", in: fields.file, at: commandNode.position)
    }
    var isThere = command.first.map { !$0.text.isEmpty } ?? false
    if let (program, node) = command.first, program.isEmpty {
      fields.diagnostics.error(
        "'command' names no program",
        in: fields.file,
        at: node.position,
        fix: "begin the list with the program's name or path"
      )
    }
    if let (program, node) = command.first, program.contains("/") {
      isThere = files.resolve(program, in: fields.file, at: node.position) != nil
    }
    // Whatever is not a name may be a secret.
    if let list = fields.optional("env") {
      let nodes = if case .sequence(let nodes) = list.value { nodes } else { [list] }
      for node in nodes {
        if case .string(let text) = node.value, EnvironmentSecrets.isName(text) { continue }
        fields.diagnostics.hideLine(from: node.position, in: fields.file)
      }
    }
    let variables = (fields.optionalTexts("env") ?? []).compactMap { name, node -> String? in
      if EnvironmentSecrets.isName(name) { return name }
      // The text after an equals sign is a value, and a text without one may be a value, too.
      let parts = name.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let isName = parts.count > 1 && Surroundings.isVariable(String(parts[0]))
      refuse(
        "'\(isName ? "\(parts[0])=" : "")…' is not a name of an environment variable",
        at: node.position,
        fields,
        fix: "list only the names; the values stay in the environment"
      )
      return nil
    }
    return isThere ? (command.map(\.text), variables) : nil
  }

  // MARK: Common keys

  /// Reads `endings`, which defines the backend's own finish reasons.
  private static func readEndings(_ fields: FieldReader) -> EndingWords {
    var endings = EndingWords()
    guard let node = fields.optional("endings") else { return endings }
    guard let members = node.members else {
      fields.wrongType("endings", "a mapping of words to their meanings", node)
      return endings
    }
    func refuse(_ message: String, at position: SourcePosition, fix: String?) {
      fields.diagnostics.error(message, in: fields.file, at: position, fix: fix)
    }
    for member in members {
      let word = member.key
      let name = fields.text(member.value, "'\(word)' in 'endings'")
      if word.isEmpty {
        refuse(
          "a word in 'endings' is an empty string",
          at: member.keyPosition,
          fix: "remove it; an answer without a finish reason counts as complete"
        )
      } else if let usual = Ending(word: word) {
        // If the project could change this meaning, a truncated answer might count as complete.
        refuse(
          "'\(word)' in 'endings' always means '\(usual.rawValue)'",
          at: member.keyPosition,
          fix: "remove it; 'endings' may list only words that Sluice does not know"
        )
      } else if endings.meaning(of: word) != nil {
        refuse(
          "'\(word)' appears twice in 'endings', where letter case is ignored",
          at: member.keyPosition,
          fix: "remove one of the two"
        )
      } else if let name {
        if let meaning = Ending.nameable.first(where: { $0.rawValue == name }) {
          endings.add(word, meaning)
        } else {
          refuse(
            "unknown meaning '\(name)' of '\(word)' in 'endings'",
            at: member.value.position,
            fix: NearestName.suggestion(for: name, among: Ending.nameable.map(\.rawValue))
          )
        }
      }
    }
    return endings
  }

  /// Reads the name of a model, which must not be empty.
  static func readModel(_ node: Node?, _ fields: FieldReader) -> String? {
    guard let node, let model = fields.text(node, "model") else { return nil }
    if !model.isEmpty { return model }
    fields.diagnostics.error(
      "'model' is empty",
      in: fields.file,
      at: node.position,
      fix: "write the model name that the server expects"
    )
    return nil
  }

  /// Reads the address of a server, and the parts that all requests to it have in common.
  ///
  /// - Parameters:
  ///   - fields: The fields of the backend.
  ///   - address: The key under which the address is written.
  ///   - usual: The default address; nil if the address is required.
  ///   - files: The project's files, which may include a program that prints the key.
  /// - Returns: The server; nil, with errors reported, if it is invalid.
  static func readServer(
    _ fields: FieldReader,
    address: String,
    or usual: String? = nil,
    files: ProjectFiles
  ) -> ServerAccess? {
    let node = usual == nil ? fields.required(address) : fields.optional(address)
    let url = fields.text(node, address)
    if let node, let url, let fault = HTTPSyntax.fault(ofURL: url) {
      fields.diagnostics.error(
        "the \(address) '\(url)' \(fault)",
        in: fields.file,
        at: node.position
      )
    }
    var headers = readTexts("headers", fields, isHeader: true)
    if let node = fields.optional("organization"),
      let organization = fields.text(node, "organization"),
      checkValue(organization, of: "'organization'", at: node.position, fields)
    {
      headers.append(HTTPHeader("OpenAI-Organization", organization))
    }
    let server = ServerAccess(
      url: url ?? usual ?? "",
      key: fields.optional("key").flatMap { readKey($0, fields, files: files) },
      headers: headers,
      query: readTexts("query", fields, isHeader: false)
    )
    return server.url.isEmpty ? nil : server
  }

  /// Reads a mapping from names to texts.
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
          "the header '\(member.key)' contains a secret, which must not be written into a file",
          in: outer.file,
          at: member.keyPosition,
          fix: "store it in an environment variable and write 'key: {env: NAME, header: "
            + "\(member.key)}'"
        )
        return nil
      }
      let value: String? =
        if case .number = member.value.value {
          member.value.json.jsonText
        } else {
          outer.text(member.value, "'\(member.key)' in '\(key)'")
        }
      guard let value else { return nil }
      if isHeader {
        if !HTTPSyntax.isToken(member.key) {
          outer.diagnostics.error(
            "'\(member.key)' in '\(key)' is not a name of an HTTP header",
            in: outer.file,
            at: member.keyPosition,
            fix: headerNameRule
          )
          return nil
        }
        let position = member.value.position
        if !checkValue(value, of: "'\(member.key)' in '\(key)'", at: position, outer) { return nil }
      }
      return HTTPHeader(member.key, value)
    }
  }

  static let headerNameRule =
    "write a name of letters, digits, '-' and '_', without spaces"

  /// Checks a header value, and reports an error if it is invalid.
  ///
  /// - Returns: True if the value is valid.
  private static func checkValue(
    _ value: String,
    of name: String,
    at position: SourcePosition,
    _ fields: FieldReader
  ) -> Bool {
    if HTTPSyntax.isHeaderValue(value) { return true }
    fields.diagnostics.error(
      "\(name) must not contain line breaks or control characters",
      in: fields.file,
      at: position,
      fix: "write it on one line"
    )
    return false
  }

  /// Reads the rules for sending requests, and whether answers are streamed.
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

  /// Reads the timeouts, the number of retries and the concurrency limit.
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
}
