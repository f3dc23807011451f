internal import Sluice

internal import SluiceSystem

/// The terminal: results to standard output, all else to standard error.
enum Console {
  static func output(_ text: String) {
    let code = write(text, to: STDOUT_FILENO)
    if code == 0 { return }
    failure.withLock { $0 = $0 ?? code }
  }

  static func error(_ text: String) { _ = write(text, to: STDERR_FILENO) }

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

/// A line on standard error that counts, for runs that take long enough to be watched.
final class ProgressLine: Sendable {
  private let what: String
  private let start = ContinuousClock.now
  private let last = Locked<(shown: ContinuousClock.Instant?, isOpen: Bool)>((nil, false))

  init(_ what: String) { self.what = what }

  func update(_ done: Int, of total: Int) {
    guard Console.isErrorInteractive, Console.showsProgress else { return }
    last.withLock { last in
      let now = ContinuousClock.now
      // Short runs stay quiet; long ones are not slowed down by the terminal.
      guard now - start > .milliseconds(500),
        now - (last.shown ?? start) > .milliseconds(100) || done == total
      else { return }
      last = (now, true)
      Console.showLine("\(what) \(done) of \(total)")
    }
  }

  func finish() {
    last.withLock { last in
      if last.isOpen { Console.clearLine() }
      last.isOpen = false
    }
  }
}
