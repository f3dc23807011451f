import SluiceSupport

/// An answer in the form that the patterns for refusals expect: one sentence per line, without
/// quotations.
///
/// A thinking block at the start, quoted text, quoted lines and code are left out, because a
/// refusal inside of them is not the model's own. ASCII letters are in lower case. Every apostrophe
/// is written as `'`, and every dash as `-`.
struct RefusalText: Sendable {
  /// The normalized text of the first 1,200 characters of the answer.
  let text: String
  /// True if the answer contains a block of code.
  ///
  /// Refusals do not contain one.
  let hasCode: Bool
  /// True if the answer is JSON.
  ///
  /// Each of its texts is then on a separate line.
  let isJSON: Bool
  /// The length of the whole answer in characters, without a thinking block at the start.
  let length: Int

  /// The maximum number of characters of an answer that are read.
  private static let reach = 1_200
  /// The JSON members that usually contain quoted text, not the model's own.
  private static let quotingMembers: Set<String> = [
    "quote", "quotes", "evidence", "span", "input", "original", "source", "example", "prompt",
    "question",
  ]

  init(_ answer: String) {
    let body = Self.withoutThinking(Array(answer.unicodeScalars))
    length = body.count
    var reader = Reader(Array(body.prefix(Self.reach)))
    reader.read()
    hasCode = reader.hasCode
    isJSON = reader.isJSON
    text = reader.lines
  }

  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isWhitespace
  }

  private static func trimmed(_ scalars: ArraySlice<Unicode.Scalar>) -> ArraySlice<Unicode.Scalar> {
    let front = scalars.drop(while: isBlank)
    guard let last = front.lastIndex(where: { !isBlank($0) }) else { return [] }
    return front[...last]
  }

  /// Returns an answer without the thinking block at its start.
  private static func withoutThinking(_ scalars: [Unicode.Scalar]) -> ArraySlice<Unicode.Scalar> {
    let text = trimmed(scalars[...])
    for tag in ["think", "thinking", "reasoning", "thought"] {
      let open = Array("<\(tag)>".unicodeScalars)
      guard text.count >= open.count, isSame(text.prefix(open.count), open) else { continue }
      let close = Array("</\(tag)>".unicodeScalars)
      var place = text.startIndex
      while place + close.count <= text.endIndex {
        if isSame(text[place..<place + close.count], close) {
          return trimmed(text[(place + close.count)...])
        }
        place += 1
      }
      return []
    }
    return text
  }

  private static func isSame(_ one: ArraySlice<Unicode.Scalar>, _ other: [Unicode.Scalar]) -> Bool {
    one.elementsEqual(other) { $0.properties.lowercaseMapping == String($1) }
  }

  /// A reader of an answer, character by character.
  private struct Reader {
    private var scalars: [Unicode.Scalar]
    private var place = 0
    private var output = String.UnicodeScalarView()
    private(set) var hasCode = false
    private(set) var isJSON = false
    private var isLineStart = true

    private static let apostrophes: Set<Unicode.Scalar> = ["’", "‘", "´", "ʼ", "＇"]
    private static let dashes: Set<Unicode.Scalar> = ["–", "—", "‒", "‑", "‐"]
    private static let blanks: Set<Unicode.Scalar> = ["\u{A0}", "\u{202F}", "\t", "\r"]
    private static let ends: Set<Unicode.Scalar> = [".", "!", "?", "…", "。", "！", "？", "।", "؟"]
    /// The marks that end a sentence in scripts without a space after it.
    private static let firmEnds: Set<Unicode.Scalar> = ["。", "！", "？", "।", "؟"]
    private static let quotes: [Unicode.Scalar: Set<Unicode.Scalar>] = [
      "\"": ["\""], "“": ["”", "\""], "„": ["“", "”", "\""], "«": ["»"], "「": ["」"], "『": ["』"],
      "”": ["”", "\""],
    ]
    private static let allQuotes: Set<Unicode.Scalar> = ["\"", "“", "”", "„", "«", "»", "「", "」"]

    init(_ scalars: [Unicode.Scalar]) {
      self.scalars = scalars
      if let start = startOfFencedJSON { self.scalars = Array(scalars[start...]) }
      isJSON = looksLikeJSON
      dropOuterQuotes()
    }

    /// The normalized text, without empty lines.
    var lines: String {
      output.split(separator: "\n").map { line in
        let front = line.drop(while: { $0.properties.isWhitespace })
        let count = front.reversed().prefix { $0.properties.isWhitespace }.count
        return String(front.dropLast(count))
      }.filter { !$0.isEmpty }.joined(separator: "\n")
    }

    private func starts(with text: String, at index: Int) -> Bool {
      let wanted = text.unicodeScalars
      return index + wanted.count <= scalars.count
        && scalars[index..<index + wanted.count].elementsEqual(wanted)
    }

    private func skippingBlanks(_ index: Int) -> Int {
      var index = index
      while index < scalars.count, scalars[index].properties.isWhitespace { index += 1 }
      return index
    }

    /// The index at which the JSON starts, if the answer is a single fenced block of JSON.
    private var startOfFencedJSON: Int? {
      guard starts(with: "```", at: 0) else { return nil }
      let start = skippingBlanks(starts(with: "```json", at: 0) ? 7 : 3)
      return start < scalars.count && (scalars[start] == "{" || scalars[start] == "[") ? start : nil
    }

    private var looksLikeJSON: Bool {
      guard let first = scalars.first, first == "{" || first == "[" else { return false }
      let next = skippingBlanks(1)
      return next < scalars.count && ["\"", "{", "["].contains(scalars[next])
    }

    /// Removes the quotation marks around the answer, if they enclose all of it.
    private mutating func dropOuterQuotes() {
      guard !isJSON, scalars.count > 2, let first = scalars.first, let last = scalars.last,
        ["\"", "“", "„", "«", "「"].contains(first), ["\"", "”", "“", "»", "」"].contains(last),
        !scalars[1..<scalars.count - 1].contains(where: Self.allQuotes.contains)
      else { return }
      scalars = Array(scalars[1..<scalars.count - 1])
    }

    mutating func read() {
      while place < scalars.count { step() }
    }

    private mutating func step() {
      let scalar = scalars[place]
      if !isJSON, starts(with: "```", at: place) {
        skipCode()
      } else if isLineStart, scalar == ">" {
        while place < scalars.count, scalars[place] != "\n" { place += 1 }
      } else if isJSON, scalar == "\"" {
        readQuoteOfJSON()
      } else if let closing = Self.quotes[scalar], skipQuote(closing) {
        output.append(contentsOf: "\"\"".unicodeScalars)
        isLineStart = false
      } else {
        take(scalar)
      }
    }

    private mutating func skipCode() {
      hasCode = true
      place += 3
      while place < scalars.count, !starts(with: "```", at: place) { place += 1 }
      place = min(scalars.count, place + 3)
      output.append("\n")
      isLineStart = true
    }

    /// Skips a quotation that ends on the same line.
    ///
    /// Returns false if there is none.
    private mutating func skipQuote(_ closing: Set<Unicode.Scalar>) -> Bool {
      var end = place + 1
      while end < scalars.count, !closing.contains(scalars[end]), scalars[end] != "\n" { end += 1 }
      guard end < scalars.count, closing.contains(scalars[end]) else { return false }
      place = end + 1
      return true
    }

    private func endOfString(_ start: Int) -> Int {
      var end = start
      while end < scalars.count, scalars[end] != "\"" { end += scalars[end] == "\\" ? 2 : 1 }
      return min(end, scalars.count)
    }

    /// Starts a new line for each text of the JSON.
    ///
    /// Leaves out the texts of members that usually contain quoted text.
    private mutating func readQuoteOfJSON() {
      output.append("\n")
      isLineStart = true
      let end = endOfString(place + 1)
      let name = String(String.UnicodeScalarView(scalars[min(place + 1, end)..<end])).lowercased()
      var next = skippingBlanks(end + 1)
      guard next < scalars.count, scalars[next] == ":",
        RefusalText.quotingMembers.contains(name)
      else {
        place += 1
        return
      }
      next = skippingBlanks(next + 1)
      place = next
      if next < scalars.count, scalars[next] == "\"" {
        place = min(scalars.count, endOfString(next + 1) + 1)
      }
    }

    private mutating func take(_ scalar: Unicode.Scalar) {
      place += 1
      // Marks for emphasis and code are not part of a sentence.
      if scalar == "*" || scalar == "`" { return }
      var taken = scalar
      if Self.apostrophes.contains(scalar) { taken = "'" }
      if Self.dashes.contains(scalar) { taken = "-" }
      if Self.blanks.contains(scalar) { taken = " " }
      if taken.isASCII, ("A"..."Z").contains(taken), let lower = Unicode.Scalar(taken.value + 32) {
        taken = lower
      }
      output.append(taken)
      if Self.ends.contains(taken), endsSentence(taken) { output.append("\n") }
      isLineStart = taken == "\n" || isLineStart && taken == " "
    }

    /// Returns true if a sentence ends here: a space follows, or the script uses none.
    private func endsSentence(_ end: Unicode.Scalar) -> Bool {
      if Self.firmEnds.contains(end) || place >= scalars.count { return true }
      return [" ", "\n", "\"", "'", "*", ")", "”", "’", "\t"].contains(scalars[place])
    }
  }
}
