internal import Dispatch
internal import Sluice

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Lets Ctrl-C end work that talks to servers in order: calls are cancelled, what is there is kept.
enum Interruption {
  /// Runs work that Ctrl-C cancels.
  ///
  /// - Returns: What the work returned, and whether it was interrupted.
  static func guarding<Result: Sendable>(
    _ work: @escaping @Sendable () async -> Result
  ) async -> (result: Result, wasInterrupted: Bool) {
    let task = Task { await work() }
    signal(SIGINT, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
    source.setEventHandler { task.cancel() }
    source.resume()
    let result = await task.value
    source.cancel()
    signal(SIGINT, SIG_DFL)
    return (result, task.isCancelled)
  }
}
