/// Where in its file a scalar of a YAML document stands, down to each of its characters.
package struct TextPosition: Sendable {
  private var start: SourcePosition
  /// The number of columns before each line of a literal block, nil for other scalars.
  private var blockIndent: Int?
  private var lineOffsets: [Int]

  /// Creates the position of a scalar.
  ///
  /// - Parameters:
  ///   - text: What the scalar means.
  ///   - position: Where it starts.
  ///   - file: The file that it stands in.
  package init(_ text: String, at position: SourcePosition, in file: SourceFile) {
    start = position
    lineOffsets = [0]
    for (offset, scalar) in text.unicodeScalars.enumerated() where scalar == "\n" {
      lineOffsets.append(offset + 1)
    }
    let line = file.line(position.line).map { Array($0.unicodeScalars) } ?? []
    let indicator = line.indices.contains(position.column - 1) ? line[position.column - 1] : " "
    switch indicator {
    case "|":
      var number = position.line + 1
      while let next = file.line(number) {
        if !next.trimmed.isEmpty {
          blockIndent = next.prefix { $0 == " " }.count
          break
        }
        number += 1
      }
    case "\"", "'": start.column += 1
    default: break
    }
  }

  /// Where a character stands; exact for literal blocks and for scalars of one line without escapes.
  package func position(of offset: Int) -> SourcePosition {
    guard let blockIndent else {
      return lineOffsets.count == 1
        ? SourcePosition(line: start.line, column: start.column + offset) : start
    }
    let line = (lineOffsets.lastIndex { $0 <= offset } ?? 0)
    return SourcePosition(
      line: start.line + 1 + line,
      column: blockIndent + 1 + offset - lineOffsets[line]
    )
  }
}
