/// Adds to the end of a file that stays open.
package final class FileAppender: Sendable {
  private let write: @Sendable ([UInt8]) throws(FileError) -> Void
  private let synchronize: @Sendable () throws(FileError) -> Void
  private let close: @Sendable () -> Void

  /// Creates an appender.
  ///
  /// - Parameters:
  ///   - write: Adds bytes in one piece.
  ///   - synchronize: Waits until what was added is on the disk.
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

  /// Adds bytes: they outlive the program at once, and the machine once they are synchronized.
  package func append(_ bytes: [UInt8]) throws(FileError) { try write(bytes) }

  /// Waits until what was added is on the disk.
  package func sync() throws(FileError) { try synchronize() }
}
