import SluiceSystem

/// A moment in time, to the second, in UTC.
package struct Timestamp: Hashable, Sendable, Comparable {
  /// The seconds since 1970-01-01T00:00:00Z, without leap seconds.
  package var seconds: Int

  package init(seconds: Int) { self.seconds = seconds }

  /// The current time of the system's clock.
  package static var now: Timestamp { Timestamp(seconds: time(nil)) }

  package static func < (left: Timestamp, right: Timestamp) -> Bool { left.seconds < right.seconds }

  /// The time in ISO 8601 form, such as `2026-11-21T12:20:19Z`.
  package var iso8601: String {
    let (year, month, day) = civilDate
    let second = ((seconds % 86_400) + 86_400) % 86_400
    var text = ByteBuffer()
    func append(_ value: Int, _ count: Int = 2, then end: UInt8) {
      text.append(digitsOf: value.magnitude, atLeast: count)
      text.append(end)
    }
    append(year, 4, then: UInt8(ascii: "-"))
    append(month, then: UInt8(ascii: "-"))
    append(day, then: UInt8(ascii: "T"))
    append(second / 3_600, then: UInt8(ascii: ":"))
    append(second / 60 % 60, then: UInt8(ascii: ":"))
    append(second % 60, then: UInt8(ascii: "Z"))
    return String(decoding: text.units, as: UTF8.self)
  }

  /// The day in ISO 8601 form, such as `2026-11-21`.
  package var day: String { String(iso8601.prefix(10)) }

  /// Reads the format of ``iso8601``; nil for any other text.
  package init?(iso8601 text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count == 20, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
      bytes[10] == UInt8(ascii: "T"), bytes[13] == UInt8(ascii: ":"),
      bytes[16] == UInt8(ascii: ":"), bytes[19] == UInt8(ascii: "Z")
    else { return nil }
    func number(_ range: Range<Int>) -> Int? {
      var value = 0
      for byte in bytes[range] {
        guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
        value = value * 10 + Int(byte - UInt8(ascii: "0"))
      }
      return value
    }
    guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
      let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
      (1...12).contains(month), hour < 24, minute < 60, second < 60
    else { return nil }
    // Computes the day number with an algorithm from the same source as `civilDate`.
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    let days = era * 146_097 + dayOfEra - 719_468
    self.init(seconds: days * 86_400 + hour * 3_600 + minute * 60 + second)
    // Rejects a day that the month does not have, which would become a day of the next month.
    guard civilDate.day == day else { return nil }
  }

  /// The time in a form suitable for file names, such as `20261121T122019Z`.
  package var compact: String { iso8601.filter { $0 != "-" && $0 != ":" } }

  /// The proleptic Gregorian date (Hinnant 2013, "chrono-compatible low-level date algorithms").
  private var civilDate: (year: Int, month: Int, day: Int) {
    let days = (seconds >= 0 ? seconds : seconds - 86_399) / 86_400 + 719_468
    let era = (days >= 0 ? days : days - 146_096) / 146_097
    let dayOfEra = days - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * shifted + 2) / 5 + 1
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }
}

extension Timestamp {
  /// Reads the preferred form of a date in HTTP, such as `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110,
  /// section 5.6.7); nil for anything else.
  package init?(httpDate text: String) {
    let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    let parts = text.split(separator: " ")
    guard parts.count == 6, parts[0].utf8.count == 4, parts[5] == "GMT",
      let month = months.firstIndex(of: String(parts[2]))
    else { return nil }
    let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
    self.init(iso8601: "\(parts[3])-\(number)-\(parts[1])T\(parts[4])Z")
  }
}
