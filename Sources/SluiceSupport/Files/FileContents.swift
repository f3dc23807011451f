import SluiceSystem

/// The bytes of a file, read piece by piece so that large files need not fit into memory.
///
/// If the file is replaced while it is read (a new file takes its name), this value keeps the
/// contents of the old file.
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
  ///   - body: Receives the bytes, which are valid until the closure returns. There are fewer bytes
  ///     than requested if the file was truncated.
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

  /// Casts an error to the type that the closure throws, because the standard library erased that
  /// type.
  private static func failure<Failure: Error>(_ error: any Error) -> Failure {
    guard let failure = error as? Failure else {
      preconditionFailure("an error that the closure cannot throw: \(error)")
    }
    return failure
  }

  /// Returns the bytes of a part of the file.
  ///
  /// There are fewer bytes than requested if the file was truncated.
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

  /// Calls a closure for each line of the file in order, reading the file piece by piece.
  ///
  /// - Parameters:
  ///   - start: The offset of the first line.
  ///   - body: Receives each line, without its line break, and its offset. The line is valid until
  ///     the closure returns.
  /// - Throws: The error that the closure throws.
  package func forEachLine<Failure: Error>(
    from start: Int = 0,
    _ body: (UnsafeRawBufferPointer, Int) throws(Failure) -> Void
  ) throws(Failure) {
    try forEachLine(from: start, upTo: .max) { (line, start) throws(Failure) -> Bool in
      if case .whole(let bytes) = line { try body(bytes, start) }
      return true
    }
  }

  /// Estimates the number of lines in the whole file, given the number of lines before an offset.
  ///
  /// Reserve this capacity for an array of lines, so that the array need not copy its elements to
  /// grow.
  package func expectedLines(_ count: Int, before place: Int) -> Int {
    Int(1.05 * Double(count) * Double(self.count) / Double(max(place, 1)))
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
