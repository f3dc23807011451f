/// A line of a file whose lines may be arbitrarily long.
package enum BoundedLine {
  /// The bytes of a line without its line break, valid only during the call that receives them.
  case whole(UnsafeRawBufferPointer)
  /// A line that is longer than the bound.
  case tooLong
}

extension FileContents {
  /// Calls a closure for each line of the file in order, keeping at most a bounded number of bytes
  /// of a line in memory.
  ///
  /// - Parameters:
  ///   - start: The offset of the first line.
  ///   - bound: The maximum length in bytes of a line that is passed on whole.
  ///   - body: Receives each line and its offset; returns false to stop.
  /// - Throws: The error that the closure throws.
  package func forEachLine<Failure: Error>(
    from start: Int = 0,
    upTo bound: Int,
    _ body: (BoundedLine, Int) throws(Failure) -> Bool
  ) throws(Failure) {
    var (start, length) = (start, Self.pieceLength)
    while start < count {
      let end = min(count, start + length)
      let step = try withBytes(start..<end) {
        (piece) throws(Failure) -> (used: Int, goesOn: Bool) in
        var used = 0
        func tell(_ end: Int) throws(Failure) -> Bool {
          let line = UnsafeRawBufferPointer(rebasing: piece[used..<end])
          return try body(line.count > bound ? .tooLong : .whole(line), start + used)
        }
        while let offset = Self.lineEnd(piece, from: used) {
          guard try tell(offset) else { return (used, false) }
          used = offset + 1
        }
        // The text after the last line break is also a line.
        guard end == count || piece.count < end - start else { return (used, true) }
        if used < piece.count, !(try tell(piece.count)) { return (used, false) }
        return (count - start, true)
      }
      guard step.goesOn else { return }
      start += step.used
      if step.used > 0 {
        length = Self.pieceLength
      } else if length <= bound {
        length *= 2
      } else {
        let lineEnd = endOfLine(from: end)
        guard try body(.tooLong, start) else { return }
        start = lineEnd + 1
        length = Self.pieceLength
      }
    }
  }

  /// Returns the offset of the next line break, or the end of the file.
  private func endOfLine(from start: Int) -> Int {
    var start = start
    while start < count {
      let end = min(count, start + Self.pieceLength)
      let found = withBytes(start..<end) { piece in
        Self.lineEnd(piece, from: 0) ?? (piece.count < end - start ? count - start : nil)
      }
      if let found { return start + found }
      start = end
    }
    return count
  }
}
