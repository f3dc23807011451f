import SluiceSystem

/// Protection from SIGPIPE.
///
/// Writing to a program that has ended raises SIGPIPE, which would end this process.
struct PipeSignal {
  #if canImport(Darwin)
  static func block(on descriptor: CInt) -> PipeSignal {
    _ = fcntl(descriptor, F_SETNOSIGPIPE, 1)
    return PipeSignal()
  }

  func restore() {}
  #else
  private let old: sigset_t

  /// Blocks the signal on the calling thread.
  static func block(on descriptor: CInt) -> PipeSignal {
    var (old, pipe) = (only, only)
    pthread_sigmask(SIG_BLOCK, &pipe, &old)
    return PipeSignal(old: old)
  }

  /// Restores the thread's previous signal mask, and discards a SIGPIPE that was raised since
  /// ``block(on:)``.
  func restore() {
    var (old, pipe, now) = (old, Self.only, timespec())
    _ = sigtimedwait(&pipe, nil, &now)
    pthread_sigmask(SIG_SETMASK, &old, nil)
  }

  private static var only: sigset_t {
    // curl's headers import the type again, so `sigset_t()` would call the initializer of their
    // type.
    let set = UnsafeMutablePointer<sigset_t>.allocate(capacity: 1)
    defer { set.deallocate() }
    sigemptyset(set)
    sigaddset(set, SIGPIPE)
    return set.pointee
  }
  #endif
}
