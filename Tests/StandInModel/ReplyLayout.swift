/// The parts of a request for a draft of a reply.
struct ReplyLayout {
  /// The points of the creator's voice.
  private(set) var voice: [Substring] = []
  /// The writer, and everything that they wrote since the creator's last reply.
  private(set) var writer = ""
  private(set) var message = ""
  /// The facts that the creator wants to state.
  private(set) var facts: [Substring] = []
  /// The requested type of reply, such as `decline`.
  private(set) var type = ""

  /// Reads a user text.
  ///
  /// Everything between its headings and the last list of facts is conversation.
  init(_ user: String) {
    let lines = user.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    let end = lines.lastIndex(of: "Facts:") ?? lines.endIndex
    let start = lines[..<end].firstIndex(of: "Conversation:").map { $0 + 1 } ?? end
    if let first = lines[..<start].firstIndex(of: "Voice:") {
      voice = lines[(first + 1)..<start].prefix { $0.hasPrefix("- ") }.map { $0.dropFirst(2) }
    }
    let creator = lines[..<start].first { $0.hasPrefix("Creator: ") }.map { line in
      line.dropFirst(9).prefix { $0 != "(" }.lowercased().split(separator: " ").joined(
        separator: " "
      )
    }
    read(lines[start..<end], creator: creator ?? "")
    for line in lines[end...] {
      if line.hasPrefix("- ") { facts.append(line.dropFirst(2)) }
      if line.hasPrefix("Type of reply: ") { type = String(line.dropFirst(15)) }
    }
  }

  /// Reads the turns.
  ///
  /// Names are written in many ways, so only two names begin a turn: the creator's and the first
  /// writer's.
  private mutating func read(_ lines: ArraySlice<Substring>, creator: String) {
    guard let first = lines.first, let colon = first.firstRange(of: ": ") else { return }
    writer = String(first[..<colon.lowerBound])
    var parts: [Substring] = []
    var isCreators = false
    for line in lines {
      if line.hasPrefix(writer + ": ") {
        if isCreators { parts = [] }
        isCreators = false
        parts.append(line.dropFirst(writer.count + 2))
      } else if !creator.isEmpty, line.lowercased().hasPrefix(creator) {
        isCreators = true
      } else if !isCreators {
        parts.append(line)
      }
    }
    message = parts.joined(separator: "\n")
  }
}
