public import SluiceSupport

/// One input with what is expected of the answer to it.
public struct TestCase: Hashable, Sendable {
  /// The name, unique in its dataset.
  public var id: String
  /// Words to slice results by.
  public var tags: [String]
  /// The part of the dataset that the case belongs to, such as `held-out`.
  public var split: String?
  /// Cases of one cluster vary one situation, so they tend to turn out alike.
  public var cluster: String?
  /// What the prompt's template is filled with; an object.
  public var input: JSONValue
  /// What the scorers compare with; an object.
  public var expected: JSONValue
  /// What ``digest`` says in digits.
  package var contentDigest: Digest

  /// SHA-256 over the canonical JSON of everything that decides what is asked and what is right.
  public var digest: String { contentDigest.hexadecimal }

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
    self.init(
      id: id,
      tags: tags,
      split: split,
      cluster: cluster,
      input: input,
      expected: expected,
      contentDigest: Self.digest(id: id, input: input, expected: expected, assertions: assertions)
    )
  }

  /// Creates a case whose digest is known.
  init(
    id: String,
    tags: [String],
    split: String?,
    cluster: String?,
    input: JSONValue,
    expected: JSONValue,
    contentDigest: Digest
  ) {
    self.id = id
    self.tags = tags
    self.split = split
    self.cluster = cluster
    self.input = input
    self.expected = expected
    self.contentDigest = contentDigest
  }

  /// The digest of what decides a case, over the canonical JSON of an object of it.
  static func digest(
    id: String,
    input: JSONValue,
    expected: JSONValue,
    assertions: JSONValue = []
  ) -> Digest {
    var bytes = ByteBuffer()
    return digest(
      id: id,
      canonicalInput: JSONWriter.canonical(input),
      canonicalExpected: JSONWriter.canonical(expected),
      assertions: assertions,
      &bytes
    )
  }

  /// The digest of what decides a case, with room to work in.
  static func digest(
    id: String,
    canonicalInput: some Sequence<UInt8>,
    canonicalExpected: [UInt8],
    assertions: JSONValue = [],
    _ bytes: inout ByteBuffer
  ) -> Digest {
    bytes.removeAll()
    bytes.append(#"{"assert":"#)
    JSONWriter.appendCanonical(assertions, to: &bytes)
    bytes.append(#","expected":"#)
    bytes += canonicalExpected
    bytes.append(#","id":"#)
    JSONWriter.append(id, to: &bytes)
    bytes.append(#","input":"#)
    bytes += canonicalInput
    bytes.append(UInt8(ascii: "}"))
    return SHA256.digest(bytes.units)
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
  /// Answers that are known to be right or wrong; no part of the case's digest, since they change
  /// neither what is asked nor what is expected.
  package var knownOutputs: [KnownOutput] = []
}

/// An answer to a case that its author knows to be right or wrong, to try the scorers on.
package struct KnownOutput: Sendable {
  package enum Kind: String, CaseIterable, Sendable { case good, bad }

  package var kind: Kind
  /// The answer: a text as it stands, any other value as its canonical JSON.
  package var text: String
  package var position: SourcePosition
}

/// The cases of a file, in file order.
package struct Dataset {
  package var file: SourceFile
  package var cases: [StoredCase]
  /// The cases that were not found to be fine while they were read, by index.
  package var casesToCheck: [Int]
  /// The cases with their places, where the file is in memory; nil where lines are read again.
  private var specs: [CaseSpec]?

  /// Keeps cases in memory.
  init(file: SourceFile, specs: [CaseSpec]) {
    self.file = file
    self.specs = specs
    var pool = CaseLabels.Pool()
    cases = specs.map { spec in
      let testCase = spec.testCase
      let labels = pool.labels(
        tags: testCase.tags,
        split: testCase.split,
        cluster: testCase.cluster
      )
      return StoredCase(testCase, labels: labels, lineNumber: spec.position.line)
    }
    casesToCheck = Array(specs.indices)
  }

  /// Leaves cases in their file.
  init(file: SourceFile, cases: [StoredCase], casesToCheck: [Int]) {
    self.file = file
    self.cases = cases
    self.casesToCheck = casesToCheck
  }

  /// The tags of all cases.
  package var tags: Set<String> {
    var last: CaseLabels?
    return cases.reduce(into: []) { tags, stored in
      if stored.labels === last { return }
      last = stored.labels
      tags.formUnion(stored.labels.tags)
    }
  }

  /// A case with the places that messages point at.
  package func spec(_ index: Int) -> CaseSpec {
    specs?[index] ?? DatasetReader.readAgain(cases[index], in: file)
  }
}
