internal import Sluice

/// The progress line of a command that sends requests, on standard error.
///
/// In a terminal, the line is updated in place. Outside of a terminal, a new line is printed after
/// about each tenth of the work.
final class LiveLine: Sendable {
  private struct State {
    var name: String
    var now: SendingProgress
    var progress: LiveProgress
    var shown: Duration?
    var isOver = false
  }

  private let state: Locked<State>
  private let meter: Meter
  private let clock: Clock
  private let start: Duration
  private let ticker = Locked<Task<Void, Never>?>(nil)

  /// Creates a progress line.
  ///
  /// - Parameters:
  ///   - name: The name of the suite or operation.
  ///   - total: The number of requests or trials.
  ///   - meter: The meter, which counts the usage of the backends.
  ///   - clock: The clock.
  init(_ name: String, of total: Int, _ meter: Meter, clock: Clock = .real) {
    let now = SendingProgress(of: total)
    start = clock.now()
    state = Locked(
      State(name: name, now: now, progress: LiveProgress(name, now, at: start))
    )
    self.meter = meter
    self.clock = clock
    guard Console.isErrorInteractive, Console.showsProgress else { return }
    // Update the line even while no answer arrives, since the shown rate falls.
    ticker.withLock {
      $0 = Task { [weak self] in
        while !Task.isCancelled, let self {
          self.show(isDue: true)
          await clock.sleep(.milliseconds(500))
        }
      }
    }
  }

  /// Sets the number of trials that already have an answer from an earlier run.
  ///
  /// The requests of these trials are not sent again.
  func begin(with kept: Int) {
    state.withLock { state in
      state.now.done = kept
      state.progress = LiveProgress(state.name, state.now, at: clock.now())
    }
  }

  /// Applies a change to the progress.
  func update(_ change: (inout SendingProgress) -> Void) {
    // Do not count trials that Ctrl-C cancelled as lost, since a resumed run sends them again.
    if Task.isCancelled { return }
    state.withLock { change(&$0.now) }
    show(isDue: false)
  }

  /// Removes the line.
  func finish() {
    ticker.withLock { $0?.cancel() }
    state.withLock { state in
      if state.shown != nil { Console.clearLine() }
      (state.shown, state.isOver) = (nil, true)
    }
  }

  private func show(isDue: Bool) {
    guard Console.showsProgress else { return }
    let used = meter.count
    state.withLock { state in
      if state.isOver { return }
      let now = clock.now()
      state.progress.note(state.now, at: now)
      guard Console.isErrorInteractive else {
        if state.progress.takesLogLine(at: now) {
          Console.error(state.progress.line(used, at: now) + "\n")
        }
        return
      }
      // Show nothing for a short operation, and limit the updates of a long one, since the terminal
      // is slow.
      let isLast = state.now.done == state.now.total
      guard now - start > .milliseconds(500),
        isDue || isLast || now - (state.shown ?? start) > .milliseconds(100)
      else { return }
      state.shown = now
      Console.showLine(state.progress.line(used, at: now, columns: Console.errorColumns))
    }
  }
}
