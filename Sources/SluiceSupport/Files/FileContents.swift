import SluiceSystem

/// The bytes of a file, read piece by piece, so that large files stay on disk.
///
/// Replacing the file meanwhile (a new one takes its name) has no effect on the contents.
package struct FileContents: Sendable {
  /// The size in bytes.
  package let count: Int
  private let source: Source

  private enum Source: Sendable {
    case memory([UInt8])
    case disk(OpenFile)
  }

  /// Creates contents from bytes that are already in memory.
  package init(_ bytes: [UInt8]) {
    count = bytes.count
    source = .memory(bytes)
  }

  /// Creates contents from an open file, which is closed when the last copy is released.
  ///
  /// - Parameters:
  ///   - descriptor: The file descriptor. The contents take ownership of it.
  ///   - count: The size in bytes.
  package init(descriptor: Int32, count: Int) {
    self.count = count
    source = .disk(OpenFile(descriptor))
  }

  private final class OpenFile: Sendable {
    let descriptor: Int32

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }
  }

  /// Passes a part of the file to a closure.
  ///
  /// - Parameters:
  ///   - range: The range of bytes.
  ///   - body: Receives the bytes, which are valid until it returns. They are fewer than requested
  ///     if the file was truncated.
  /// - Returns: The result of the closure.
  /// - Throws: The error that the closure throws.
  package func withBytes<Result, Failure: Error>(
    _ range: Range<Int>,
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    switch source {
    case .memory(let bytes):
      let range = range.clamped(to: 0..<bytes.count)
      do {
        return try bytes.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[range])) }
      } catch {
        throw Self.failure(error)
      }
    case .disk(let file):
      do {
        return try withUnsafeTemporaryAllocation(byteCount: range.count, alignment: 1) { buffer in
          let got = Self.read(file.descriptor, into: buffer, from: range.lowerBound)
          return try body(UnsafeRawBufferPointer(rebasing: buffer[..<got]))
        }
      } catch {
        throw Self.failure(error)
      }
    }
  }

  /// Restores the type of the closure's error, which the standard library erases.
  private static func failure<Failure: Error>(_ error: any Error) -> Failure {
    guard let failure = error as? Failure else {
      preconditionFailure("an error that the closure cannot throw: \(error)")
    }
    return failure
  }

  /// Returns the bytes of a part of the file; fewer if the file was truncated.
  package func bytes(_ range: Range<Int>) -> [UInt8] {
    switch source {
    case .memory(let bytes):
      return range == 0..<bytes.count ? bytes : Array(bytes[range.clamped(to: bytes.indices)])
    case .disk(let file):
      return Array(unsafeUninitializedCapacity: range.count) { buffer, count in
        let buffer = UnsafeMutableRawBufferPointer(buffer)
        count = Self.read(file.descriptor, into: buffer, from: range.lowerBound)
      }
    }
  }

  /// Iterates over the lines of the file in order, reading it piece by piece.
  ///
  /// - Parameters:
  ///   - start: The offset of the first line.
  ///   - body: Receives each line without its end, valid until it returns, and its offset.
  /// - Throws: The error that the closure throws.
  package func forEachLine<Failure: Error>(
    from start: Int = 0,
    _ body: (UnsafeRawBufferPointer, Int) throws(Failure) -> Void
  ) throws(Failure) {
    try forEachLine(from: start, upTo: .max, tooLong: { _, _ in }, body)
  }

  /// Iterates over the lines of the file without holding long ones in memory.
  ///
  /// - Parameters:
  ///   - start: The offset of the first line.
  ///   - limit: The length in bytes from which on a line is only measured, not held in memory.
  ///   - tooLong: Receives the length of each such line and its offset.
  ///   - body: Receives each other line without its end, valid until it returns, and its offset.
  /// - Throws: The error that the closure throws.
  package func forEachLine<Failure: Error>(
    from start: Int = 0,
    upTo limit: Int,
    tooLong: (Int, Int) -> Void,
    _ body: (UnsafeRawBufferPointer, Int) throws(Failure) -> Void
  ) throws(Failure) {
    var (start, length) = (start, Self.pieceLength)
    while start < count {
      let end = min(count, start + length)
      let used = try withBytes(start..<end) { (piece) throws(Failure) -> Int in
        var used = 0
        while let offset = Self.lineEnd(piece, from: used) {
          try body(UnsafeRawBufferPointer(rebasing: piece[used..<offset]), start + used)
          used = offset + 1
        }
        // The text after the last line break is a line too.
        if end == count || piece.count < end - start, used < piece.count {
          try body(UnsafeRawBufferPointer(rebasing: piece[used...]), start + used)
          used = piece.count
        }
        return piece.count < end - start ? max(used, count - start) : used
      }
      start += used
      if used == 0, length > limit {
        let end = lineEnd(after: start + length)
        tooLong(end - start, start)
        start = end + 1
        length = Self.pieceLength
        continue
      }
      // A line longer than a piece is read as a whole.
      length = used == 0 ? length * 2 : Self.pieceLength
    }
  }

  /// Estimates the number of lines of the file from those before an offset.
  ///
  /// Reserving that capacity saves an array from growing by copies.
  package func expectedLines(_ count: Int, before place: Int) -> Int {
    Int(1.05 * Double(count) * Double(self.count) / Double(max(place, 1)))
  }

  /// Finds the end of the line that continues at an offset, reading piece by piece.
  private func lineEnd(after start: Int) -> Int {
    var start = start
    while start < count {
      let end = min(count, start + Self.pieceLength)
      let found = withBytes(start..<end) { piece in Self.lineEnd(piece, from: 0) }
      if let found { return start + found }
      start = end
    }
    return count
  }

  static let pieceLength = 1 << 18

  static func lineEnd(_ piece: UnsafeRawBufferPointer, from start: Int) -> Int? {
    guard let base = piece.baseAddress, start < piece.count,
      let found = memchr(base + start, 0x0A, piece.count - start)
    else { return nil }
    return UnsafeRawPointer(found) - base
  }

  /// Reads until the buffer is full or the file ends.
  private static func read(
    _ descriptor: Int32,
    into buffer: UnsafeMutableRawBufferPointer,
    from start: Int
  ) -> Int {
    var count = 0
    while count < buffer.count {
      let got = pread(
        descriptor,
        buffer.baseAddress.map { $0 + count },
        buffer.count - count,
        off_t(start + count)
      )
      if got < 0, errno == EINTR { continue }
      if got <= 0 { break }
      count += got
    }
    return count
  }
}
