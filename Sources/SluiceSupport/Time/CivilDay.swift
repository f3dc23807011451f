/// A day of the Gregorian calendar, wherever it is.
package struct CivilDay: Hashable, Sendable {
  /// How many days after 1970-01-01.
  package var number: Int

  package init(number: Int) { self.number = number }

  /// The day of a moment, in UTC.
  package init(_ moment: Timestamp) {
    number = (moment.seconds - (moment.seconds < 0 ? 86_399 : 0)) / 86_400
  }

  /// Reads the day at the start of a date or a time such as `2026-11-17T10:12:00+01:00`; nil where there
  /// is none.
  package init?(iso8601 text: String) {
    let start = text.prefix(10)
    let rest = text.dropFirst(10)
    guard rest.isEmpty || rest.first == "T" || rest.first == " ",
      let midnight = Timestamp(iso8601: "\(start)T00:00:00Z")
    else { return nil }
    number = midnight.seconds / 86_400
  }

  /// Such as `2026-11-17`.
  package var iso8601: String { Timestamp(seconds: number * 86_400).day }

  /// The day of the week, from 0 for Monday.
  package var weekday: Int {
    // 1970-01-01 was a Thursday.
    ((number + 3) % 7 + 7) % 7
  }

  package static func + (day: CivilDay, days: Int) -> CivilDay {
    CivilDay(number: day.number + days)
  }
}
