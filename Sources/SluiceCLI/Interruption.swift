internal import Dispatch
internal import Sluice

internal import SluiceSystem

/// The handler of Ctrl-C and SIGTERM.
///
/// It cancels requests, keeps the answers received so far, and ends the programs that Sluice
/// started.
enum Interruption {
  private static let signals = [SIGINT, SIGTERM]
  private static let watch = Locked(Watch())

  /// The signal handlers while they are installed.
  ///
  /// All operations share these handlers, since two dispatch sources for the same signal would
  /// interfere with each other.
  private struct Watch {
    var handlers: [(id: Int, handler: Handler)] = []
    var lastID = 0
    var sources: [any DispatchSourceSignal] = []
  }

  private enum Handler: Sendable {
    case cancel(@Sendable () -> Void)
    /// A closure to run before the process ends, for code that cannot be cancelled.
    case end(@Sendable () -> Void)
  }

  /// Runs an operation that Ctrl-C cancels, and that is also cancelled with the calling task.
  ///
  /// - Returns: The result of the operation, and true if the operation was interrupted.
  static func guarding<Result: Sendable>(
    _ work: @escaping @Sendable () async -> Result
  ) async -> (result: Result, wasInterrupted: Bool) {
    // Install the handlers first, so that no signal ends the process before they exist.
    let state = Locked((task: Task<Result, Never>?.none, wasInterrupted: false))
    let id = add(
      .cancel {
        state.withLock { state in
          state.wasInterrupted = true
          state.task?.cancel()
        }
      }
    )
    // A caller that is cancelled already must not send a first request.
    let isCancelled = Task.isCancelled
    let task = Task {
      if isCancelled { withUnsafeCurrentTask { $0?.cancel() } }
      return await work()
    }
    state.withLock { state in
      state.task = task
      if state.wasInterrupted { task.cancel() }
    }
    let result = await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
    remove(id)
    return (result, task.isCancelled)
  }

  /// Runs an operation that uses long-running programs, and ends the programs afterwards.
  ///
  /// - Parameters:
  ///   - isNeeded: False if there are no long-running programs, so that no signal handler is
  ///     needed.
  ///   - work: The operation.
  /// - Returns: The result of the operation.
  /// - Throws: The error of the operation.
  static func keepingPrograms<Result>(
    _ isNeeded: Bool,
    _ work: (RunningPrograms) async throws -> Result
  ) async throws -> Result {
    var id: Int?
    defer { remove(id) }
    return try await RunningPrograms.during { programs in
      if isNeeded { id = add(.end { programs.kill() }) }
      return try await work(programs)
    }
  }

  /// The exit code of an interrupted command.
  ///
  /// Reading this property also prints a message about the interruption.
  static var reported: Sluice.ExitCode {
    Console.error("sluice: interrupted\n")
    return .interrupted
  }

  // MARK: Signals

  /// Adds a handler and returns its id, or `nil` if the command does not handle signals.
  private static func add(_ handler: Handler) -> Int? {
    if Invocation.given != nil { return nil }
    return watch.withLock { watch in
      if watch.handlers.isEmpty {
        watch.sources = signals.map { number in
          signal(number, SIG_IGN)
          let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
          source.setEventHandler { handle(number) }
          source.resume()
          return source
        }
      }
      watch.lastID += 1
      watch.handlers.append((watch.lastID, handler))
      return watch.lastID
    }
  }

  private static func remove(_ id: Int?) {
    guard let id else { return }
    watch.withLock { watch in
      watch.handlers.removeAll { $0.id == id }
      guard watch.handlers.isEmpty else { return }
      for source in watch.sources { source.cancel() }
      watch.sources = []
      for number in signals { signal(number, SIG_DFL) }
    }
  }

  private static func handle(_ number: CInt) {
    let handlers = watch.withLock { $0.handlers.map(\.handler) }
    let cancellations = handlers.compactMap { handler in
      if case .cancel(let cancel) = handler { cancel } else { nil }
    }
    // If an operation can be cancelled, cancel it. The operation then ends its programs.
    if !cancellations.isEmpty { return cancellations.forEach { $0() } }
    for case .end(let end) in handlers { end() }
    signal(number, SIG_DFL)
    kill(getpid(), number)
  }
}

extension Evaluation {
  /// Runs the suite on recordings.
  ///
  /// Ctrl-C ends the programs that scorers run.
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
