import SluiceSystem

/// Disk space reserved for a file before its bytes are written.
///
/// Without a reservation, ext4 reserves each block separately during the write. That costs nearly
/// as much as copying the bytes.
final class ReservedSpace {
  private let descriptor: Int32
  private var written = 0
  private var reserved = 0
  private static let step = 1 << 20
  /// The minimum size in bytes of a write for which space is reserved.
  ///
  /// Smaller writes occur only in small files and at the ends of files.
  private static let leastCount = 1 << 18

  init(of descriptor: Int32) { self.descriptor = descriptor }

  /// Reserves space for the next bytes of the file.
  ///
  /// If the system refuses, no more space is reserved. This is not an error: if the disk is full,
  /// the next write fails.
  func reserve(for count: Int) {
    written += count
    #if os(Linux)
    guard count >= Self.leastCount, written > reserved else { return }
    let length = (written - reserved + Self.step - 1) / Self.step * Self.step
    let code = posix_fallocate(descriptor, off_t(reserved), off_t(length))
    reserved = code == 0 ? reserved + length : .max
    #endif
  }

  /// Truncates the file to the bytes that were written.
  ///
  /// - Returns: Zero, or the system's error number.
  func release() -> Int32 {
    guard reserved > 0 else { return 0 }
    return ftruncate(descriptor, off_t(written)) == 0 ? 0 : errno
  }
}
