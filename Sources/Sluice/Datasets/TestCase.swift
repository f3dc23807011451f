/// One input with what is expected of the answer to it.
public struct TestCase: Hashable, Sendable {
  /// The name, unique in its dataset.
  public var id: String
  /// Words to slice results by.
  public var tags: [String]
  /// The part of the dataset that the case belongs to, such as `held-out`.
  public var split: String?
  /// Cases of one cluster vary one situation and count once.
  public var cluster: String?
  /// What the prompt's template is filled with; an object.
  public var input: JSONValue
  /// What the scorers compare with; an object.
  public var expected: JSONValue
  /// SHA-256 over the canonical JSON of everything that decides what is asked and what is right.
  public var digest: String

  /// Creates a case.
  ///
  /// - Parameters:
  ///   - id: The name, unique in its dataset.
  ///   - tags: Words to slice results by.
  ///   - split: The part of the dataset that the case belongs to.
  ///   - cluster: The name of the situation that the case varies.
  ///   - input: What the prompt's template is filled with; an object.
  ///   - expected: What the scorers compare with; an object.
  ///   - assertions: The single assertions of the case, as written.
  public init(
    id: String,
    tags: [String] = [],
    split: String? = nil,
    cluster: String? = nil,
    input: JSONValue,
    expected: JSONValue = [:],
    assertions: JSONValue = []
  ) {
    self.id = id
    self.tags = tags
    self.split = split
    self.cluster = cluster
    self.input = input
    self.expected = expected
    digest = SHA256.hexadecimal(
      JSONWriter.canonical([
        "id": .string(id), "input": input, "expected": expected, "assert": assertions,
      ])
    )
  }
}

/// A case as its file says it, with the places that messages point at.
package struct CaseSpec {
  /// What stands for the id of a case that has none.
  package static let noID = "(no id)"

  package var testCase: TestCase
  package var position: SourcePosition
  /// Nil when it was reported as missing or wrong.
  package var input: Node?
  package var expected: Node
  /// Whether what stands under `expected` was reported as wrong as a whole.
  package var isExpectedWrong = false
  package var assertions: [ScorerSpec]
}

/// The cases of a file, in file order.
package struct Dataset {
  package var file: SourceFile
  package var cases: [CaseSpec]
}
