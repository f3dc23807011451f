import SluiceSupport

/// The day that words mean, given the day on which they were said.
///
/// The words are English, and times of day are ignored. A weekday means the next such day after the
/// given day. Weeks begin on Monday. For example, if `Friday` is said on a Wednesday, it means two
/// days later. `next Friday` means nine days later, and `this Monday` means two days earlier. A
/// date without a year means the next such date, which may be the given day.
enum SpokenDay {
  /// Returns the day that a text means; nil if the text is not recognized as a day.
  static func day(_ text: String, saidOn day: CivilDay) -> CivilDay? {
    let text = text.trimmed
    // A day needs only a few words, but a model may write many.
    if text.utf8.count > 64 { return nil }
    if let date = CivilDay(iso8601: text) { return date }
    var words: [String] = []
    for word in text.lowercased().split(whereSeparator: { " ,.'’\t\n".contains($0) }) {
      // The number before "am" or "pm" belongs to the time of day.
      if word == "am" || word == "pm", words.last.flatMap({ Int($0) }) != nil { words.removeLast() }
      if !fillers.contains(String(word)), !isTime(String(word)) { words.append(String(word)) }
    }
    return relative(words, day) ?? weekday(words, day) ?? date(words, day)
  }

  private static let fillers: Set<String> = [
    "by", "on", "until", "till", "before", "due", "at", "the", "of", "in", "latest", "end", "close",
    "business", "morning", "noon", "midday", "afternoon", "evening", "night", "am", "pm", "o",
    "clock",
  ]
  private static let weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
  private static let weekdayNames = [
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
  ]
  private static let months = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
  ]

  /// Returns true if a word is a time of day, such as `2pm` or `14:30`.
  private static func isTime(_ word: String) -> Bool {
    if word.contains(":") {
      return word.allSatisfy { $0.isNumber || $0 == ":" || "apm".contains($0) }
    }
    guard word.hasSuffix("am") || word.hasSuffix("pm") else { return false }
    let digits = word.dropLast(2)
    return !digits.isEmpty && digits.allSatisfy(\.isNumber)
  }

  private static func relative(_ words: [String], _ day: CivilDay) -> CivilDay? {
    switch words {
    case ["today"], ["tonight"], ["eod"], ["cob"], ["day"], ["this"], ["now"], ["today", "eod"]:
      return day
    case ["tomorrow"], ["tomorrow", "eod"]: return day + 1
    case ["day", "after", "tomorrow"]: return day + 2
    case ["a", "week"]: return day + 7
    default: break
    }
    guard words.count == 2, let count = Int(words[0]), (0...1_000).contains(count) else {
      return nil
    }
    switch words[1] {
    case "day", "days": return day + count
    case "week", "weeks": return day + 7 * count
    default: return nil
    }
  }

  private static func weekday(_ words: [String], _ day: CivilDay) -> CivilDay? {
    var words = words.filter { $0 != "eod" }
    var prefix: String?
    if words.count == 2, words[0] == "next" || words[0] == "this" { prefix = words.removeFirst() }
    guard words.count == 1,
      let place = weekdayNames.firstIndex(of: words[0]) ?? weekdays.firstIndex(of: words[0])
    else { return nil }
    let sameWeek = place - day.weekday
    switch prefix {
    case "next": return day + (sameWeek + 7)
    case "this": return day + sameWeek
    default: return day + (sameWeek > 0 ? sameWeek : sameWeek + 7)
    }
  }

  private static func date(_ words: [String], _ day: CivilDay) -> CivilDay? {
    guard words.count == 2 || words.count == 3 else { return nil }
    let monthFirst = month(words[0])
    guard let month = monthFirst ?? month(words[1]),
      let number = dayOfMonth(words[monthFirst == nil ? 0 : 1])
    else { return nil }
    func date(_ year: Int) -> CivilDay? {
      let parts = [month, number].map { $0 < 10 ? "0\($0)" : "\($0)" }
      return CivilDay(iso8601: "\(year)-\(parts[0])-\(parts[1])")
    }
    if words.count == 3 {
      guard words[2].utf8.count == 4, let year = Int(words[2]) else { return nil }
      return date(year)
    }
    guard let year = Int(day.iso8601.prefix(4)) else { return nil }
    return [date(year), date(year + 1)].compactMap(\.self).first { $0.number >= day.number }
  }

  private static func month(_ word: String) -> Int? {
    months.firstIndex { $0 == word || word.count >= 3 && $0.hasPrefix(word) }.map { $0 + 1 }
  }

  /// Returns the number of a day in its month, written as `3`, `3rd` or `20th`.
  private static func dayOfMonth(_ word: String) -> Int? {
    var digits = Substring(word)
    for ending in ["st", "nd", "rd", "th"] where digits.hasSuffix(ending) {
      digits = digits.dropLast(2)
      break
    }
    return Int(digits).flatMap { (1...31).contains($0) ? $0 : nil }
  }
}
