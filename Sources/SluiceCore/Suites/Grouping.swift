package import SluiceSupport

/// A property by which reports break down figures, as listed under `by` of a suite.
public enum Grouping: Hashable, Sendable {
  /// Each tag. A case with several tags counts for each of them.
  case tag
  /// The expected label of a case. Cases without a label form the groups `clean` and `to be
  /// flagged`.
  case expectedClass
  /// The part of the dataset to which a case belongs, such as `held-out`.
  case split
  /// The value that a case expects under a key, such as `topic` in `expected.topic`.
  case expected(String)

  /// The maximum number of different values under an `expected` key.
  ///
  /// Each value is a row of a table.
  package static let maximumValues = 50

  /// The words that a suite file may contain.
  package static let words = ["tag", "class", "split", "expected.KEY"]

  /// Creates a grouping from a word in a suite file; nil for an unknown word.
  package init?(_ word: String) {
    switch word {
    case "tag": self = .tag
    case "class": self = .expectedClass
    case "split": self = .split
    default:
      let path = word.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
      guard path.count == 2, path[0] == "expected", !path[1].isEmpty else { return nil }
      self = .expected(String(path[1]))
    }
  }

  /// The name of the grouping in a suite file.
  public var name: String {
    switch self {
    case .tag: "tag"
    case .expectedClass: "class"
    case .split: "split"
    case .expected(let key): "expected.\(key)"
    }
  }

  /// Reads `by`, which is a word or a list of words.
  ///
  /// Reports invalid words and leaves them out.
  package static func read(_ fields: FieldReader) -> [(
    grouping: Grouping, position: SourcePosition
  )] {
    guard let node = fields.optional("by") else { return [] }
    var words: [(text: String, node: Node)] = []
    if case .sequence(let nodes) = node.value {
      words = fields.texts(nodes, "by")
    } else if let text = fields.text(node, "by") {
      words = [(text, node)]
    }
    var found: [(grouping: Grouping, position: SourcePosition)] = []
    for (word, node) in words {
      guard let grouping = Grouping(word) else {
        fields.diagnostics.error(
          "unknown grouping '\(word)'",
          in: fields.file,
          at: node.position,
          fix: NearestName.of(word, among: ["tag", "class", "split"]).map {
            "did you mean '\($0)'?"
          }
            ?? "known: \(Self.words.joined(separator: ", "))"
        )
        continue
      }
      if found.contains(where: { $0.grouping == grouping }) {
        fields.diagnostics.error(
          "'\(word)' appears twice under 'by'",
          in: fields.file,
          at: node.position,
          fix: "remove one of the two"
        )
        continue
      }
      found.append((grouping, node.position))
    }
    return found
  }
}
