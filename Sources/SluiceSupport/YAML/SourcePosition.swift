/// A position in a text file.
package struct SourcePosition: Hashable, Sendable, Comparable {
  /// The line, from 1.
  package var line: Int
  /// The column in Unicode scalars, from 1.
  package var column: Int

  /// Creates a position.
  ///
  /// - Parameters:
  ///   - line: The line, from 1.
  ///   - column: The column in Unicode scalars, from 1.
  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  package static func < (left: SourcePosition, right: SourcePosition) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }
}

extension SourcePosition {
  /// Creates the position of a byte offset.
  package init(offset: Int, in bytes: [UInt8]) {
    var tracker = PositionTracker(line: 1)
    self = bytes.withUnsafeBufferPointer { tracker.advance(to: min(offset, $0.count), in: $0) }
  }
}

/// A converter of ascending byte offsets to positions, which reads each byte once.
///
/// A byte-order mark at the start does not count as a column, since no editor counts it.
package struct PositionTracker {
  private var offset = 0
  private var line: Int
  private var column = 1

  package init(line: Int) { self.line = line }

  package mutating func advance(to target: Int, in bytes: UnsafeBufferPointer<UInt8>)
    -> SourcePosition
  {
    if offset == 0, target > 0, UTF8Text.startsWithByteOrderMark(bytes) { offset = 3 }
    while offset < target {
      let byte = bytes[offset]
      if byte == 0x0A {
        line += 1
        column = 1
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
      offset += 1
    }
    return SourcePosition(line: line, column: column)
  }
}
