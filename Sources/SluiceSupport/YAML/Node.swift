/// A value of a YAML, JSON or CSV file with its source position.
@usableFromInline
package struct Node: Sendable {
  package var position: SourcePosition
  package var value: Value
  private var spelled: SpelledNumber?

  /// A number that is not what its double and the usual spelling say.
  private final class SpelledNumber: Sendable {
    let number: JSONValue
    let spelling: String?

    init(_ number: JSONValue, _ spelling: String?) {
      (self.number, self.spelling) = (number, spelling)
    }
  }

  /// The number as the file spells it, if a prompt would spell it otherwise; nil for other values.
  package var spelling: String? { spelled?.spelling }

  package init(position: SourcePosition, value: Value) {
    self.position = position
    self.value = value
  }

  /// Creates a number, whose ``value`` is the nearest double.
  package init(position: SourcePosition, number: JSONValue, spelling: String? = nil) {
    self.position = position
    value = .number(number.number ?? 0)
    let isUsual = spelling.map { JSONWriter.line(number).elementsEqual($0.utf8) } ?? true
    var isExact = false
    if case .exact = number { isExact = true }
    if isExact || !isUsual { spelled = SpelledNumber(number, isUsual ? nil : spelling) }
  }

  package enum Value: Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case sequence([Node])
    case mapping([Member])
  }

  /// A key with its value.
  package struct Member: Sendable {
    package var key: String
    package var keyPosition: SourcePosition
    package var value: Node

    package init(key: String, keyPosition: SourcePosition, value: Node) {
      self.key = key
      self.keyPosition = keyPosition
      self.value = value
    }
  }
}

extension Node {
  /// Returns the value with all of its nodes at the given position.
  package func placed(at position: SourcePosition) -> Node {
    var node = self
    node.position = position
    switch value {
    case .sequence(let elements): node.value = .sequence(elements.map { $0.placed(at: position) })
    case .mapping(let members):
      node.value = .mapping(
        members.map {
          Member(key: $0.key, keyPosition: position, value: $0.value.placed(at: position))
        }
      )
    case .null, .bool, .number, .string: break
    }
    return node
  }

  /// The value without its positions.
  package var json: JSONValue {
    switch value {
    case .null: .null
    case .bool(let value): .bool(value)
    case .number(let value): spelled?.number ?? .number(value)
    case .string(let value): .string(value)
    case .sequence(let nodes): .array(nodes.map(\.json))
    case .mapping(let members):
      .object(JSONObject(members.map { (name: $0.key, value: $0.value.json) }))
    }
  }

  /// Creates a tree of nodes that share one position.
  package init(_ json: JSONValue, at position: SourcePosition) {
    self.init(position: position, number: json)
    switch json {
    case .null: value = .null
    case .bool(let bool): value = .bool(bool)
    case .number, .exact: break
    case .string(let text): value = .string(text)
    case .array(let elements): value = .sequence(elements.map { Node($0, at: position) })
    case .object(let object):
      value = .mapping(
        object.members.map {
          Member(key: $0.name, keyPosition: position, value: Node($0.value, at: position))
        }
      )
    }
  }

  /// The numbers in the tree that a prompt would spell differently, in order.
  package var respelled: [Node] {
    switch value {
    case .sequence(let nodes): nodes.flatMap(\.respelled)
    case .mapping(let members): members.flatMap(\.value.respelled)
    case .null, .bool, .number, .string: spelling == nil ? [] : [self]
    }
  }

  package var members: [Member]? { if case .mapping(let members) = value { members } else { nil } }

  package subscript(_ key: String) -> Node? {
    members?.first { $0.key.isIdentical(to: key) }?.value
  }

  /// The name of the value's type in messages to the file's author.
  package var kind: String {
    switch value {
    case .null: "nothing"
    case .bool: "true or false"
    case .number: "a number"
    case .string: "a text"
    case .sequence: "a list"
    case .mapping: "a mapping"
    }
  }
}
