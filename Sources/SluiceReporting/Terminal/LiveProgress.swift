import SluiceGating

/// The progress of a command that sends requests, shown in one line.
///
/// Each instant is the duration since a fixed moment, as a ``Clock`` returns it.
package struct LiveProgress: Sendable {
  /// The time window over which the rate is computed, if enough requests finished in this window.
  static let window: Duration = .seconds(10)
  /// The time window over which the rate is computed if answers take long.
  static let longWindow: Duration = .seconds(60)
  /// The number of finished requests in ``window`` that is enough to compute the rate.
  static let enough = 5
  /// The time to wait before the first estimate of the rate.
  static let patience: Duration = .seconds(1)
  /// The minimum time before and between log lines, so that short commands write none.
  static let logInterval: Duration = .seconds(5)
  /// The minimum time between two samples, which limits the number of samples.
  private static let resolution: Duration = .milliseconds(250)

  private struct Sample {
    var instant: Duration
    var done: Int
  }

  private let name: String
  /// The number of requests that were already finished when the command started.
  private let kept: Int
  private var progress: SendingProgress
  /// The samples, oldest first: the last one before ``longWindow``, then all in that window.
  ///
  /// The list is never empty.
  private var samples: [Sample]
  private let start: Duration
  private var logged: (tenth: Int, instant: Duration)

  /// Creates the progress at the start of a command.
  ///
  /// - Parameters:
  ///   - name: The name of the suite or operation.
  ///   - progress: The number of finished requests and the number of all requests.
  ///   - now: The current instant.
  package init(_ name: String, _ progress: SendingProgress, at now: Duration) {
    self.name = name
    self.progress = progress
    kept = progress.done
    start = now
    samples = [Sample(instant: now, done: progress.done)]
    logged = (Self.tenth(progress), now)
  }

  /// Records the current progress.
  ///
  /// - Parameters:
  ///   - progress: The current progress, or `nil` if it did not change.
  ///   - now: The current instant, which must not be earlier than in the previous call.
  package mutating func note(_ progress: SendingProgress? = nil, at now: Duration) {
    self.progress = progress ?? self.progress
    if let last = samples.last, now - last.instant >= Self.resolution {
      samples.append(Sample(instant: now, done: self.progress.done))
    }
    let begin = now - Self.longWindow
    let old = samples.prefix { $0.instant <= begin }.count
    if old > 1 { samples.removeFirst(old - 1) }
  }

  /// Returns the number of finished requests per second, or `nil` before it can be estimated.
  ///
  /// The number is the average of the last 10 seconds. If fewer than 5 requests finished in that
  /// time, it is the average of the last 60 seconds.
  package func rate(at now: Duration) -> Double? {
    guard now - start >= Self.patience, progress.done > kept else { return nil }
    let recent = ended(within: Self.window, now)
    let (count, time) =
      recent.count >= Self.enough ? recent : ended(within: Self.longWindow, now)
    return time > .zero ? Double(count) / time.seconds : nil
  }

  /// Returns the number of requests that finished within a window, and the length of the window so
  /// far.
  private func ended(within window: Duration, _ now: Duration) -> (count: Int, time: Duration) {
    let begin = samples.last { $0.instant <= now - window } ?? samples[0]
    return (progress.done - begin.done, now - begin.instant)
  }

  /// Returns the remaining time at the current rate, or `nil` if the rate is unknown or no request
  /// is left.
  package func timeLeft(at now: Duration) -> Duration? {
    let rest = progress.total - progress.done
    guard rest > 0, let rate = rate(at: now), rate > 0 else { return nil }
    return .seconds(Double(rest) / rate)
  }

  /// Returns true if a log line is due, and notes that it was written.
  ///
  /// A line is due when another tenth of the requests has finished, but not within ``logInterval``
  /// of the last line.
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

  /// Returns a line such as "clarity  120 of 259 · 4.2/s · $0.012 · 2 lost · 33 s left".
  ///
  /// If the line is too long, the least important parts are left out before the name is cut.
  ///
  /// - Parameters:
  ///   - used: The number, the tokens and the cost of the answers so far.
  ///   - now: The current instant.
  ///   - columns: The width of the line in characters.
  /// - Returns: The line, without a line break.
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

  /// The minimum width of a name that is cut to make space for numbers.
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
