package import SluiceSupport

/// A text with places to fill: the logic-less core of Mustache, without any escaping.
///
/// Variables `{{name}}`, sections `{{#name}}…{{/name}}`, inverted sections `{{^name}}…{{/name}}`,
/// comments `{{! … }}`, dotted names and `{{.}}` for the current value. A tag of a section that stands
/// alone on its line takes the line with it. A name that the context does not supply is an error.
package struct Template: Sendable {
  /// What is wrong with a template, or with what it is filled with.
  package struct Problem: Error, Hashable {
    /// The offset of the tag in Unicode scalars from the start of the text.
    package var offset: Int
    /// What is wrong; the name alone, where the context does not supply it.
    package var message: String
    /// How to put it right; the nearest name alone, where the context does not supply one.
    package var fix: String?
  }

  private indirect enum Part: Sendable {
    case text(String)
    case variable(Name)
    case section(Name, inverted: Bool, [Part])
  }

  private struct Name: Sendable {
    var path: [String]
    var offset: Int
    var text: String { path.isEmpty ? "." : path.joined(separator: ".") }
  }

  private let parts: [Part]
  /// The depth to which sections may be nested.
  private static let maximumDepth = 64

  /// Reads a template.
  ///
  /// - Parameter text: The text with its tags.
  /// - Throws: The first thing that is wrong with it.
  package init(_ text: String) throws(Problem) {
    var tokens = try TemplateParser.tokens(of: text)[...]
    parts = try Self.build(&tokens, open: nil, depth: 0)
  }

  private init(_ parts: [Part]) { self.parts = parts }

  private static func build(
    _ tokens: inout ArraySlice<TemplateParser.Token>,
    open: TemplateParser.Tag?,
    depth: Int
  ) throws(Problem) -> [Part] {
    var parts: [Part] = []
    while let token = tokens.popFirst() {
      switch token {
      case .text(let text): parts.append(.text(text))
      case .tag(let tag):
        let name = Name(path: tag.path, offset: tag.offset)
        switch tag.kind {
        case .variable: parts.append(.variable(name))
        case .section, .inverted:
          guard depth < maximumDepth else {
            throw Problem(
              offset: tag.offset,
              message: "sections are nested deeper than \(maximumDepth)",
              fix: "close sections before you open others"
            )
          }
          let inner = try build(&tokens, open: tag, depth: depth + 1)
          parts.append(.section(name, inverted: tag.kind == .inverted, inner))
        case .close:
          guard let open else {
            throw Problem(
              offset: tag.offset,
              message: "'{{/\(name.text)}}' closes a section that was not opened",
              fix: "remove it, or add '{{#\(name.text)}}' before it"
            )
          }
          guard open.path == tag.path else {
            let opened = Name(path: open.path, offset: open.offset).text
            throw Problem(
              offset: tag.offset,
              message: "'{{/\(name.text)}}' stands where '{{/\(opened)}}' is due",
              fix: "close the section '\(opened)' first"
            )
          }
          return parts
        }
      }
    }
    if let open {
      let name = Name(path: open.path, offset: open.offset).text
      throw Problem(
        offset: open.offset,
        message: "the section '\(name)' is not closed",
        fix: "add '{{/\(name)}}'"
      )
    }
    return parts
  }

  // MARK: Filling

  /// Returns the text filled with the members of an object.
  ///
  /// - Parameter context: An object.
  /// - Returns: The text.
  /// - Throws: The first name that the context does not supply.
  package func render(_ context: JSONValue) throws(Problem) -> String {
    var output = ""
    try render(context, to: &output)
    return output
  }

  /// Adds the text filled with the members of an object to what is already there.
  ///
  /// - Parameters:
  ///   - context: An object.
  ///   - output: What takes the text, piece by piece.
  /// - Throws: The first name that the context does not supply.
  package func render(_ context: JSONValue, to output: inout some (TemplateOutput & ~Copyable))
    throws(Problem)
  {
    var problems: [Problem] = []
    Self.render(parts, [context], to: &output, &problems)
    if let problem = problems.first { throw problem }
  }

  /// Whether an object supplies every name.
  package func isFilled(by context: JSONValue) -> Bool {
    var output = NoOutput()
    var problems: [Problem] = []
    Self.render(parts, [context], to: &output, &problems)
    return problems.isEmpty
  }

  /// The names that the context does not supply, in the order of the text, each once.
  package func problems(filling context: JSONValue) -> [Problem] {
    var output = NoOutput()
    var problems: [Problem] = []
    Self.render(parts, [context], to: &output, &problems)
    var seen: Set<String> = []
    return problems.filter { seen.insert($0.message).inserted }
  }

  /// What the text stands for in JSON: the value itself, of whatever type, where the text is one
  /// variable and nothing else; the filled text otherwise.
  ///
  /// - Parameter context: An object.
  /// - Returns: The value.
  /// - Throws: The first name that the context does not supply; a value may well be null.
  package func value(_ context: JSONValue) throws(Problem) -> JSONValue {
    guard let name = onlyVariable else { return .string(try render(context)) }
    guard let value = Self.lookUp(name, [context]) else { throw Self.missing(name, [context]) }
    return value
  }

  /// The names that ``value(_:)`` misses, in the order of the text, each once.
  package func problems(fillingValue context: JSONValue) -> [Problem] {
    guard let name = onlyVariable else { return problems(filling: context) }
    return Self.lookUp(name, [context]) == nil ? [Self.missing(name, [context])] : []
  }

  /// The name of the variable that is all of the text; nil where there is more, or none.
  package var onlyName: String? { onlyVariable?.text }

  private var onlyVariable: Name? {
    guard parts.count == 1, case .variable(let name) = parts[0] else { return nil }
    return name
  }

  /// The template with another name wherever one stands.
  package func renaming(_ path: [String], to other: [String]) -> Template {
    func renamed(_ name: Name) -> Name {
      name.path == path ? Name(path: other, offset: name.offset) : name
    }
    func renamed(_ parts: [Part]) -> [Part] {
      parts.map { part in
        switch part {
        case .text: part
        case .variable(let name): .variable(renamed(name))
        case .section(let name, let inverted, let inner):
          .section(renamed(name), inverted: inverted, renamed(inner))
        }
      }
    }
    return Template(renamed(parts))
  }

  /// Whether it is the same text whatever it is filled with.
  package var isConstant: Bool {
    parts.allSatisfy { if case .text = $0 { true } else { false } }
  }

  /// The first section, with its tag as it is written; nil where there is none.
  package var firstSection: (tag: String, offset: Int)? {
    for part in parts {
      guard case .section(let name, let inverted, _) = part else { continue }
      return ("{{\(inverted ? "^" : "#")\(name.text)}}", name.offset)
    }
    return nil
  }

  /// The variables with their offsets, in the order of the text.
  package var variables: [(path: [String], offset: Int)] { names.map { ($0.path, $0.offset) } }

  /// The first components of all names: the inputs that the template reads.
  package var inputs: Set<String> { Set(names.compactMap(\.path.first)) }

  /// The components that follow a first one: of `expected.reply.text` under `expected` it is `reply`.
  package func names(under first: String) -> Set<String> {
    Set(names.filter { $0.path.first == first && $0.path.count > 1 }.map { $0.path[1] })
  }

  private var names: [Name] {
    func names(of parts: [Part]) -> [Name] {
      parts.flatMap { part -> [Name] in
        switch part {
        case .text: []
        case .variable(let name): [name]
        case .section(let name, _, let inner): [name] + names(of: inner)
        }
      }
    }
    return names(of: parts)
  }

  private static func render(
    _ parts: [Part],
    _ stack: [JSONValue],
    to output: inout some (TemplateOutput & ~Copyable),
    _ problems: inout [Problem]
  ) {
    for part in parts {
      switch part {
      case .text(let text): output.append(text)
      case .variable(let name):
        switch lookUp(name, stack) {
        case nil, .null?: problems.append(missing(name, stack))
        case .string(let text)?: output.append(filled: text)
        case let value?: output.append(filled: value.jsonText)
        }
      case .section(let name, let inverted, let inner):
        guard let value = lookUp(name, stack) else {
          problems.append(missing(name, stack))
          continue
        }
        switch (value, inverted) {
        case (.array(let elements), false):
          for element in elements { render(inner, stack + [element], to: &output, &problems) }
        case (.array(let elements), true):
          if elements.isEmpty { render(inner, stack, to: &output, &problems) }
        case (.null, _), (.bool(false), _), (.string(""), _):
          if inverted { render(inner, stack, to: &output, &problems) }
        case (_, false): render(inner, stack + [value], to: &output, &problems)
        case (_, true): break
        }
      }
    }
  }

  /// What takes nothing, where only the gaps are asked for.
  private struct NoOutput: TemplateOutput {
    mutating func append(_ text: String) {}
  }

  /// Looks for the first component from the innermost value outwards, then follows the others.
  private static func lookUp(_ name: Name, _ stack: [JSONValue]) -> JSONValue? {
    guard let first = name.path.first else { return stack.last }
    for context in stack.reversed() {
      guard var value = context[first] else { continue }
      for step in name.path.dropFirst() {
        guard let next = value[step] else { return nil }
        value = next
      }
      return value
    }
    return nil
  }

  private static func missing(_ name: Name, _ stack: [JSONValue]) -> Problem {
    Problem(offset: name.offset, message: name.text, fix: nearest(name, stack))
  }

  /// The name that the context does supply and that most likely is meant.
  private static func nearest(_ name: Name, _ stack: [JSONValue]) -> String? {
    func names(_ value: JSONValue?) -> [String] { value?.object?.members.map(\.name) ?? [] }
    var known = stack.reversed().flatMap(names)
    // Other tools name an input by where it stands in a case.
    if let first = name.path.first, ["input", "inputs", "vars", "case"].contains(first) {
      let rest = Name(path: Array(name.path.dropFirst()), offset: name.offset)
      if !rest.path.isEmpty, lookUp(rest, stack) != nil { return rest.text }
    }
    for (index, step) in name.path.enumerated() {
      let found = Name(path: Array(name.path[...index]), offset: name.offset)
      if let value = lookUp(found, stack) {
        known = names(value)
        continue
      }
      guard let nearest = NearestName.of(step, among: known) else { return nil }
      let start = Array(name.path[..<index]) + [nearest]
      let whole = Name(path: start + name.path[(index + 1)...], offset: name.offset)
      return lookUp(whole, stack) == nil ? start.joined(separator: ".") : whole.text
    }
    // It is there, and null.
    return nil
  }
}

/// Takes the text of a filled template, piece by piece.
package protocol TemplateOutput: ~Copyable {
  mutating func append(_ text: String)

  /// Takes the text of a name, which is no part of the template.
  mutating func append(filled text: String)
}

extension TemplateOutput where Self: ~Copyable {
  package mutating func append(filled text: String) { append(text) }
}

extension String: TemplateOutput {}
