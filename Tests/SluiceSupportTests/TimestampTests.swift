import Foundation
import SluiceSupport
import Testing

@Suite("Timestamp")
struct TimestampTests {
  @Test(
    "A timestamp is written in UTC to the second and can be read back",
    arguments: [
      (0, "1970-01-01T00:00:00Z"), (1, "1970-01-01T00:00:01Z"), (-1, "1969-12-31T23:59:59Z"),
      (86_399, "1970-01-01T23:59:59Z"), (86_400, "1970-01-02T00:00:00Z"),
      (-86_400, "1969-12-31T00:00:00Z"),
      (951_782_400, "2000-02-29T00:00:00Z"), (951_868_800, "2000-03-01T00:00:00Z"),
      (1_709_164_800, "2024-02-29T00:00:00Z"), (1_772_323_200, "2026-03-01T00:00:00Z"),
      (4_107_542_400, "2100-03-01T00:00:00Z"), (4_107_542_399, "2100-02-28T23:59:59Z"),
      (1_795_263_619, "2026-11-21T12:20:19Z"), (2_147_483_648, "2038-01-19T03:14:08Z"),
      (253_402_300_799, "9999-12-31T23:59:59Z"), (-62_135_596_800, "0001-01-01T00:00:00Z"),
      (-62_167_219_200, "0000-01-01T00:00:00Z"), (-30_610_224_000, "1000-01-01T00:00:00Z"),
    ]
  )
  func iso8601(_ seconds: Int, _ text: String) {
    #expect(Timestamp(seconds: seconds).iso8601 == text)
    #expect(Timestamp(iso8601: text) == Timestamp(seconds: seconds))
  }

  @Test("Over four centuries, the calendar matches Foundation's, and every text is read back")
  func calendar() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
    // Steps of a prime number of days cover every day of the year and every year.
    for day in stride(from: -36_524, to: 109_573, by: 89) {
      let moment = Timestamp(seconds: day * 86_400 + 43_200)
      let date = Date(timeIntervalSince1970: Double(moment.seconds))
      let parts = calendar.dateComponents([.year, .month, .day], from: date)
      let expected = [parts.year, parts.month, parts.day].compactMap(\.self)
      let written = moment.iso8601.prefix(10).split(separator: "-").compactMap { Int($0) }
      #expect(written == expected)
      #expect(Timestamp(iso8601: moment.iso8601) == moment)
    }
  }

  @Test(
    "A text in another form is refused",
    arguments: [
      "", "2026-11-21", "2026-11-21T12:20:19", "2026-11-21T12:20:19+00:00", "2026-11-21t12:20:19z",
      "2026-11-21 12:20:19Z", "2026-02-29T00:00:00Z", "2100-02-29T00:00:00Z",
      "2026-13-01T00:00:00Z",
      "2026-00-01T00:00:00Z", "2026-01-00T00:00:00Z", "2026-01-32T00:00:00Z",
      "2026-04-31T00:00:00Z",
      "2026-11-21T24:00:00Z", "2026-11-21T12:60:00Z", "2026-11-21T12:20:60Z",
      "+026-11-21T12:20:19Z",
      "2026-11-21T12:20:-1Z", "2026-11-2éT12:20:19", "2026/11/21T12:20:19Z",
      "2026-11-21T12:20:19.5Z",
    ]
  )
  func refused(_ text: String) {
    #expect(Timestamp(iso8601: text) == nil)
  }

  @Test("The compact form is a valid file name and sorts by time")
  func compact() {
    #expect(Timestamp(seconds: 1_795_263_619).compact == "20261121T122019Z")
  }

  @Test("Timestamps are sorted by time")
  func order() {
    #expect(Timestamp(seconds: -1) < Timestamp(seconds: 0))
    #expect(Timestamp.now > Timestamp(seconds: 1_700_000_000))
  }
}
