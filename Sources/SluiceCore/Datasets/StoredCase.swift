package import SluiceSupport

/// A case as a suite stores it: its identity, and access to the rest.
package struct StoredCase: Sendable {
  package let id: String
  package let labels: CaseLabels
  /// The digits of ``TestCase/digest``.
  package let digest: Digest
  private let content: Content

  private enum Content: Sendable {
    case memory(InMemory)
    case line(CaseFile, CaseFile.Line)
  }

  /// The input and expectation of a case in memory, out of line so that other cases need no space
  /// for them.
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

  /// The line of the case, if it was left in its file.
  var line: (file: CaseFile, line: CaseFile.Line)? {
    if case .line(let file, let line) = content { (file, line) } else { nil }
  }

  /// The line of the dataset's file on which the case starts, from 1; nil for a case without a
  /// file.
  package var lineNumber: Int? {
    switch content {
    case .memory(let content): content.lineNumber
    case .line(_, let line): Int(line.number)
    }
  }

  /// Returns the whole case, read again if it was left in its file.
  ///
  /// - Throws: ``CaseFile/Changed`` if the file was modified.
  package func read() throws(CaseFile.Changed) -> TestCase {
    switch content {
    case .memory(let content): return whole(content.input, content.expected)
    case .line(let file, let line):
      let content = try file.content(at: line)
      return whole(content.input, content.expected)
    }
  }

  /// The whole case; without input and expectation if it can no longer be read.
  ///
  /// Code that makes decisions must call ``read()`` first.
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
