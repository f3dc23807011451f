/// A text that an answer is to hold in one of some wordings, written as a text or as
/// `{any-of: [texts]}`.
struct ExpectedText: Sendable {
  /// The wordings, of which one is enough.
  let alternatives: [String]

  init(_ value: JSONValue) {
    alternatives =
      value.string.map { [$0] } ?? (value["any-of"]?.array ?? []).compactMap(\.string)
  }

  /// Whether a text holds one of the wordings as a whole word or phrase, ignoring case.
  func occurs(in text: String) -> Bool {
    alternatives.contains { TextSearch.containsWord($0, in: text) }
  }

  /// The first wording: a line has to hold what came as well.
  var shown: String {
    let first = "'\(Excerpt.cut(alternatives.first ?? ""))'"
    return alternatives.count > 1 ? "\(first) (or \(alternatives.count - 1) more)" : first
  }

  /// Reports each entry of a list that is no such text.
  static func check(_ nodes: [Node], called name: String, of expectation: Expectation) {
    for node in nodes where !isWritten(node) {
      expectation.error(
        "\(name) must be a text or {any-of: [texts]}",
        at: node,
        fix: "write '- any-of: [\"first\", \"second\"]'"
      )
    }
  }

  private static func isWritten(_ node: Node) -> Bool {
    if case .string(let text) = node.value { return !text.isEmpty }
    guard let members = node.members, members.count == 1, members[0].key == "any-of",
      case .sequence(let alternatives) = members[0].value.value, !alternatives.isEmpty
    else { return false }
    return alternatives.allSatisfy {
      if case .string(let text) = $0.value { !text.isEmpty } else { false }
    }
  }
}
