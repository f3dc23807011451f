/// A cache of parsed values, for texts that occur in many lines of a file.
///
/// The cache keeps only the first few values, and no long values. If all lines differ, it costs
/// almost nothing.
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

  /// Reads the next value.
  ///
  /// - Parameters:
  ///   - reader: The reader, at an object or an array. Other values are not supported, since their
  ///     end is not marked.
  ///   - read: Reads a value that is not in the cache.
  /// - Returns: The value.
  /// - Throws: ``JSONSyntaxError`` for an error in the text.
  @inlinable
  package mutating func value(
    _ reader: inout JSONReader,
    _ read: (inout JSONReader) throws(JSONSyntaxError) -> Value
  ) throws(JSONSyntaxError) -> Value {
    if let value = known.first(where: { reader.skip($0.text) })?.value { return value }
    let (value, text) = try reader.withText(read)
    // If members are repeated, the value is not cached, so that each occurrence is reported.
    if known.count < Self.limit, text.count <= Self.longest, !reader.hasDuplicates {
      known.append((Array(text), value))
    }
    return value
  }
}
