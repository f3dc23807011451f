import SluiceSystem

/// Complete writes to file descriptors: a single system call may write only some of the bytes.
package enum FileDescriptor {
  /// Writes all bytes, with as many system calls as necessary.
  ///
  /// - Returns: Zero, or the system's error number.
  package static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32 {
    var rest = bytes[...]
    while !rest.isEmpty {
      let part = UnsafeRawBufferPointer(rebasing: rest)
      #if canImport(Darwin)
      let count = Darwin.write(descriptor, part.baseAddress, part.count)
      #elseif canImport(Musl)
      let count = Musl.write(descriptor, part.baseAddress, part.count)
      #else
      let count = Glibc.write(descriptor, part.baseAddress, part.count)
      #endif
      if count < 0, errno == EINTR { continue }
      if count < 0 { return errno }
      rest = rest.dropFirst(count)
    }
    return 0
  }
}
