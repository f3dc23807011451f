package import SluiceSupport

/// The reader of prompt files.
package enum PromptReader {
  /// The extensions of plain-text prompt files.
  package static let textExtensions = ["txt", "md"]
  /// The extensions of prompt files.
  package static let extensions = ["yaml", "yml"] + textExtensions

  /// Reads a prompt; nil, with errors reported, if it is unusable.
  package static func read(_ path: ProjectPath, files: ProjectFiles) -> Prompt? {
    if textExtensions.contains(path.pathExtension) { return readText(path, files: files) }
    let diagnostics = files.diagnostics
    guard let (root, file) = files.readTree(path) else { return nil }
    if case .string(let text) = root.value {
      diagnostics.error(
        "a prompt must be a mapping, not a text",
        in: file,
        at: root.position,
        fix: "write 'messages: [{user: \(ValueSource.doubleQuoted(text))}]'"
      )
      return nil
    }
    guard
      let fields = FieldReader(root, subject: "a prompt", file: file, diagnostics: diagnostics)
    else { return nil }
    var parts: [WrittenPart] = []
    if let node = fields.required("messages") {
      if let list = wholeList(node, file: file) {
        parts = [list]
      } else if case .sequence(let nodes) = node.value {
        parts = nodes.compactMap { readMessage($0, file: file, diagnostics: diagnostics) }
        if nodes.isEmpty {
          diagnostics.error("'messages' is empty", in: file, at: node.position)
        }
      } else {
        fields.wrongType("messages", "a list", node, fix: messagesFix(node))
      }
    }
    let parameters = ParameterReader.read(fields)
    let leavesOut = fields.optionalBool("ignore-unsupported") ?? false
    let schema = readSchema(fields, files: files)
    reportLooseRoles(fields)
    fields.finish(parameterFix, foreign: .prompt)
    var prompt = prompt(at: path, parts, parameters: parameters.values, schema: schema)
    prompt?.parameterPositions = parameters.positions
    prompt?.ignoresUnsupported = leavesOut
    return prompt
  }

  /// A part of a prompt, with the JSON that represents the part in the prompt's digest.
  struct WrittenPart {
    var part: Prompt.Part
    var json: JSONValue
  }

  /// Returns a prompt made of the given parts; nil if there are none.
  static func prompt(
    at path: ProjectPath,
    _ parts: [WrittenPart],
    parameters: JSONObject = [:],
    schema: ResponseSchema? = nil
  ) -> Prompt? {
    if parts.isEmpty { return nil }
    let texts = JSONValue.array(parts.map(\.json))
    let digest = SHA256.hexadecimal(
      JSONWriter.canonical([
        "messages": texts, "parameters": .object(parameters),
        "schema": schema?.schema ?? .null,
      ])
    )
    return Prompt(
      name: path.stem,
      path: path,
      parts: parts.map(\.part),
      parameters: parameters,
      responseSchema: schema,
      digest: digest,
      templateDigest: SHA256.hexadecimal(JSONWriter.canonical(texts))
    )
  }

  /// Reads the list of messages that forms a whole prompt: `messages: "{{history}}"`.
  private static func wholeList(_ node: Node, file: SourceFile) -> WrittenPart? {
    guard case .string(let text) = node.value else { return nil }
    let position = TextPosition(text, at: node.position, in: file)
    // A text that is not a valid template is reported as an invalid list.
    let found = try? MessageList(text, at: position, isWhole: true)
    return found.map { list(text, $0) }
  }

  private static func list(_ text: String, _ list: MessageList) -> WrittenPart {
    WrittenPart(part: .list(list), json: [MessageList.key: .string(text)])
  }

  /// Reads the value of an entry `- messages: "{{history}}"`.
  private static func readList(
    _ node: Node,
    file: SourceFile,
    diagnostics: DiagnosticCollector
  ) -> WrittenPart? {
    func refuse(_ message: String, at position: SourcePosition? = nil, fix: String?) -> WrittenPart?
    {
      diagnostics.error(message, in: file, at: position ?? node.position, fix: fix)
      return nil
    }
    guard case .string(let text) = node.value else {
      var fix = singleBraces(node).map { "write '\(MessageList.key): \"{{\($0)}}\"'" }
      if case .sequence = node.value { fix = "put the entries directly into the outer list" }
      return refuse(
        "in a list of messages, the value of '\(MessageList.key)' must be a single variable, not "
          + node.kind,
        fix: fix ?? "write '\(MessageList.key): \"{{NAME}}\"'"
      )
    }
    let position = TextPosition(text, at: node.position, in: file)
    do throws(Template.Problem) {
      if let found = try MessageList(text, at: position, isWhole: false) {
        return list(text, found)
      }
    } catch {
      return refuse(error.message, at: position.position(of: error.offset), fix: error.fix)
    }
    return refuse(
      "in a list of messages, the value of '\(MessageList.key)' must be a single variable without "
        + "other text",
      fix: "for a message with this text, write '- user: \(ValueSource.doubleQuoted(text))'"
    )
  }

  private static func readMessage(
    _ node: Node,
    file: SourceFile,
    diagnostics: DiagnosticCollector
  ) -> WrittenPart? {
    guard let members = node.members, members.count == 1, let member = members.first else {
      diagnostics.error(
        "a message must have exactly one key, its role",
        in: file,
        at: secondRole(node)?.keyPosition ?? node.position,
        fix: messageFix(node)
      )
      return nil
    }
    if member.key == MessageList.key {
      return readList(member.value, file: file, diagnostics: diagnostics)
    }
    guard let role = MessageRole(rawValue: member.key) else {
      let isList = NearestName.of(member.key, among: [MessageList.key]) != nil
      diagnostics.error(
        "unknown role '\(member.key)'",
        in: file,
        at: member.keyPosition,
        fix: isList ? "did you mean '\(MessageList.key)'?" : roleFix(member.key)
      )
      return nil
    }
    guard case .string(let text) = member.value.value else {
      diagnostics.error(
        "'\(member.key)' must be a text, not \(member.value.kind)",
        in: file,
        at: member.value.position,
        fix: singleBraces(member.value).map { "write '\(member.key): \"{{\($0)}}\"'" }
          ?? ValueSource(file).quoting(member.value)
      )
      return nil
    }
    ValueSource(file).warnOfCurlyQuotes(member.value, diagnostics)
    return message(
      role,
      text,
      at: TextPosition(text, at: member.value.position, in: file),
      in: file,
      diagnostics
    )
  }

  /// Returns a message with a template; nil, with an error reported, if the text is not a valid
  /// template.
  static func message(
    _ role: MessageRole,
    _ text: String,
    at position: TextPosition,
    in file: SourceFile,
    _ diagnostics: DiagnosticCollector
  ) -> WrittenPart? {
    do throws(Template.Problem) {
      let template = try Template(text)
      return WrittenPart(
        part: .message(.init(role: role, template: template, position: position)),
        json: [role.rawValue: .string(text)]
      )
    } catch {
      diagnostics.error(
        error.message,
        in: file,
        at: position.position(of: error.offset),
        fix: error.fix
      )
      return nil
    }
  }

  /// Returns the fix for an unknown role.
  ///
  /// - Parameters:
  ///   - word: The word as it is written.
  ///   - fix: Returns the fix for a role name of another tool.
  /// - Returns: The fix, or nil if there is none.
  static func roleFix(
    _ word: String,
    writing fix: (String) -> String = { "write '\($0):'" }
  ) -> String? {
    roleNames[word].map(fix)
      ?? NearestName.suggestion(for: word, among: MessageRole.allCases.map(\.rawValue))
  }

  /// The roles, by the names that other tools use.
  static let roleNames = [
    "human": "user", "person": "user", "customer": "user", "bot": "assistant", "ai": "assistant",
    "model": "assistant", "agent": "assistant", "instructions": "system",
  ]

  /// Returns the name in a value such as `{ticket}`, which has one brace too few on each side.
  private static func singleBraces(_ node: Node) -> String? {
    guard let members = node.members, members.count == 1, case .null = members[0].value.value else {
      return nil
    }
    return members[0].key
  }

  /// Reports roles at the top level of a prompt without `messages`, as a single error.
  private static func reportLooseRoles(_ fields: FieldReader) {
    let loose = fields.unasked.filter { MessageRole(rawValue: $0.key) != nil }
    guard let first = loose.first, fields.optional("messages") == nil else { return }
    let names = loose.map { "'\($0.key):'" }.joined(separator: ", ")
    fields.diagnostics.error(
      "'\(first.key)' must be inside the list 'messages'",
      in: fields.file,
      at: first.keyPosition,
      fix: "add a line 'messages:' above, and put '- ' before \(names)"
    )
    fields.accept(loose.map(\.key), insteadOf: "messages")
  }

  /// Returns the fix for a key that belongs elsewhere, such as `model` or `temperature`.
  private static func parameterFix(_ key: String) -> String? {
    if ["model", "backend", "provider"].contains(key) {
      return "remove it; the suite names the backend, and sluice.yaml names the backend's model"
    }
    let name = key.replacing("_", with: "-")
    guard ParameterReader.wireNames.contains(where: { $0.name == name }) else { return nil }
    return "move it under 'parameters:', as '\(name): …'"
  }

  /// Returns the fix for messages that are not a list.
  private static func messagesFix(_ node: Node) -> String? {
    switch node.value {
    case .string(let text): "write 'messages: [{user: \(ValueSource.doubleQuoted(text))}]'"
    case .mapping(let members):
      members.first.map {
        "write '- \($0.key): …', and begin each role with '- '"
      }
    default: nil
    }
  }

  /// Returns the fix for a message that is not a single role with a text.
  private static func messageFix(_ node: Node) -> String {
    if case .string(let text) = node.value {
      return "write '- user: \(ValueSource.doubleQuoted(text))'"
    }
    if case .string(let role)? = node["role"]?.value,
      case .string(let text)? = node["content"]?.value
    {
      return "write '- \(role): \(ValueSource.doubleQuoted(text))'"
    }
    guard let second = secondRole(node) else { return "write '- system: …' or '- user: …'" }
    return "write '- \(second.key): …', and begin each role with '- '"
  }

  /// Returns the second member of an entry that combines two messages.
  private static func secondRole(_ node: Node) -> Node.Member? {
    node.members?.dropFirst().first.flatMap { MessageRole(rawValue: $0.key) == nil ? nil : $0 }
  }

  private static func readSchema(_ fields: FieldReader, files: ProjectFiles) -> ResponseSchema? {
    guard let node = fields.optional("response-schema"),
      let reference = fields.text(node, "response-schema"),
      let path = files.resolve(reference, in: fields.file, at: node.position),
      let (root, file) = files.readTree(path)
    else { return nil }
    guard root.members != nil else {
      files.diagnostics.error(
        "a JSON Schema must be an object, not \(root.kind)",
        in: file,
        at: root.position
      )
      return nil
    }
    // The API allows up to 64 letters, digits, '_' and '-' in the name of a schema.
    let stem = path.name.split(separator: ".").first.map(String.init) ?? "answer"
    let name = String(
      stem.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") ? $0 : "_" }
    )
    return ResponseSchema(name: String(name.prefix(64)), schema: root.json)
  }
}
