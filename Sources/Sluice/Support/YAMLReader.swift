internal import CLibyaml

/// Reads one YAML document into nodes, over the system's libyaml.
///
/// Types follow the core schema of YAML 1.2, so `no` stays a text. Duplicate keys, aliases that expand
/// to too much, nesting beyond ``maximumDepth``, tags and merge keys are refused at their place.
package struct YAMLReader: ~Copyable {
  package static let maximumDepth = 100
  /// How many nodes aliases may add to a document.
  package static let aliasBudget = 100_000

  /// What is wrong with a document, and where.
  package struct Problem: Error {
    package var position: SourcePosition
    package var message: String
    package var fix: String?
  }

  private var parser = yaml_parser_t()
  private var problems: [Problem] = []
  private var anchors: [String: (node: Node, size: Int)] = [:]
  private var remainingAliasNodes = Self.aliasBudget

  private init(_ bytes: UnsafeBufferPointer<UInt8>) {
    yaml_parser_initialize(&parser)
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING)
    yaml_parser_set_input_string(&parser, bytes.baseAddress, bytes.count)
  }

  deinit {
    var parser = parser
    yaml_parser_delete(&parser)
  }

  /// Reads a document.
  ///
  /// - Parameter bytes: The text of the file.
  /// - Returns: The root, or nil where the text could not be read to its end or is empty, and
  ///   everything that is wrong with it.
  package static func read(_ bytes: [UInt8]) -> (root: Node?, problems: [Problem]) {
    if let offset = UTF8Text.firstInvalidByte(in: bytes) {
      let position = SourcePosition(offset: offset, in: bytes)
      return (nil, [Problem(position: position, message: "not valid UTF-8", fix: "save the file as UTF-8")])
    }
    return bytes.withUnsafeBufferPointer { buffer in
      var reader = YAMLReader(buffer)
      do throws(Problem) {
        let root = try reader.readDocument(bytes)
        return (root, reader.problems)
      } catch {
        return (nil, reader.problems + [error])
      }
    }
  }

  // MARK: Events

  private struct Event {
    var type: yaml_event_type_t
    var position: SourcePosition
    var text = ""
    var anchor: String?
    var tag: String?
    var isPlain = false
  }

  private mutating func next(_ bytes: [UInt8]) throws(Problem) -> Event {
    var event = yaml_event_t()
    guard yaml_parser_parse(&parser, &event) == 1 else { throw syntaxProblem(bytes) }
    defer { yaml_event_delete(&event) }
    var result = Event(
      type: event.type,
      position: SourcePosition(
        line: Int(event.start_mark.line) + 1,
        column: Int(event.start_mark.column) + 1
      )
    )
    switch event.type {
    case YAML_SCALAR_EVENT:
      let scalar = event.data.scalar
      result.text = String(
        decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length),
        as: UTF8.self
      )
      result.anchor = text(scalar.anchor)
      result.tag = text(scalar.tag)
      result.isPlain = scalar.style == YAML_PLAIN_SCALAR_STYLE
    case YAML_SEQUENCE_START_EVENT:
      result.anchor = text(event.data.sequence_start.anchor)
      result.tag = text(event.data.sequence_start.tag)
    case YAML_MAPPING_START_EVENT:
      result.anchor = text(event.data.mapping_start.anchor)
      result.tag = text(event.data.mapping_start.tag)
    case YAML_ALIAS_EVENT:
      result.anchor = text(event.data.alias.anchor)
    default: break
    }
    return result
  }

  private func text(_ pointer: UnsafeMutablePointer<yaml_char_t>?) -> String? {
    pointer.map { String(cString: $0) }
  }

  private func syntaxProblem(_ bytes: [UInt8]) -> Problem {
    let reason = parser.problem.map { String(cString: $0) } ?? "not valid YAML"
    // For a reader error (a control character) libyaml leaves the mark at the start of the file.
    let position =
      parser.error == YAML_READER_ERROR
      ? SourcePosition(offset: Int(parser.problem_offset), in: bytes)
      : SourcePosition(
        line: Int(parser.problem_mark.line) + 1,
        column: Int(parser.problem_mark.column) + 1
      )
    return Problem(position: position, message: "not valid YAML: \(reason)", fix: nil)
  }

  // MARK: Nodes

  private mutating func readDocument(_ bytes: [UInt8]) throws(Problem) -> Node? {
    var root: Node?
    while true {
      let event = try next(bytes)
      switch event.type {
      case YAML_STREAM_START_EVENT, YAML_DOCUMENT_END_EVENT: continue
      case YAML_STREAM_END_EVENT: return root
      case YAML_DOCUMENT_START_EVENT:
        if root != nil {
          throw Problem(
            position: event.position,
            message: "a second document starts here",
            fix: "keep one document per file"
          )
        }
        root = try readNode(try next(bytes), depth: 1, bytes).node
      default: continue
      }
    }
  }

  private mutating func readNode(_ event: Event, depth: Int, _ bytes: [UInt8]) throws(Problem)
    -> (node: Node, size: Int)
  {
    guard depth <= Self.maximumDepth else {
      throw Problem(
        position: event.position,
        message: "nested more than \(Self.maximumDepth) levels deep",
        fix: nil
      )
    }
    let result: (node: Node, size: Int)
    switch event.type {
    case YAML_ALIAS_EVENT: return try expand(event)
    case YAML_SEQUENCE_START_EVENT:
      refuseTag(event)
      result = try readSequence(event, depth: depth, bytes)
    case YAML_MAPPING_START_EVENT:
      refuseTag(event)
      result = try readMapping(event, depth: depth, bytes)
    default: result = (Node(position: event.position, value: scalarValue(event)), 1)
    }
    if let anchor = event.anchor { anchors[anchor] = result }
    return result
  }

  private mutating func readSequence(_ start: Event, depth: Int, _ bytes: [UInt8]) throws(Problem)
    -> (node: Node, size: Int)
  {
    var nodes: [Node] = []
    var size = 1
    while true {
      let event = try next(bytes)
      if event.type == YAML_SEQUENCE_END_EVENT { break }
      let element = try readNode(event, depth: depth + 1, bytes)
      nodes.append(element.node)
      size += element.size
    }
    return (Node(position: start.position, value: .sequence(nodes)), size)
  }

  private mutating func readMapping(_ start: Event, depth: Int, _ bytes: [UInt8]) throws(Problem)
    -> (node: Node, size: Int)
  {
    var members: [Node.Member] = []
    var firstPositions: [[UInt8]: SourcePosition] = [:]
    var size = 1
    while true {
      let key = try next(bytes)
      if key.type == YAML_MAPPING_END_EVENT { break }
      guard key.type == YAML_SCALAR_EVENT else {
        throw Problem(position: key.position, message: "a key must be a text", fix: nil)
      }
      let value = try readNode(try next(bytes), depth: depth + 1, bytes)
      size += value.size
      if key.text == "<<", key.isPlain {
        problems.append(
          Problem(
            position: key.position,
            message: "merge keys ('<<') are not part of YAML 1.2",
            fix: "write the keys out"
          )
        )
        continue
      }
      if let first = firstPositions.updateValue(key.position, forKey: Array(key.text.utf8)) {
        firstPositions[Array(key.text.utf8)] = first
        problems.append(
          Problem(
            position: key.position,
            message: "duplicate key '\(key.text)', first on line \(first.line)",
            fix: "remove one of the two"
          )
        )
        continue
      }
      members.append(Node.Member(key: key.text, keyPosition: key.position, value: value.node))
    }
    return (Node(position: start.position, value: .mapping(members)), size)
  }

  private mutating func expand(_ event: Event) throws(Problem) -> (node: Node, size: Int) {
    let name = event.anchor ?? ""
    guard var target = anchors[name] else {
      throw Problem(position: event.position, message: "unknown alias '*\(name)'", fix: nil)
    }
    remainingAliasNodes -= target.size
    guard remainingAliasNodes >= 0 else {
      throw Problem(
        position: event.position,
        message: "aliases expand to more than \(Self.aliasBudget) values",
        fix: "write the values out, or split the file"
      )
    }
    target.node.position = event.position
    return target
  }

  // MARK: Scalars

  private mutating func refuseTag(_ event: Event) {
    guard let tag = event.tag, tag != "!" else { return }
    let allowed = ["tag:yaml.org,2002:map", "tag:yaml.org,2002:seq"]
    if !allowed.contains(tag) { reportTag(tag, at: event.position) }
  }

  private mutating func reportTag(_ tag: String, at position: SourcePosition) {
    problems.append(
      Problem(position: position, message: "unknown tag '\(tag)'", fix: "remove the tag")
    )
  }

  private mutating func scalarValue(_ event: Event) -> Node.Value {
    switch event.tag {
    case nil: break
    case "!", "tag:yaml.org,2002:str": return .string(event.text)
    case let tag?:
      reportTag(tag, at: event.position)
      return .string(event.text)
    }
    guard event.isPlain else { return .string(event.text) }
    switch event.text {
    case "", "~", "null", "Null", "NULL": return .null
    case "true", "True", "TRUE": return .bool(true)
    case "false", "False", "FALSE": return .bool(false)
    default: return Self.number(event.text).map(Node.Value.number) ?? .string(event.text)
    }
  }

  /// The number that a plain scalar means in the core schema of YAML 1.2, section 10.3.2.
  ///
  /// Infinities and NaN, which JSON cannot hold, stay texts.
  static func number(_ text: String) -> Double? {
    var digits = Substring(text)
    guard let first = digits.utf8.first else { return nil }
    switch first {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
      UInt8(ascii: "."):
      break
    default: return nil
    }
    if text.hasPrefix("0o") { return Int(text.dropFirst(2), radix: 8).map(Double.init) }
    if text.hasPrefix("0x") { return Int(text.dropFirst(2), radix: 16).map(Double.init) }
    if digits.hasPrefix("+") { digits.removeFirst() }
    var seenDigit = false
    for (index, byte) in digits.utf8.enumerated() {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): seenDigit = true
      case UInt8(ascii: "."): continue
      case UInt8(ascii: "-") where index == 0: continue
      case UInt8(ascii: "e"), UInt8(ascii: "E"), UInt8(ascii: "+"), UInt8(ascii: "-"):
        if !seenDigit { return nil }
      default: return nil
      }
    }
    guard seenDigit, let value = Double(digits), value.isFinite else { return nil }
    return value
  }
}
