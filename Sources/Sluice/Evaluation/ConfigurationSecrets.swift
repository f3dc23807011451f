import SluiceReporting

/// The secrets in `sluice.yaml`, which are redacted in messages that quote the file.
struct ConfigurationSecrets {
  private let file: SourceFile
  private let diagnostics: DiagnosticCollector
  private let scanner = SecretScanner()

  /// Redacts the secrets in `sluice.yaml` from all later messages.
  ///
  /// - Parameter files: The project's files.
  static func hide(_ files: ProjectFiles) {
    let path = ProjectPath(ProjectConfiguration.fileName)
    // Ignore errors here, since loading the file reports them.
    let quiet = files.reporting(to: DiagnosticCollector())
    if let (root, file) = quiet.readTree(path) {
      ConfigurationSecrets(file, files.diagnostics).hide(in: root)
    }
  }

  private init(_ file: SourceFile, _ diagnostics: DiagnosticCollector) {
    self.file = file
    self.diagnostics = diagnostics
  }

  /// Redacts the secrets in a parsed file.
  private func hide(in root: Node) {
    for member in root.members ?? [] {
      if member.key == "backends", let backends = member.value.members {
        for backend in backends { hideBackend(backend) }
      } else {
        hide(member)
      }
    }
  }

  private func hideBackend(_ backend: Node.Member) {
    guard let members = backend.value.members else { return hide(backend) }
    for member in members {
      switch (member.key, member.value.value) {
      case ("key", _): hideKey(member.value, named: member.key)
      // If headers are a text or a list by mistake, they most likely contain an API key.
      case ("headers", .string), ("headers", .sequence): hideAll(member.value)
      default: hide(member)
      }
    }
  }

  // MARK: Recognizing secrets

  /// Redacts the member's key and values if they look like secrets.
  ///
  /// If the key's name suggests a secret, redacts all texts of the value.
  private func hide(_ member: Node.Member) {
    if isSecret(member.key) { hide(member.key, at: member.keyPosition) }
    hide(member.value, isNamed: Self.isSecretName(member.key))
  }

  private func hide(_ node: Node, isNamed: Bool) {
    switch node.value {
    case .string(let text): if isNamed || isSecret(text) { hide(text, at: node.position) }
    case .sequence(let nodes): for node in nodes { hide(node, isNamed: isNamed) }
    case .mapping(let members): for member in members { hide(member) }
    case .null, .bool, .number: break
    }
  }

  /// Returns true if the name of a key suggests a secret.
  private static func isSecretName(_ name: String) -> Bool {
    switch SecretNames.hint(name.utf8) {
    case .secret, .password, .cookie: true
    case .none, .harmless, .account: false
    }
  }

  private func isSecret(_ text: String) -> Bool {
    scanner.findings(in: text).contains { $0.kind.label != .account }
  }

  // MARK: Values of `key`

  /// Redacts everything under the key `key`, except a command and the names of variables and
  /// headers.
  private func hideKey(_ node: Node, named name: String) {
    switch (NearestName.of(name, among: ["env", "header", "command", "lifetime"]), node.value) {
    case ("command", .sequence), ("lifetime", .number): return hide(node, isNamed: false)
    case ("env", .sequence(let nodes)):
      for node in nodes { hideKey(node, named: "env") }
      return
    default: break
    }
    switch node.value {
    case .mapping(let members):
      for member in members {
        if !EnvironmentSecrets.isName(member.key) { hide(member.key, at: member.keyPosition) }
        hideKey(member.value, named: member.key)
      }
    case .sequence, .number: hideAll(node)
    case .string(let text):
      let isName =
        switch NearestName.of(name, among: ["env", "header"]) {
        case "env": EnvironmentSecrets.isName(text)
        case "header": EnvironmentSecrets.isName(String(text.map { "- ".contains($0) ? "_" : $0 }))
        default: false
        }
      if !isName || isSecret(text) { hide(text, at: node.position) }
    case .null, .bool: break
    }
  }

  /// Redacts all texts and numbers below a node.
  private func hideAll(_ node: Node) {
    switch node.value {
    case .string(let text): hide(text, at: node.position)
    case .number: hide(node.json.jsonText, at: node.position)
    case .sequence(let nodes): nodes.forEach(hideAll)
    case .mapping(let members):
      for member in members {
        hide(member.key, at: member.keyPosition)
        hideAll(member.value)
      }
    case .null, .bool: break
    }
  }

  private func hide(_ text: String, at position: SourcePosition) {
    if text.isEmpty { return }
    diagnostics.hideLine(from: position, in: file)
    diagnostics.hide(text, in: file)
  }
}
