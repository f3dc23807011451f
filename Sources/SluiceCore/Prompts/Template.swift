package import SluiceSupport

/// A text template in the logic-less core of Mustache, without any escaping.
///
/// It supports variables `{{name}}`, sections `{{#name}}…{{/name}}`, inverted sections
/// `{{^name}}…{{/name}}`, comments `{{! … }}`, dotted names, and `{{.}}` for the current value. If
/// a section tag is alone on its line, the line is removed. A name that the context does not supply
/// is an error.
package struct Template: Sendable {
  /// A problem in a template or in its context.
  package struct Problem: Error, Hashable {
    /// The offset of the tag in Unicode scalars from the start of the text.
    package var offset: Int
    /// The error message.
    ///
    /// If the context does not supply a name, the message consists of that name.
    package var message: String
    /// The fix.
    ///
    /// If the context does not supply a name, the fix consists of the nearest supplied name.
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
  /// The maximum nesting depth of sections.
  private static let maximumDepth = 64

  /// Parses a template.
  ///
  /// - Parameter text: The text with its tags.
  /// - Throws: The first error in the text.
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
              message: "sections are nested more than \(maximumDepth) levels deep",
              fix: "close some sections before you open others"
            )
          }
          let inner = try build(&tokens, open: tag, depth: depth + 1)
          parts.append(.section(name, inverted: tag.kind == .inverted, inner))
        case .close:
          guard let open else {
            throw Problem(
              offset: tag.offset,
              message: "'{{/\(name.text)}}' closes a section that is not open",
              fix: "remove it, or add '{{#\(name.text)}}' before it"
            )
          }
          guard open.path == tag.path else {
            let opened = Name(path: open.path, offset: open.offset).text
            throw Problem(
              offset: tag.offset,
              message: "found '{{/\(name.text)}}' instead of '{{/\(opened)}}'",
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
        message: "the section '\(name)' is never closed",
        fix: "add '{{/\(name)}}'"
      )
    }
    return parts
  }

  // MARK: Filling

  /// Returns the text filled in with the members of an object.
  ///
  /// - Parameter context: An object.
  /// - Returns: The text.
  /// - Throws: A problem with the first name that the context does not supply.
  package func render(_ context: JSONValue) throws(Problem) -> String {
    var output = ""
    try render(context, to: &output)
    return output
  }

  /// Fills in the text with the members of an object, and appends the result to an output.
  ///
  /// - Parameters:
  ///   - context: An object.
  ///   - output: Receives the text, piece by piece.
  /// - Throws: A problem with the first name that the context does not supply.
  package func render(_ context: JSONValue, to output: inout some (TemplateOutput & ~Copyable))
    throws(Problem)
  {
    var problems: [Problem] = []
    Self.render(parts, [context], to: &output, &problems)
    if let problem = problems.first { throw problem }
  }

  /// Returns true if an object supplies every name that is needed to fill in the template.
  package func isFilled(by context: JSONValue) -> Bool {
    var output = NoOutput()
    var problems: [Problem] = []
    Self.render(parts, [context], to: &output, &problems)
    return problems.isEmpty
  }

  /// Returns a problem for each name that the context does not supply, in text order.
  ///
  /// Each name is reported once.
  package func problems(filling context: JSONValue) -> [Problem] {
    var output = NoOutput()
    var problems: [Problem] = []
    Self.render(parts, [context], to: &output, &problems)
    var seen: Set<String> = []
    return problems.filter { seen.insert($0.message).inserted }
  }

  /// Returns the value of the text as JSON.
  ///
  /// If the text consists of one variable, the result is the variable's value, of any type.
  /// Otherwise it is the filled-in text.
  ///
  /// - Parameter context: An object.
  /// - Returns: The value.
  /// - Throws: A problem with the first name that the context does not supply. A null value counts
  ///   as supplied.
  package func value(_ context: JSONValue) throws(Problem) -> JSONValue {
    guard let name = onlyVariable else { return .string(try render(context)) }
    guard let value = Self.lookUp(name, [context]) else { throw Self.missing(name, [context]) }
    return value
  }

  /// Returns a problem for each name that ``value(_:)`` needs and the object does not supply, in
  /// text order.
  ///
  /// Each name is reported once.
  package func problems(fillingValue context: JSONValue) -> [Problem] {
    guard let name = onlyVariable else { return problems(filling: context) }
    return Self.lookUp(name, [context]) == nil ? [Self.missing(name, [context])] : []
  }

  /// The name of the variable, if the text consists of one variable; nil for any other text.
  package var onlyName: String? { onlyVariable?.text }

  private var onlyVariable: Name? {
    guard parts.count == 1, case .variable(let name) = parts[0] else { return nil }
    return name
  }

  /// Returns the template with one name replaced by another.
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

  /// True if the template has neither variables nor sections.
  package var isConstant: Bool {
    parts.allSatisfy { if case .text = $0 { true } else { false } }
  }

  /// The first section, with its tag as it is written; nil if there is no section.
  package var firstSection: (tag: String, offset: Int)? {
    for part in parts {
      guard case .section(let name, let inverted, _) = part else { continue }
      return ("{{\(inverted ? "^" : "#")\(name.text)}}", name.offset)
    }
    return nil
  }

  /// The names in variables and sections with their offsets, in text order.
  package var variables: [(path: [String], offset: Int)] { names.map { ($0.path, $0.offset) } }

  /// The first components of all names, which are the inputs that the template uses.
  package var inputs: Set<String> { Set(names.compactMap(\.path.first)) }

  /// Returns the second components of the names whose first component is given.
  ///
  /// For example, `expected.reply.text` contributes `reply` if the first component is `expected`.
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
        case let value?: output.append(filled: value.requestText)
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

  /// An output that discards the text, for callers that only need the problems.
  private struct NoOutput: TemplateOutput {
    mutating func append(_ text: String) {}
  }

  /// Returns the value of a name; nil if no value in the stack supplies the name.
  ///
  /// The first component is looked up from the innermost value outward. Each further component is
  /// a member of the value that was found before.
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

  /// Returns the supplied name that was most likely meant.
  private static func nearest(_ name: Name, _ stack: [JSONValue]) -> String? {
    func names(_ value: JSONValue?) -> [String] { value?.object?.members.map(\.name) ?? [] }
    var known = stack.reversed().flatMap(names)
    // Other tools name an input by its path in the case, such as `vars.message`.
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
    // The value exists but is null.
    return nil
  }
}

/// A receiver of the text of a filled-in template, piece by piece.
package protocol TemplateOutput: ~Copyable {
  /// Appends a part of the template's own text.
  mutating func append(_ text: String)

  /// Appends the value of a variable.
  mutating func append(filled text: String)
}

extension TemplateOutput where Self: ~Copyable {
  package mutating func append(filled text: String) { append(text) }
}

extension String: TemplateOutput {}
