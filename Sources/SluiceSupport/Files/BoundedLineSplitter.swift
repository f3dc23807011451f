/// A splitter of a byte stream into lines; the bytes arrive in pieces of any size.
///
/// It keeps at most one unfinished line in memory, and never more bytes than the limit.
package struct BoundedLineSplitter: Sendable {
  /// A line of the input.
  package enum Line: Hashable, Sendable {
    case whole([UInt8])
    /// The line was longer than the limit; its bytes were dropped.
    case tooLong
  }

  private let limit: Int
  private var pending: [UInt8] = []
  private var isDropping = false

  /// Creates a splitter.
  ///
  /// - Parameter limit: The maximum length of a line in bytes; longer lines are dropped.
  package init(limit: Int) { self.limit = limit }

  /// Adds a piece of the input, and returns the lines that end in this piece, without line feeds.
  package mutating func take(_ bytes: some Collection<UInt8>) -> [Line] {
    var lines: [Line] = []
    for part in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .enumerated()
    {
      if part.offset > 0 { lines.append(end()) }
      guard !isDropping else { continue }
      if pending.count + part.element.count > limit {
        pending = []
        isDropping = true
      } else {
        pending += part.element
      }
    }
    return lines
  }

  /// Returns the last line if the input ended without a line feed; otherwise `nil`.
  package mutating func finish() -> Line? {
    pending.isEmpty && !isDropping ? nil : end()
  }

  private mutating func end() -> Line {
    defer { (pending, isDropping) = ([], false) }
    if isDropping { return .tooLong }
    if pending.last == UInt8(ascii: "\r") { pending.removeLast() }
    return .whole(pending)
  }
}
