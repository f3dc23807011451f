import SluiceGating

/// The longer texts of a page's trials: what more than one has stands in the page once, with a number.
struct HTMLPieces {
  private static let longest = 20_000
  /// From how many bytes a number pays.
  private static let shortest = 16
  /// Up to how many bytes a text that others hardly have stands where it is used.
  private static let longestInPlace = 512

  private var table = HTMLTable()
  /// The pieces of a column's first request, most of which are those of the others too.
  private var first: [(text: String, place: Int?)] = []
  /// How many bytes the texts of the table have.
  private(set) var size = 0

  func json() -> JSONValue { table.json() }

  /// Says that requests of another column follow.
  mutating func startColumn() { first.removeAll(keepingCapacity: true) }

  /// Adds a text, or its number where it is long enough for that to pay.
  mutating func append(_ text: String, to line: inout ByteBuffer) {
    let place = place(text)
    Self.append(text, place, to: &line)
  }

  /// Adds a piece of a request.
  ///
  /// - Parameters:
  ///   - text: The piece.
  ///   - index: Its place among the pieces of the request.
  ///   - inputs: The texts of the case's input, which have negative numbers.
  ///   - isRepeated: True when other trials are sent the same.
  ///   - line: What is added to.
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

  /// The number of a text; nil where it is too short for one.
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
