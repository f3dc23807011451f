import SluiceSupport

/// The check that the answer is equal to the value that its case expects.
///
/// A text is compared with the text of the answer, and any other value with the JSON of the answer.
struct ExactCheck: AnswerCheck {
  private let expected: JSONValue
  private let comparison: ValueComparison
  let claim: String

  init?(_ arguments: ScorerArguments) {
    guard let fields = arguments.fields() else { return nil }
    let before = arguments.diagnostics.count
    // A null is also a valid expectation.
    let node = fields.node[AssertionTemplate.expectedName]
    _ =
      node == nil
      ? fields.required(AssertionTemplate.expectedName)
      : fields.optional(AssertionTemplate.expectedName)
    comparison = ValueComparison(fields)
    fields.finish()
    guard let node, arguments.diagnostics.count == before else { return nil }
    expected = node.json
    claim =
      "equal "
      + (expected.string.map { Excerpt.quoted($0) } ?? Excerpt.json(expected))
  }

  var readsJSON: Bool { expected.string == nil }
  var wantedParts: Set<AnswerPart> { expected.string?.isEmpty == true ? [.emptyText] : [] }

  func finding(_ answer: Answer) throws(Undecided) -> Finding {
    if case .string = expected {
      return Finding(try comparison.isEqual(.string(answer.text), expected))
    }
    switch answer.json {
    case .success(let value): return Finding(try comparison.isEqual(value, expected))
    case .failure(let unusable): return Finding(false, detail: unusable.reason)
    }
  }

  func came(_ answer: Answer, isNegated: Bool) -> String {
    guard let text = expected.string else {
      return
        "got \((try? answer.json.get()).map { Excerpt.json($0) } ?? Excerpt.quoted(answer.text))"
    }
    let got = "got \(Excerpt.quoted(answer.text))"
    return isNegated ? got : got + Excerpt.difference(answer.text, from: text)
  }
}

/// An argument that refers to an expectation: `expected: order` means the value of `order` under
/// `expected:` of the case.
enum ExpectedKey {
  private static let name = AssertionTemplate.expectedName

  /// Returns the arguments with the reference replaced by a template such as `{{expected.order}}`.
  ///
  /// - Parameters:
  ///   - arguments: The arguments of an assertion.
  ///   - type: The type of the assertion, without negation.
  /// - Returns: The arguments; nil, with an error reported, if the reference is not a valid name.
  static func filled(in arguments: ScorerArguments, of type: String) -> ScorerArguments? {
    guard type == "exact" || type == "json-path" else { return arguments }
    var filled = arguments
    let node = arguments.spec.arguments
    switch node.value {
    case .mapping(var members):
      guard let place = members.firstIndex(where: { $0.key == name }) else { return arguments }
      guard let value = template(members[place].value, arguments) else { return nil }
      members[place].value = value
      filled.spec.arguments.value = .mapping(members)
      // An error in the other arguments applies to every case, so it is reported now.
      members[place].value.value = .null
      var plain = arguments
      plain.spec.arguments.value = .mapping(members)
      let names = AssertionTemplate.names(in: plain.spec.arguments)
      if names.inputs.isEmpty, names.expected.isEmpty,
        AssertionCatalog.makePlain(type, plain) == nil
      {
        return nil
      }
    case .string where type == "exact":
      guard let value = template(node, arguments) else { return nil }
      filled.spec.arguments.value = .mapping([
        Node.Member(key: name, keyPosition: node.position, value: value)
      ])
    default: break
    }
    return filled
  }

  private static func template(_ node: Node, _ arguments: ScorerArguments) -> Node? {
    if case .string(let key) = node.value {
      let text = "{{\(name).\(key)}}"
      if !key.contains("{"), let found = try? Template(text).names(under: name), found.count == 1 {
        return Node(position: node.position, value: .string(text))
      }
    }
    arguments.diagnostics.error(
      "the value of '\(name)' must be the name of a key that the case has under '\(name):'",
      in: arguments.spec.file,
      at: node.position,
      fix: fix(node, arguments.spec.type)
    )
    return nil
  }

  /// Returns the fix for a value that would be the same for all cases.
  private static func fix(_ node: Node, _ type: String) -> String {
    if case .string(let text) = node.value,
      let match = text.wholeMatch(of: /\{\{ *expected\.([^{}]*?) *\}\}/)
    {
      return "write '\(name): \(match.1)'"
    }
    let value = String(decoding: JSONWriter.canonical(node.json, isExact: true), as: UTF8.self)
    if type.hasSuffix("json-path") {
      return "if all cases expect the same value, write 'equals: \(value)'"
    }
    return "if all cases expect the same value, write 'equals: \(value)' instead of 'exact'"
  }
}
