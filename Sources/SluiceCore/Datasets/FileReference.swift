import SluiceSupport

/// References to files in cases: `{file: mail.txt}` means the text of that file.
///
/// A text such as `file://mail.txt` is an error. Other tools replace it with the text of the file,
/// but Sluice would send it unchanged. To send `file://mail.txt` or `{file: mail.txt}` itself,
/// write it inside of `{literal: …}`.
enum FileReference {
  static let key = "file"
  static let literalKey = "literal"
  private static let scheme = "file://"

  /// Returns true if other tools would treat a text as a reference.
  static func isOne(_ text: String) -> Bool { text.utf8.starts(with: scheme.utf8) }

  /// Returns true if other tools would treat a valid UTF-8 text as a reference.
  static func isOne(_ units: UnsafeBufferPointer<UInt8>) -> Bool {
    units.first == UInt8(ascii: "f") && units.starts(with: scheme.utf8)
  }

  /// Returns the path in a text that other tools treat as a reference.
  static func path(_ text: String) -> String { String(text.dropFirst(scheme.count)) }

  /// Returns true if the members of an object contain a reference, at any depth.
  static func isInMembers(of value: JSONValue) -> Bool {
    guard case .object(let object) = value else { return isIn(value) }
    return object.members.contains { isIn($0.value) }
  }

  private static func isIn(_ value: JSONValue) -> Bool {
    switch value {
    case .string(let text): isOne(text)
    case .array(let elements): elements.contains(where: isIn)
    case .object(let object): path(in: object) != nil || object.members.contains { isIn($0.value) }
    case .null, .bool, .number, .exact: false
    }
  }

  /// Returns the path if an object is a reference, otherwise nil.
  private static func path(in object: JSONObject) -> String? {
    guard object.members.count == 1, object.members[0].name == key else { return nil }
    return object.members[0].value.string
  }

  /// Returns an input or an expectation with its references replaced by texts.
  ///
  /// - Parameters:
  ///   - value: The input or the expectation, an object that is not itself a reference.
  ///   - texts: The texts of the files.
  /// - Returns: The object; nil if the text of a file is not known.
  static func resolved(_ value: JSONValue, _ texts: CaseTexts) -> JSONValue? {
    guard isInMembers(of: value), case .object(let object) = value else { return value }
    var isWhole = true
    func resolved(_ value: JSONValue) -> JSONValue {
      switch value {
      case .array(let elements): return .array(elements.map(resolved))
      case .object(let object):
        if let path = path(in: object) {
          let text = texts[path]
          if text == nil { isWhole = false }
          return .string(text ?? "")
        }
        if object.members.count == 1, object.members[0].name == literalKey,
          isReference(object.members[0].value)
        {
          return object.members[0].value
        }
        return members(object)
      case .string, .null, .bool, .number, .exact: return value
      }
    }
    func members(_ object: JSONObject) -> JSONValue {
      .object(JSONObject(object.members.map { (name: $0.name, value: resolved($0.value)) }))
    }
    let whole = members(object)
    return isWhole ? whole : nil
  }

  private static func isReference(_ value: JSONValue) -> Bool {
    switch value {
    case .string(let text): isOne(text)
    case .object(let object): path(in: object) != nil
    default: false
    }
  }
}

extension CaseReader {
  private var ending: String { ProjectPath(file.path).pathExtension }

  /// Returns an input or an expectation with its references replaced by texts.
  ///
  /// - Parameter node: The input or the expectation, a mapping that is not itself a reference.
  /// - Returns: The mapping; nil, with errors reported, if a file cannot be read.
  func resolved(_ node: Node) -> Node? {
    var isWhole = true
    func resolved(_ node: Node) -> Node {
      switch node.value {
      case .string(let text) where FileReference.isOne(text):
        refuse(text, at: node.position)
        return node
      case .sequence(let nodes):
        return Node(position: node.position, value: .sequence(nodes.map(resolved)))
      case .mapping(let members):
        if let path = path(in: node) {
          guard let text = text(path) else {
            isWhole = false
            return node
          }
          return Node(position: node.position, value: .string(text))
        }
        if members.count == 1, members[0].key == FileReference.literalKey,
          isReference(members[0].value)
        {
          return members[0].value
        }
        return Node(position: node.position, value: .mapping(resolved(members)))
      default: return node
      }
    }
    func resolved(_ members: [Node.Member]) -> [Node.Member] {
      members.map {
        Node.Member(key: $0.key, keyPosition: $0.keyPosition, value: resolved($0.value))
      }
    }
    let whole = Node(position: node.position, value: .mapping(resolved(node.members ?? [])))
    return isWhole ? whole : nil
  }

  private func isReference(_ node: Node) -> Bool {
    if case .string(let text) = node.value {
      FileReference.isOne(text)
    } else {
      path(in: node) != nil
    }
  }

  /// Returns the path if a mapping is a reference, otherwise nil.
  ///
  /// CSV files have no references.
  private func path(in node: Node) -> Node? {
    guard let members = node.members, members.count == 1, members[0].key == FileReference.key,
      case .string = members[0].value.value, ending != "csv"
    else { return nil }
    return members[0].value
  }

  private func text(_ path: Node) -> String? {
    guard case .string(let reference) = path.value else { return nil }
    guard let files else { return texts[reference] }
    return texts.read(reference, at: path.position, in: file, files)
  }

  /// Reports a text that other tools replace with a file.
  private func refuse(_ text: String, at position: SourcePosition) {
    func written(_ key: String, _ text: String) -> String {
      let shown = ending == "jsonl" ? "\"\(key)\"" : key
      return "{\(shown): \(JSONValue.string(text).jsonText)}"
    }
    let literal = "to use exactly this text, write \(written(FileReference.literalKey, text))"
    let isCSV = ending == "csv"
    diagnostics.error(
      "'\(text)' would be used as text, not as the name of a file",
      in: file,
      at: position,
      fix: isCSV
        ? "write the text of the file here; \(literal), in a dataset in YAML or JSONL"
        : "write \(written(FileReference.key, FileReference.path(text))); \(literal)"
    )
  }
}
