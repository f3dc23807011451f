// The part of FoundationEssentials that swift-argument-parser uses, under the same name. The parser needs it for
// `--experimental-dump-help` and the descriptions of errors. The whole module would add some 5 MB to the released
// program, a seventh of its size.

public protocol LocalizedError: Error {
  var errorDescription: String? { get }
}

extension LocalizedError {
  public var errorDescription: String? { nil }
}

public struct Data {
  fileprivate let text: String
}

extension String {
  public struct Encoding: Sendable {
    public static let utf8 = Encoding()
  }

  public init?(data: Data, encoding: Encoding) { self = data.text }
}

/// Always writes indented JSON with sorted keys, and ignores `outputFormatting`.
public final class JSONEncoder {
  public struct OutputFormatting: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let prettyPrinted = OutputFormatting(rawValue: 1)
    public static let sortedKeys = OutputFormatting(rawValue: 2)
  }

  public var outputFormatting: OutputFormatting = []

  public init() {}

  public func encode<T: Encodable>(_ value: T) throws -> Data {
    Data(text: try Node(value).text(indentation: ""))
  }
}

/// A value to write as JSON; the containers of an encoder fill it in.
private final class Node {
  enum Content {
    case scalar(String)
    case array([Node])
    case object([String: Node])
  }

  var content: Content = .object([:])

  init() {}

  init(_ value: some Encodable) throws {
    switch value {
    case let value as String: content = .scalar(Self.quoted(value))
    case let value as Bool: content = .scalar(value ? "true" : "false")
    case is any BinaryInteger, is any BinaryFloatingPoint:
      content = .scalar(String(describing: value))
    default: try value.encode(to: NodeEncoder(node: self, codingPath: []))
    }
  }

  func append(_ node: Node) {
    guard case .array(let nodes) = content else { return content = .array([node]) }
    content = .array(nodes + [node])
  }

  func set(_ key: String, _ node: Node) {
    guard case .object(var members) = content else { return content = .object([key: node]) }
    members[key] = node
    content = .object(members)
  }

  func text(indentation: String) -> String {
    let inner = indentation + "  "
    func lines(_ items: [String], _ open: String, _ close: String) -> String {
      if items.isEmpty { return open + close }
      return "\(open)\n\(items.map { inner + $0 }.joined(separator: ",\n"))\n\(indentation)\(close)"
    }
    switch content {
    case .scalar(let text): return text
    case .array(let nodes): return lines(nodes.map { $0.text(indentation: inner) }, "[", "]")
    case .object(let members):
      let items = members.sorted { $0.key < $1.key }.map {
        "\(Self.quoted($0.key)) : \($0.value.text(indentation: inner))"
      }
      return lines(items, "{", "}")
    }
  }

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": quoted += "\\\(scalar)"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      case "\0"..<" ":
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}

private struct NodeEncoder: Encoder {
  let node: Node
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(Members(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    node.content = .array([])
    return Items(encoder: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { Single(encoder: self) }
}

private struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let encoder: NodeEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }

  func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    encoder.node.set(key.stringValue, try Node(value))
  }

  func encodeNil(forKey key: Key) throws { nested(key).node.content = .scalar("null") }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type,
    forKey key: Key
  ) -> KeyedEncodingContainer<Nested> { nested(key).container(keyedBy: type) }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    nested(key).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { encoder }
  func superEncoder(forKey key: Key) -> any Encoder { nested(key) }

  private func nested(_ key: Key) -> NodeEncoder {
    let node = Node()
    encoder.node.set(key.stringValue, node)
    return NodeEncoder(node: node, codingPath: codingPath + [key])
  }
}

private struct Items: UnkeyedEncodingContainer {
  let encoder: NodeEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }
  var count: Int {
    guard case .array(let nodes) = encoder.node.content else { return 0 }
    return nodes.count
  }

  func encode<T: Encodable>(_ value: T) throws { encoder.node.append(try Node(value)) }
  func encodeNil() throws { nested().node.content = .scalar("null") }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> { nested().container(keyedBy: type) }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { nested().unkeyedContainer() }
  func superEncoder() -> any Encoder { nested() }

  private func nested() -> NodeEncoder {
    let node = Node()
    encoder.node.append(node)
    return NodeEncoder(node: node, codingPath: codingPath)
  }
}

private struct Single: SingleValueEncodingContainer {
  let encoder: NodeEncoder
  var codingPath: [any CodingKey] { encoder.codingPath }

  func encode<T: Encodable>(_ value: T) throws { encoder.node.content = try Node(value).content }
  func encodeNil() throws { encoder.node.content = .scalar("null") }
}
