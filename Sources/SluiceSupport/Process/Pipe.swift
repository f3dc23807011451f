import SluiceSystem

/// The two ends of a pipe, not inherited by child processes.
struct Pipe: Sendable {
  let reading: CInt
  let writing: CInt

  /// Opens a pipe; nil, with `errno` set, if the system has no pipe left.
  init?() {
    var ends: [CInt] = [-1, -1]
    #if canImport(Glibc)
    guard Glibc.pipe(&ends) == 0 else { return nil }
    #elseif canImport(Musl)
    guard Musl.pipe(&ends) == 0 else { return nil }
    #else
    guard Darwin.pipe(&ends) == 0 else { return nil }
    #endif
    for descriptor in ends { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    (reading, writing) = (ends[0], ends[1])
  }

  /// Closes both ends.
  func close() {
    FileDescriptor.close(reading)
    FileDescriptor.close(writing)
  }
}

extension FileDescriptor {
  /// Makes reads and writes return instead of blocking.
  static func setNonBlocking(_ descriptor: CInt) {
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
  }

  /// Reads all available bytes without blocking, and discards them.
  static func drain(_ descriptor: CInt) {
    var bytes = [UInt8](repeating: 0, count: 64)
    while read(descriptor, &bytes, bytes.count) == bytes.count {}
  }

  package static func close(_ descriptor: CInt) {
    #if canImport(Darwin)
    _ = Darwin.close(descriptor)
    #elseif canImport(Musl)
    _ = Musl.close(descriptor)
    #else
    _ = Glibc.close(descriptor)
    #endif
  }
}
