/// Values of a file's lines that come again and again in the same words, each read once.
///
/// Only the first few are kept, and no long ones: where all lines differ, nothing is lost.
@usableFromInline
package struct KnownTexts<Value> {
  @usableFromInline
  var known: [(text: [UInt8], value: Value)] = []

  @inlinable
  package init() {}

  @inlinable
  static var limit: Int { 16 }
  @inlinable
  static var longest: Int { 256 }

  /// Reads the value that comes next.
  ///
  /// - Parameters:
  ///   - reader: The reader, at an object or an array: others do not show where they end.
  ///   - read: Reads a value whose text is not known.
  /// - Returns: The value.
  /// - Throws: What is wrong with the text.
  @inlinable
  package mutating func value(
    _ reader: inout JSONReader,
    _ read: (inout JSONReader) throws(JSONSyntaxError) -> Value
  ) throws(JSONSyntaxError) -> Value {
    if let value = known.first(where: { reader.skip($0.text) })?.value { return value }
    let (value, text) = try reader.withText(read)
    // What repeats a member is to be noticed each time.
    if known.count < Self.limit, text.count <= Self.longest, !reader.hasDuplicates {
      known.append((Array(text), value))
    }
    return value
  }
}
