import SluiceReporting

/// A Nunjucks template, as used by promptfoo.
///
/// Only a part of the language is supported.
///
/// The supported tags are `{{ name }}`, comments, `{% if name %}` and `{% for item in name %}`.
struct NunjucksTemplate {
  /// An unsupported tag, with its position.
  struct Unsupported: Error {
    /// The tag as written, such as `{{ name | upper }}`.
    var tag: String
    /// The offset in Unicode scalars from the start of the text.
    var offset: Int
    var reason: String
  }

  private indirect enum Part {
    case text(String)
    case name([String])
    case condition([String], isNegated: Bool, then: [Part], otherwise: [Part])
    case loop(String, [String], [Part])
  }

  private let parts: [Part]
  private let source: String
  private static let maximumDepth = 32

  /// Returns true if the template was read from exactly this text.
  func hasText(_ text: String) -> Bool { source.isIdentical(to: text) }

  /// Reads a template.
  ///
  /// - Parameter text: The text with its tags.
  /// - Throws: An error for the first unsupported tag.
  init(_ text: String) throws(Unsupported) {
    var reader = Reader(text)
    parts = try reader.read(until: [], depth: 0)
    source = text
  }

  /// Returns true if a text has Nunjucks tags.
  static func hasTags(_ text: String) -> Bool {
    text.contains("{{") || text.contains("{%") || text.contains("{#")
  }

  /// True if the rendered text does not depend on variables.
  var isConstant: Bool {
    parts.allSatisfy { if case .text = $0 { true } else { false } }
  }

  /// The paths of the variables that the template uses, except loop variables.
  var names: [[String]] {
    var found: [[String]] = []
    func read(_ parts: [Part], _ locals: Set<String>) {
      for part in parts {
        switch part {
        case .text: break
        case .name(let path): if !locals.contains(path[0]) { found.append(path) }
        case .condition(let path, _, let then, let otherwise):
          if !locals.contains(path[0]) { found.append(path) }
          read(then, locals)
          read(otherwise, locals)
        case .loop(let variable, let path, let body):
          if !locals.contains(path[0]) { found.append(path) }
          read(body, locals.union([variable]))
        }
      }
    }
    read(parts, [])
    return found
  }

  // MARK: Filling

  /// Returns the text that Nunjucks renders.
  ///
  /// Missing and null values become empty texts.
  func render(_ variables: JSONValue) -> String {
    var output = ""
    Self.render(parts, [variables], &output)
    return output
  }

  private static func render(_ parts: [Part], _ scopes: [JSONValue], _ output: inout String) {
    for part in parts {
      switch part {
      case .text(let text): output += text
      case .name(let path): output += text(value(path, scopes))
      case .condition(let path, let isNegated, let then, let otherwise):
        let holds = isTrue(value(path, scopes)) != isNegated
        render(holds ? then : otherwise, scopes, &output)
      case .loop(let variable, let path, let body):
        guard case .array(let elements)? = value(path, scopes) else { continue }
        for element in elements {
          render(body, scopes + [.object([variable: element])], &output)
        }
      }
    }
  }

  private static func value(_ path: [String], _ scopes: [JSONValue]) -> JSONValue? {
    for scope in scopes.reversed() {
      guard var value = scope[path[0]] else { continue }
      for step in path.dropFirst() {
        guard let next = value[step] else { return nil }
        value = next
      }
      return value
    }
    return nil
  }

  /// Converts a value to a text, as JavaScript does.
  static func text(_ value: JSONValue?) -> String {
    switch value {
    case nil, .null?: ""
    case .string(let text)?: text
    case .array(let elements)?: elements.map { text($0) }.joined(separator: ",")
    case .object?: "[object Object]"
    case let other?: other.requestText
    }
  }

  private static func isTrue(_ value: JSONValue?) -> Bool {
    switch value {
    case nil, .null?, .bool(false)?, .string("")?, .number(0)?: false
    default: true
    }
  }

  // MARK: Conversion

  /// Converts the template to Sluice's template language.
  ///
  /// If a section tag is alone on a line, Sluice removes the line, but Nunjucks does not. So the
  /// conversion adds a line break after such a tag.
  func counterpart() throws(Unsupported) -> String {
    var pieces: [(text: String, isSection: Bool)] = []
    try Self.write(parts, locals: [], to: &pieces)
    var output = ""
    for (index, piece) in pieces.enumerated() {
      guard piece.isSection else {
        output += piece.text
        continue
      }
      let before = output.unicodeScalars.reversed().prefix { $0 != "\n" }
      let isFirst = before.allSatisfy { $0 == " " || $0 == "\t" }
      let next = index + 1 < pieces.count ? pieces[index + 1] : nil
      let rest = next?.text.unicodeScalars.drop { $0 == " " || $0 == "\t" }
      let isLast = next == nil || next?.isSection == false && rest?.first == "\n"
      guard isFirst, isLast else {
        output += piece.text
        continue
      }
      let hasSpaces = !before.isEmpty || next.map { " \t".contains($0.text.first ?? "\n") } ?? false
      if hasSpaces {
        // A comment tag on the same line prevents Sluice from removing the line.
        output += "{{! }}" + piece.text
      } else {
        output += piece.text + (next == nil ? "" : "\n")
      }
    }
    return output
  }

  private static func write(
    _ parts: [Part],
    locals: [String],
    to pieces: inout [(text: String, isSection: Bool)]
  ) throws(Unsupported) {
    func name(_ path: [String]) -> String {
      guard let place = locals.lastIndex(of: path[0]) else { return path.joined(separator: ".") }
      // In Sluice's language, the element of the innermost loop is written `.`.
      if place == locals.count - 1 {
        return path.count == 1 ? "." : path.dropFirst().joined(separator: ".")
      }
      return path.joined(separator: ".")
    }
    for part in parts {
      switch part {
      case .text(let text): pieces.append((text, false))
      case .name(let path): pieces.append(("{{\(name(path))}}", false))
      case .condition(let path, let isNegated, let then, let otherwise):
        for (body, sign) in [(then, isNegated ? "^" : "#"), (otherwise, isNegated ? "#" : "^")]
        where !body.isEmpty {
          pieces.append(("{{\(sign)\(name(path))}}", true))
          try write(body, locals: locals, to: &pieces)
          pieces.append(("{{/\(name(path))}}", true))
        }
      case .loop(let variable, let path, let body):
        pieces.append(("{{#\(name(path))}}", true))
        try write(body, locals: locals + [variable], to: &pieces)
        pieces.append(("{{/\(name(path))}}", true))
      }
    }
  }

  // MARK: Reading

  private struct Reader {
    let scalars: [Unicode.Scalar]
    var index = 0
    /// The tag that ended the list of parts read last, such as `else`.
    var ending = ""
    /// True if the previous tag removes the white space at the start of the next text.
    var trims = false

    init(_ text: String) { scalars = Array(text.unicodeScalars) }

    mutating func read(until ends: [String], depth: Int) throws(Unsupported) -> [Part] {
      guard depth <= NunjucksTemplate.maximumDepth else {
        throw Unsupported(tag: "{% … %}", offset: index, reason: "tags nested too deeply")
      }
      var parts: [Part] = []
      let opening = index
      while index < scalars.count {
        let text = readText()
        if !text.isEmpty { parts.append(.text(text)) }
        guard index < scalars.count else { break }
        let start = index
        let (kind, content) = try readTag()
        let written = String(String.UnicodeScalarView(scalars[start..<index]))
        func unsupported(_ reason: String) -> Unsupported {
          Unsupported(tag: written, offset: start, reason: reason)
        }
        switch kind {
        case "#": continue
        case "{":
          guard let path = Self.path(content) else {
            throw unsupported(Self.reason(content))
          }
          parts.append(.name(path))
        default:
          let words = content.split(separator: " ").map(String.init)
          let first = words.first ?? ""
          if ends.contains(first) {
            ending = first
            return parts
          }
          switch first {
          case "if":
            let isNegated = words.dropFirst().first == "not"
            let name = words.dropFirst(isNegated ? 2 : 1).joined(separator: " ")
            guard let path = Self.path(name) else {
              throw unsupported("a condition other than a name")
            }
            let then = try read(until: ["else", "endif"], depth: depth + 1)
            let otherwise =
              ending == "else" ? try read(until: ["endif"], depth: depth + 1) : []
            parts.append(.condition(path, isNegated: isNegated, then: then, otherwise: otherwise))
          case "for":
            guard words.count == 4, words[2] == "in", let path = Self.path(words[3]),
              Self.path(words[1])?.count == 1
            else { throw unsupported("a loop over something other than a name") }
            let body = try read(until: ["endfor"], depth: depth + 1)
            parts.append(.loop(words[1], path, body))
          case "raw":
            let end = "{% endraw %}"
            let rest = String(String.UnicodeScalarView(scalars[index...]))
            guard let place = rest.firstRange(of: end) else {
              throw unsupported("a tag that is never closed")
            }
            let raw = rest[..<place.lowerBound]
            guard !raw.contains("{{") else {
              throw unsupported("braces that are meant as plain text")
            }
            parts.append(.text(String(raw)))
            index += raw.unicodeScalars.count + end.unicodeScalars.count
          default: throw unsupported("the tag '\(first)'")
          }
        }
      }
      if !ends.isEmpty {
        throw Unsupported(tag: "{% … %}", offset: opening, reason: "a tag that is never closed")
      }
      return parts
    }

    private func isOpening(_ place: Int) -> Bool {
      place + 1 < scalars.count && scalars[place] == "{"
        && "{%#".unicodeScalars.contains(scalars[place + 1])
    }

    private mutating func readText() -> String {
      var text = String.UnicodeScalarView()
      while index < scalars.count, !isOpening(index) {
        text.append(scalars[index])
        index += 1
      }
      if trims { text = String.UnicodeScalarView(text.drop { $0.properties.isWhitespace }) }
      trims = false
      if index + 2 < scalars.count, scalars[index + 2] == "-" {
        while let last = text.last, last.properties.isWhitespace { text.removeLast() }
      }
      return String(text)
    }

    private mutating func readTag() throws(Unsupported) -> (kind: Unicode.Scalar, content: String) {
      let start = index
      let kind = scalars[index + 1]
      let close: Unicode.Scalar = kind == "{" ? "}" : kind
      var end = index + 2
      while end + 1 < scalars.count, !(scalars[end] == close && scalars[end + 1] == "}") {
        end += 1
      }
      guard end + 1 < scalars.count else {
        let shown = String(String.UnicodeScalarView(scalars[start...].prefix(30)))
        throw Unsupported(tag: shown, offset: start, reason: "a tag that is never closed")
      }
      var content = scalars[(index + 2)..<end]
      if content.first == "-" { content = content.dropFirst() }
      if content.last == "-" {
        content = content.dropLast()
        trims = true
      }
      index = end + 2
      return (kind, String(String.UnicodeScalarView(content)).trimmed)
    }

    private static let reservedNames = [
      "loop", "env", "_conversation", "not", "true", "false", "none",
    ]

    /// Returns the path of a name in a tag, or `nil` if the tag is not a plain name.
    static func path(_ text: String) -> [String]? {
      // vars['name'] means the same as vars.name.
      let plain = text.replacing(/\[\s*['"]([A-Za-z_][A-Za-z0-9_]*)['"]\s*\]/) { ".\($0.1)" }
      let steps = plain.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
      let isName = steps.allSatisfy { $0.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*/) != nil }
      return isName && !reservedNames.contains(steps[0]) ? steps : nil
    }

    static func reason(_ content: String) -> String {
      if content.hasPrefix("env.") || content.hasPrefix("env[") { return "an environment variable" }
      if content.hasPrefix("_conversation") { return "the conversation of earlier tests" }
      if content.contains("|") { return "a filter" }
      if content.contains("[") { return "an index into a list" }
      if content.contains("(") { return "a function" }
      return "an expression instead of a name"
    }
  }
}
