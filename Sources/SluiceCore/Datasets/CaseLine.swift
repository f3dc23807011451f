import SluiceSupport

/// The contents of a valid line of a JSONL dataset.
///
/// This type reads lines of the usual form fast. The general reader, which tracks all source
/// positions, reads lines with errors, assertions or known outputs.
package struct CaseLine {
  package var id: String
  package var tags: [String]
  var split: String?
  var cluster: String?
  /// The input; nil if an earlier line has an input of the same form.
  package var input: JSONValue?
  package var expected: Expected
  /// The digest of the case; ``TestCase/digest`` returns its hexadecimal digits.
  var digest: Digest

  /// The expectation of a case.
  ///
  /// Cases whose expectations have the same text share one object.
  package final class Expected: Sendable {
    package let value: JSONValue
    /// The canonical JSON of the expectation.
    let canonical: [UInt8]

    init(_ value: JSONValue) {
      self.value = value
      canonical = JSONWriter.canonical(value)
    }

    static let nothing = Expected([:])
  }

  /// The parts that many lines of a file have in common.
  struct Repeated: ~Copyable {
    fileprivate var tags = KnownTexts<[String]>()
    fileprivate var expected = KnownTexts<Expected>()
    fileprivate var inputForm: InputForm?
    /// Scratch space for reading a line.
    fileprivate var input = ByteBuffer()
    fileprivate var content = ByteBuffer()
  }

  /// The part of a case that stays in the file until it is needed.
  struct Content {
    var input: JSONValue
    var expected: JSONValue
  }

  /// The error thrown if a line does not have the usual form.
  static let unusual = JSONSyntaxError(offset: 0, message: "not the usual form")

  /// Reads a line; nil if it does not have the usual form.
  init?(_ line: UnsafeBufferPointer<UInt8>, _ repeated: inout Repeated) {
    var (id, tags, split, cluster) = (String?.none, [String]?.none, String?.none, String?.none)
    var (input, expected) = (JSONValue?.none, Expected?.none)
    var hasInput = false
    var hasAll = true
    do throws(JSONSyntaxError) {
      try JSONReader.read(line) { reader throws(JSONSyntaxError) in
        try reader.readMembers { reader, name throws(JSONSyntaxError) in
          // Repeated members and null do not count as the usual form, although null has no effect.
          if name == "id", id == nil {
            id = try Self.identifier(&reader)
          } else if name == "tags", tags == nil {
            tags = try repeated.tags.value(&reader, Self.tags)
          } else if name == "split", split == nil {
            split = try reader.readString()
          } else if name == "cluster", cluster == nil {
            cluster = try reader.readString()
          } else if name == "input", !hasInput {
            hasInput = true
            if repeated.inputForm?.read(&reader, &repeated.input) != true {
              input = try Self.input(&reader)
            }
          } else if name == "expected", expected == nil {
            expected = try repeated.expected.value(&reader, Self.expected)
          } else {
            throw Self.unusual
          }
        }
        hasAll = !reader.hasDuplicates
      }
    } catch {
      return nil
    }
    guard hasAll, hasInput, let id else { return nil }
    if let input {
      repeated.input.removeAll()
      JSONWriter.appendCanonical(input, to: &repeated.input)
      repeated.inputForm = InputForm(input, canonical: repeated.input.units)
    }
    self.id = id
    self.tags = tags ?? []
    self.split = split
    self.cluster = cluster
    self.input = input
    self.expected = expected ?? .nothing
    digest = TestCase.digest(
      id: id,
      canonicalInput: repeated.input.units,
      canonicalExpected: self.expected.canonical,
      &repeated.content
    )
  }

  private static func identifier(_ reader: inout JSONReader) throws(JSONSyntaxError) -> String {
    let text = try reader.readString()
    guard Identifier.isValid(text) else { throw unusual }
    return text
  }

  private static func tags(_ reader: inout JSONReader) throws(JSONSyntaxError) -> [String] {
    var tags: [String] = []
    try reader.readElements { reader throws(JSONSyntaxError) in
      tags.append(try identifier(&reader))
    }
    return tags
  }

  private static func expected(_ reader: inout JSONReader) throws(JSONSyntaxError) -> Expected {
    Expected(try object(&reader))
  }

  private static func input(_ reader: inout JSONReader) throws(JSONSyntaxError) -> JSONValue {
    let (value, text) = try reader.withText { reader throws(JSONSyntaxError) in
      try object(&reader)
    }
    // The general reader has the position for a warning.
    if reader.hasLongNumber, try !JSONReader.node(text).respelled.isEmpty { throw unusual }
    return value
  }

  private static func object(_ reader: inout JSONReader) throws(JSONSyntaxError) -> JSONValue {
    guard try reader.kind() == .object else { throw unusual }
    let value = try reader.readValue()
    if FileReference.isInMembers(of: value) { throw unusual }
    return value
  }
}

extension CaseLine.Content {
  /// Reads a line that contained a case earlier; nil if it does not contain one anymore.
  ///
  /// - Parameters:
  ///   - line: The line.
  ///   - texts: The texts of the files that the case references.
  ///   - known: The expectations of earlier cases.
  init?(
    _ line: UnsafeBufferPointer<UInt8>,
    _ texts: CaseTexts,
    _ known: inout KnownTexts<JSONValue>
  ) {
    var (input, expected) = (JSONValue?.none, JSONValue?.none)
    do throws(JSONSyntaxError) {
      try JSONReader.read(line) { reader throws(JSONSyntaxError) in
        try reader.readMembers { reader, name throws(JSONSyntaxError) in
          if name == "input" {
            input = try reader.readValue()
          } else if name == "expected", try reader.kind() == .object {
            expected = try known.value(&reader) { reader throws(JSONSyntaxError) in
              try reader.readValue()
            }
          } else if name == "expected" {
            expected = try reader.readValue()
          } else {
            try reader.skipValue()
          }
        }
      }
    } catch {
      return nil
    }
    guard let input = input.flatMap({ FileReference.resolved($0, texts) }),
      let expected = FileReference.resolved(
        expected.flatMap { $0 == .null ? nil : $0 } ?? [:],
        texts
      )
    else { return nil }
    self.input = input
    self.expected = expected
  }
}
