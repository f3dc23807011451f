/// A file that stays open for appending.
package final class FileAppender: Sendable {
  private let write: @Sendable ([UInt8]) throws(FileError) -> Void
  private let synchronize: @Sendable () throws(FileError) -> Void
  private let close: @Sendable () -> Void

  /// Creates an appender.
  ///
  /// - Parameters:
  ///   - write: Appends bytes in one piece.
  ///   - synchronize: Waits until the appended bytes are on disk.
  ///   - close: Closes the file.
  package init(
    write: @escaping @Sendable ([UInt8]) throws(FileError) -> Void,
    synchronize: @escaping @Sendable () throws(FileError) -> Void = {},
    close: @escaping @Sendable () -> Void = {}
  ) {
    self.write = write
    self.synchronize = synchronize
    self.close = close
  }

  deinit { close() }

  /// Appends bytes.
  ///
  /// After this call, the bytes survive the end of the program. After ``sync()``, they also survive
  /// a power failure.
  package func append(_ bytes: [UInt8]) throws(FileError) { try write(bytes) }

  /// Waits until the appended bytes are on disk.
  package func sync() throws(FileError) { try synchronize() }
}
