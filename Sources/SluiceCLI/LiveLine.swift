internal import Sluice

/// What a call that asks live backends shows of itself on standard error: in a terminal one line that
/// is updated in place, elsewhere a line at about each tenth.
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

  /// Begins to show.
  ///
  /// - Parameters:
  ///   - name: What is asked for.
  ///   - total: How many requests or trials there are.
  ///   - meter: Counts what backends use up.
  ///   - clock: The time.
  init(_ name: String, of total: Int, _ meter: Meter, clock: Clock = .real) {
    let now = SendingProgress(of: total)
    start = clock.now()
    state = Locked(
      State(name: name, now: now, progress: LiveProgress(name, now, at: start))
    )
    self.meter = meter
    self.clock = clock
    guard Console.isErrorInteractive, Console.showsProgress else { return }
    // While a server is silent the rate sinks, which no answer tells.
    ticker.withLock {
      $0 = Task { [weak self] in
        while !Task.isCancelled, let self {
          self.show(isDue: true)
          await clock.sleep(.milliseconds(500))
        }
      }
    }
  }

  /// Says how many trials were answered before, and are not asked for again.
  func begin(with kept: Int) {
    state.withLock { state in
      state.now.done = kept
      state.progress = LiveProgress(state.name, state.now, at: clock.now())
    }
  }

  /// Notes what changed.
  func update(_ change: (inout SendingProgress) -> Void) {
    // What Ctrl-C took away is not lost: it is asked for again, or was never wanted.
    if Task.isCancelled { return }
    state.withLock { change(&$0.now) }
    show(isDue: false)
  }

  /// Takes the line away.
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
      // Short calls stay quiet; long ones are not slowed down by the terminal.
      let isLast = state.now.done == state.now.total
      guard now - start > .milliseconds(500),
        isDue || isLast || now - (state.shown ?? start) > .milliseconds(100)
      else { return }
      state.shown = now
      Console.showLine(state.progress.line(used, at: now, columns: Console.errorColumns))
    }
  }
}
