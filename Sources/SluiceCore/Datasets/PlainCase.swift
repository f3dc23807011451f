import SluiceSupport

/// Reads what a line of a JSONL dataset says of a case, where its input is all texts.
enum PlainCase {
  private static let unusual = JSONSyntaxError(offset: 0, message: "not the usual form")

  /// Reads the input and the expectation of a case that was found to be fine before.
  ///
  /// - Parameters:
  ///   - line: The line.
  ///   - input: Becomes the input: texts, written canonically.
  ///   - expected: Becomes the expectation, empty where there is none.
  /// - Returns: Whether the line is of that form.
  static func read(
    _ line: UnsafeBufferPointer<UInt8>,
    input: inout JSONFields,
    expected: inout JSONFields
  ) -> Bool {
    var (hasInput, hasExpected) = (false, false)
    expected.removeAll()
    do throws(JSONSyntaxError) {
      try JSONReader.read(line) { reader throws(JSONSyntaxError) in
        try reader.readMembers { reader, name throws(JSONSyntaxError) in
          if name == "input" {
            if hasInput { throw unusual }
            hasInput = true
            try input.read(&reader)
          } else if name == "expected" {
            if hasExpected { throw unusual }
            hasExpected = true
            try expected.read(&reader)
          } else {
            try reader.skipValue()
          }
        }
      }
    } catch {
      return false
    }
    return hasInput && input.fields.allSatisfy { $0.text?.isCanonical ?? false }
  }
}
