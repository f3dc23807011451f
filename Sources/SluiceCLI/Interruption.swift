internal import Dispatch
internal import Sluice

internal import SluiceSystem

/// Lets Ctrl-C and SIGTERM end work in order: calls are cancelled, answers so far are kept, programs end.
enum Interruption {
  private static let signals = [SIGINT, SIGTERM]
  private static let watch = Locked(Watch())

  /// The handlers of signals, while there are any.
  ///
  /// Two sources for one signal would get in each other's way, so all work shares them.
  private struct Watch {
    var handlers: [(id: Int, handler: Handler)] = []
    var lastID = 0
    var sources: [any DispatchSourceSignal] = []
  }

  private enum Handler: Sendable {
    case cancel(@Sendable () -> Void)
    /// Prepares the end of the command, where no work can be cancelled.
    case end(@Sendable () -> Void)
  }

  /// Runs work that Ctrl-C cancels.
  ///
  /// - Returns: What the work returned, and whether it was interrupted.
  static func guarding<Result: Sendable>(
    _ work: @escaping @Sendable () async -> Result
  ) async -> (result: Result, wasInterrupted: Bool) {
    // The signals are taken before the work begins, so that none ends the program in between.
    let state = Locked((task: Task<Result, Never>?.none, wasInterrupted: false))
    let id = add(
      .cancel {
        state.withLock { state in
          state.wasInterrupted = true
          state.task?.cancel()
        }
      }
    )
    let task = Task { await work() }
    state.withLock { state in
      state.task = task
      if state.wasInterrupted { task.cancel() }
    }
    let result = await task.value
    remove(id)
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
    var id: Int?
    defer { remove(id) }
    return try await RunningPrograms.during { programs in
      if isNeeded { id = add(.end { programs.kill() }) }
      return try await work(programs)
    }
  }

  /// The exit code of an interrupted command, once that is said.
  static var reported: Sluice.ExitCode {
    Console.error("sluice: interrupted\n")
    return .interrupted
  }

  // MARK: Signals

  /// Adds a handler; returns its number, `nil` where signals are not for the command.
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
    // Programs end after the work that is cancelled.
    if !cancellations.isEmpty { return cancellations.forEach { $0() } }
    for case .end(let end) in handlers { end() }
    signal(number, SIG_DFL)
    kill(getpid(), number)
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
