import SluiceGating

/// How far a call is that asks live backends, told in one line.
///
/// Instants are times since some fixed moment, as a ``Clock`` has them.
package struct LiveProgress: Sendable {
  /// The time that the rate is about, where enough answers came within it.
  static let window: Duration = .seconds(10)
  /// The time that it is about where answers take long.
  static let longWindow: Duration = .seconds(60)
  /// How many answers within the window are enough.
  static let enough = 5
  /// After which time something can be said about the rate.
  static let patience: Duration = .seconds(1)
  /// How far apart lines of a log are, so that short calls leave none.
  static let logInterval: Duration = .seconds(5)
  /// How often the count is noted for the rate, so that few notes are kept however fast answers come.
  private static let resolution: Duration = .milliseconds(250)

  private struct Sample {
    var instant: Duration
    var done: Int
  }

  private let name: String
  /// What was done before the call began.
  private let kept: Int
  private var progress: SendingProgress
  /// The counts over the longest window, the oldest first, and the last one before it; never empty.
  private var samples: [Sample]
  private let start: Duration
  private var logged: (tenth: Int, instant: Duration)

  /// Creates the progress of a call that begins.
  ///
  /// - Parameters:
  ///   - name: What is asked for: a suite's name.
  ///   - progress: What is done already, and how much there is in all.
  ///   - now: The present instant.
  package init(_ name: String, _ progress: SendingProgress, at now: Duration) {
    self.name = name
    self.progress = progress
    kept = progress.done
    start = now
    samples = [Sample(instant: now, done: progress.done)]
    logged = (Self.tenth(progress), now)
  }

  /// Notes how far the call is.
  ///
  /// - Parameters:
  ///   - progress: What is done now; nil where nothing more is.
  ///   - now: The present instant, not before the last one.
  package mutating func note(_ progress: SendingProgress? = nil, at now: Duration) {
    self.progress = progress ?? self.progress
    if let last = samples.last, now - last.instant >= Self.resolution {
      samples.append(Sample(instant: now, done: self.progress.done))
    }
    let begin = now - Self.longWindow
    let old = samples.prefix { $0.instant <= begin }.count
    if old > 1 { samples.removeFirst(old - 1) }
  }

  /// How many requests end in a second: over the last 10 seconds, or over the last 60 where fewer than
  /// five ended in those; nil before anything can be said.
  package func rate(at now: Duration) -> Double? {
    guard now - start >= Self.patience, progress.done > kept else { return nil }
    let recent = ended(within: Self.window, now)
    let (count, time) =
      recent.count >= Self.enough ? recent : ended(within: Self.longWindow, now)
    return time > .zero ? Double(count) / time.seconds : nil
  }

  /// How many requests ended since the last note before a window, and in which time.
  private func ended(within window: Duration, _ now: Duration) -> (count: Int, time: Duration) {
    let begin = samples.last { $0.instant <= now - window } ?? samples[0]
    return (progress.done - begin.done, now - begin.instant)
  }

  /// How long the rest takes at the present rate; nil where that cannot be said, or nothing is left.
  package func timeLeft(at now: Duration) -> Duration? {
    let rest = progress.total - progress.done
    guard rest > 0, let rate = rate(at: now), rate > 0 else { return nil }
    return .seconds(Double(rest) / rate)
  }

  /// Whether a line is due in a log, which cannot show one that changes: at each tenth, where the last
  /// one was some seconds ago.
  package mutating func takesLogLine(at now: Duration) -> Bool {
    let tenth = Self.tenth(progress)
    guard tenth > logged.tenth, now - logged.instant >= Self.logInterval else { return false }
    logged = (tenth, now)
    return true
  }

  private static func tenth(_ progress: SendingProgress) -> Int {
    progress.total > 0 ? progress.done * 10 / progress.total : 10
  }

  // MARK: Text

  /// Such as "clarity  120 of 259 · 4.2/s · $0.012 · 2 lost · 33 s left".
  ///
  /// What matters least is left out where there is no room, before the name is cut.
  ///
  /// - Parameters:
  ///   - used: What backends used up so far.
  ///   - now: The present instant.
  ///   - columns: How many columns there are.
  /// - Returns: The line, without its end.
  package func line(_ used: Meter.Count, at now: Duration, columns: Int = 80) -> String {
    var parts: [(text: String, importance: Int)] = [
      ("\(progress.done.withThousands) of \(progress.total.withThousands)", 5)
    ]
    if let rate = rate(at: now) { parts.append((Self.text(rate: rate), 1)) }
    if let cost = SendingText.briefCost(used) { parts.append((cost, 3)) }
    if progress.lost > 0 { parts.append(("\(progress.lost.withThousands) lost", 4)) }
    if progress.sentAgain > 0 {
      parts.append(("\(progress.sentAgain.withThousands) sent again", 0))
    }
    if let left = timeLeft(at: now) { parts.append(("\(Self.text(left)) left", 2)) }
    let name = TerminalLines.opening(name)
    let least = min(TerminalText.width(of: name), Self.shortestName)
    var rest: String { parts.map(\.text).joined(separator: " · ") }
    while parts.count > 1, least + 2 + TerminalText.width(of: rest) > columns,
      let last = parts.indices.min(by: { parts[$0].importance < parts[$1].importance })
    {
      parts.remove(at: last)
    }
    let shown = TerminalText.cut(name, to: max(0, columns - 2 - TerminalText.width(of: rest)))
    return TerminalText.cut("\(shown)  \(rest)", to: columns)
  }

  /// To how many columns a name may be cut for the sake of a number.
  private static let shortestName = 16

  private static func text(rate: Double) -> String {
    switch rate {
    case 9.95...: "\(NumberText.fixed(rate, decimals: 0))/s"
    case 0: "0/s"
    case 0.095...: "\(NumberText.fixed(rate, decimals: 1))/s"
    default: "\(NumberText.fixed(rate * 60, decimals: 1))/min"
    }
  }

  private static func text(_ time: Duration) -> String {
    let seconds = Int(time.seconds.rounded(.up))
    if seconds < 60 { return "\(seconds) s" }
    let minutes = (seconds + 59) / 60
    return minutes < 60 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
  }
}

extension Duration {
  fileprivate var seconds: Double { milliseconds / 1_000 }
}
