/// A day of the Gregorian calendar, counted from 1 January 1970.
struct CalendarDay: Hashable {
  var number: Int

  /// Reads the day of an RFC 3339 time, in the time zone of that time.
  init?(timestamp: String) {
    let parts = timestamp.prefix(10).split(separator: "-").compactMap { Int($0) }
    guard parts.count == 3, (1...12).contains(parts[1]), (1...31).contains(parts[2]) else {
      return nil
    }
    self.init(year: parts[0], month: parts[1], day: parts[2])
  }

  /// Converts a date to a day number, after Hinnant (2013), "chrono-Compatible Low-Level Date
  /// Algorithms".
  init(year: Int, month: Int, day: Int) {
    let shifted = month > 2 ? year : year - 1
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    number = era * 146_097 + dayOfEra - 719_468
  }

  static func + (day: CalendarDay, days: Int) -> CalendarDay {
    var day = day
    day.number += days
    return day
  }

  /// The weekday, from 0 for Monday to 6 for Sunday.
  var weekday: Int { ((number + 3) % 7 + 7) % 7 }

  /// Returns the next day with this weekday, never the day itself.
  func next(weekday: Int) -> CalendarDay { self + (weekday - self.weekday + 6) % 7 + 1 }

  /// The Friday of the week, or the next Friday on a Saturday or Sunday.
  var endOfWeek: CalendarDay { weekday == 4 ? self : next(weekday: 4) }

  var endOfMonth: CalendarDay {
    let (year, month, _) = civil
    return month == 12
      ? CalendarDay(year: year, month: 12, day: 31)
      : CalendarDay(year: year, month: month + 1, day: 1) + -1
  }

  /// Returns the next day with this month and day, this year or next year.
  func next(month: Int, day: Int) -> CalendarDay {
    let year = civil.year
    let thisYear = CalendarDay(year: year, month: month, day: day)
    return thisYear.number >= number
      ? thisYear : CalendarDay(year: year + 1, month: month, day: day)
  }

  /// Returns the next day with this day of the month, this month or next month.
  func next(day: Int) -> CalendarDay {
    let (year, month, today) = civil
    if day >= today { return CalendarDay(year: year, month: month, day: day) }
    return month == 12
      ? CalendarDay(year: year + 1, month: 1, day: day)
      : CalendarDay(year: year, month: month + 1, day: day)
  }

  /// The day in the form `2026-11-20`.
  var text: String {
    let (year, month, day) = civil
    func padded(_ number: Int, _ width: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    return padded(year, 4) + "-" + padded(month, 2) + "-" + padded(day, 2)
  }

  private var civil: (year: Int, month: Int, day: Int) {
    let shifted = number + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthIndex = (5 * dayOfYear + 2) / 153
    let month = monthIndex < 10 ? monthIndex + 3 : monthIndex - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * monthIndex + 2) / 5 + 1)
  }
}
