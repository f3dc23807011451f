import SluiceSupport

/// The parts of cases that a YAML dataset defines once for all of its cases.
struct CaseDefaults {
  static let key = "defaults"

  var input = Part.absent
  var expected = Part.absent
  var tags: [String] = []
  var split: String?
  /// The assertions as written.
  var assertions: [Node] = []
  /// The valid assertions.
  var scorers: [ScorerSpec] = []

  /// An input or an expectation.
  enum Part {
    case absent
    /// The part is invalid and was already reported, so it causes no further errors.
    case wrong
    case mapping(Node)

    var isAbsent: Bool { if case .absent = self { true } else { false } }
    var isWrong: Bool { if case .wrong = self { true } else { false } }
    var node: Node? { if case .mapping(let node) = self { node } else { nil } }

    /// Returns a part of a case, completed by these defaults.
    ///
    /// A member of the case replaces the member of the defaults that has the same name. The two
    /// members are not merged, even if both are mappings.
    func merged(with own: Part) -> Part {
      switch (self, own) {
      case (.wrong, _), (_, .wrong): return .wrong
      case (.absent, _): return own
      case (_, .absent): return self
      case (.mapping(let shared), .mapping(let node)):
        let members = node.members ?? []
        let others = (shared.members ?? []).filter { member in
          !members.contains { $0.key.isIdentical(to: member.key) }
        }
        return .mapping(Node(position: node.position, value: .mapping(others + members)))
      }
    }
  }
}
