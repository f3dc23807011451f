/// Takes the bytes of a file as they are made, so that a large one is never in memory as a whole.
package struct FileSink: ~Copyable {
  /// The bytes that were not handed on yet: what writes appends to them, then calls ``spill()``.
  package var buffer: [UInt8] = []
  private let take: (UnsafeRawBufferPointer) throws(FileError) -> Void
  private static let limit = 1 << 16

  /// Creates a sink.
  ///
  /// - Parameter take: Told the bytes, a piece at a time.
  package init(_ take: @escaping (UnsafeRawBufferPointer) throws(FileError) -> Void) {
    self.take = take
    buffer.reserveCapacity(2 * Self.limit)
  }

  /// Hands the buffer on once enough has come together; called now and then, as after each line.
  package mutating func spill() throws(FileError) {
    if buffer.count >= Self.limit { try flush() }
  }

  /// Hands on what came together in a buffer of the caller's own, after what was written before.
  ///
  /// - Parameters:
  ///   - lines: The buffer, which is then empty.
  ///   - isLast: Whether there is no more to come; otherwise only when it is enough.
  /// - Throws: Why it was not taken.
  package mutating func spill(_ lines: inout ByteBuffer, isLast: Bool = false) throws(FileError) {
    if lines.count < Self.limit, !isLast { return }
    try write(lines.bytes)
    lines.removeAll()
  }

  /// Hands on bytes without a copy of them, after what was written before.
  private mutating func write(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
    try flush()
    try take(bytes)
  }

  /// Adds bytes and hands on all that was written.
  package mutating func write(_ bytes: [UInt8]) throws(FileError) {
    try flush()
    buffer = bytes
    try flush()
  }

  /// Hands on all that was written.
  package mutating func flush() throws(FileError) {
    if buffer.isEmpty { return }
    let take = take
    do {
      try buffer.withUnsafeBytes { try take($0) }
    } catch let error as FileError {
      throw error
    } catch {
      preconditionFailure("an error that the closure cannot throw: \(error)")
    }
    buffer.removeAll(keepingCapacity: true)
  }

  /// The bytes that a closure writes, for those who want them in memory.
  package static func bytes(_ produce: (inout FileSink) throws(FileError) -> Void) -> [UInt8] {
    let bytes = Locked<[UInt8]>([])
    var sink = FileSink { piece in bytes.withLock { $0.append(contentsOf: piece) } }
    do throws(FileError) {
      try produce(&sink)
      try sink.flush()
    } catch {
      preconditionFailure("memory cannot refuse what is written: \(error)")
    }
    return bytes.withLock { $0 }
  }
}
