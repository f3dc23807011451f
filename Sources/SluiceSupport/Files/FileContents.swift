import SluiceSystem

/// The bytes of a file, read piece by piece: what is large stays on the disk.
///
/// The file may be replaced meanwhile (a new one takes its name), which changes nothing here.
package struct FileContents: Sendable {
  /// The size in bytes.
  package let count: Int
  private let source: Source

  private enum Source: Sendable {
    case memory([UInt8])
    case disk(OpenFile)
  }

  /// Bytes that are in memory anyway.
  package init(_ bytes: [UInt8]) {
    count = bytes.count
    source = .memory(bytes)
  }

  /// An open file of the disk, which is closed when the last copy goes.
  ///
  /// - Parameters:
  ///   - descriptor: The file's descriptor, whose owner the contents become.
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

  /// Gives a part of the file to a closure.
  ///
  /// - Parameters:
  ///   - range: The places of the bytes.
  ///   - body: Told the bytes, which are valid until it returns: fewer than asked for where the file
  ///     was cut short.
  /// - Returns: What the closure returns.
  /// - Throws: What the closure throws.
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

  /// The error that the closure threw, whose type is lost on the way through the standard library.
  private static func failure<Failure: Error>(_ error: any Error) -> Failure {
    guard let failure = error as? Failure else {
      preconditionFailure("an error that the closure cannot throw: \(error)")
    }
    return failure
  }

  /// The bytes of a part of the file; fewer than asked for where the file was cut short.
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

  /// Goes through the lines of the file in their order, a piece of the file at a time.
  ///
  /// - Parameters:
  ///   - start: Where the first line starts.
  ///   - body: Told each line without its end, which is valid until it returns, and where it starts.
  /// - Throws: What the closure throws.
  package func forEachLine<Failure: Error>(
    from start: Int = 0,
    _ body: (UnsafeRawBufferPointer, Int) throws(Failure) -> Void
  ) throws(Failure) {
    try forEachLine(from: start, upTo: .max, tooLong: { _, _ in }, body)
  }

  /// Goes through the lines of the file, of which long ones are not held in memory.
  ///
  /// - Parameters:
  ///   - start: Where the first line starts.
  ///   - limit: The length in bytes from which on a line is measured and not held in memory.
  ///   - tooLong: Told the length of each such line, and where it starts.
  ///   - body: Told each line without its end, which is valid until it returns, and where it starts.
  /// - Throws: What the closure throws.
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
        // What follows the last line break is a line of its own.
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
      // A line that is longer than a piece is read whole.
      length = used == 0 ? length * 2 : Self.pieceLength
    }
  }

  /// The number of lines to expect of the file, from those before a place; an array that has room for
  /// them does not grow by copying itself.
  package func expectedLines(_ count: Int, before place: Int) -> Int {
    Int(1.05 * Double(count) * Double(self.count) / Double(max(place, 1)))
  }

  /// Where the line ends that goes on at a place, found a piece at a time.
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

  /// Reads as many bytes as the buffer holds, or as there are.
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
