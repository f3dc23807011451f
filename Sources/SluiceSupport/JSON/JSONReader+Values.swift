// Reads whole values, as trees.
extension JSONReader {
  /// Reads the next value.
  ///
  /// If several members have the same name, the last one counts.
  @usableFromInline
  package mutating func readValue() throws(JSONSyntaxError) -> JSONValue {
    switch try nextByte() {
    case UInt8(ascii: "{"):
      var members: [(name: String, value: JSONValue)] = []
      try readMembers { reader, name throws(JSONSyntaxError) in
        if members.isEmpty { members.reserveCapacity(4) }
        members.append((name.text, try reader.readValue()))
      }
      let object = JSONObject(members)
      if object.members.count < members.count { hasDuplicates = true }
      return .object(object)
    case UInt8(ascii: "["):
      var elements: [JSONValue] = []
      try readElements { reader throws(JSONSyntaxError) in elements.append(try reader.readValue()) }
      return .array(elements)
    case UInt8(ascii: "\""): return .string(try readString())
    case UInt8(ascii: "t"): return try readWord("true", .bool(true))
    case UInt8(ascii: "f"): return try readWord("false", .bool(false))
    case UInt8(ascii: "n"): return try readWord("null", .null)
    default: return try readNumberValue()
    }
  }

  @usableFromInline
  mutating func readNode() throws(JSONSyntaxError) -> Node {
    let first = try nextByte()
    let start = position.advance(to: index, in: bytes)
    switch first {
    case UInt8(ascii: "{"):
      var members: [Node.Member] = []
      try readMembers { reader, name throws(JSONSyntaxError) in
        let keyPosition = reader.position.advance(to: name.offset, in: reader.bytes)
        members.append(
          Node.Member(key: name.text, keyPosition: keyPosition, value: try reader.readNode())
        )
      }
      return Node(position: start, value: .mapping(members))
    case UInt8(ascii: "["):
      var elements: [Node] = []
      try readElements { reader throws(JSONSyntaxError) in elements.append(try reader.readNode()) }
      return Node(position: start, value: .sequence(elements))
    case UInt8(ascii: "\""): return Node(position: start, value: .string(try readString()))
    case UInt8(ascii: "t"): return Node(position: start, value: try readWord("true", .bool(true)))
    case UInt8(ascii: "f"): return Node(position: start, value: try readWord("false", .bool(false)))
    case UInt8(ascii: "n"): return Node(position: start, value: try readWord("null", .null))
    default:
      let (value, text) = try withText { reader throws(JSONSyntaxError) in
        try reader.readNumberValue()
      }
      return Node(position: start, number: value, spelling: String(decoding: text, as: UTF8.self))
    }
  }
}
