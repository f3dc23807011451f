package import SluiceSupport

/// A case as a suite stores it: its identity, and access to its contents.
package struct StoredCase: Sendable {
  package let id: String
  package let labels: CaseLabels
  /// The digest of the case; ``TestCase/digest`` returns its hexadecimal digits.
  package let digest: Digest
  private let content: Content

  private enum Content: Sendable {
    case memory(InMemory)
    case line(CaseFile, CaseFile.Line)
  }

  /// The input and expectation of a case in memory.
  ///
  /// Both are stored by reference, so that cases in files need no space for them.
  private final class InMemory: Sendable {
    let input: JSONValue
    let expected: JSONValue
    let lineNumber: Int?

    init(input: JSONValue, expected: JSONValue, lineNumber: Int?) {
      self.input = input
      self.expected = expected
      self.lineNumber = lineNumber
    }
  }

  /// Creates a case that stays in memory.
  package init(_ testCase: TestCase) {
    let labels = CaseLabels(
      tags: testCase.tags,
      split: testCase.split,
      cluster: testCase.cluster
    )
    self.init(testCase, labels: labels)
  }

  init(_ testCase: TestCase, labels: CaseLabels, lineNumber: Int? = nil) {
    id = testCase.id
    self.labels = labels
    digest = testCase.contentDigest
    content = .memory(
      InMemory(input: testCase.input, expected: testCase.expected, lineNumber: lineNumber)
    )
  }

  /// Creates a case that is read from its file on demand.
  init(id: String, labels: CaseLabels, digest: Digest, line: CaseFile.Line, of file: CaseFile) {
    self.id = id
    self.labels = labels
    self.digest = digest
    content = .line(file, line)
  }

  /// The line of the case, if the case stayed in its file.
  var line: (file: CaseFile, line: CaseFile.Line)? {
    if case .line(let file, let line) = content { (file, line) } else { nil }
  }

  /// The line on which the case starts in the file of the dataset, from 1; nil if the case has no
  /// file.
  package var lineNumber: Int? {
    switch content {
    case .memory(let content): content.lineNumber
    case .line(_, let line): Int(line.number)
    }
  }

  /// Returns the whole case.
  ///
  /// If the case stayed in its file, it is read again.
  ///
  /// - Throws: ``CaseFile/Changed`` if the line in the file has changed.
  package func read() throws(CaseFile.Changed) -> TestCase {
    switch content {
    case .memory(let content): return whole(content.input, content.expected)
    case .line(let file, let line):
      let content = try file.content(at: line)
      return whole(content.input, content.expected)
    }
  }

  /// The whole case.
  ///
  /// Input and expectation are empty if the case can no longer be read.
  ///
  /// Code whose result depends on the input or the expectation must call ``read()`` first.
  package var testCase: TestCase { (try? read()) ?? whole([:], [:]) }

  private func whole(_ input: JSONValue, _ expected: JSONValue) -> TestCase {
    TestCase(
      id: id,
      tags: labels.tags,
      split: labels.split,
      cluster: labels.cluster,
      input: input,
      expected: expected,
      contentDigest: digest
    )
  }
}
