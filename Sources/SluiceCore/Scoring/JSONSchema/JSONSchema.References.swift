import SluiceSupport

extension JSONSchema {
  /// The references of a schema.
  ///
  /// They may lead only to other parts of the same schema.
  struct References {
    struct Reference {
      var text: String
      var position: SourcePosition
    }

    struct Problem {
      var message: String
      var position: SourcePosition
      var fix: String?
    }

    /// The references, in the order in which they were read.
    ///
    /// Rules refer to them by index.
    var all: [Reference] = []
    /// The index of each subschema, by its JSON pointer (RFC 6901).
    var places: [ExactString: Int] = [:]
    /// The JSON pointer for each name that an `$anchor` defines.
    var anchors: [String: String] = [:]
    /// The id of the schema.
    ///
    /// A reference may contain this id before '#'.
    var id = ""
    /// True if the draft of the schema ignores keywords next to `$ref`.
    var standAlone = false

    /// Returns the rules with the indices of references replaced by the indices of subschemas.
    ///
    /// Also returns the errors in references.
    func resolved(in subschemas: [[Rule]]) -> (rules: [[Rule]], problems: [Problem]) {
      var problems: [Problem] = []
      var targets: [Int] = []
      for reference in all {
        switch target(of: reference) {
        case .success(let target): targets.append(target)
        case .failure(let problem):
          problems.append(problem)
          // The index does not matter, because a schema with errors is not used.
          targets.append(0)
        }
      }
      let rules = subschemas.map { rules in
        rules.map { rule -> Rule in
          if case .reference(let index) = rule { .reference(targets[index]) } else { rule }
        }
      }
      if problems.isEmpty, let position = endlessReference(in: subschemas, targets) {
        problems.append(
          Problem(
            message: "'$ref' refers to itself, directly or through other references",
            position: position,
            fix: "refer to a schema that does not refer back to this one, or put the reference "
              + "under 'properties' or 'items'"
          )
        )
      }
      return (rules, problems)
    }

    private enum Target {
      case success(Int)
      case failure(Problem)
    }

    private func target(of reference: Reference) -> Target {
      let text = reference.text
      func refuse(_ message: String, fix: String?) -> Target {
        .failure(Problem(message: message, position: reference.position, fix: fix))
      }
      let form = "write '#', '#/$defs/name' or another JSON pointer after '#'"
      let shown = Excerpt.cut(text)
      let mark = text.utf8.firstIndex(of: UInt8(ascii: "#"))
      let base = text[..<(mark ?? text.endIndex)]
      guard base.isEmpty || String(base).isIdentical(to: id), !text.isEmpty else {
        return refuse(
          "'$ref' must refer to a part of the same schema, not to '\(shown)'",
          fix: form
        )
      }
      let fragment = mark.map { text[text.utf8.index(after: $0)...] } ?? ""
      let decoded = PercentEncoding.decoded(fragment.utf8)
      guard let name = String(validating: decoded, as: UTF8.self) else {
        return refuse("'\(shown)' is not percent-encoded UTF-8", fix: "write '%' as '%25'")
      }
      let isPointer = name.isEmpty || name.utf8.first == UInt8(ascii: "/")
      let pointer = isPointer ? name : anchors[name]
      if let pointer, let target = places[ExactString(pointer)] { return .success(target) }
      let known = places.keys.map { "#" + $0.text } + anchors.keys.map { "#" + $0 }
      let nearest = NearestName.of("#" + name, among: known.sorted())
      return refuse(
        "'$ref' refers to a schema that does not exist: '\(shown)'",
        fix: nearest.map { "did you mean '\($0)'?" } ?? form
      )
    }

    /// Returns true if a text is a valid argument of `$anchor`.
    static func isName(_ text: String) -> Bool {
      guard let first = text.utf8.first else { return false }
      func isLetter(_ unit: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(unit | 0x20) || unit == UInt8(ascii: "_")
      }
      return isLetter(first)
        && text.utf8.allSatisfy {
          isLetter($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
            || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
        }
    }

    // MARK: Cycles

    /// A step from one subschema to another subschema that applies to the same value.
    private typealias Step = (to: Int, position: SourcePosition?)

    /// Returns the position of a reference that is part of an endless cycle; nil if there is none.
    ///
    /// The search is depth-first with an explicit stack, because chains of references may have any
    /// length.
    private func endlessReference(in subschemas: [[Rule]], _ targets: [Int]) -> SourcePosition? {
      enum Mark { case new, open, done }
      let steps = subschemas.map { $0.flatMap { self.steps(of: $0, targets) } }
      var marks = [Mark](repeating: .new, count: subschemas.count)
      for start in subschemas.indices where marks[start] == .new {
        var way: [(schema: Int, next: Int)] = [(start, 0)]
        marks[start] = .open
        while let (schema, next) = way.last {
          guard next < steps[schema].count else {
            marks[schema] = .done
            way.removeLast()
            continue
          }
          way[way.count - 1].next += 1
          let step = steps[schema][next]
          switch marks[step.to] {
          case .done: break
          case .new:
            marks[step.to] = .open
            way.append((step.to, 0))
          case .open:
            // Every cycle contains a reference, because all other steps lead to nested subschemas.
            let circle = way.drop { $0.schema != step.to }
            return circle.lazy.compactMap { steps[$0.schema][$0.next - 1].position }.last
          }
        }
      }
      return nil
    }

    private func steps(of rule: Rule, _ targets: [Int]) -> [Step] {
      switch rule {
      case .reference(let index): [(targets[index], all[index].position)]
      case .all(let schemas), .any(let schemas), .one(let schemas): schemas.map { ($0, nil) }
      case .not(let schema): [(schema, nil)]
      case .condition(let condition, let then, let otherwise):
        [condition, then, otherwise].compactMap { $0.map { ($0, nil) } }
      case .dependentSchemas(let dependencies): dependencies.map { ($0.schema, nil) }
      default: []
      }
    }
  }
}

extension JSONSchema.Compiler {
  mutating func reference(_ node: Node, _ siblings: Siblings) -> JSONSchema.Rule? {
    guard case .string(let text) = node.value else {
      wrongType("'$ref'", "a text", node)
      return nil
    }
    if references.standAlone, siblings.values.keys.contains(where: { !$0.standsBesideReference }) {
      fail(
        "in the draft of this schema, '$ref' disables all other keywords next to it",
        at: node.position,
        fix: "remove the other keywords, or write 'https://json-schema.org/draft/2020-12/schema' "
          + "under '$schema'"
      )
    }
    references.all.append(JSONSchema.References.Reference(text: text, position: node.position))
    return .reference(references.all.count - 1)
  }

  mutating func nameAnchor(_ node: Node, at pointer: String) {
    guard case .string(let name) = node.value else {
      return wrongType("'$anchor'", "a text", node)
    }
    guard JSONSchema.References.isName(name) else {
      return fail(
        "'\(Excerpt.cut(name))' cannot be an anchor",
        at: node.position,
        fix: "begin it with a letter or '_', followed by letters, digits, '-', '_' and '.'"
      )
    }
    if references.anchors.updateValue(pointer, forKey: name) != nil {
      fail("the anchor '\(name)' is defined twice", at: node.position)
    }
  }

  mutating func readID(_ node: Node, at pointer: String) {
    guard case .string(let id) = node.value else { return wrongType("'$id'", "a text", node) }
    let base = id.hasSuffix("#") ? String(id.dropLast()) : id
    if pointer.isEmpty, !base.contains("#") {
      references.id = base
    } else {
      fail(
        "'$id' is supported only at the start of a schema, and without '#'",
        at: node.position,
        fix: "remove it, and write references as '#/…' from the start of the schema"
      )
    }
  }

  /// The drafts that `$schema` may name.
  ///
  /// The supported keywords are always read as in 2020-12. The value is true if the draft ignores
  /// keywords next to `$ref`.
  private static let drafts = [
    "draft/2020-12/schema": false, "draft/2019-09/schema": false, "draft-07/schema": true,
    "draft-06/schema": true,
  ]

  mutating func readDraft(_ node: Node) {
    guard case .string(let text) = node.value else {
      return wrongType("'$schema'", "a text", node)
    }
    var name = text[...]
    for start in ["https://", "http://"] where name.hasPrefix(start) {
      name = name.dropFirst(start.count)
      break
    }
    if name.hasSuffix("#") { name = name.dropLast() }
    let host = "json-schema.org/"
    if name.hasPrefix(host), let standAlone = Self.drafts[String(name.dropFirst(host.count))] {
      references.standAlone = standAlone
      return
    }
    fail(
      "Sluice does not support the draft '\(Excerpt.cut(text))'",
      at: node.position,
      fix: "write 'https://json-schema.org/draft/2020-12/schema', or remove it"
    )
  }
}

extension JSONSchema.Compiler.Keyword {
  /// True if drafts before 2019-09 read the keyword next to `$ref`, or if the keyword does not
  /// affect validation.
  fileprivate var standsBesideReference: Bool {
    switch self {
    case .reference, .definitions, .oldDefinitions, .schema, .id, .comment, .title, .description,
      .default, .examples, .deprecated, .readOnly, .writeOnly:
      true
    default: false
    }
  }
}
