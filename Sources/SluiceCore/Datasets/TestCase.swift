public import SluiceSupport

/// An input and the expectation for its answer.
public struct TestCase: Hashable, Sendable {
  /// The name, unique in its dataset.
  public var id: String
  /// The tags by which results can be grouped.
  public var tags: [String]
  /// The part of the dataset that the case belongs to, such as `held-out`.
  public var split: String?
  /// The name of the cluster.
  ///
  /// The cases of a cluster are variants of one situation, so their results tend to be similar.
  public var cluster: String?
  /// An object with the values for the prompt's template.
  public var input: JSONValue
  /// An object whose values scorers compare with the answer.
  public var expected: JSONValue
  /// The digest of the case; ``digest`` returns its hexadecimal digits.
  package var contentDigest: Digest

  /// The SHA-256 digest of the case's canonical JSON, in hexadecimal digits.
  ///
  /// The JSON contains the id, the input, the expectation and the assertions.
  public var digest: String { contentDigest.hexadecimal }

  /// Creates a case.
  ///
  /// - Parameters:
  ///   - id: The name, unique in its dataset.
  ///   - tags: The tags by which results can be grouped.
  ///   - split: The part of the dataset that the case belongs to.
  ///   - cluster: The name of the cluster, whose cases are variants of one situation.
  ///   - input: An object with the values for the prompt's template.
  ///   - expected: An object whose values scorers compare with the answer.
  ///   - assertions: The assertions of this case, as written.
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

  /// Creates a case with a known digest.
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

  /// Returns the digest of a case's content.
  ///
  /// The content is the canonical JSON of an object that contains the parts of the case.
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

  /// Returns the digest of a case's content, using a scratch buffer.
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

/// A case as written in its file, with source positions for messages.
package struct CaseSpec {
  /// The id of a case whose own id is missing.
  package static let noID = "(no id)"

  package var testCase: TestCase
  package var position: SourcePosition
  /// The input; nil if it was reported as missing or invalid.
  package var input: Node?
  package var expected: Node
  /// True if `expected` as a whole was reported as invalid.
  package var isExpectedWrong = false
  package var assertions: [ScorerSpec]
  /// Answers that the author marked as right or wrong.
  ///
  /// The case's digest does not include them, since they change neither the request nor the
  /// expectation.
  package var knownOutputs: [KnownOutput] = []
}

/// An answer that the author of a case marked as right or wrong, used to test scorers.
package struct KnownOutput: Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    /// The answer is right: no scorer or assertion may reject it.
    case good
    /// The answer is wrong: at least one scorer or assertion must reject it.
    case bad
  }

  package var kind: Kind
  /// The answer.
  ///
  /// If the answer is not a text, this is its canonical JSON.
  package var text: String
  package var position: SourcePosition
}

/// The cases of a file, in file order.
package struct Dataset {
  package var file: SourceFile
  package var cases: [StoredCase]
  /// The indices of the cases that reading did not check completely.
  package var casesToCheck: [Int]
  /// The cases with their positions, if the file is in memory; nil if cases are read again from
  /// lines.
  private var specs: [CaseSpec]?

  /// Creates a dataset whose cases are in memory.
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

  /// Creates a dataset whose cases stay in their file.
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

  /// Returns a case with source positions for messages.
  package func spec(_ index: Int) -> CaseSpec {
    specs?[index] ?? DatasetReader.readAgain(cases[index], in: file)
  }
}
