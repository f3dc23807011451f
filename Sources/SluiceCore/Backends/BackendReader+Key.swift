import SluiceSupport

extension BackendReader {
  /// Reads `key: {env: NAME}` or `key: {command: [PROGRAM, ARGUMENT]}`.
  ///
  /// A file must not contain the key itself.
  ///
  /// - Parameters:
  ///   - node: The value of `key`.
  ///   - outer: The fields of the backend.
  ///   - files: The project's files, which may include the program.
  /// - Returns: The reference; nil, with errors reported, if the value is invalid.
  static func readKey(_ node: Node, _ outer: FieldReader, files: ProjectFiles)
    -> ServerAccess.KeyReference?
  {
    switch node.value {
    case .string, .number:
      refuse("a key must not be written into a file", at: node.position, outer, fix: variableRule)
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
    let (variable, command) = (fields.optional("env"), fields.optional("command"))
    let header = readHeader(fields)
    let source: ServerAccess.KeyReference.Source? =
      if let command {
        readKeyCommand(command, variable, fields, files: files).map { .command($0) }
      } else {
        readVariable(variable, fields).map { .variable($0) }
      }
    fields.finish()
    if variable == nil, command == nil, !fields.isMisspelt("env"), !fields.isMisspelt("command") {
      fields.diagnostics.error(
        "'key' needs 'env' or 'command'",
        in: fields.file,
        at: node.position,
        fix: "write 'key: {env: NAME}', or 'key: {command: [PROGRAM, ARGUMENT]}'"
      )
    }
    switch source {
    case .variable(let name): return ServerAccess.KeyReference(variable: name, header: header)
    case .command(let command): return ServerAccess.KeyReference(command: command, header: header)
    case nil: return nil
    }
  }

  private static let variableRule =
    "store it in an environment variable and write 'key: {env: NAME}'"

  /// Reports an error without showing the value, which may be a key.
  static func refuse(
    _ message: String,
    at position: SourcePosition,
    _ fields: FieldReader,
    fix: String
  ) {
    fields.diagnostics.hideLine(from: position, in: fields.file)
    fields.diagnostics.error(message, in: fields.file, at: position, fix: fix)
  }

  private static func readHeader(_ fields: FieldReader) -> String? {
    guard let node = fields.optional("header"), let header = fields.text(node, "header") else {
      return nil
    }
    if HTTPSyntax.isToken(header) { return header }
    fields.diagnostics.error(
      "'header' must be the name of a header, not '\(header)'",
      in: fields.file,
      at: node.position,
      fix: headerNameRule
    )
    return nil
  }

  private static func readVariable(_ node: Node?, _ fields: FieldReader) -> String? {
    if let node = fields.optional("lifetime") {
      fields.diagnostics.error(
        "'lifetime' applies only to a key that a 'command' prints",
        in: fields.file,
        at: node.position,
        fix: "remove it"
      )
    }
    return node.flatMap { readVariable($0, fields, fix: variableRule) }
  }

  /// Reads `env`, which must be the name of a variable; nil, with an error reported, if it may be
  /// a key.
  static func readVariable(_ node: Node, _ fields: FieldReader, fix: String) -> String? {
    guard let name = fields.text(node, "env") else { return nil }
    if EnvironmentSecrets.isName(name) { return name }
    refuse(
      "'env' must be the name of an environment variable, not a key",
      at: node.position,
      fields,
      fix: fix
    )
    return nil
  }

  // MARK: A command

  private static func readKeyCommand(
    _ node: Node,
    _ variable: Node?,
    _ fields: FieldReader,
    files: ProjectFiles
  ) -> KeyCommand? {
    let lifetime = fields.optionalInteger("lifetime", in: 10...86_400)
    if let variable, case .string = variable.value {
      // The value may itself be a key, so it is not shown.
      refuse(
        "'key' has both 'env' and 'command'",
        at: variable.position,
        fields,
        fix: "remove one of them; to pass variables to the command, write a list: 'env: [NAME]'"
      )
      return nil
    }
    if case .string = node.value {
      fields.wrongType(
        "command",
        "a list",
        node,
        fix: "write the words separately, as in 'command: [PROGRAM, ARGUMENT]'"
      )
      return nil
    }
    guard let command = readCommand(fields, files: files) else { return nil }
    return KeyCommand(
      command.words,
      variables: command.variables,
      lifetime: lifetime ?? KeyCommand.usualLifetime
    )
  }
}
