import SluiceSystem

/// The nonblocking pipes to a running program, for its input, output and errors.
///
/// Only one thread uses the pipes at a time. Any thread may ring the bell, which wakes the thread
/// that uses the pipes.
final class ProgramPipes: Sendable {
  let input: Pipe
  let output: Pipe
  let errors: Pipe
  private let bell: Pipe
  private let isInputClosed = Locked(false)

  init() throws(ProgramCommand.Failure) {
    var pipes: [Pipe] = []
    for _ in 0..<4 {
      guard let pipe = Pipe() else {
        let reason = String(cString: strerror(errno)).lowercased()
        for pipe in pipes { pipe.close() }
        throw ProgramCommand.Failure(reason: reason)
      }
      pipes.append(pipe)
    }
    (input, output, errors, bell) = (pipes[0], pipes[1], pipes[2], pipes[3])
    let own = [input.writing, output.reading, errors.reading, bell.reading, bell.writing]
    for descriptor in own { FileDescriptor.setNonBlocking(descriptor) }
  }

  deinit {
    closeInput()
    // Subprocess owns and closes the other ends, which the program uses.
    let own = [output.reading, errors.reading, bell.reading, bell.writing]
    for descriptor in own { FileDescriptor.close(descriptor) }
  }

  /// Wakes the thread that waits for the pipes.
  func ring() { _ = [1].withUnsafeBytes { FileDescriptor.write($0, to: bell.writing) } }

  /// Closes the program's input.
  func closeInput() {
    let isFirst = isInputClosed.withLock { isClosed in
      defer { isClosed = true }
      return !isClosed
    }
    if isFirst { FileDescriptor.close(input.writing) }
  }

  /// The pipes to wait for, or the pipes that are ready.
  struct Ready: Sendable {
    var bell = true
    var input = false
    var output = false
    var errors = false
  }

  /// Waits until a pipe is ready or the bell rings, and resets the bell.
  ///
  /// - Parameters:
  ///   - wanted: The pipes to wait for.
  ///   - milliseconds: The maximum wait; nil for no limit.
  /// - Returns: The pipes that are ready.
  func wait(for wanted: Ready, milliseconds: Double?) -> Ready {
    var polled = [
      pollfd(fd: bell.reading, events: Int16(POLLIN), revents: 0),
      pollfd(fd: wanted.input ? input.writing : -1, events: Int16(POLLOUT), revents: 0),
      pollfd(fd: wanted.output ? output.reading : -1, events: Int16(POLLIN), revents: 0),
      pollfd(fd: wanted.errors ? errors.reading : -1, events: Int16(POLLIN), revents: 0),
    ]
    _ = poll(&polled, nfds_t(polled.count), milliseconds.map { CInt(max(1, $0)) } ?? -1)
    if polled[0].revents != 0 { FileDescriptor.drain(bell.reading) }
    return Ready(
      bell: polled[0].revents != 0,
      input: polled[1].revents != 0,
      output: polled[2].revents != 0,
      errors: polled[3].revents != 0
    )
  }

  /// Writes without blocking; returns false once the program no longer reads.
  func feed(_ rest: inout ArraySlice<UInt8>) -> Bool {
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(input.writing, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN { return true }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Reads the available output, up to a size.
  ///
  /// Returns false at the end of the output.
  func drainOutput(into bytes: inout [UInt8], limit: Int) -> Bool {
    Self.drain(output.reading, into: &bytes, limit: limit)
  }

  /// Reads the available error output.
  ///
  /// Returns false at the end of the error output.
  func drainErrors(into tail: inout ErrorTail) -> Bool {
    while true {
      let before = tail.bytes.count
      let isOpen = Self.drain(errors.reading, into: &tail.bytes, limit: 1 << 20)
      let isShort = tail.bytes.count == before || tail.bytes.count < ErrorTail.limit
      tail.trim()
      if !isOpen { return false }
      if isShort { return true }
    }
  }

  private static func drain(_ descriptor: CInt, into bytes: inout [UInt8], limit: Int) -> Bool {
    var part = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count < limit {
      let count = part.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN { return true }
      guard count > 0 else { return false }
      bytes += part[..<count]
    }
    return true
  }
}

/// The last part of a program's standard error.
struct ErrorTail: Sendable {
  static let limit = 1 << 14
  fileprivate(set) var bytes: [UInt8] = []

  fileprivate mutating func trim() {
    if bytes.count > Self.limit { bytes.removeFirst(bytes.count - Self.limit) }
  }

  /// The last line that is not blank.
  var lastLine: String? {
    String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
      .last { !$0.allSatisfy(\.isWhitespace) }.map(String.init)
  }
}
