@testable import SluiceCore
@testable import SluiceReporting
import Testing

@Suite("The progress line of a live run")
struct LiveProgressTests {
  /// A call of 259 requests, some of which were answered in each second.
  private static func progress(
    _ name: String = "clarity",
    of total: Int = 259,
    kept: Int = 0,
    bySecond: [Int],
    lost: Int = 0,
    sentAgain: Int = 0
  ) -> LiveProgress {
    var now = SendingProgress(of: total, done: kept)
    var progress = LiveProgress(name, now, at: .seconds(100))
    for (second, count) in bySecond.enumerated() {
      now.done += count
      (now.lost, now.sentAgain) = (lost, sentAgain)
      progress.note(now, at: .seconds(101 + second))
    }
    return progress
  }

  private static func used(requests: Int, cost: Double = 0, unpriced: Int = 0) -> Meter.Count {
    var count = Meter.Count()
    (count.requests, count.cost, count.unpriced) = (requests, cost, unpriced)
    return count
  }

  private static let lines: [(LiveProgress, Meter.Count, second: Int, String)] = [
    (
      progress(bySecond: Array(repeating: 6, count: 20), lost: 2), used(requests: 122, cost: 0.012),
      120, "clarity  120 of 259 · 6.0/s · $0.012 · 2 lost · 24 s left"
    ),
    // Before the first answer, there are no further figures.
    (progress(bySecond: [0]), used(requests: 4), 101, "clarity  0 of 259"),
    (progress(bySecond: []), used(requests: 0), 100, "clarity  0 of 259"),
    (
      progress(bySecond: [3, 3], sentAgain: 12), used(requests: 9, unpriced: 6), 102,
      "clarity  6 of 259 · 3.0/s · cost unknown · 12 sent again · 2 min left"
    ),
    (
      progress(of: 12_000, bySecond: [40, 40]), used(requests: 90, cost: 1.5, unpriced: 3), 102,
      "clarity  80 of 12,000 · 40/s · over $1.50 · 5 min left"
    ),
    (
      progress(of: 40_000, bySecond: [1, 1]), used(requests: 2, cost: 0.1), 102,
      "clarity  2 of 40,000 · 1.0/s · $0.10 · 11 h 7 min left"
    ),
    (
      progress(of: 6, bySecond: [3, 3]), used(requests: 6, cost: 0.1), 102,
      "clarity  6 of 6 · 3.0/s · $0.10"
    ),
    // Answers from an earlier run do not count for the rate.
    (
      progress(of: 500, kept: 480, bySecond: [2, 2]), used(requests: 4), 102,
      "clarity  484 of 500 · 2.0/s · 8 s left"
    ),
  ]

  @Test(
    "The line shows progress, rate, cost, lost answers and the remaining time",
    arguments: lines
  )
  func text(progress: LiveProgress, used: Meter.Count, second: Int, expected: String) {
    #expect(progress.line(used, at: .seconds(second)) == expected)
  }

  private static let rates: [([Int], second: Int, Double?)] = [
    // Fast at first, then slow: the last ten seconds count.
    (Array(repeating: 50, count: 10) + Array(repeating: 2, count: 10), 120, 2),
    // Fewer than five answers in ten seconds: the last minute counts.
    (Array(repeating: 0, count: 19) + [2], 120, 0.1),
    (Array(repeating: 0, count: 59) + [6] + Array(repeating: 0, count: 20), 180, 0.1),
    // No answer for more than a minute.
    ([8] + Array(repeating: 0, count: 80), 181, 0),
    ([8], 140, 0.2),
    (Array(repeating: 0, count: 30), 130, nil),
  ]

  @Test("The rate is that of the last seconds, not of the whole call", arguments: rates)
  func rate(bySecond: [Int], second: Int, expected: Double?) {
    let rate = Self.progress(bySecond: bySecond).rate(at: .seconds(second))
    #expect(rate == expected)
  }

  @Test("The rate falls if answers stop arriving")
  func stalled() {
    var progress = Self.progress(bySecond: Array(repeating: 6, count: 20))
    let used = Self.used(requests: 124, cost: 0.012)
    progress.note(at: .seconds(125))
    #expect(
      progress.line(used, at: .seconds(125))
        == "clarity  120 of 259 · 3.0/s · $0.012 · 47 s left"
    )
    for second in 126...200 { progress.note(at: .seconds(second)) }
    #expect(progress.line(used, at: .seconds(200)) == "clarity  120 of 259 · 0/s · $0.012")
  }

  private static let narrow: [(String, columns: Int, String)] = [
    ("clarity", 80, "clarity  12,000 of 25,900 · 600/s · $12.35 · 200 lost · 24 s left"),
    ("clarity", 60, "clarity  12,000 of 25,900 · $12.35 · 200 lost · 24 s left"),
    ("clarity", 40, "clarity  12,000 of 25,900 · 200 lost"),
    ("clarity", 20, "c…  12,000 of 25,900"),
    (
      "questions-that-people-ask-about-their-orders", 80,
      "questions-that-people…  12,000 of 25,900 · 600/s · $12.35 · 200 lost · 24 s left"
    ),
    (
      "::add-mask::x\u{1B}[2J", 60, #"\::add-mask::x\u{1b}[…  12,000 of 25,900 · $12.35 · 200 lost"#
    ),
  ]

  @Test(
    "A line that is too wide loses its least important numbers, then part of its name",
    arguments: narrow
  )
  func fits(name: String, columns: Int, expected: String) {
    let progress = Self.progress(
      name,
      of: 25_900,
      bySecond: Array(repeating: 600, count: 20),
      lost: 200,
      sentAgain: 31
    )
    let line = progress.line(
      Self.used(requests: 12_000, cost: 12.35),
      at: .seconds(120),
      columns: columns
    )
    #expect(line == expected)
    #expect(TerminalText.width(of: line) <= columns)
  }

  @Test("A log gets a line per tenth, and none for a call of a few seconds")
  func log() {
    var now = SendingProgress(of: 20)
    var progress = LiveProgress("clarity", now, at: .zero)
    var told: [Int] = []
    for second in 1...20 {
      now.done = second
      progress.note(now, at: .seconds(second * 2))
      if progress.takesLogLine(at: .seconds(second * 2)) { told.append(second) }
    }
    // A tenth is two requests, and lines are at least five seconds apart.
    #expect(told == [3, 6, 9, 12, 15, 18])
    now = SendingProgress(of: 20)
    progress = LiveProgress("clarity", now, at: .zero)
    for done in 1...20 {
      now.done = done
      progress.note(now, at: .milliseconds(done * 200))
      let isDue = progress.takesLogLine(at: .milliseconds(done * 200))
      #expect(!isDue)
    }
  }

  @Test("A slow call also logs a line per tenth")
  func slow() {
    var now = SendingProgress(of: 100)
    var progress = LiveProgress("clarity", now, at: .zero)
    var told: [Int] = []
    for second in 1...100 {
      now.done = second
      progress.note(now, at: .seconds(second))
      if progress.takesLogLine(at: .seconds(second)) { told.append(second) }
    }
    #expect(told == [10, 20, 30, 40, 50, 60, 70, 80, 90, 100])
  }
}
