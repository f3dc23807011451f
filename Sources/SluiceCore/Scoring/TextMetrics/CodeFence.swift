import SluiceSupport

/// JSON in a code fence of Markdown, as models write it in a chat.
enum CodeFence {
  /// Returns the contents of the fenced blocks of a text, in order.
  ///
  /// If a block is not closed, it extends to the end of the text.
  static func blocks(in text: String) -> [String] {
    var blocks: [String] = []
    var (lines, isOpen) = ([Substring](), false)
    func close() {
      if isOpen { blocks.append(lines.joined(separator: "\n")) }
      lines = []
    }
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      if line.drop(while: { $0 == " " || $0 == "\t" }).hasPrefix("```") {
        close()
        isOpen.toggle()
      } else if isOpen {
        lines.append(line)
      }
    }
    close()
    return blocks
  }

  /// Returns the reason why a fenced answer is not JSON, with a fix; `nil` if the answer is not
  /// fenced.
  static func reason(_ text: String) -> String? {
    // This is the fast path: most answers contain no fence.
    let start = text.utf8.drop { $0 == 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
    guard start.starts(with: "```".utf8) else { return nil }
    var lines = text.trimmed.split(separator: "\n", omittingEmptySubsequences: false)
    guard let first = lines.first, let last = lines.last, lines.count > 2, first.hasPrefix("```"),
      last == "```" || last == "```\r"
    else { return nil }
    lines.removeFirst()
    lines.removeLast()
    guard (try? JSONReader.value(lines.joined(separator: "\n"))) != nil else { return nil }
    return "the JSON is in a code fence (```); tell the model to answer with JSON only"
  }
}
