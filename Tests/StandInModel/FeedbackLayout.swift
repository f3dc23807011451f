/// The parts of a user message that contains several conversations about one design.
struct FeedbackLayout {
  struct Conversation {
    let with: String
    var turns: [ChatLayout.Turn] = []
  }

  var designer = ""
  var conversations: [Conversation] = []

  init(_ user: String) {
    for line in user.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      if conversations.isEmpty, line.hasPrefix("Designer: ") {
        designer = String(line.dropFirst("Designer: ".count))
      } else if line.hasPrefix("With "), line.hasSuffix("):"), let open = line.firstIndex(of: "(") {
        let name = line[..<open].dropFirst("With ".count).drop(while: \.isWhitespace)
        conversations.append(
          Conversation(with: name.split(whereSeparator: \.isWhitespace).joined(separator: " "))
        )
      } else if let last = conversations.indices.last {
        add(line, to: &conversations[last])
      }
    }
  }

  private func add(_ line: Substring, to conversation: inout Conversation) {
    if let colon = line.firstIndex(of: ":"),
      [designer, conversation.with].contains(String(line[..<colon]))
    {
      conversation.turns.append(
        ChatLayout.Turn(from: String(line[..<colon]), text: String(line[colon...].dropFirst(2)))
      )
    } else if let last = conversation.turns.indices.last, !line.isEmpty {
      conversation.turns[last].text += "\n" + line
    }
  }
}
