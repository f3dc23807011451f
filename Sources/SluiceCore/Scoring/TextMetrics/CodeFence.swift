import SluiceSupport

/// The code fences of Markdown (CommonMark 0.31, section 4.5), as models write them in a chat.
///
/// Models also write fences that CommonMark does not know: after other text on the line, with the
/// content next to the marks, or all on one line.
enum CodeFence {
  /// A block: its prefix, fence, content on one line, content after the opening fence, further
  /// lines, and closing fence.
  ///
  /// Two fences on a line inside a block are a part of its content, as in "use ```x```".
  private static let regex = try? BoundedRegex(
    #"""
    (?xmJ) (?(DEFINE)
      (?<end> ^[\ \t>]*+ \k<fence>[`~]*+ (?![A-Za-z]) | \k<fence>[`~]*+ [\ \t]*+$ )
      (?<code> [\[<] | \{[\ \t]*\} | \{ (?![\ \t]*[.#]) (?![^\n\r:"]*\}[\ \t]*$) )
    )
    (?: ^(?<prefix> (?: [\ \t>\x{FEFF}] | [-*+][\ \t] | \d++[.)][\ \t] )*+ ) (?<fence> `{3,}+ | ~{3,}+ )
    | (?<fence> `{3,}+ | ~{3,}+(?=[A-Za-z]) )
      (?= [^\n\r]*?\k<fence> | (?: [A-Za-z][\w+#.-]*+ )? [\ \t]*+ (?: $ | (?&code) ) ) )
    [\ \t]*+
    (?: (?: (?: jsonc? | json[5l] | ya?ml | toml | xml | html | csv | te?xt | markdown | md | sql
          | python | js | javascript | ts | typescript )\b [\ \t]*+ (?=[^\s`~])
        | [A-Za-z][\w+#.-]*+ [\ \t]*+ (?=(?&code)) )?
      (?<line> [^\n\r]*? ) [\ \t]* \k<fence>[`~]*+
    | [\w+#.-]*+ [\ \t]*+ (?: (?<first> (?: (?&code) | (?<=[`~])[^\s\w{] ) [^\n\r]*+ ) | [^\n\r]*+ ) \R?
      (?<rest> (?: (?<=[^`~\n\r]) \k<fence>[`~]*+ [^`~\n\r]++ \k<fence>[`~]*+
        | (?!(?&end)) (?: [^`~\n\r]++ | \R | [`~]++ ) )*+ )
      (?<close> (?&end) )? )
    """#
  )

  /// Returns the contents of the fenced blocks of a text, in order.
  ///
  /// If a block is not closed, it extends to the end of the text. Without any content, it is a block
  /// only if the text begins with it.
  static func blocks(in text: String) -> [String] {
    ((try? regex?.groups(in: text)) ?? []).compactMap { match in
      if let line = match[6] { return line }
      let prefix = (match[3] ?? "").utf8.filter { $0 < 0x80 }
      let quotes = prefix.count { $0 == UInt8(ascii: ">") }
      let indent = prefix.count - (prefix.lastIndex(of: UInt8(ascii: ">")).map { $0 + 2 } ?? 0)
      var rest = (match[8] ?? "").split(omittingEmptySubsequences: false) {
        "\r\n" == $0 || "\n" == $0 || "\r" == $0
      }
      if rest.last?.allSatisfy({ $0 == " " || $0 == ">" }) == true { rest.removeLast() }
      let lines = rest.map { stripped($0, quotes, indent) }
      let content = ((match[7].map { [$0] } ?? []) + lines).joined(separator: "\n")
      let isBlock =
        match[9] != nil || !BlankText.isBlank(content)
        || text.trimmed.utf8.elementsEqual((match[0] ?? "").trimmed.utf8)
      return isBlock ? content : nil
    }
  }

  /// Returns a line of a block without the marks of quotations and the indentation of its fence.
  private static func stripped(_ line: Substring, _ quotes: Int, _ indent: Int) -> String {
    var line = line
    for _ in 0..<quotes {
      let rest = line.drop { $0 == " " }
      guard rest.first == ">" else { break }
      line = rest.dropFirst(rest.dropFirst().first == " " ? 2 : 1)
    }
    return String(
      line.dropFirst(line.prefix(max(0, indent)).prefix { $0 == " " || $0 == "\t" }.count)
    )
  }

  /// Returns the reason why a fenced answer is not JSON, with a fix; `nil` if the answer is not
  /// fenced.
  static func reason(_ text: String) -> String? {
    // This is the fast path: most answers contain no fence.
    let start = text.utf8.drop { $0 == 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
    guard start.starts(with: "```".utf8) else { return nil }
    let blocks = blocks(in: text)
    guard blocks.count == 1, (try? JSONReader.value(blocks[0])) != nil else { return nil }
    return "the JSON is in a code fence (```); tell the model to answer with JSON only"
  }
}
