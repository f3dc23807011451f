/// A JSON value (RFC 8259).
///
/// Equality compares numbers by their exact decimal values, and strings scalar by scalar. It ignores
/// the order of an object's members.
public enum JSONValue: Sendable {
  /// The value `null`.
  case null
  /// A Boolean: `true` or `false`.
  case bool(Bool)
  /// A number for which a double stands, which is finite if it was read from a text.
  ///
  /// That is the decimal that is its shortest spelling or, below 10^21, the integer that it holds.
  case number(Double)
  /// A number for which no double stands, such as 9007199254740993 or 1e400.
  ///
  /// ``number`` is the nearest double.
  indirect case exact(ExactNumber)
  /// A string, without its quotes and escapes.
  case string(String)
  /// An array of any values.
  case array([JSONValue])
  /// An object, whose members keep their order.
  case object(JSONObject)
}

/// The members of a JSON object, in the order in which they were written.
public struct JSONObject: Sendable {
  /// The members, with unique names.
  public private(set) var members: [(name: String, value: JSONValue)]

  /// Creates an object.
  ///
  /// If several members have the same name, the last one counts.
  ///
  /// - Parameter members: The names and values, in order.
  public init(_ members: [(name: String, value: JSONValue)] = []) {
    if Self.areDistinct(members) {
      self.members = members
      return
    }
    self.members = []
    self.members.reserveCapacity(members.count)
    var indices: [ExactString: Int] = [:]
    for member in members {
      let name = ExactString(member.name)
      if let index = indices[name] {
        self.members[index].value = member.value
      } else {
        indices[name] = self.members.count
        self.members.append(member)
      }
    }
  }

  /// Returns true if there are few members, and all names are distinct.
  private static func areDistinct(_ members: [(name: String, value: JSONValue)]) -> Bool {
    guard members.count <= searchLimit else { return false }
    // Compares in place, because accessing an element of the array would copy its value.
    return members.withUnsafeBufferPointer { members in
      for index in members.indices {
        for other in 0..<index where members[other].name.isIdentical(to: members[index].name) {
          return false
        }
      }
      return true
    }
  }

  /// The maximum number of members for which a linear search is fast enough.
  fileprivate static let searchLimit = 48

  /// The value of the member with a name, or nil if there is no such member.
  ///
  /// Setting nil removes the member.
  ///
  /// - Parameter name: The member's name.
  public subscript(_ name: String) -> JSONValue? {
    get {
      members.withUnsafeBufferPointer { members in
        for index in members.indices where members[index].name.isIdentical(to: name) {
          return members[index].value
        }
        return nil
      }
    }
    set {
      let index = members.firstIndex { $0.name.isIdentical(to: name) }
      switch (index, newValue) {
      case (let index?, let value?): members[index].value = value
      case (let index?, nil): members.remove(at: index)
      case (nil, let value?): members.append((name, value))
      case (nil, nil): break
      }
    }
  }
}

extension JSONValue: Hashable {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public static func == (left: JSONValue, right: JSONValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.number(let left), .number(let right)): left == right
    case (.exact(let left), .exact(let right)): left == right
    case (.string(let left), .string(let right)): left.isIdentical(to: right)
    case (.array(let left), .array(let right)): left == right
    case (.object(let left), .object(let right)): left == right
    default: false
    }
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .bool(let value): hasher.combine(value)
    case .number(let value): hasher.combine(value)
    case .exact(let value): hasher.combine(value)
    case .string(let value): hasher.combine(value)
    case .array(let value): hasher.combine(value)
    case .object(let value): hasher.combine(value)
    }
  }
}

extension JSONObject: Hashable {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public static func == (left: JSONObject, right: JSONObject) -> Bool {
    guard left.members.count == right.members.count else { return false }
    let pairs = zip(left.members, right.members)
    if pairs.allSatisfy({ $0.name.isIdentical(to: $1.name) }) {
      return pairs.allSatisfy { $0.value == $1.value }
    }
    guard left.members.count > searchLimit else {
      return left.members.allSatisfy { right[$0.name] == $0.value }
    }
    let values = Dictionary(
      right.members.map { (ExactString($0.name), $0.value) },
      uniquingKeysWith: { _, last in last }
    )
    return left.members.allSatisfy { values[ExactString($0.name)] == $0.value }
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public func hash(into hasher: inout Hasher) {
    // Equality ignores the order of members, so the hash must ignore it, too.
    var combined = members.count
    for member in members {
      var inner = Hasher()
      inner.combine(member.name)
      inner.combine(member.value)
      combined ^= inner.finalize()
    }
    hasher.combine(combined)
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self.init(elements.map { (name: $0.0, value: $0.1) })
  }
}

extension JSONValue: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral,
  ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByFloatLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByNilLiteral
{
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(JSONObject(elements.map { (name: $0.0, value: $0.1) }))
  }
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public init(stringLiteral value: String) { self = .string(value) }
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public init(floatLiteral value: Double) { self = .number(value) }
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public init(integerLiteral value: Int) {
    self = .number(Double(value))
    if integer != value, let exact = ExactNumber("\(value)".utf8) { self = .exact(exact) }
  }
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public init(nilLiteral: ()) { self = .null }
}

extension JSONValue {
  /// The string; nil if the value is not a string.
  public var string: String? { if case .string(let value) = self { value } else { nil } }
  /// The number as the nearest double, which is finite if the number was read from a text; nil if
  /// the value is not a number.
  public var number: Double? {
    switch self {
    case .number(let value): value
    case .exact(let value): value.double
    default: nil
    }
  }
  /// The number as an integer; nil if the value is not a whole number that fits into `Int`.
  public var integer: Int? {
    if case .exact(let value) = self { return Int(value.description) }
    return number.flatMap(Int.init(exactly:))
  }
  /// The Boolean; nil if the value is not a Boolean.
  public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
  /// The elements; nil if the value is not an array.
  public var array: [JSONValue]? { if case .array(let value) = self { value } else { nil } }
  /// The members; nil if the value is not an object.
  public var object: JSONObject? { if case .object(let value) = self { value } else { nil } }

  /// The value of the member with a name; nil if this value is not an object, or if it has no such
  /// member.
  ///
  /// - Parameter name: The member's name.
  public subscript(_ name: String) -> JSONValue? { object?[name] }

  /// Returns the value at a path of member names and array indices joined by dots.
  ///
  /// - Parameter path: The path, such as `choices.0.message`.
  /// - Returns: The value, or nil if the path does not exist.
  public func value(at path: String) -> JSONValue? {
    // Most paths have one step.
    if !path.isEmpty, !path.utf8.contains(UInt8(ascii: ".")) { return child(path) }
    var current = self
    for step in path.utf8.split(separator: UInt8(ascii: ".")) {
      guard let next = current.child(String(Substring(step))) else { return nil }
      current = next
    }
    return current
  }

  /// Returns the value at one step of a path.
  private func child(_ step: String) -> JSONValue? {
    switch self {
    case .object(let object): return object[step]
    case .array(let elements):
      guard let index = Int(step), elements.indices.contains(index) else { return nil }
      return elements[index]
    default: return nil
    }
  }

  /// The type of the value, in the terms of JSON Schema.
  package var typeName: String {
    switch self {
    case .null: "null"
    case .bool: "boolean"
    case .number, .exact: "number"
    case .string: "string"
    case .array: "array"
    case .object: "object"
    }
  }
}

extension JSONObject {
  /// Appends a member unless the value is nil.
  package mutating func set(_ name: String, _ value: JSONValue?) {
    if let value { self[name] = value }
  }
}
