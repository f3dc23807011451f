import SluiceGating

/// A table of the longer texts of a page's trials.
///
/// Each shared text is stored once, and trials refer to it by number.
struct HTMLPieces {
  private static let longest = 20_000
  /// The minimum size in bytes of a text in the table.
  ///
  /// Shorter texts are written in place, because a reference by number would save nothing.
  private static let shortest = 16
  /// The maximum size in bytes of a text of a single trial that is stored in the trial itself.
  private static let longestInPlace = 512

  private var table = HTMLTable()
  /// The texts of a column's first request with their numbers, since later requests share most of
  /// these texts.
  private var first: [(text: String, place: Int?)] = []
  /// The total size in bytes of the texts in the table.
  private(set) var size = 0

  func json() -> JSONValue { table.json() }

  /// Forgets the first request of the previous column.
  mutating func startColumn() { first.removeAll(keepingCapacity: true) }

  /// Adds a text to a line, or the text's number in the table if the number is shorter.
  mutating func append(_ text: String, to line: inout ByteBuffer) {
    let place = place(text)
    Self.append(text, place, to: &line)
  }

  /// Adds a part of a request to a line.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - index: The index of the part in the request.
  ///   - inputs: The texts of the case's input, which the line refers to by negative numbers.
  ///   - isRepeated: True if other trials send the same text.
  ///   - line: The line to add to.
  mutating func append(
    _ text: String,
    ofRequest index: Int,
    inputs: [String],
    isRepeated: Bool,
    to line: inout ByteBuffer
  ) {
    if let input = inputs.firstIndex(where: { $0.isIdentical(to: text) }) {
      if index == first.count { first.append((text, nil)) }
      line.append("-")
      return line.append(digitsOf: UInt(input + 1))
    }
    if index == first.count {
      first.append((text, place(text)))
      return Self.append(text, first[index].place, to: &line)
    }
    if index < first.count, first[index].text.isIdentical(to: text) {
      return Self.append(text, first[index].place, to: &line)
    }
    // A text that only this case has is unlikely to be in the table.
    let isOwn = !isRepeated && text.utf8.count <= Self.longestInPlace
    Self.append(text, isOwn ? nil : place(text), to: &line)
  }

  /// Returns the number of a text in the table, or `nil` if the text is too short for the table.
  private mutating func place(_ text: String) -> Int? {
    if text.utf8.count < Self.shortest { return nil }
    let text = Excerpt.cut(text, to: Self.longest)
    let count = table.count
    let place = table.place(text)
    if table.count > count { size += text.utf8.count }
    return place
  }

  private static func append(_ text: String, _ place: Int?, to line: inout ByteBuffer) {
    if let place { line.append(digitsOf: UInt(place)) } else { JSONWriter.append(text, to: &line) }
  }
}
