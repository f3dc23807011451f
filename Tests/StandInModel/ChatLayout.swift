/// The parts of a user message, separated by the headings of this project's prompts.
struct ChatLayout {
  struct Turn {
    let from: String
    var text: String
  }

  struct Person {
    var id = ""
    var role = ""
  }

  var sender = Person()
  var recipient = Person()
  /// The name of the inbox's creator.
  var creator = ""
  /// The time at which the message was sent or received, as written.
  var time = ""
  var conversation: [Turn] = []
  /// The lines of the creator's FAQ.
  var faq: [Substring] = []
  /// The message, or the whole text if no heading announces one.
  var message = ""

  init(_ user: String) {
    enum Part { case headings, conversation, faq, message }
    var part = Part.headings
    var message: [Substring] = []
    for line in user.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      switch part {
      case .headings:
        if let value = Self.value(of: "From", in: line) {
          sender = Self.person(value)
        } else if let value = Self.value(of: "To", in: line) {
          recipient = Self.person(value)
        } else if let value = Self.value(of: "Sent", in: line)
          ?? Self.value(of: "Received", in: line)
        {
          time = String(value)
        } else if let value = Self.value(of: "Creator", in: line) {
          creator = Self.person(value).id
        } else if line.hasPrefix("Conversation"), line.hasSuffix(":") {
          part = .conversation
        } else if line == "FAQ:" {
          part = .faq
        } else if line == "Message:" {
          part = .message
        }
      case .faq:
        if line == "Message:" {
          part = .message
        } else {
          faq.append(line)
        }
      case .conversation:
        if line == "Message:" {
          part = .message
        } else if let turn = Self.turn(line) {
          conversation.append(turn)
        } else if !conversation.isEmpty {
          conversation[conversation.count - 1].text += "\n" + line
        }
      case .message:
        message.append(line)
      }
    }
    if message.last?.isEmpty ?? false { message.removeLast() }
    self.message = message.joined(separator: "\n")
    if message.isEmpty, conversation.isEmpty { self.message = user }
  }

  /// The text of earlier turns, in order.
  var conversationText: String { conversation.map(\.text).joined(separator: "\n") }

  /// The entries of the other people, in order.
  ///
  /// Entries without a reply of the creator between them form one block.
  var blocksOfOthers: [String] {
    var blocks: [String] = []
    var isNew = true
    for turn in conversation {
      if turn.from.lowercased() == creator.lowercased() {
        isNew = true
      } else if isNew {
        blocks.append(turn.text)
        isNew = false
      } else {
        blocks[blocks.count - 1] += "\n" + turn.text
      }
    }
    return blocks
  }

  private static func value(of heading: String, in line: Substring) -> Substring? {
    guard line.hasPrefix(heading + ": ") else { return nil }
    return line.dropFirst(heading.count + 2)
  }

  /// Parses `ana (engineer)`.
  private static func person(_ value: Substring) -> Person {
    guard let open = value.lastIndex(of: "("), value.hasSuffix(")"), open > value.startIndex else {
      return Person(id: String(value), role: "")
    }
    return Person(
      id: String(value[..<value.index(before: open)]),
      role: value[value.index(after: open)...].dropLast().lowercased()
    )
  }

  /// Parses `ana: text`, with a lowercase name of at most three words.
  private static func turn(_ line: Substring) -> Turn? {
    guard let colon = line.firstIndex(of: ":") else { return nil }
    let name = line[..<colon]
    let rest = line[line.index(after: colon)...]
    guard !name.isEmpty, name.count <= 40, name.split(separator: " ").count <= 3,
      !name.contains(where: \.isUppercase), !name.hasPrefix("-"),
      rest.isEmpty || rest.hasPrefix(" ")
    else { return nil }
    return Turn(from: String(name), text: String(rest.dropFirst()))
  }
}
