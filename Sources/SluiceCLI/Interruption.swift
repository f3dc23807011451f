internal import Dispatch
internal import Sluice

internal import SluiceSystem

/// Lets Ctrl-C, or who ends the program in order, end work that talks to servers in order: calls are cancelled, what is there is kept.
enum Interruption {
  private static let signals = [SIGINT, SIGTERM]

  /// Runs work that Ctrl-C cancels.
  ///
  /// - Returns: What the work returned, and whether it was interrupted.
  static func guarding<Result: Sendable>(
    _ work: @escaping @Sendable () async -> Result
  ) async -> (result: Result, wasInterrupted: Bool) {
    let task = Task { await work() }
    let sources = signals.map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { task.cancel() }
      source.resume()
      return source
    }
    let result = await task.value
    for source in sources { source.cancel() }
    for number in signals { signal(number, SIG_DFL) }
    return (result, task.isCancelled)
  }
}
