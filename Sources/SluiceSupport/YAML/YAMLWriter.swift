/// The writer of YAML in the style of a person: blocks, literal texts, short values in brackets,
/// and comments.
///
/// ``YAMLReader`` reads the same values back. A string stays a string, even if it looks like a
/// number.
package struct YAMLWriter {
  /// A value to write, with optional comments.
  package indirect enum Value: Sendable {
    case json(JSONValue)
    case list([Item])
    case mapping([Member])
  }

  /// A list element with the comments above it.
  package struct Item: Sendable {
    package var comments: [String]
    package var value: Value

    package init(_ value: Value, comments: [String] = []) {
      self.value = value
      self.comments = comments
    }
  }

  /// A mapping member with the comments above it.
  package struct Member: Sendable {
    package var comments: [String]
    package var key: String
    package var value: Value

    package init(_ key: String, _ value: Value, comments: [String] = []) {
      self.key = key
      self.value = value
      self.comments = comments
    }

    package init(_ key: String, _ value: JSONValue, comments: [String] = []) {
      self.init(key, .json(value), comments: comments)
    }
  }

  private var text = ""
  /// The maximum width of a list or mapping in brackets, in columns.
  private static let bracketColumns = 88
  /// The maximum width of comments, in columns.
  private static let commentColumns = 100

  /// Returns a document.
  ///
  /// - Parameters:
  ///   - value: The value, usually a list or a mapping.
  ///   - head: Comments at the top.
  /// - Returns: The document, with a final line break.
  package static func text(_ value: Value, head: [String] = []) -> String {
    var writer = YAMLWriter()
    for line in head { writer.comment(line, indent: 0) }
    writer.block(value, indent: 0)
    return writer.text
  }

  /// Returns a value as YAML on one line, with lists and objects in brackets.
  package static func inline(_ value: JSONValue) -> String {
    switch value {
    case .array(let elements): return "[" + elements.map(inline).joined(separator: ", ") + "]"
    case .object(let object):
      let members = object.members.map { "\(scalar($0.name, isFlow: true)): \(inline($0.value))" }
      return "{" + members.joined(separator: ", ") + "}"
    case .string(let text): return scalar(text, isFlow: true)
    case .null: return "null"
    case .bool, .number, .exact: return value.jsonText
    }
  }

  // MARK: Blocks

  private mutating func block(_ value: Value, indent: Int) {
    switch value {
    case .json(.array(let elements)) where !elements.isEmpty:
      block(.list(elements.map { Item(.json($0)) }), indent: indent)
    case .json(.object(let object)) where !object.members.isEmpty:
      block(.mapping(object.members.map { Member($0.name, .json($0.value)) }), indent: indent)
    case .json(let value):
      text += Self.spaces(indent)
      scalarValue(value, indent: indent + 2)
    case .list(let items) where items.isEmpty: text += Self.spaces(indent) + "[]\n"
    case .list(let items):
      for item in items {
        for line in item.comments { comment(line, indent: indent) }
        text += Self.spaces(indent) + "- "
        rest(item.value, indent: indent + 2, column: indent + 2)
      }
    case .mapping(let members) where members.isEmpty: text += Self.spaces(indent) + "{}\n"
    case .mapping(let members):
      for member in members {
        for line in member.comments { comment(line, indent: indent) }
        text += Self.spaces(indent)
        entry(member, indent: indent)
      }
    }
  }

  /// Writes a member whose line is already indented.
  private mutating func entry(_ member: Member, indent: Int) {
    let key = Self.scalar(member.key, isFlow: true) + ":"
    text += key
    if let inline = Self.inBrackets(member.value, column: indent + key.utf8.count + 1) {
      text += " \(inline)\n"
      return
    }
    if Self.isBlock(member.value) {
      text += "\n"
      block(member.value, indent: indent + 2)
    } else if case .json(let value) = member.value {
      text += " "
      scalarValue(value, indent: indent + 2)
    }
  }

  /// Writes a value after `- `.
  private mutating func rest(_ value: Value, indent: Int, column: Int) {
    if let inline = Self.inBrackets(value, column: column) {
      text += "\(inline)\n"
      return
    }
    switch value {
    case .json(.object(let object)) where !object.members.isEmpty:
      rest(
        .mapping(object.members.map { Member($0.name, .json($0.value)) }),
        indent: indent,
        column: column
      )
    case .json(.array(let elements)) where !elements.isEmpty:
      text += "\n"
      block(value, indent: indent)
    case .mapping(let members) where !members.isEmpty:
      for (index, member) in members.enumerated() {
        // The first member is on the line of the hyphen, so its comments go inside.
        if index > 0 || !member.comments.isEmpty {
          if index == 0 {
            text.removeLast()
            text += "\n"
          }
          for line in member.comments { comment(line, indent: indent) }
          text += Self.spaces(indent)
        }
        entry(member, indent: indent)
      }
    case .list(let items) where !items.isEmpty:
      text += "\n"
      block(value, indent: indent)
    case .json(let value): scalarValue(value, indent: indent)
    case .list: text += "[]\n"
    case .mapping: text += "{}\n"
    }
  }

  private static func isBlock(_ value: Value) -> Bool {
    switch value {
    case .json(.array(let elements)): !elements.isEmpty
    case .json(.object(let object)): !object.members.isEmpty
    case .json: false
    case .list, .mapping: true
    }
  }

  /// Returns a list or object in brackets; nil if it is too wide, or contains comments or long
  /// texts.
  private static func inBrackets(_ value: Value, column: Int) -> String? {
    guard let plain = plain(value), isFlat(plain, depth: 0) else { return nil }
    switch plain {
    case .array, .object: break
    default: return nil
    }
    let inline = inline(plain)
    return column + inline.unicodeScalars.count <= bracketColumns ? inline : nil
  }

  /// Returns the value without comment wrappers; nil if it has comments.
  private static func plain(_ value: Value) -> JSONValue? {
    switch value {
    case .json(let value): return value
    case .list(let items):
      var elements: [JSONValue] = []
      for item in items {
        guard item.comments.isEmpty, let element = plain(item.value) else { return nil }
        elements.append(element)
      }
      return .array(elements)
    case .mapping(let members):
      var found: [(name: String, value: JSONValue)] = []
      for member in members {
        guard member.comments.isEmpty, let value = plain(member.value) else { return nil }
        found.append((member.key, value))
      }
      return .object(JSONObject(found))
    }
  }

  private static func isFlat(_ value: JSONValue, depth: Int) -> Bool {
    switch value {
    case .array(let elements):
      return depth < 2 && elements.count <= 12
        && elements.allSatisfy { isFlat($0, depth: depth + 1) }
    case .object(let object):
      return depth < 2 && object.members.count <= 6
        && object.members.allSatisfy { isFlat($0.value, depth: depth + 1) }
    case .string(let text): return text.utf8.count <= bracketColumns && !text.contains("\n")
    case .null, .bool, .number, .exact: return true
    }
  }

  // MARK: Scalars

  private mutating func scalarValue(_ value: JSONValue, indent: Int) {
    guard case .string(let string) = value else {
      switch value {
      case .array: text += "[]\n"
      case .object: text += "{}\n"
      case .null: text += "null\n"
      default: text += value.jsonText + "\n"
      }
      return
    }
    guard Self.canBeLiteral(string) else {
      text += Self.scalar(string, isFlow: false) + "\n"
      return
    }
    // If the first line is indented, YAML would take that as the indentation of all lines.
    text += "|" + (string.hasPrefix(" ") || string.hasPrefix("\n") ? "2" : "")
    let body = string.hasSuffix("\n") ? Substring(string.dropLast()) : Substring(string)
    if !string.hasSuffix("\n") {
      text += "-"
    } else if body.hasSuffix("\n") || body.isEmpty {
      text += "+"
    }
    text += "\n"
    for line in body.split(separator: "\n", omittingEmptySubsequences: false) {
      text += line.isEmpty ? "\n" : Self.spaces(indent) + line + "\n"
    }
  }

  private static func canBeLiteral(_ text: String) -> Bool {
    // A text with only blank lines has no line that shows its indentation.
    guard text.contains("\n"), text.contains(where: { $0 != "\n" && $0 != " " }) else {
      return false
    }
    return text.unicodeScalars.allSatisfy { $0 == "\n" || $0 == "\t" || isPrintable($0) }
      && !text.split(separator: "\n").contains { $0.hasPrefix("\t") }
  }

  private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20...0x7E, 0xA0...0x2027, 0x202A...0xD7FF, 0xE000...0xFEFE, 0xFF00...0xFFFD,
      0x10000...0x10FFFF:
      true
    default: false
    }
  }

  /// Returns a string as a scalar on one line: without quotes if that is safe, otherwise in double
  /// quotes.
  ///
  /// - Parameters:
  ///   - text: The string.
  ///   - isFlow: True in brackets, and for keys.
  /// - Returns: The scalar.
  package static func scalar(_ text: String, isFlow: Bool) -> String {
    isPlain(text, isFlow: isFlow) ? text : quoted(text)
  }

  private static func isPlain(_ text: String, isFlow: Bool) -> Bool {
    guard let first = text.unicodeScalars.first, let last = text.unicodeScalars.last else {
      return false
    }
    guard
      first.properties.isAlphabetic || first == "_" || first == "/" || first == "."
        || ("0"..."9").contains(first) || first == "$" || first == "(",
      last != " ", last != ":", text.unicodeScalars.allSatisfy(isPrintable),
      !text.contains(": "), !text.contains(" #")
    else { return false }
    if isFlow, text.unicodeScalars.contains(where: { ",[]{}:\"'".unicodeScalars.contains($0) }) {
      return false
    }
    switch text.lowercased() {
    case "null", "true", "false", "yes", "no", "on", "off", "y", "n", "~", ".inf", ".nan":
      return false
    default: break
    }
    // Some readers treat every text that begins like a number or a date as a number or a date.
    let isNumeric = ("0"..."9").contains(first) || first == "."
    return !isNumeric
      || text.unicodeScalars.contains {
        $0.properties.isAlphabetic && !"eExXobOB_TZ".unicodeScalars.contains($0)
      } && YAMLReader.number(text) == nil && first != "."
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case "\r": result += "\\r"
      default:
        if isPrintable(scalar) {
          result.unicodeScalars.append(scalar)
        } else {
          let digits = String(scalar.value, radix: 16)
          result += "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        }
      }
    }
    return result + "\""
  }

  // MARK: Comments

  /// Writes a comment, wrapped over several lines if it is long.
  private mutating func comment(_ line: String, indent: Int) {
    let safe = String(
      String.UnicodeScalarView(line.unicodeScalars.map { Self.isPrintable($0) ? $0 : " " })
    )
    let columns = max(40, Self.commentColumns - indent - 2)
    var current = ""
    var lines: [String] = []
    for word in safe.split(separator: " ", omittingEmptySubsequences: true) {
      if current.isEmpty {
        current = String(word)
      } else if current.unicodeScalars.count + 1 + word.unicodeScalars.count <= columns {
        current += " " + word
      } else {
        lines.append(current)
        current = String(word)
      }
    }
    if !current.isEmpty || lines.isEmpty { lines.append(current) }
    for line in lines { text += Self.spaces(indent) + (line.isEmpty ? "#\n" : "# \(line)\n") }
  }

  private static func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }
}
