import SluiceSupport

/// The code fences of Markdown (CommonMark 0.31, section 4.5), as models write them in a chat.
///
/// Models also write fences that CommonMark does not know: after other text on the line, with the
/// content next to the marks, or all on one line.
enum CodeFence {
  /// The first line of a block: its prefix, fence, and content after the fence.
  ///
  /// Text may precede the fence. A line with a second fence is no first line.
  private static let opening = try? BoundedRegex(
    #"""
    (?xJ) (?(DEFINE) (?<code> [\[<] | \{[\ \t]*\} | \{ (?![\ \t]*[.#]) (?![^:"]*\}[\ \t]*\z) ) )
    ^ (?: (?<prefix> (?: [\ \t>\x{FEFF}] | [-*+][\ \t] | \d++[.)][\ \t] )*+ ) (?<fence> `{3,}+ | ~{3,}+ )
      | (?: (?!```|~~~[A-Za-z]) [^\n\r] )*+ (?<fence> `{3,}+ | ~{3,}+ )
        (?= (?: [A-Za-z][\w+#.-]*+ )? [\ \t]*+ (?: \z | (?&code) ) ) )
    (?! [^\n\r]*\k<fence> )
    [\ \t]*+ [\w+#.-]*+ [\ \t]*+ ( (?: (?&code) | (?<=[`~])[^\s\w{] ) [^\n\r]*+ )?
    """#
  )

  /// The content of a block on one line; the second form may stand in a sentence.
  private static let inline = [
    #"^ [\ \t>\x{FEFF}]*+ (?<fence> `{3,}+ | ~{3,}+ ) LINE [\ \t]*+ \z"#, "(?<fence> `{3,}+ ) LINE",
  ].map {
    try? BoundedRegex(
      "(?x)"
        + $0.replacing(
          "LINE",
          with: #"""
            [\ \t]*+
            (?: (?: jsonc? | json[5l] | ya?ml | toml | xml | html | csv | te?xt | markdown | md | sql
                | python | js | javascript | ts | typescript )\b [\ \t]*+ (?=[^\s`~])
              | [A-Za-z][\w+#.-]*+ [\ \t]*+ (?=[\[<{]) )?
            ( (?: (?!\k<fence>) [^\n\r] )*? ) [\ \t]* \k<fence>[`~]*+
            """#
        )
    )
  }

  /// The maximum number of lines with marks that are searched for the end of a block.
  ///
  /// Without a limit, a text of many blocks without proper ends would take quadratic time.
  private static let mostMarks = 200

  private static func hasMarks(_ line: some StringProtocol) -> Bool {
    line.contains("```") || line.contains("~~~")
  }

  private static func groups(_ regex: BoundedRegex?, _ line: Substring) -> [[String?]] {
    hasMarks(line) ? (try? regex?.groups(in: String(line))) ?? [] : []
  }

  /// Returns the contents of the fenced blocks of a text, in order.
  ///
  /// If a block is not closed, it extends to the end of the text. Without any content, it is a block
  /// only if the text begins with it. Fences in a sentence count only in a text without blocks.
  static func blocks(in text: String) -> [String] {
    guard hasMarks(text), (try? JSONReader.value(text)) == nil else { return [] }
    let lines = text.split(omittingEmptySubsequences: false) {
      "\r\n" == $0 || "\n" == $0 || "\r" == $0
    }
    let openings = lines.map { groups(opening, $0).first }
    var fencesAfter = [Int](repeating: 0, count: lines.count + 1)
    for place in lines.indices.reversed() {
      fencesAfter[place] = fencesAfter[place + 1] + (openings[place] == nil ? 0 : 1)
    }
    var marked = lines.indices.filter { hasMarks(lines[$0]) }[...]
    var blocks: [String] = []
    var start = 0
    while start < lines.count {
      let place = start
      start += 1
      if let line = groups(inline[0], lines[place]).first?[2] {
        blocks.append(line)
        continue
      }
      guard let opening = openings[place], let fence = opening[3] ?? opening[4] else { continue }
      // A sentence can end with the name of a fence.
      if opening[2] == nil, start < lines.count, openings[start]?[2] != nil,
        !isOnly(fence, lines[start])
      {
        continue
      }
      let prefix = (opening[2] ?? "").utf8.filter { $0 < 0x80 }
      let quotes = prefix.count { $0 == UInt8(ascii: ">") }
      let indent = prefix.count - (prefix.lastIndex(of: UInt8(ascii: ">")).map { $0 + 2 } ?? 0)
      let rest = lines[start...].lazy.map { stripped($0, quotes, indent)[...] }
      marked = marked.drop { $0 < start }
      var close: (line: Int, text: Substring?)?
      var loose: [(line: Int, text: Substring?, isCode: Bool)] = []
      for place in marked.prefix(mostMarks) {
        let (number, line) = (place - start, rest[place])
        if isOnly(fence, line) {
          close = (number, nil)
          break
        }
        if let (text, isCode) = end(fence, line) { loose.append((number, text, isCode)) }
      }
      // The fences after the end of a block are in pairs.
      let end =
        loose.first { $0.isCode && (close == nil || fencesAfter[start + $0.line + 1] % 2 == 0) }
        ?? (close == nil ? loose.first : nil)
      if let end { close = (end.line, end.text) }
      var content = opening[5].map { [$0[...]] } ?? []
      content += rest.prefix(close?.line ?? rest.count)
      if let text = close?.text { content.append(text) }
      if close == nil, rest.last?.allSatisfy({ $0 == " " || $0 == ">" }) == true {
        content.removeLast()
      }
      start = close.map { start + $0.line + 1 } ?? lines.count
      let isFirst = lines[..<place].allSatisfy { BlankText.isBlank(String($0)) }
      let block = content.joined(separator: "\n")
      if !BlankText.isBlank(block) || close != nil || isFirst && opening[2] != nil {
        blocks.append(block)
      }
    }
    return blocks.isEmpty ? lines.flatMap { groups(inline[1], $0).compactMap { $0[2] } } : blocks
  }

  /// Returns true if a line closes a block properly: it contains only the fence.
  private static func isOnly(_ fence: String, _ line: Substring) -> Bool {
    let marks = line.drop { $0 == " " }
    return line.utf8.count - marks.utf8.count < 4 && marks.hasPrefix(fence)
      && marks.allSatisfy { $0 == fence.first || $0 == " " || $0 == "\t" }
  }

  /// Returns the text before a fence that may close a block although the line has other text, and
  /// whether code is likely to end there.
  private static func end(_ fence: String, _ line: Substring) -> (Substring?, isCode: Bool)? {
    guard let range = line.firstRange(of: fence) else { return nil }
    let (before, after) = (line[..<range.lowerBound], line[range.upperBound...])
    let rest = after.drop { $0 == fence.first }
    if before.allSatisfy({ $0 == " " || $0 == "\t" }) {
      guard rest.first?.isLetter != true, !rest.contains(fence) else { return nil }
      return (nil, !rest.isEmpty)
    }
    guard rest.allSatisfy({ $0 == " " || $0 == "\t" }), let last = before.last else { return nil }
    let isCode =
      last.isLetter || last.isNumber
      || before.last { $0 != " " }.map("}])>;".contains) == true
        // A quotation inside the block has fences of its own.
        && before.contains { !" >".contains($0) }
    return (before, isCode)
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
