import SluiceSystem

/// SIGPIPE, which writing to a program that has ended raises and which would end this one.
struct PipeSignal {
  #if canImport(Darwin)
  static func block(on descriptor: CInt) -> PipeSignal {
    _ = fcntl(descriptor, F_SETNOSIGPIPE, 1)
    return PipeSignal()
  }

  func restore() {}
  #else
  private let old: sigset_t

  /// Keeps it from the calling thread.
  static func block(on descriptor: CInt) -> PipeSignal {
    var (old, pipe) = (only, only)
    pthread_sigmask(SIG_BLOCK, &pipe, &old)
    return PipeSignal(old: old)
  }

  /// Lets the thread have what it had before, but for what was raised meanwhile.
  func restore() {
    var (old, pipe, now) = (old, Self.only, timespec())
    _ = sigtimedwait(&pipe, nil, &now)
    pthread_sigmask(SIG_SETMASK, &old, nil)
  }

  private static var only: sigset_t {
    // Its initializer counts as curl's, whose headers bring the type in once more.
    let set = UnsafeMutablePointer<sigset_t>.allocate(capacity: 1)
    defer { set.deallocate() }
    sigemptyset(set)
    sigaddset(set, SIGPIPE)
    return set.pointee
  }
  #endif
}
