package import SluiceSupport

/// The place of a text in its file, down to its characters: of a scalar of YAML, JSON or CSV, or of lines.
package struct TextPosition: Sendable {
  /// Where the scalar starts, with its quote if it has one.
  private let start: SourcePosition
  /// The column of its first character.
  private var column: Int
  /// How many characters, from the first on, stand in the file as they are in the text.
  private var verbatimCount = 0
  /// The number of columns before each line of a literal block, nil for other scalars.
  private var blockIndent: Int?
  private var lineOffsets = [0]

  /// Creates the position of a scalar.
  ///
  /// - Parameters:
  ///   - text: What the scalar means.
  ///   - position: Where it starts.
  ///   - file: The file that it stands in.
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

  /// Creates the position of whole lines of a plain text.
  ///
  /// - Parameters:
  ///   - text: The lines.
  ///   - line: Where the first one stands, from 1.
  package init(_ text: String, fromLine line: Int) {
    // Like a literal block without indentation, whose text starts on the line below its mark.
    start = SourcePosition(line: line - 1, column: 1)
    column = 1
    blockIndent = 0
    for (offset, scalar) in text.unicodeScalars.enumerated() where scalar == "\n" {
      lineOffsets.append(offset + 1)
    }
  }

  /// Where a character stands; the start of the scalar, where folding or escapes make that uncertain.
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

  /// The indentation that the file has and the text has not.
  private static func blockIndent(of text: String, after line: Int, in file: SourceFile) -> Int? {
    func indent(_ line: some StringProtocol) -> Int { line.prefix { $0 == " " }.count }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, inText) in lines.enumerated() where inText.contains(where: { $0 != " " }) {
      return file.line(line + 1 + index).map { indent($0) - indent(inText) }
    }
    return nil
  }
}
