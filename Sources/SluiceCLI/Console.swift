internal import Sluice

internal import SluiceSystem

/// The terminal: results to standard output, all else to standard error.
enum Console {
  /// Takes what a command prints in place of the terminal; `nil` where that is read by a person.
  @TaskLocal static var transcript: CommandTranscript?

  static func output(_ text: String) {
    if let transcript { return transcript.add(output: text) }
    let code = write(text, to: STDOUT_FILENO)
    if code == 0 { return }
    failure.withLock { $0 = $0 ?? code }
  }

  static func error(_ text: String) {
    if let transcript, !transcript.add(error: text) { return }
    _ = write(text, to: STDERR_FILENO)
  }

  /// The number of the first error of the system with which a result could not be written; `nil` where
  /// all could, or nobody reads any more.
  private static let failure = Locked<Int32?>(nil)

  /// Says that a result could not be written; true when that was so.
  ///
  /// A verdict that nobody could read is no success: the disk may be full that a log is written to.
  static func reportsFailure() -> Bool {
    // A closed pipe has a reader that wants no more.
    guard let code = failure.withLock({ $0 }), code != EPIPE else { return false }
    let reason = String(cString: strerror(code))
    error("sluice: error: cannot write to standard output: \(reason)\n")
    return true
  }

  static func style(for descriptor: Int32, _ environment: [String: String]) -> TerminalStyle {
    let isPlain =
      environment["NO_COLOR"].map { !$0.isEmpty } ?? false || environment["TERM"] == "dumb"
    return TerminalStyle(isColored: isatty(descriptor) == 1 && !isPlain)
  }

  static let isOutputInteractive = isatty(STDOUT_FILENO) == 1

  /// Clears the terminal, what scrolled out of it stays.
  static func clearScreen() { output("\u{1B}[2J\u{1B}[H") }

  /// Asked once: progress asks for it with each trial.
  static let isErrorInteractive = isatty(STDERR_FILENO) == 1

  /// Whether it is shown how far calls are, which `SLUICE_PROGRESS=off` turns off.
  static let showsProgress = Surroundings.processEnvironment["SLUICE_PROGRESS"] != "off"

  /// How many columns a line may take that is updated in place: one that is broken could not be.
  static var errorColumns: Int {
    var size = winsize()
    guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return min(80, Int(size.ws_col))
  }

  /// The columns of the terminal that results are written to; those of a usual one for a file.
  static var outputColumns: Int {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return TerminalText.usualColumns
    }
    return Int(size.ws_col)
  }

  /// The columns that texts are laid out for: lines of more than 120 are hard to read.
  static var textColumns: Int { min(max(outputColumns, 60), 120) }

  /// Shows a line on standard error in the place of the last one that was shown so.
  static func showLine(_ line: String) { error(clearedLine + line) }

  /// Takes away what ``showLine(_:)`` showed.
  static func clearLine() { error(clearedLine) }

  private static let clearedLine = "\r\u{1B}[K"

  private static func write(_ text: String, to descriptor: Int32) -> Int32 {
    var text = text
    return text.withUTF8 { FileDescriptor.write(UnsafeRawBufferPointer($0), to: descriptor) }
  }
}

/// A line on standard error that counts, for work that takes long enough to be watched.
///
/// It shows nothing but in a terminal, and nothing of work that is done within half a second.
final class ProgressLine: Sendable {
  private let what: String
  private let start: ContinuousClock.Instant
  private let last = Locked<(shown: ContinuousClock.Instant?, isOpen: Bool)>((nil, false))
  private let isOver = Locked(false)

  /// Begins a line.
  ///
  /// - Parameters:
  ///   - what: The words before the numbers.
  ///   - start: When the work began that it is a part of.
  init(_ what: String, since start: ContinuousClock.Instant = .now) {
    (self.what, self.start) = (what, start)
  }

  func update(_ done: Int, of total: Int) { show("\(what) \(done) of \(total)", done == total) }

  /// Shows a text in place of numbers.
  func update(_ text: String) { show(text, true) }

  private func show(_ text: String, _ isDue: Bool) {
    guard Console.isErrorInteractive, Console.showsProgress else { return }
    last.withLock { last in
      if isOver.withLock({ $0 }) { return }
      let now = ContinuousClock.now
      // Short runs stay quiet; long ones are not slowed down by the terminal.
      guard now - start > .milliseconds(500),
        now - (last.shown ?? start) > .milliseconds(100) || isDue
      else { return }
      last = (now, true)
      Console.showLine(TerminalText.cut(TerminalText.visible(text), to: Console.errorColumns - 1))
    }
  }

  func finish() {
    last.withLock { last in
      isOver.withLock { $0 = true }
      if last.isOpen { Console.clearLine() }
      last.isOpen = false
    }
  }
}

/// The progress of a command that goes through suites one by one.
final class SuiteProgress: Sendable {
  private let total: Int
  private let start = ContinuousClock.now
  private let state: Locked<(done: Int, line: ProgressLine?)> = Locked((0, nil))

  /// Begins to count.
  ///
  /// - Parameter total: The number of suites.
  init(of total: Int) { self.total = total }

  /// Begins the line of the next suite.
  ///
  /// - Parameter name: The name of the suite.
  /// - Returns: The line, which counts trials.
  func next(_ name: String) -> ProgressLine {
    state.withLock { state in
      state.done += 1
      let place = total > 1 ? "suite \(state.done) of \(total), " : ""
      let line = ProgressLine("\(place)\(name): case", since: start)
      state.line?.finish()
      state.line = line
      if total > 1 { line.update("\(place)\(name)") }
      return line
    }
  }

  /// Takes the line away.
  func finish() { state.withLock { $0.line?.finish() } }
}

/// A line on standard error that says how long something has been going on that cannot count.
enum WaitingLine {
  /// Does work, and shows what it is and for how long it lasts once that is more than a moment.
  ///
  /// - Parameters:
  ///   - what: The work, such as "comparing with main".
  ///   - work: The work itself.
  /// - Returns: The result of the work.
  /// - Throws: What the work throws.
  nonisolated(nonsending) static func showing<Result>(
    _ what: String,
    _ work: nonisolated(nonsending) () async throws -> Result
  ) async throws -> Result {
    guard Console.isErrorInteractive, Console.showsProgress else { return try await work() }
    let line = ProgressLine(what)
    let ticker = Task {
      var seconds = 1
      while true {
        do { try await Task.sleep(for: .seconds(1)) } catch { return }
        line.update("\(what), \(seconds) s")
        seconds += 1
      }
    }
    defer {
      ticker.cancel()
      line.finish()
    }
    return try await work()
  }
}
