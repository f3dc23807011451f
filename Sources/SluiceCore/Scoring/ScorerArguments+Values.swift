import SluiceSupport

extension ScorerArguments {
  /// Reads the text that is the argument of an assertion; nil, with an error reported, if there is
  /// none.
  func text() -> String? {
    if !hasValueAlone() { return nil }
    switch spec.arguments.value {
    case .string(let text) where !text.isEmpty: return text
    case .null, .string: error("'\(spec.type)' needs a text that is not empty")
    default:
      error(
        "'\(spec.type)' must be a text, not \(spec.arguments.kind)",
        fix: ValueSource(spec.file).quoting(spec.arguments) ?? onlyText
      )
    }
    return nil
  }

  /// The fix for a mapping that has a single member: to write the member's text alone.
  private var onlyText: String? {
    guard let members = spec.arguments.members, members.count == 1,
      case .string(let text) = members[0].value.value
    else { return nil }
    return "write '\(spec.type): \(ValueSource.doubleQuoted(text))'"
  }

  /// Reads the texts that are the argument of an assertion: a list, or a row of CSV.
  func texts() -> [String]? {
    if !hasValueAlone() { return nil }
    if case .string(let text) = spec.arguments.value {
      do throws(TextRow.Fault) {
        let parts = try TextRow.texts(in: text)
        if !parts.isEmpty { return parts }
      } catch {
        self.error(
          "\(error.reason) in the list of '\(spec.type)'",
          fix: "write '\(spec.type): [first, second]'"
        )
        return nil
      }
    }
    guard case .sequence(let nodes) = spec.arguments.value, !nodes.isEmpty else {
      error("'\(spec.type)' needs a list of texts", fix: "write '\(spec.type): [first, second]'")
      return nil
    }
    return texts(nodes)
  }

  /// Returns the texts of some nodes; nil, with errors reported, if one is not a text.
  func texts(_ nodes: [Node]) -> [String]? {
    let source = ValueSource(spec.file)
    let hasEmpty = nodes.contains { if case .string("") = $0.value { true } else { false } }
    let whole = nodes.count > 1 && !hasEmpty ? source.quotingAll(nodes) : nil
    var isReported = false
    let texts = nodes.compactMap { node -> String? in
      if case .string(let text) = node.value, !text.isEmpty { return text }
      var message = "'\(spec.type)' needs nonempty texts"
      var fix: String?
      if case .string = node.value {
      } else {
        message += ", not \(node.kind)"
        fix = source.quoting(node).map { whole ?? $0 }
        // One fix covers all of these errors.
        if isReported, fix != nil, whole != nil { return nil }
        isReported = fix != nil
      }
      diagnostics.error(message, in: spec.file, at: node.position, fix: fix)
      return nil
    }
    return texts.count == nodes.count ? texts : nil
  }

  /// Returns false if the arguments contain a key next to `value:`, or misspell `value:`.
  ///
  /// In both cases, reports an error.
  func hasValueAlone() -> Bool {
    if spec.isLong, let members = spec.arguments.members, !spec.hasMoreThanValue,
      let other = members.first(where: {
        NearestName.of($0.key, among: ["value"], within: 1) != nil
      }),
      other.key != "value"
    {
      diagnostics.error(
        "unknown key '\(other.key)' in '\(spec.type)'",
        in: spec.file,
        at: other.keyPosition,
        fix: "did you mean 'value'?"
      )
      return false
    }
    guard spec.hasMoreThanValue else { return true }
    let other = spec.arguments.members?.first { $0.key != "value" }
    diagnostics.error(
      "'\(spec.type)' accepts no key next to 'value', but has '\(other?.key ?? "")'",
      in: spec.file,
      at: other?.keyPosition ?? spec.position,
      fix: "remove it"
    )
    return false
  }

  /// Returns true if the scorer has no arguments.
  ///
  /// Otherwise reports an error.
  func isBare(fix: String? = nil) -> Bool {
    if case .null = spec.arguments.value { return true }
    error("'\(spec.type)' accepts no arguments", fix: fix)
    return false
  }

  /// Reports an error at its position in a pattern.
  func report(_ problem: BoundedRegex.PatternError, in pattern: String) {
    let position = TextPosition(pattern, at: spec.arguments.position, in: spec.file)
    diagnostics.error(
      "not a valid pattern: \(problem.message)",
      in: spec.file,
      at: position.position(of: problem.offset)
    )
  }
}

/// A range of counts, written as a number, or as a mapping with `min` and `max`.
struct CountRange: Sendable {
  private let least: Int
  private let most: Int?

  init(least: Int, most: Int?) { (self.least, self.most) = (least, most) }

  /// Reads the arguments of a scorer as a range; nil, with errors reported, if they are not a
  /// range.
  init?(_ arguments: ScorerArguments) {
    self.init(arguments.spec.arguments, "'\(arguments.spec.type)'", arguments)
  }

  /// Reads a node as a range; nil, with errors reported, if it is not a range.
  ///
  /// - Parameters:
  ///   - node: The node.
  ///   - name: The name of the argument, for messages.
  ///   - arguments: The arguments of the scorer.
  init?(_ node: Node, _ name: String, _ arguments: ScorerArguments) {
    func wrong() {
      arguments.diagnostics.error(
        "\(name) needs a whole number, or 'min' and 'max'",
        in: arguments.spec.file,
        at: node.position,
        fix: "write, for example, '3' or '{min: 1, max: 5}'"
      )
    }
    switch node.value {
    case .number:
      guard let count = node.json.integer, count >= 0 else {
        wrong()
        return nil
      }
      (least, most) = (count, count)
    case .mapping:
      let reader = FieldReader(
        node,
        subject: name,
        file: arguments.spec.file,
        diagnostics: arguments.diagnostics
      )
      guard let reader else { return nil }
      let before = arguments.diagnostics.count
      let least = reader.optionalInteger("min", in: 0...Int(Int32.max))
      let most = reader.optionalInteger("max", in: 0...Int(Int32.max))
      reader.finish()
      if arguments.diagnostics.count > before { return nil }
      guard least != nil || most != nil, least ?? 0 <= most ?? .max else {
        wrong()
        return nil
      }
      (self.least, self.most) = (least ?? 0, most)
    default:
      wrong()
      return nil
    }
  }

  func contains(_ count: Int) -> Bool { count >= least && most.map { count <= $0 } ?? true }

  /// Returns the range in words, such as "2 words", "at least 2 words" or "2 to 5 words".
  func describe(_ one: String, _ many: String) -> String {
    guard let most else { return "at least \(least) \(least == 1 ? one : many)" }
    if least == most { return "\(least) \(least == 1 ? one : many)" }
    return least == 0 ? "at most \(most) \(most == 1 ? one : many)" : "\(least) to \(most) \(many)"
  }
}
