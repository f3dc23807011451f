/// The separation of the sender's own words from quoted ones.
enum Quotation {
  /// Returns the message without quoted lines, forwarded mails, code and text in double quotes.
  static func removed(from message: String) -> String {
    var lines: [String] = []
    var isCode = false
    var isForwarded = false
    for line in message.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      let trimmed = line.drop(while: \.isWhitespace)
      if trimmed.hasPrefix("```") {
        isCode.toggle()
      } else if trimmed.hasPrefix("-----") {
        isForwarded = trimmed.lowercased().contains("forward") && !isForwarded
      } else if !isCode, !isForwarded, !trimmed.hasPrefix(">") {
        lines.append(withoutQuotedWords(line))
      }
    }
    return lines.joined(separator: "\n")
  }

  private static let pairs: [Character: Character] = ["\"": "\"", "“": "”", "„": "“", "«": "»"]

  private static func withoutQuotedWords(_ line: Substring) -> String {
    var result = ""
    var rest = line
    while let open = rest.firstIndex(where: { pairs[$0] != nil }) {
      let inside = rest[rest.index(after: open)...]
      guard let closing = pairs[rest[open]], let close = inside.firstIndex(of: closing) else {
        break
      }
      result += rest[..<open] + "\"\""
      rest = rest[rest.index(after: close)...]
    }
    return result + rest
  }
}

/// Instructions in a text that are meant for the machine that reads it.
enum Injection {
  private static let signs: PhraseList = [
    "ignore all previous", "ignore previous", "ignore your instructions", "ignore the above",
    "ignore all instructions", "disregard all", "disregard the", "disregard previous",
    "forget your instructions", "forget all previous", "system override", "system prompt",
    "new instructions", "note to the ai", "note to the assistant", "dear assistant", "as an ai",
    "you are now", "set tonewarning", "set every duedate", "set clarityissues", "set the category",
    "your new task",
  ]

  /// Returns true if a text tries to give instructions.
  static func occurs(in text: String) -> Bool { signs.occurs(in: Text(text)) }

  /// Returns true if a message in a thread gives instructions to the reader of the thread.
  static func occursInThread(_ message: String) -> Bool {
    let text = Text(message)
    return signs.occurs(in: text) || orders.occurs(in: text)
  }

  private static let orders: PhraseList = [
    "assistant", "summary bot", "the bot", "dear ai", "ai assistant", "note to ai",
    "note to any ai", "<system>*",
    "whoever summarises", "whoever summarizes", "the summary must", "as decided",
  ]

  /// The line of a system text that forbids following instructions in the input.
  static let defence: [PhraseList] = [
    ["never follow", "do not follow", "don't follow", "never obey", "do not obey", "never act on"]
  ]
}
