/// The parts of a user message that contains a thread, separated by the headings of this project's
/// prompts.
struct ThreadLayout {
  struct Turn {
    let number: Int
    /// The day on which the turn was written, in the writer's time zone.
    let day: CalendarDay?
    let from: String
    var text: String
  }

  private enum Part { case reader, participants, earlier, turns }

  /// The person for whom the summary is written.
  var reader = ""
  var participants: [String] = []
  /// The turns that the reader has already seen.
  var earlier: [Turn] = []
  var turns: [Turn] = []

  init(_ user: String) {
    var part = Part.reader
    for line in user.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      if let next = Self.part(below: line) {
        part = next
      } else if part == .earlier || part == .turns {
        add(line, isEarlier: part == .earlier)
      } else if part == .participants, !line.isEmpty {
        participants.append(Self.id(line))
      } else if line.hasPrefix("Summary for: ") {
        reader = Self.id(line.dropFirst("Summary for: ".count))
      }
    }
    // The template itself ends with a line break.
    if let last = turns.indices.last, turns[last].text.hasSuffix("\n") {
      turns[last].text.removeLast()
    }
  }

  private mutating func add(_ line: Substring, isEarlier: Bool) {
    if let turn = Self.turn(line) {
      if isEarlier { earlier.append(turn) } else { turns.append(turn) }
    } else if isEarlier, !earlier.isEmpty {
      earlier[earlier.count - 1].text += "\n" + line
    } else if !isEarlier, !turns.isEmpty {
      turns[turns.count - 1].text += "\n" + line
    }
  }

  private static func part(below heading: Substring) -> Part? {
    switch heading {
    case "Participants:": .participants
    case "Earlier messages, already read:": .earlier
    case "Messages to summarise:", "Thread:": .turns
    default: nil
    }
  }

  /// Returns `ana` for `ana (engineer)`.
  private static func id(_ line: Substring) -> String {
    String(line.prefix { $0 != "(" }.split(whereSeparator: \.isWhitespace).joined(separator: " "))
  }

  /// Parses `[7] 2026-11-03T10:02:00+01:00 ana: text`.
  private static func turn(_ line: Substring) -> Turn? {
    guard line.hasPrefix("["), let close = line.firstIndex(of: "]"),
      let number = Int(line[line.index(after: line.startIndex)..<close])
    else { return nil }
    let parts = line[close...].dropFirst(2).split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts[0].contains("T"), let colon = parts[1].firstIndex(of: ":") else {
      return nil
    }
    return Turn(
      number: number,
      day: CalendarDay(timestamp: String(parts[0])),
      from: String(parts[1][..<colon]),
      text: String(parts[1][colon...].dropFirst(2))
    )
  }
}
