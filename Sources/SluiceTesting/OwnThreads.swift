internal import Sluice

internal import SluiceSystem

/// The CPU time of a thread, which does not depend on how busy the machine is.
enum ThreadTime {
  /// Runs a closure, and returns the CPU time that its thread used, in nanoseconds.
  static func spent(_ body: () -> Void) -> Double {
    let start = now()
    body()
    return max(now() - start, 1)
  }

  private static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }
}

/// New threads for work that must run concurrently even if the shared thread pool is busy.
enum OwnThreads {
  /// Runs a closure on several dedicated threads, and returns the results.
  static func results<Result: Sendable>(
    of count: Int,
    _ body: @escaping @Sendable () -> Result
  ) -> [Result] {
    let results = Locked<[Result]>([])
    let work = ThreadWork {
      let result = body()
      results.withLock { $0.append(result) }
    }
    let threads = (0..<count).compactMap { _ in start(work) }
    for thread in threads { pthread_join(thread, nil) }
    return results.withLock { $0 }
  }

  /// Starts a thread, or returns `nil` if the system cannot create one.
  private static func start(_ work: ThreadWork) -> pthread_t? {
    #if canImport(Darwin)
    var thread: pthread_t?
    #else
    var thread = pthread_t()
    #endif
    let argument = Unmanaged.passRetained(work)
    if pthread_create(&thread, nil, doWork, argument.toOpaque()) == 0 { return thread }
    argument.release()
    return nil
  }
}

private final class ThreadWork: Sendable {
  let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

#if canImport(Darwin)
private func doWork(_ argument: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
  Unmanaged<ThreadWork>.fromOpaque(argument).takeRetainedValue().body()
  return nil
}
#else
private func doWork(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let argument { Unmanaged<ThreadWork>.fromOpaque(argument).takeRetainedValue().body() }
  return nil
}
#endif
