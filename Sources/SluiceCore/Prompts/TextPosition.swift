package import SluiceSupport

/// A map from offsets in a text to positions in the text's file.
///
/// The text is a value in YAML, JSON or CSV (a scalar), or it consists of whole lines.
package struct TextPosition: Sendable {
  /// The start of the scalar, including its quote.
  private let start: SourcePosition
  /// The column of the scalar's first character.
  private var column: Int
  /// The number of leading characters that the file contains unchanged.
  private var verbatimCount = 0
  /// The indentation of a literal block; nil for other scalars.
  private var blockIndent: Int?
  private var lineOffsets = [0]

  /// Creates the position of a scalar.
  ///
  /// - Parameters:
  ///   - text: The parsed text of the scalar.
  ///   - position: The start of the scalar.
  ///   - file: The file of the scalar.
  package init(_ text: String, at position: SourcePosition, in file: SourceFile) {
    start = position
    column = position.column
    for (offset, scalar) in text.unicodeScalars.enumerated() where scalar == "\n" {
      lineOffsets.append(offset + 1)
    }
    let line =
      file.line(position.line)?.unicodeScalars.dropFirst(column - 1) ?? ""[...].unicodeScalars
    switch line.first {
    case "|": blockIndent = Self.blockIndent(of: text, after: position.line, in: file)
    case "\"", "'": column += 1
    default: break
    }
    let shown = line.dropFirst(column - position.column)
    verbatimCount = zip(shown, text.unicodeScalars).prefix { $0 == $1 }.count
  }

  /// Creates the position of whole lines of plain text.
  ///
  /// - Parameters:
  ///   - text: The lines.
  ///   - line: The number of the first line, from 1.
  package init(_ text: String, fromLine line: Int) {
    // Treats the lines like a literal block without indentation. A block's text starts on the line
    // after the block's mark.
    start = SourcePosition(line: line - 1, column: 1)
    column = 1
    blockIndent = 0
    for (offset, scalar) in text.unicodeScalars.enumerated() where scalar == "\n" {
      lineOffsets.append(offset + 1)
    }
  }

  /// Returns the position of a character.
  ///
  /// If YAML's folding or escapes make the position uncertain, returns the start of the YAML
  /// value.
  package func position(of offset: Int) -> SourcePosition {
    if let blockIndent {
      let line = lineOffsets.lastIndex { $0 <= offset } ?? 0
      return SourcePosition(
        line: start.line + 1 + line,
        column: blockIndent + 1 + offset - lineOffsets[line]
      )
    }
    guard offset <= verbatimCount else { return start }
    return SourcePosition(line: start.line, column: column + offset)
  }

  /// Returns the number of spaces that the file adds before each line of a block.
  ///
  /// These spaces are not part of the text.
  private static func blockIndent(of text: String, after line: Int, in file: SourceFile) -> Int? {
    func indent(_ line: some StringProtocol) -> Int { line.prefix { $0 == " " }.count }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, inText) in lines.enumerated() where inText.contains(where: { $0 != " " }) {
      return file.line(line + 1 + index).map { indent($0) - indent(inText) }
    }
    return nil
  }
}
