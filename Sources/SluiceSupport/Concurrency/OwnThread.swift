import Dispatch

import SluiceSystem

/// A dedicated thread for work that blocks for a long time.
///
/// Dispatch has about 250 threads, and blocking all of them would stop all other work.
package enum OwnThread {
  /// Starts a thread that ends when its work is done.
  package static func start(_ work: @escaping @Sendable () -> Void) {
    #if canImport(Darwin)
    var thread: pthread_t?
    #else
    var thread = pthread_t()
    #endif
    let argument = Unmanaged.passRetained(ThreadWork(work))
    if pthread_create(&thread, nil, doWork, argument.toOpaque()) == 0 { return }
    argument.release()
    DispatchQueue(label: "sluice.work").async(execute: work)
  }
}

private final class ThreadWork: Sendable {
  let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

// The argument is optional only on Linux.
#if canImport(Darwin)
private func doWork(_ argument: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
  pthread_detach(pthread_self())
  Unmanaged<ThreadWork>.fromOpaque(argument).takeRetainedValue().body()
  return nil
}
#else
private func doWork(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  pthread_detach(pthread_self())
  if let argument { Unmanaged<ThreadWork>.fromOpaque(argument).takeRetainedValue().body() }
  return nil
}
#endif
