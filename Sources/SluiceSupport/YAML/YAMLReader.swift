internal import CLibyaml

/// The reader of YAML documents, which turns one document into nodes with the system's libyaml.
///
/// Types follow the core schema of YAML 1.2, so `no` stays a string. The reader rejects duplicate
/// keys, aliases that expand to too many nodes, nesting beyond ``maximumDepth``, tags and merge
/// keys. It reports the position of each of these problems.
package struct YAMLReader: ~Copyable {
  package static let maximumDepth = 100
  /// The maximum number of nodes that aliases may add to a document.
  package static let aliasBudget = 100_000

  /// A problem in a document, with its position.
  package struct Problem: Error {
    package var position: SourcePosition
    package var message: String
    package var fix: String?
    /// The fix without the text of the line; `nil` if the fix does not contain the line.
    package var fixWithoutLine: String?
  }

  /// A node with the number of nodes in its tree (including itself), and with its nesting depth.
  private struct Tree {
    var node: Node
    var size = 1
    var height = 1
  }

  /// The parser, which is heap-allocated, because libyaml stores the parser's address in it.
  private let parser: UnsafeMutablePointer<yaml_parser_t>
  private let marks: MarkTable
  private var problems: [Problem] = []
  /// The opening bracket and its position for each open list or mapping in brackets; nil for each
  /// open list or mapping without brackets.
  private var open: [(sign: Character, position: SourcePosition)?] = []
  private var anchors: [String: Tree] = [:]
  private var remainingAliasNodes = Self.aliasBudget
  private let mergesKeys: Bool

  private init(_ bytes: UnsafeBufferPointer<UInt8>, mergesKeys: Bool) {
    self.mergesKeys = mergesKeys
    parser = .allocate(capacity: 1)
    parser.initialize(to: yaml_parser_t())
    marks = MarkTable(bytes)
    let text = UnsafeBufferPointer(rebasing: bytes[marks.start...])
    yaml_parser_initialize(parser)
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    yaml_parser_set_input_string(parser, text.baseAddress, text.count)
  }

  deinit {
    yaml_parser_delete(parser)
    parser.deallocate()
  }

  /// Reads a document.
  ///
  /// - Parameters:
  ///   - bytes: The text of the file.
  ///   - mergesKeys: True for files of other tools, in which `<<` merges the members of another
  ///     mapping, as in YAML 1.1.
  /// - Returns: The root and all problems. The root is nil if the text is empty or could not be
  ///   read to its end.
  package static func read(_ bytes: [UInt8], mergesKeys: Bool = false) -> (
    root: Node?, problems: [Problem]
  ) {
    if let offset = UTF8Text.firstInvalidByte(in: bytes) {
      let position = SourcePosition(offset: offset, in: bytes)
      let fix = "save the file as UTF-8"
      return (nil, [Problem(position: position, message: "not valid UTF-8", fix: fix)])
    }
    return bytes.withUnsafeBufferPointer { buffer in
      var reader = YAMLReader(buffer, mergesKeys: mergesKeys)
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
    guard yaml_parser_parse(parser, &event) == 1 else { throw syntaxProblem(bytes) }
    defer { yaml_event_delete(&event) }
    var result = Event(
      type: event.type,
      position: marks.position(of: event.start_mark)
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
      let isInBrackets = event.data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE
      open.append(isInBrackets ? ("[", result.position) : nil)
      result.anchor = text(event.data.sequence_start.anchor)
      result.tag = text(event.data.sequence_start.tag)
    case YAML_MAPPING_START_EVENT:
      let isInBrackets = event.data.mapping_start.style == YAML_FLOW_MAPPING_STYLE
      open.append(isInBrackets ? ("{", result.position) : nil)
      result.anchor = text(event.data.mapping_start.anchor)
      result.tag = text(event.data.mapping_start.tag)
    case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: open.removeLast()
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
    let reason = parser.pointee.problem.map { String(cString: $0) } ?? "not valid YAML"
    // If a character cannot be read, such as a control character, libyaml reports the start of the
    // file.
    let position =
      parser.pointee.error == YAML_READER_ERROR
      ? SourcePosition(offset: marks.start + Int(parser.pointee.problem_offset), in: bytes)
      : marks.position(of: parser.pointee.problem_mark)
    let hasStart = parser.pointee.context != nil && parser.pointee.error != YAML_READER_ERROR
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    func line(_ number: Int) -> String? {
      guard lines.indices.contains(number - 1) else { return nil }
      let line = lines[number - 1]
      return String(decoding: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self)
    }
    if let slip = YAMLSlip.problem(near: position, line) { return slip }
    return YAMLSyntaxFault(
      problem: reason,
      position: position,
      start: hasStart ? marks.position(of: parser.pointee.context_mark) : nil,
      bracket: open.last ?? nil,
      line: line(position.line) ?? "",
      startLine: hasStart ? line(marks.position(of: parser.pointee.context_mark).line) ?? "" : "",
      isLastLine: position.line >= lines.count
    ).reported
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
        root = try readTree(try next(bytes), depth: 1, bytes).node
      default: continue
      }
    }
  }

  private mutating func readTree(_ event: Event, depth: Int, _ bytes: [UInt8]) throws(Problem)
    -> Tree
  {
    try checkDepth(depth, at: event)
    let result: Tree
    switch event.type {
    case YAML_ALIAS_EVENT: return try expand(event, depth: depth)
    case YAML_SEQUENCE_START_EVENT:
      refuseTag(event)
      result = try readSequence(event, depth: depth, bytes)
    case YAML_MAPPING_START_EVENT:
      refuseTag(event)
      result = try readMapping(event, depth: depth, bytes)
    default: result = Tree(node: scalar(event))
    }
    if let anchor = event.anchor { anchors[anchor] = result }
    return result
  }

  private func checkDepth(_ depth: Int, at event: Event) throws(Problem) {
    guard depth > Self.maximumDepth else { return }
    throw Problem(
      position: event.position,
      message: "nested more than \(Self.maximumDepth) levels deep",
      fix: nil
    )
  }

  private mutating func readSequence(_ start: Event, depth: Int, _ bytes: [UInt8]) throws(Problem)
    -> Tree
  {
    var nodes: [Node] = []
    var (size, height) = (1, 1)
    while true {
      let event = try next(bytes)
      if event.type == YAML_SEQUENCE_END_EVENT { break }
      let element = try readTree(event, depth: depth + 1, bytes)
      nodes.append(element.node)
      size += element.size
      height = max(height, 1 + element.height)
    }
    let node = Node(position: start.position, value: .sequence(nodes))
    return Tree(node: node, size: size, height: height)
  }

  private mutating func readMapping(_ start: Event, depth: Int, _ bytes: [UInt8]) throws(Problem)
    -> Tree
  {
    var members: [Node.Member] = []
    var merged: [Node.Member] = []
    var firstPositions: [ExactString: SourcePosition] = [:]
    var (size, height) = (1, 1)
    while true {
      let key = try next(bytes)
      if key.type == YAML_MAPPING_END_EVENT { break }
      guard key.type == YAML_SCALAR_EVENT else {
        throw UnquotedTemplate.problem(
          start.position,
          in: bytes,
          isInBrackets: open.dropLast(2).contains { $0 != nil }
        ) ?? Problem(position: key.position, message: "a key must be a text", fix: nil)
      }
      // A key is the text as written, even if it has a tag.
      if key.anchor != nil || key.tag != nil { _ = try readTree(key, depth: depth, bytes) }
      let value = try readTree(try next(bytes), depth: depth + 1, bytes)
      size += value.size
      height = max(height, 1 + value.height)
      if key.text == "<<", key.isPlain, mergesKeys {
        merged += Self.merged(value.node)
        continue
      }
      if key.text == "<<", key.isPlain {
        problems.append(
          Problem(
            position: key.position,
            message: "merge keys ('<<') are not part of YAML 1.2",
            fix: "write out the keys"
          )
        )
        continue
      }
      if let first = firstPositions[ExactString(key.text)] {
        problems.append(
          Problem(
            position: key.position,
            message: "duplicate key '\(key.text)', first on line \(first.line)",
            fix: "remove one of the two"
          )
        )
        continue
      }
      firstPositions[ExactString(key.text)] = key.position
      members.append(Node.Member(key: key.text, keyPosition: key.position, value: value.node))
    }
    for member in merged where firstPositions[ExactString(member.key)] == nil {
      firstPositions[ExactString(member.key)] = member.keyPosition
      members.append(member)
    }
    let node = Node(position: start.position, value: .mapping(members))
    return Tree(node: node, size: size, height: height)
  }

  /// Returns the members that a merge key adds.
  ///
  /// Members of earlier mappings take precedence.
  private static func merged(_ node: Node) -> [Node.Member] {
    if case .sequence(let nodes) = node.value { return nodes.flatMap { $0.members ?? [] } }
    return node.members ?? []
  }

  private mutating func expand(_ event: Event, depth: Int) throws(Problem) -> Tree {
    let name = event.anchor ?? ""
    guard var target = anchors[name] else {
      throw Problem(position: event.position, message: "unknown alias '*\(name)'", fix: nil)
    }
    remainingAliasNodes -= target.size
    guard remainingAliasNodes >= 0 else {
      throw Problem(
        position: event.position,
        message: "aliases expand to more than \(Self.aliasBudget) values",
        fix: "write out the values, or split the file"
      )
    }
    try checkDepth(depth + target.height - 1, at: event)
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

  private mutating func scalar(_ event: Event) -> Node {
    var node = Node(position: event.position, value: .string(event.text))
    switch event.tag {
    case nil: break
    case "!", "tag:yaml.org,2002:str": return node
    case let tag?:
      reportTag(tag, at: event.position)
      return node
    }
    guard event.isPlain else { return node }
    switch event.text {
    case "", "~", "null", "Null", "NULL": node.value = .null
    case "true", "True", "TRUE": node.value = .bool(true)
    case "false", "False", "FALSE": node.value = .bool(false)
    default:
      guard let number = Self.number(event.text) else { break }
      return Node(position: event.position, number: number, spelling: event.text)
    }
    return node
  }

  /// Returns the number that a plain scalar means in the core schema of YAML 1.2, section 10.3.2.
  ///
  /// Infinities and NaN stay strings, since JSON cannot represent them.
  package static func number(_ text: String) -> JSONValue? {
    let units = Array(text.utf8)
    func isDigit(_ unit: UInt8) -> Bool { (0x30...0x39).contains(unit) }
    if text.hasPrefix("0o") || text.hasPrefix("0x") {
      let radix = text.hasPrefix("0o") ? 8 : 16
      let places = text.dropFirst(2).map { $0.isASCII ? UInt64(String($0), radix: radix) : nil }
      // More digits would be more than any double.
      guard (1...(radix == 8 ? 22 : 256)).contains(places.count), !places.contains(nil) else {
        return nil
      }
      return ExactNumber(whole: places.compactMap(\.self), radix: UInt64(radix))
        .map(JSONValue.init)
    }
    var rest = units[...]
    func skipDigits() -> Int {
      let digits = rest.prefix(while: isDigit)
      rest = rest[digits.endIndex...]
      return digits.count
    }
    func skip(_ wanted: String) {
      if let first = rest.first, wanted.utf8.contains(first) { rest.removeFirst() }
    }
    skip("+-")
    var digits = skipDigits()
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      digits += skipDigits()
    }
    guard digits > 0 else { return nil }
    if let first = rest.first, first | 0x20 == UInt8(ascii: "e") {
      rest.removeFirst()
      skip("+-")
      guard skipDigits() > 0 else { return nil }
    }
    guard rest.isEmpty else { return nil }
    // JSON's own spellings are read like JSON, which is fast.
    return (try? JSONReader.value(text)) ?? ExactNumber(units).map(JSONValue.init)
  }
}

/// The positions of libyaml's marks.
private struct MarkTable {
  /// The offset in bytes at which the text starts, after a byte-order mark if there is one.
  let start: Int
  /// The starts of lines, in characters, if the text has line breaks that only libyaml recognizes;
  /// otherwise nil.
  ///
  /// libyaml follows YAML 1.1, in which NEL, LS, PS and a single carriage return also end a line.
  /// Editors do not break lines there.
  private let lineStarts: [Int]?
  /// The end of a text that lacks a final line break.
  ///
  /// At the end of such a text, libyaml reports a line that does not exist.
  private let end: SourcePosition?

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    start = UTF8Text.startsWithByteOrderMark(bytes) ? 3 : 0
    lineStarts = Self.hasOtherLineBreaks(bytes) ? Self.lineStarts(bytes[start...]) : nil
    var tracker = PositionTracker(line: 1)
    end = bytes.last == 0x0A ? nil : tracker.advance(to: bytes.count, in: bytes)
  }

  func position(of mark: yaml_mark_t) -> SourcePosition {
    guard let lineStarts else {
      let position = SourcePosition(line: Int(mark.line) + 1, column: Int(mark.column) + 1)
      return end.map { min($0, position) } ?? position
    }
    let index = Int(mark.index)
    var (low, high) = (0, lineStarts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if lineStarts[middle] <= index { low = middle } else { high = middle }
    }
    return SourcePosition(line: low + 1, column: index - lineStarts[low] + 1)
  }

  private static func hasOtherLineBreaks(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    // The last bytes of these line breaks are rare, so searching for them is fast.
    let ends: [UInt8] = [0x0D, 0x85, 0xA8, 0xA9]
    let text = UnsafeRawBufferPointer(bytes)
    guard ends.contains(where: { text.firstOffset(of: $0) != nil }) else { return false }
    for index in bytes.indices {
      switch bytes[index] {
      case 0x0D where index + 1 == bytes.count || bytes[index + 1] != 0x0A: return true
      case 0x85 where index > 0 && bytes[index - 1] == 0xC2: return true
      case 0xA8 where index > 1 && bytes[index - 1] == 0x80 && bytes[index - 2] == 0xE2,
        0xA9 where index > 1 && bytes[index - 1] == 0x80 && bytes[index - 2] == 0xE2:
        return true
      default: continue
      }
    }
    return false
  }

  private static func lineStarts(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> [Int] {
    var starts = [0]
    var characters = 0
    for byte in bytes where byte & 0xC0 != 0x80 {
      characters += 1
      if byte == 0x0A { starts.append(characters) }
    }
    return starts
  }
}
