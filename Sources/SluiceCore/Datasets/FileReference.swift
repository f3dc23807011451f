import SluiceSupport

/// Texts such as `file://mail.txt`, for which other tools read a file.
///
/// Sluice reads none, and a model that is sent such a text answers something else than what its case
/// is about. So they are errors, unless they stand as `{literal: "file://…"}`, which is the text.
enum FileReference {
  private static let scheme = "file://"

  /// Returns true when a text would be a reference elsewhere.
  static func isOne(_ text: String) -> Bool { text.utf8.starts(with: scheme.utf8) }

  /// Returns true when a text in valid UTF-8 would be a reference elsewhere.
  static func isOne(_ units: UnsafeBufferPointer<UInt8>) -> Bool {
    units.first == UInt8(ascii: "f") && units.starts(with: scheme.utf8)
  }

  /// Returns true when a value holds such a text anywhere.
  static func isIn(_ value: JSONValue) -> Bool {
    switch value {
    case .string(let text): isOne(text)
    case .array(let elements): elements.contains(where: isIn)
    case .object(let object): object.members.contains { isIn($0.value) }
    case .null, .bool, .number: false
    }
  }

  /// The value with the texts in place of their literals.
  static func unwrapped(_ value: JSONValue) -> JSONValue {
    guard isIn(value) else { return value }
    switch value {
    case .array(let elements): return .array(elements.map(unwrapped))
    case .object(let object):
      if object.members.count == 1, let text = object["literal"]?.string, isOne(text) {
        return .string(text)
      }
      return .object(JSONObject(object.members.map { (name: $0.name, value: unwrapped($0.value)) }))
    case .string, .null, .bool, .number: return value
    }
  }

  /// The node with the texts in place of their literals; references are reported.
  static func unwrapped(_ node: Node, in file: SourceFile, _ diagnostics: DiagnosticCollector)
    -> Node
  {
    func unwrapped(_ node: Node) -> Node {
      switch node.value {
      case .string(let text) where isOne(text):
        let isCSV = ProjectPath(file.path).pathExtension == "csv"
        diagnostics.error(
          "'\(text)' would be taken as a text: no file is read into a case",
          in: file,
          at: node.position,
          fix: "write the text itself; for these very words write "
            + "{literal: \(JSONValue.string(text).jsonText)}"
            + (isCSV ? ", in a dataset in YAML or JSONL" : "")
        )
        return node
      case .sequence(let nodes):
        return Node(position: node.position, value: .sequence(nodes.map(unwrapped)))
      case .mapping(let members):
        if members.count == 1, members[0].key == "literal",
          case .string(let text) = members[0].value.value, isOne(text)
        {
          return members[0].value
        }
        let inner = members.map {
          Node.Member(key: $0.key, keyPosition: $0.keyPosition, value: unwrapped($0.value))
        }
        return Node(position: node.position, value: .mapping(inner))
      default: return node
      }
    }
    return unwrapped(node)
  }
}
