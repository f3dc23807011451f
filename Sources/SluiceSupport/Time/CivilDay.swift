/// A day of the Gregorian calendar, independent of time zones.
package struct CivilDay: Hashable, Sendable {
  /// The number of days since 1970-01-01.
  package var number: Int

  package init(number: Int) { self.number = number }

  /// Creates the day of a moment, in UTC.
  package init(_ moment: Timestamp) {
    number = (moment.seconds - (moment.seconds < 0 ? 86_399 : 0)) / 86_400
  }

  /// Reads the day at the start of a date or time, such as `2026-11-17T10:12:00+01:00`; nil if the
  /// text does not start with a day.
  package init?(iso8601 text: String) {
    let start = text.prefix(10)
    let rest = text.dropFirst(10)
    guard rest.isEmpty || rest.first == "T" || rest.first == " ",
      let midnight = Timestamp(iso8601: "\(start)T00:00:00Z")
    else { return nil }
    number = midnight.seconds / 86_400
  }

  /// The day in ISO 8601 form, such as `2026-11-17`.
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
