internal import Sluice

internal import SluiceSystem

/// The output of commands: results go to standard output, and everything else goes to standard
/// error.
enum Console {
  /// The transcript that collects the output of a command; `nil` if the output goes to the
  /// terminal.
  @TaskLocal static var transcript: CommandTranscript?

  static func output(_ text: String) {
    if let transcript { return transcript.add(output: text) }
    let code = write(text, to: STDOUT_FILENO)
    if code == 0 { return }
    failure.withLock { $0 = $0 ?? code }
  }

  static func error(_ text: String) {
    let text = text.withoutKeys
    if let transcript, !transcript.add(error: text) { return }
    _ = write(text, to: STDERR_FILENO)
  }

  /// Prints an error with an optional fix, and returns the exit code.
  static func refusal(_ message: String, _ fix: String?, code: Sluice.ExitCode = .usage)
    -> Sluice.ExitCode
  {
    let fix = fix.map { "  fix: \(TerminalText.visible($0))\n" } ?? ""
    error("sluice: error: \(TerminalText.visible(message))\n\(fix)")
    return code
  }

  /// The system error (`errno`) of the first result that could not be written, or `nil`.
  private static let failure = Locked<Int32?>(nil)

  /// Returns true if a result could not be written, after reporting the error.
  ///
  /// The verdict may be missing from the output, for example because the disk is full. In that
  /// case, the command must not exit with 0, even if the verdict is a pass.
  static func reportsFailure() -> Bool {
    // A closed pipe means that the reader needs no more output.
    guard let code = failure.withLock({ $0 }), code != EPIPE else { return false }
    let reason = String(cString: strerror(code))
    error("sluice: error: cannot write to standard output: \(reason)\n")
    return true
  }

  static func style(for descriptor: Int32, _ environment: [String: String]) -> TerminalStyle {
    let isPlain =
      environment["NO_COLOR"].map { !$0.isEmpty } ?? false || environment["TERM"] == "dumb"
    return TerminalStyle(isColored: isTerminal(descriptor) && !isPlain)
  }

  static var isOutputInteractive: Bool { isTerminal(STDOUT_FILENO) }

  /// Clears the visible part of the terminal, but keeps the scrollback.
  static func clearScreen() { output("\u{1B}[2J\u{1B}[H") }

  static var isErrorInteractive: Bool { isErrorTerminal && Invocation.given == nil }

  /// True if standard error is a terminal.
  ///
  /// The value is stored, since the progress display needs it for every trial.
  private static let isErrorTerminal = isatty(STDERR_FILENO) == 1

  private static func isTerminal(_ descriptor: Int32) -> Bool {
    Invocation.given == nil && isatty(descriptor) == 1
  }

  /// True unless `SLUICE_PROGRESS=off` hides the progress.
  static var showsProgress: Bool {
    Invocation.given.map { showsProgress($0.environment) } ?? processShowsProgress
  }

  /// The value of ``showsProgress`` for the process.
  ///
  /// The value is stored, since the progress display needs it for every trial.
  private static let processShowsProgress = showsProgress(Surroundings.processEnvironment)

  private static func showsProgress(_ environment: [String: String]) -> Bool {
    environment["SLUICE_PROGRESS"] != "off"
  }

  /// The maximum width of a line that is updated in place.
  ///
  /// Such a line must not wrap.
  static var errorColumns: Int {
    var size = winsize()
    guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return min(80, Int(size.ws_col))
  }

  /// The width of the terminal on standard output, or a default width if standard output is not a
  /// terminal.
  static var outputColumns: Int {
    var size = winsize()
    guard Invocation.given == nil, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0,
      size.ws_col > 0
    else { return TerminalText.usualColumns }
    return Int(size.ws_col)
  }

  /// The width for text layout.
  ///
  /// It is at least 60 columns, and at most 120, since longer lines are hard to read.
  static var textColumns: Int { min(max(outputColumns, 60), 120) }

  /// Shows a line on standard error in place of the line that was shown before.
  static func showLine(_ line: String) { error(clearedLine + line) }

  /// Removes the line shown by ``showLine(_:)``.
  static func clearLine() { error(clearedLine) }

  private static let clearedLine = "\r\u{1B}[K"

  private static func write(_ text: String, to descriptor: Int32) -> Int32 {
    if let given = Invocation.given {
      given.write(text, descriptor)
      return 0
    }
    var text = text
    return text.withUTF8 { FileDescriptor.write(UnsafeRawBufferPointer($0), to: descriptor) }
  }
}

/// A line on standard error that counts finished work.
///
/// It is shown only in a terminal, and only for work that takes longer than half a second.
final class ProgressLine: Sendable {
  private let what: String
  private let start: ContinuousClock.Instant
  private let last = Locked<(shown: ContinuousClock.Instant?, isOpen: Bool)>((nil, false))
  private let isOver = Locked(false)

  /// Creates a line.
  ///
  /// - Parameters:
  ///   - what: The text in front of the numbers.
  ///   - start: The time at which the whole operation started.
  init(_ what: String, since start: ContinuousClock.Instant = .now) {
    (self.what, self.start) = (what, start)
  }

  func update(_ done: Int, of total: Int) { show("\(what) \(done) of \(total)", done == total) }

  /// Shows a text in place of the description and the numbers.
  func update(_ text: String) { show(text, true) }

  private func show(_ text: String, _ isDue: Bool) {
    guard Console.isErrorInteractive, Console.showsProgress else { return }
    last.withLock { last in
      if isOver.withLock({ $0 }) { return }
      let now = ContinuousClock.now
      // Show nothing for a short run, and limit the updates of a long run, since the terminal is
      // slow.
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

/// The progress of a command that works on several suites.
final class SuiteProgress: Sendable {
  private let total: Int
  private let start = ContinuousClock.now
  private let state: Locked<(done: Int, line: ProgressLine?)> = Locked((0, nil))

  /// Creates the progress.
  ///
  /// - Parameter total: The number of suites.
  init(of total: Int) { self.total = total }

  /// Starts the progress line of the next suite.
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

  /// Removes the progress line of the last suite.
  func finish() { state.withLock { $0.line?.finish() } }
}

/// A line on standard error that shows the elapsed time of an operation whose progress is unknown.
enum WaitingLine {
  /// Runs an operation.
  ///
  /// If the operation takes longer than a second, its description and elapsed time are shown.
  ///
  /// - Parameters:
  ///   - what: A description, such as "comparing with main".
  ///   - work: The operation.
  /// - Returns: The result of the operation.
  /// - Throws: The error of the operation.
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
