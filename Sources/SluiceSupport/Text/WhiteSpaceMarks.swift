/// Marks that make invisible differences between lines visible.
enum WhiteSpaceMarks {
  /// Returns the lines of a difference, with marks for invisible characters.
  ///
  /// If a removed line and an added line look the same, the invisible characters of both are
  /// marked.
  ///
  /// A space at the start or the end of a line, or next to another space, becomes `·`. Any other
  /// invisible character becomes its code point, such as `<U+00A0>`.
  ///
  /// - Parameter lines: Lines that start with `- `, `+ ` or two spaces.
  /// - Returns: The same number of lines.
  static func marked(_ lines: [String]) -> [String] {
    var lines = lines
    var start = 0
    while start < lines.count {
      let count = lines[start...].prefix(while: isChange).count
      let block = start..<(start + count)
      mark(&lines, block)
      start = block.upperBound + 1
    }
    return lines
  }

  private static func isChange(_ line: String) -> Bool {
    line.utf8.starts(with: "- ".utf8) || line.utf8.starts(with: "+ ".utf8)
  }

  /// Marks the lines of a block that look the same as a line on the other side.
  private static func mark(_ lines: inout [String], _ block: Range<Int>) {
    if block.count < 2 { return }
    var places: [[Unicode.Scalar]: [Int]] = [:]
    for place in block { places[visible(lines[place]), default: []].append(place) }
    for alike in places.values where Set(alike.map { lines[$0].utf8.first }).count == 2 {
      for place in alike {
        // The sign and its space are two scalars. As a character, the space may include the scalar
        // after it.
        let sign = String.UnicodeScalarView(lines[place].unicodeScalars.prefix(2))
        lines[place] = String(sign) + marked(lines[place])
      }
    }
  }

  /// Returns the visible characters of a line without its sign.
  private static func visible(_ line: String) -> [Unicode.Scalar] {
    line.unicodeScalars.dropFirst(2).filter { !BlankText.isBlank($0) }
  }

  /// Returns a line without its sign, with its invisible characters marked.
  private static func marked(_ line: String) -> String {
    let scalars = Array(line.unicodeScalars.dropFirst(2))
    var text = ""
    for (index, scalar) in scalars.enumerated() {
      let isInside =
        index > 0 && index < scalars.count - 1 && scalars[index - 1] != " "
        && scalars[index + 1] != " "
      switch scalar {
      case " ": text += isInside ? " " : "·"
      case _ where BlankText.isBlank(scalar):
        let digits = String(scalar.value, radix: 16, uppercase: true)
        text += "<U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + ">"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
