import SluiceReporting

/// The state while a configuration is read: the files, and the findings so far.
final class PromptfooContext {
  var source: ImportSource
  /// The path of the configuration, relative to the imported folder.
  let configuration: ProjectPath
  private(set) var findings: [ImportReport.Finding] = []
  private var seen: Set<ImportReport.Finding> = []
  /// The lines of each file, from which ``isPlain(_:in:)`` finds out if a value is quoted.
  private var lines: [ProjectPath: [String]] = [:]
  /// Descriptions of the placeholders that the user must replace.
  private(set) var fillIns: [String] = []

  init(_ files: any FileSystem, configuration: ProjectPath) {
    source = ImportSource(files)
    self.configuration = configuration
  }

  var folder: ProjectPath { configuration.folder }

  /// A position in a file, for findings.
  struct Place {
    var path: ProjectPath
    var position: SourcePosition?

    init(_ path: ProjectPath, _ position: SourcePosition?) {
      self.path = path
      self.position = position
    }
  }

  func report(
    _ kind: ImportReport.Finding.Kind,
    _ area: ImportReport.Area,
    _ place: Place,
    _ message: String,
    nearest: String? = nil
  ) {
    let finding = ImportReport.Finding(
      kind,
      area,
      path: place.path.description,
      position: place.position,
      message: message,
      nearest: nearest
    )
    if seen.insert(finding).inserted { findings.append(finding) }
  }

  func fillIn(_ text: String) { if !fillIns.contains(text) { fillIns.append(text) } }

  /// Returns the path of the file that a `file://` reference means.
  func path(_ reference: String) -> ProjectPath {
    let scheme = "file://"
    let plain = reference.hasPrefix(scheme) ? String(reference.dropFirst(scheme.count)) : reference
    return configuration.resolving(plain)
  }

  // MARK: Values

  /// Returns the value that JavaScript's YAML parser would read.
  ///
  /// If Sluice's YAML parser reads a different value, the difference is reported.
  func value(_ node: Node, in path: ProjectPath, _ area: ImportReport.Area) -> JSONValue {
    switch node.value {
    case .string(let text):
      guard isPlain(node, in: path) else { return .string(text) }
      if text.wholeMatch(of: /\d{4}-\d{1,2}-\d{1,2}([Tt ].*)?/) != nil {
        report(
          .changed,
          area,
          Place(path, node.position),
          "\(text): promptfoo reads it as a date and fills in the time in the local time zone",
          nearest: "the string '\(text)' was written; if the date is in quotation marks, promptfoo "
            + "reads the same string"
        )
      }
      let digits = text.replacing("_", with: "")
      if text.contains("_"), text.wholeMatch(of: /[-+]?[1-9][0-9_]*/) != nil,
        let number = Double(digits)
      {
        return .number(number)
      }
      return .string(text)
    case .sequence(let nodes): return .array(nodes.map { value($0, in: path, area) })
    case .mapping(let members):
      return .object(
        JSONObject(members.map { (name: $0.key, value: value($0.value, in: path, area)) })
      )
    case .null, .bool, .number: return node.json
    }
  }

  /// Returns true if a text in a YAML file is not quoted.
  private func isPlain(_ node: Node, in path: ProjectPath) -> Bool {
    guard ["yaml", "yml"].contains(path.pathExtension) else { return false }
    if lines[path] == nil {
      let text = (try? source.text(path)) ?? ""
      lines[path] = text.lines
    }
    guard let all = lines[path], all.indices.contains(node.position.line - 1) else { return false }
    let line = all[node.position.line - 1].unicodeScalars.dropFirst(node.position.column - 1)
    guard let first = line.first else { return false }
    return !"\"'|>".unicodeScalars.contains(first)
  }
}

extension Node {
  /// Returns the text of a member, or `nil` if the member is missing or is not a text.
  func text(_ key: String) -> String? {
    if case .string(let text)? = self[key]?.value { text } else { nil }
  }

  func number(_ key: String) -> Double? {
    if case .number(let number)? = self[key]?.value { number } else { nil }
  }

  /// Returns the value of a member, or `nil` if the member is missing or null.
  func present(_ key: String) -> Node? {
    guard let node = self[key] else { return nil }
    if case .null = node.value { return nil }
    return node
  }

  var elements: [Node]? { if case .sequence(let nodes) = value { nodes } else { nil } }
  var string: String? { if case .string(let text) = value { text } else { nil } }
}
