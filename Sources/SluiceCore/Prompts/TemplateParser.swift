import SluiceSupport

/// A parser that splits a template into plain text and tags.
struct TemplateParser {
  enum Token {
    case text(String)
    case tag(Tag)
  }

  struct Tag {
    enum Kind { case variable, section, inverted, close }
    var kind: Kind
    var path: [String]
    /// The offset in Unicode scalars from the start of the text.
    var offset: Int
  }

  private let scalars: [Unicode.Scalar]
  private var index = 0

  private init(_ text: String) {
    scalars = Array(text.unicodeScalars)
  }

  /// Returns the plain texts and tags of a template, in order.
  static func tokens(of text: String) throws(Template.Problem) -> [Token] {
    var parser = TemplateParser(text)
    return try parser.readTokens()
  }

  private mutating func readTokens() throws(Template.Problem) -> [Token] {
    var tokens: [Token] = []
    var text = String.UnicodeScalarView()
    while index < scalars.count {
      guard isAtTag else {
        text.append(scalars[index])
        index += 1
        continue
      }
      let (tag, end) = try readTag(from: index)
      if tag?.kind != .variable, let lineEnd = endOfLineIfAlone(from: index, to: end) {
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        index = lineEnd
      } else {
        index = end
      }
      guard let tag else { continue }
      if !text.isEmpty { tokens.append(.text(String(text))) }
      text = String.UnicodeScalarView()
      tokens.append(.tag(tag))
    }
    if !text.isEmpty { tokens.append(.text(String(text))) }
    return tokens
  }

  private func readTag(from start: Int) throws(Template.Problem) -> (tag: Tag?, end: Int) {
    var end = start + 2
    while end + 1 < scalars.count, !(scalars[end] == "}" && scalars[end + 1] == "}") { end += 1 }
    guard end + 1 < scalars.count else {
      throw notClosed(start)
    }
    var content = String(String.UnicodeScalarView(scalars[(start + 2)..<end])).trimmed
    let kind: Tag.Kind
    switch content.unicodeScalars.first {
    case "!": return (nil, end + 2)
    case "#": kind = .section
    case "^": kind = .inverted
    case "/": kind = .close
    case "{", "&":
      let name = String(content.dropFirst()).trimmed
      throw Template.Problem(
        offset: start,
        message: "'{{\(content.prefix(1))' is not needed, because Sluice does not escape text",
        fix: "write '{{\(name)}}'"
      )
    case ">", "=":
      throw Template.Problem(
        offset: start,
        message: "'{{\(content.prefix(1))' is not supported",
        fix:
          "use one of these: {{name}}, {{#name}}, {{^name}}, "
          + "{{/name}} or {{! comment}}"
      )
    default: kind = .variable
    }
    if kind != .variable { content = String(content.dropFirst()).trimmed }
    let path =
      content == "."
      ? [] : content.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    // Another tag starts inside of this tag, so the end of this tag is missing.
    if content.contains("{{") {
      throw notClosed(start)
    }
    guard path.allSatisfy(isName) else {
      let shown = content.count > 40 ? content.prefix(40) + "…" : content
      throw Template.Problem(
        offset: start,
        message: "'\(shown)' is not a name",
        fix: filtered(content).map { "write '{{\($0)}}'; filters are not supported" }
          ?? "a name consists of letters, digits, '_' and '-', with dots between its parts"
      )
    }
    return (Tag(kind: kind, path: path, offset: start), end + 2)
  }

  /// Returns the error for an unclosed tag.
  ///
  /// The error shows the tag that was probably meant, if the name is recognizable.
  private func notClosed(_ start: Int) -> Template.Problem {
    let rest = scalars[(start + 2)...].drop { $0 == " " }
    let signs = rest.prefix { "#^/".unicodeScalars.contains($0) }
    var name = rest.dropFirst(signs.count).prefix { isName(String($0)) || $0 == "." }
    // A final dot belongs to the sentence, not to the name.
    while name.last == "." { name.removeLast() }
    let tag = String(String.UnicodeScalarView(signs + name))
    return Template.Problem(
      offset: start,
      message: "'{{' is never closed",
      fix: name.isEmpty ? "add '}}'" : "write '{{\(tag)}}'"
    )
  }

  /// Returns the name before a filter such as `| upper`.
  private func filtered(_ content: String) -> String? {
    guard let bar = content.firstIndex(of: "|") else { return nil }
    let name = String(content[..<bar]).trimmed
    return name.split(separator: ".").allSatisfy { isName(String($0)) } && !name.isEmpty
      ? name : nil
  }

  private func isName(_ text: String) -> Bool {
    !text.isEmpty
      && text.unicodeScalars.allSatisfy {
        $0.properties.isAlphabetic || $0.properties.numericType != nil || $0 == "_" || $0 == "-"
      }
  }

  private var isAtTag: Bool {
    index + 1 < scalars.count && scalars[index] == "{" && scalars[index + 1] == "{"
  }

  /// Returns the end of the line, including its line break, if the line contains only the tag;
  /// otherwise nil.
  private func endOfLineIfAlone(from start: Int, to end: Int) -> Int? {
    var before = start
    while before > 0, scalars[before - 1] == " " || scalars[before - 1] == "\t" { before -= 1 }
    guard before == 0 || scalars[before - 1] == "\n" else { return nil }
    var after = end
    while after < scalars.count, scalars[after] == " " || scalars[after] == "\t" { after += 1 }
    if after < scalars.count, scalars[after] == "\r" { after += 1 }
    if after == scalars.count { return after }
    return scalars[after] == "\n" ? after + 1 : nil
  }
}
