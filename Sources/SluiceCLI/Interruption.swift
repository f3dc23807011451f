internal import Dispatch
internal import Sluice

internal import SluiceSystem

/// Lets Ctrl-C, or who ends the program in order, end work that talks to servers in order: calls are cancelled, what is there is kept.
enum Interruption {
  private static let signals = [SIGINT, SIGTERM]
  /// How much guarded work is under way.
  private static let guarded = Locked(0)

  /// Runs work that Ctrl-C cancels.
  ///
  /// - Returns: What the work returned, and whether it was interrupted.
  static func guarding<Result: Sendable>(
    _ work: @escaping @Sendable () async -> Result
  ) async -> (result: Result, wasInterrupted: Bool) {
    guarded.withLock { $0 += 1 }
    defer { guarded.withLock { $0 -= 1 } }
    let task = Task { await work() }
    let watch = Watch(signals) { _ in task.cancel() }
    let result = await task.value
    watch.end()
    return (result, task.isCancelled)
  }

  /// Runs work with programs that keep running and end with it.
  ///
  /// - Parameters:
  ///   - isNeeded: False where no program keeps running, so that signals are left alone.
  ///   - work: The work.
  /// - Returns: The result of the work.
  /// - Throws: The error of the work.
  static func keepingPrograms<Result>(
    _ isNeeded: Bool,
    _ work: (RunningPrograms) async throws -> Result
  ) async throws -> Result {
    var watch: Watch?
    defer { watch?.end() }
    return try await RunningPrograms.during { programs in
      if isNeeded {
        watch = Watch(signals) { number in
          // Guarded work ends in order, and the programs after it.
          if guarded.withLock({ $0 > 0 }) { return }
          programs.kill()
          signal(number, SIG_DFL)
          kill(getpid(), number)
        }
      }
      return try await work(programs)
    }
  }

  /// The exit code of an interrupted command, once that is said.
  static var reported: Sluice.ExitCode {
    Console.error("sluice: interrupted\n")
    return .interrupted
  }

  /// Signals that are handled in place of ending the program.
  private struct Watch {
    private typealias Handler = @convention(c) (CInt) -> Void
    private let entries: [(number: CInt, old: Handler?, source: any DispatchSourceSignal)]

    init(_ signals: [CInt], _ handle: @escaping @Sendable (CInt) -> Void) {
      entries = signals.map { number in
        let old = signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler { handle(number) }
        source.resume()
        return (number, old, source)
      }
    }

    /// Leaves signals to whatever handled them before.
    func end() {
      for (number, old, source) in entries {
        source.cancel()
        signal(number, old)
      }
    }
  }
}

extension Evaluation {
  /// Runs on recordings; Ctrl-C ends the programs that scorers ask.
  ///
  /// - Throws: ``ExitCode/interrupted`` after Ctrl-C.
  func replayInterruptibly(
    concurrency: Int,
    onEvent: @escaping @Sendable (RunEvent) -> Void = { _ in }
  ) async throws -> Outcome {
    guard asksPrograms else {
      return await replayAsking(concurrency: concurrency, onEvent: onEvent)
    }
    let (asked, wasInterrupted) = await Interruption.guarding { await askPrograms() }
    if wasInterrupted { throw Interruption.reported }
    return replay(asked, concurrency: concurrency, onEvent: onEvent)
  }
}
