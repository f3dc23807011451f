import SluiceSupport

/// A Boolean expression about an answer and its case, such as `len(answer.items) <= 3`.
///
/// It is a tree without loops or variables, so its evaluation always ends. ``ExpressionEvaluator``
/// limits the cost.
struct Expression: Sendable {
  let source: String
  let root: Node
  /// The keys under `input` that the expression reads; nil if the expression reads all keys.
  let inputKeys: Set<String>?
  /// The keys under `expected` that the expression reads; nil if the expression reads all keys.
  let expectedKeys: Set<String>?

  /// The parts of a case that the expression reads.
  var reads: CaseReads {
    CaseReads(
      inputs: inputKeys?.sorted() ?? [],
      expected: expectedKeys?.sorted() ?? [],
      readsAllInputs: inputKeys == nil,
      readsAllExpected: expectedKeys == nil
    )
  }

  /// True if the value depends on the case.
  var readsCase: Bool { root.readsCase }

  /// A node of the tree, with its range in the source.
  final class Node: Sendable {
    let form: Form
    /// The range in the source, in Unicode scalars.
    let range: Range<Int>

    init(_ form: Form, _ range: Range<Int>) {
      self.form = form
      self.range = range
    }

    /// The child nodes.
    var children: [Node] {
      switch form {
      case .literal, .name: []
      case .list(let nodes): nodes
      case .member(let node, _), .each(let node), .not(let node), .negative(let node): [node]
      case .index(let one, let other), .arithmetic(_, let one, let other),
        .comparison(_, let one, let other), .logic(_, let one, let other):
        [one, other]
      case .call(_, let nodes): nodes
      case .pattern(let node, _): [node]
      }
    }

    fileprivate var readsCase: Bool {
      if case .name(let name) = form, name != .answer, name != .text, name != .item { return true }
      return children.contains { $0.readsCase }
    }

    /// True if the value is computed with doubles, and so may have rounding errors.
    var hasArithmetic: Bool {
      switch form {
      case .arithmetic, .call(.sum, _), .call(.mean, _), .call(.round, _): true
      default: children.contains { $0.hasArithmetic }
      }
    }

    /// True if explanations need not show the value of the node.
    var isConstant: Bool {
      if case .name = form { return false }
      return children.allSatisfy(\.isConstant)
    }
  }

  indirect enum Form: Sendable {
    case literal(JSONValue)
    case name(Name)
    case list([Node])
    /// The form `node.key`.
    case member(Node, String)
    /// The form `node[index]`.
    case index(Node, Node)
    /// The form `node[*]`.
    case each(Node)
    case not(Node)
    case negative(Node)
    case arithmetic(Arithmetic, Node, Node)
    case comparison(Comparison, Node, Node)
    case logic(Logic, Node, Node)
    case call(Function, [Node])
    /// The form `matches(node, "pattern")`, with the compiled pattern.
    case pattern(Node, BoundedRegex)
  }

  /// The names by which an expression refers to the answer and the case.
  enum Name: String, CaseIterable, Sendable {
    case answer, text, input, expected, tags, id
    /// The current list element inside of `all`, `any`, `count`, `filter` and `map`.
    case item
  }

  enum Arithmetic: String, Sendable {
    case plus = "+"
    case minus = "-"
    case times = "*"
    case divided = "/"
    case modulo = "%"
  }

  enum Comparison: String, Sendable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case contained = "in"
    case notContained = "not in"
  }

  enum Logic: String, Sendable {
    case and, or
  }

  enum Function: String, CaseIterable, Sendable {
    case abs, all, any, count, exists, filter, keys, len, lower, map, matches, max, mean, min,
      number
    case round, sort, sum, text, trim, unique, upper, words
    case endsWith = "ends_with"
    case startsWith = "starts_with"
    case split, join

    /// The number of arguments.
    var arity: ClosedRange<Int> {
      switch self {
      case .all, .any, .count: 1...2
      case .filter, .map, .matches, .endsWith, .startsWith, .split, .join: 2...2
      case .round: 1...2
      case .max, .min: 1...8
      default: 1...1
      }
    }

    /// True if the second argument is evaluated once for each element of the first argument.
    var isQuantifier: Bool { [.all, .any, .count, .filter, .map].contains(self) }
  }

  /// Returns the source of a node on one line.
  func text(of node: Node) -> String {
    let scalars = Array(source.unicodeScalars)[node.range]
    return Excerpt.line(String(String.UnicodeScalarView(scalars)), to: 80)
  }
}
