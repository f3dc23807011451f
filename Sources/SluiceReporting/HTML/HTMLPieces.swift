import SluiceGating

/// The longer texts of a page's trials; shared texts are stored once and referred to by number.
struct HTMLPieces {
  private static let longest = 20_000
  /// The smallest size in bytes for which a reference is shorter.
  private static let shortest = 16
  /// The largest size in bytes of an uncommon text that is stored where it is used.
  private static let longestInPlace = 512

  private var table = HTMLTable()
  /// The texts of a column's first request, most of which later requests share.
  private var first: [(text: String, place: Int?)] = []
  /// The total size of the table's texts in bytes.
  private(set) var size = 0

  func json() -> JSONValue { table.json() }

  /// Starts the requests of another column.
  mutating func startColumn() { first.removeAll(keepingCapacity: true) }

  /// Adds a text, or its number if that is shorter.
  mutating func append(_ text: String, to line: inout ByteBuffer) {
    let place = place(text)
    Self.append(text, place, to: &line)
  }

  /// Adds a part of a request.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - index: The index of the part in the request.
  ///   - inputs: The texts of the case's input, which have negative numbers.
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
    // What only this case is sent is not worth looking up.
    let isOwn = !isRepeated && text.utf8.count <= Self.longestInPlace
    Self.append(text, isOwn ? nil : place(text), to: &line)
  }

  /// Returns the number of a text, or `nil` if the text is too short for one.
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
