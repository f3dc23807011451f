/// A line for a terminal, with its visible width in characters.
struct ScreenLine {
  private(set) var text: String
  private(set) var width: Int

  /// Creates a line from a text without control characters.
  init(_ text: String, _ paint: (String) -> String = { $0 }) {
    self.text = paint(text)
    width = TerminalText.width(of: text)
  }

  static let empty = ScreenLine("")

  /// Joins two lines.
  static func + (left: ScreenLine, right: ScreenLine) -> ScreenLine {
    var line = left
    line.text += right.text
    line.width += right.width
    return line
  }

  /// Returns the line, padded with spaces to a width.
  func padded(to columns: Int) -> ScreenLine {
    width >= columns ? self : self + ScreenLine(String(repeating: " ", count: columns - width))
  }

  /// Returns lines with a label in front of the first one, or above it if the label is too long.
  static func labelled(_ label: ScreenLine, _ lines: [ScreenLine], indent: Int) -> [ScreenLine] {
    let space = ScreenLine(String(repeating: " ", count: indent))
    let rest = lines.map { space + $0 }
    guard label.width < indent, let first = lines.first else { return [label] + rest }
    return [label.padded(to: indent) + first] + rest.dropFirst()
  }

  /// Places blocks of lines side by side, all with the same width.
  static func beside(_ blocks: [[ScreenLine]], width: Int, gap: Int) -> [ScreenLine] {
    let height = blocks.map(\.count).max() ?? 0
    let space = ScreenLine(String(repeating: " ", count: gap))
    return (0..<height).map { row in
      var line = ScreenLine.empty
      for (place, block) in blocks.enumerated() {
        let cell = row < block.count ? block[row] : .empty
        line = (place == 0 ? line : line + space) + cell.padded(to: width)
      }
      return line
    }
  }
}

/// The wrapping of texts of any length and shape into lines for a terminal.
enum WrappedText {
  /// Breaks a text into lines, up to a maximum number.
  ///
  /// - Parameters:
  ///   - text: The text, which may have line breaks. Other control characters are made visible.
  ///   - width: The width of a line in characters.
  ///   - most: The maximum number of lines, or `nil` for all.
  /// - Returns: The lines, and the number of characters left out.
  static func lines(_ text: String, width: Int, most: Int? = nil) -> (lines: [String], left: Int) {
    let most = most ?? .max
    var lines: [String] = []
    var left = 0
    let sources = text.trimmedEnd.split(omittingEmptySubsequences: false) {
      $0 == "\n" || $0 == "\r\n"
    }
    for source in sources {
      if lines.count >= most {
        left += source.count + 1
        continue
      }
      // The line may be extremely long, so process only as much as can be shown.
      let room = most == .max ? Int.max : (most - lines.count) * max(1, width) + 1
      let shown = source.prefix(room)
      let broken = wrapped(TerminalLines.opening(String(shown)), width: width)
      if lines.count + broken.count <= most {
        lines += broken
        left += shown.endIndex == source.endIndex ? 0 : source.count - shown.count
      } else {
        let kept = broken.prefix(most - lines.count)
        left += max(1, source.count - kept.reduce(0) { $0 + $1.count })
        lines += kept
      }
    }
    return (lines, left)
  }

  /// Breaks a text into lines, and leaves out its middle if it is too long.
  ///
  /// The end is kept since questions often come last.
  ///
  /// - Parameters:
  ///   - text: The text, which may have line breaks.
  ///   - width: The width of a line in characters.
  ///   - most: The maximum number of lines around the gap, or `nil` for all lines. A text of `most`
  ///     + 1 lines is still returned whole.
  /// - Returns: The lines before and after the gap, and the number of characters left out.
  static func ends(_ text: String, width: Int, most: Int?) -> (
    start: [String], left: Int, end: [String]
  ) {
    guard let most else { return (lines(text, width: width).lines, 0, []) }
    // The text may be extremely long, so break only its ends into lines.
    let room = (most + 1) * max(1, width)
    if text.utf8.count <= 4 * room {
      let all = lines(text, width: width).lines
      if all.count <= most + 1 { return (all, 0, []) }
      let (start, end) = (Array(all.prefix(most / 3)), Array(all.suffix(most - most / 3)))
      let left = all[(most / 3)..<(all.count - end.count)].reduce(0) { $0 + $1.count + 1 }
      return (start, left, end)
    }
    let start = Array(lines(String(text.prefix(room)), width: width).lines.prefix(most / 3))
    let end = Array(lines(String(text.suffix(room)), width: width).lines.suffix(most - most / 3))
    let shown = (start + end).reduce(0) { $0 + $1.count }
    return (start, max(1, text.count - shown), end)
  }

  /// Breaks a line between words, or inside a word that is longer than the width.
  ///
  /// No row is a command of GitHub Actions, even if the text was written to make it one.
  static func wrapped(_ line: String, width: Int) -> [String] {
    if TerminalText.width(of: line) <= width { return [TerminalLines.escapedCommand(line)] }
    return broken(line, width: width).map { row in
      let safe = TerminalLines.escapedCommand(row)
      return safe == row ? row : TerminalText.cut(safe, to: width)
    }
  }

  private static func broken(_ line: String, width: Int) -> [String] {
    let margin = String(line.prefix { $0 == " " }.prefix(width / 2))
    var lines: [String] = []
    var current = margin
    var used = margin.count
    for word in line.dropFirst(margin.count).split(separator: " ") {
      let gap = used > margin.count ? 1 : 0
      let needed = TerminalText.width(of: String(word))
      if used + gap + needed <= width {
        current += gap == 1 ? " " + word : word
        used += gap + needed
        continue
      }
      // A word that is longer than a line starts right after the previous word.
      if needed <= width - margin.count || used + gap >= width {
        lines.append(current)
        (current, used) = (margin, margin.count)
      } else if gap == 1 {
        current += " "
        used += 1
      }
      for character in word {
        let columns = TerminalText.width(of: String(character))
        if used + columns > width {
          lines.append(current)
          (current, used) = (margin, margin.count)
        }
        current.append(character)
        used += columns
      }
    }
    if used > margin.count || lines.isEmpty { lines.append(current) }
    return lines
  }
}

extension String {
  /// The text without trailing whitespace.
  fileprivate var trimmedEnd: Substring {
    var text = self[...]
    while let last = text.last, last == "\n" || last == " " || last == "\r\n" { text.removeLast() }
    return text
  }
}
