/// A date expression in a message, with its preposition.
struct Deadline {
  var range: Range<Int>
  /// The day, or `nil` if the expression, such as "next week", does not mean a single day.
  var day: CalendarDay?

  /// Returns all date expressions in reading order.
  static func all(in words: ArraySlice<Word>, sent: CalendarDay) -> [Deadline] {
    var found: [Deadline] = []
    var index = words.startIndex
    while index < words.endIndex {
      if let deadline = starting(at: index, in: words, sent: sent) {
        found.append(deadline)
        index = deadline.range.upperBound
      } else {
        index += 1
      }
    }
    return found
  }

  private static func starting(at start: Int, in words: ArraySlice<Word>, sent: CalendarDay)
    -> Deadline?
  {
    var index = start
    while index < words.endIndex, prepositions.contains(words[index].text), index < start + 3 {
      index += 1
    }
    guard index < words.endIndex else { return nil }
    if start > words.startIndex, index == start, past.contains(words[start - 1].text) { return nil }
    if index > start, words[start..<index].contains(where: { past.contains($0.text) }) {
      return nil
    }
    if let range = timeOfDay(at: index, after: start, in: words) {
      return Deadline(range: start..<range.upperBound, day: nil)
    }
    for (phrases, day) in fixed {
      guard let range = phrases.match(at: index, in: words) else { continue }
      var end = range.upperBound
      while end < words.endIndex, !words[end - 1].endsClause,
        partsOfDay.contains(words[end].text)
      {
        end += 1
      }
      if end < words.endIndex, !words[end - 1].endsClause, day == .sameDay,
        let weekday = weekdays[words[end].text]
      {
        // "By COB Thursday".
        return Deadline(range: start..<(end + 1), day: sent.next(weekday: weekday))
      }
      return Deadline(range: start..<end, day: day.resolved(against: sent))
    }
    let word = words[index].text
    if let weekday = weekdays[word] {
      var end = index + 1
      while end < words.endIndex, !words[end - 1].endsClause, partsOfDay.contains(words[end].text) {
        end += 1
      }
      return Deadline(range: start..<end, day: sent.next(weekday: weekday))
    }
    if let (length, day) = dayAndMonth(at: index, in: words, sent: sent) {
      return Deadline(range: start..<(index + length), day: day)
    }
    if index > start, index + 1 < words.endIndex, ["in", "within"].contains(words[index - 1].text),
      let count = Int(word) ?? numbers[word], (1...60).contains(count)
    {
      switch words[index + 1].text {
      case "day", "days": return Deadline(range: start..<(index + 2), day: sent + count)
      case "week", "weeks":
        var end = index + 2
        if let range = fromToday.match(at: end, in: words) { end = range.upperBound }
        return Deadline(range: start..<end, day: sent + count * 7)
      default: return nil
      }
    }
    return nil
  }

  /// Parses `30 October`, `October 30`, `4th of December`, `04.12.`, `2026-12-04` or `the 25th`.
  private static func dayAndMonth(at index: Int, in words: ArraySlice<Word>, sent: CalendarDay)
    -> (length: Int, day: CalendarDay)?
  {
    let word = words[index].text
    if word.utf8.count == 10, word.contains("-"), let day = CalendarDay(timestamp: word) {
      return (1, day)
    }
    let parts = word.split(separator: ".").compactMap { Int($0) }
    if parts.count == 2, words[index].after.hasPrefix("."), (1...31).contains(parts[0]),
      (1...12).contains(parts[1])
    {
      return (1, sent.next(month: parts[1], day: parts[0]))
    }
    if let month = months[word], index + 1 < words.endIndex,
      let day = dayOfMonth(words[index + 1].text)
    {
      return (2, sent.next(month: month, day: day))
    }
    guard let day = dayOfMonth(word) else { return nil }
    var next = index + 1
    if next < words.endIndex, ["of", "de"].contains(words[next].text) { next += 1 }
    if next < words.endIndex, let month = months[words[next].text] {
      return (next - index + 1, sent.next(month: month, day: day))
    }
    let isOrdinal = word.contains(where: \.isLetter)
    return isOrdinal && index > words.startIndex && words[index - 1].text == "the"
      ? (1, sent.next(day: day)) : nil
  }

  private static func dayOfMonth(_ word: String) -> Int? {
    let digits = word.prefix(while: \.isNumber)
    guard let day = Int(digits), (1...31).contains(day),
      ["", "st", "nd", "rd", "th"].contains(word.dropFirst(digits.count))
    else { return nil }
    return day
  }

  private static func timeOfDay(at index: Int, after start: Int, in words: ArraySlice<Word>)
    -> Range<Int>?
  {
    guard index > start, ["by", "at", "before", "until"].contains(words[index - 1].text) else {
      return nil
    }
    let word = words[index].text
    if word == "noon" || word == "midnight" { return start..<(index + 1) }
    let digits = word.prefix { $0.isNumber || $0 == ":" }
    guard !digits.isEmpty, ["", "am", "pm", "h"].contains(word.dropFirst(digits.count)),
      index + 1 == words.endIndex || months[words[index + 1].text] == nil
    else { return nil }
    return start..<(index + 1)
  }

  private static let fromToday: PhraseList = ["from today at the latest", "from today", "from now"]

  private enum Relative {
    case sameDay, after(Int), endOfWeek, endOfMonth, vague

    static func == (left: Relative, right: Relative) -> Bool {
      if case (.sameDay, .sameDay) = (left, right) { return true }
      return false
    }

    func resolved(against sent: CalendarDay) -> CalendarDay? {
      switch self {
      case .sameDay: sent
      case .after(let days): sent + days
      case .endOfWeek: sent.endOfWeek
      case .endOfMonth: sent.endOfMonth
      case .vague: nil
      }
    }
  }

  private static let prepositions: Set<String> = [
    "by", "on", "until", "till", "before", "due", "latest", "this", "next", "the", "coming", "in",
    "at", "within", "bis", "am", "el", "para", "antes", "del", "avant", "for",
  ]
  private static let past: Set<String> = ["last", "since", "from", "called", "named"]
  private static let partsOfDay: Set<String> = [
    "morning", "afternoon", "evening", "night", "noon", "früh", "abend", "nachmittag", "still",
    "latest",
  ]
  private static let fixed: [(PhraseList, Relative)] = [
    (["day after tomorrow", "übermorgen", "pasado mañana"], .after(2)),
    (
      [
        "today", "tonight", "afternoon", "evening", "eod", "cob", "end of day", "end of the day",
        "close of business", "heute", "hoy", "hoje", "ce soir", "aujourd'hui",
      ], .sameDay
    ),
    (["tomorrow", "tmrw", "morgen", "mañana", "demain", "amanhã", "domani"], .after(1)),
    (["eow", "end of week", "end of the week", "ende der woche"], .endOfWeek),
    (["eom", "end of month", "end of the month", "ende des monats"], .endOfMonth),
    (["week", "month", "sprint", "quarter", "weekend", "woche", "semana"], .vague),
  ]
  private static let weekdays: [String: Int] = [
    "monday": 0, "mon": 0, "montag": 0, "lunes": 0, "lundi": 0,
    "tuesday": 1, "tue": 1, "tues": 1, "dienstag": 1, "martes": 1, "mardi": 1,
    "wednesday": 2, "wed": 2, "mittwoch": 2, "miércoles": 2, "mercredi": 2,
    "thursday": 3, "thu": 3, "thurs": 3, "donnerstag": 3, "jueves": 3, "jeudi": 3,
    "friday": 4, "fri": 4, "freitag": 4, "viernes": 4, "vendredi": 4,
    "saturday": 5, "sat": 5, "samstag": 5, "sábado": 5, "samedi": 5,
    "sunday": 6, "sun": 6, "sonntag": 6, "domingo": 6, "dimanche": 6,
  ]
  private static let months: [String: Int] = [
    "january": 1, "jan": 1, "januar": 1, "enero": 1, "february": 2, "feb": 2, "februar": 2,
    "march": 3, "mar": 3, "märz": 3, "april": 4, "apr": 4, "may": 5, "mai": 5, "june": 6, "jun": 6,
    "juni": 6, "july": 7, "jul": 7, "juli": 7, "august": 8, "aug": 8, "september": 9, "sep": 9,
    "sept": 9, "october": 10, "oct": 10, "oktober": 10, "november": 11, "nov": 11, "december": 12,
    "dec": 12, "dezember": 12, "diciembre": 12, "noviembre": 11,
  ]
  private static let numbers: [String: Int] = [
    "a": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "ten": 10,
  ]
}
