import SluiceSupport

/// An expected text, which may have alternative wordings.
///
/// It is written as a text, or as `{any-of: [texts]}` with an optional description `about`.
struct ExpectedText: Sendable {
  /// The alternative wordings.
  private let alternatives: [String]
  /// The description that the case's author wrote.
  private let meaning: String?

  init(_ value: JSONValue) {
    alternatives =
      value.string.map { [$0] } ?? (value["any-of"]?.array ?? []).compactMap(\.string)
    meaning = value["about"]?.string
  }

  /// Returns true if one of some texts contains one of the wordings as a whole word or phrase.
  func occurs(in texts: [SearchedText]) -> Bool {
    alternatives.contains { wording in
      let wording = SearchedText(wording)
      return texts.contains { $0.containsWord(wording) }
    }
  }

  /// The description or, if there is none, the first wording.
  ///
  /// It is shortened, because the answer must fit on the same line.
  var shown: String {
    if let meaning { return "'\(Excerpt.cut(meaning))'" }
    let first = "'\(Excerpt.cut(alternatives.first ?? ""))'"
    return alternatives.count > 1 ? "\(first) (or \(alternatives.count - 1) more)" : first
  }

  /// Reports each invalid entry of a list.
  static func check(_ nodes: [Node], called name: String, of expectation: Expectation) {
    let source = ValueSource(expectation.file)
    let wrong = nodes.filter { !isWritten($0) }
    // If all invalid entries are numbers without quotes, they are reported as one error with one
    // fix.
    if let first = wrong.first, wrong.allSatisfy({ source.quoting($0) != nil }),
      let fix = nodes.count == 1 ? source.quoting(first) : source.quotingAll(nodes)
    {
      expectation.error("\(name) must be a text, not \(first.kind)", at: first, fix: fix)
      return
    }
    for node in wrong {
      expectation.error(
        "\(name) must be a text or {any-of: [texts]}",
        at: node,
        fix: "write '- any-of: [\"first\", \"second\"]'"
      )
    }
  }

  private static func isWritten(_ node: Node) -> Bool {
    guard let members = node.members else { return isText(node) }
    let others = members.filter { $0.key != "any-of" }
    guard others.count < members.count,
      others.allSatisfy({ $0.key == "about" && isText($0.value) }),
      case .sequence(let alternatives)? = members.first(where: { $0.key == "any-of" })?.value.value
    else { return false }
    return !alternatives.isEmpty && alternatives.allSatisfy(isText)
  }

  private static func isText(_ node: Node) -> Bool {
    if case .string(let text) = node.value { !text.isEmpty } else { false }
  }
}
