import SluiceSupport

/// The data of a server-sent event as one text, with the positions of the data's bytes in the body.
struct EventData {
  /// The bytes that contain the data.
  ///
  /// If the event has a single data line, this is the whole body.
  let bytes: [UInt8]
  /// The range of the data in ``bytes``.
  let range: Range<Int>
  /// The start of each line in the data and in the body; empty if the event has a single data line.
  private var lines: [(start: Int, origin: Int)] = []

  init(_ body: [UInt8], _ lines: [Range<Int>]) {
    guard lines.count > 1 else {
      bytes = body
      range = lines.first ?? 0..<0
      return
    }
    var text: [UInt8] = []
    for line in lines {
      if !self.lines.isEmpty { text.append(0x0A) }
      self.lines.append((text.count, line.lowerBound))
      text += body[line]
    }
    bytes = text
    range = text.indices
  }

  /// Returns the range in the body that corresponds to a range of the data.
  func place(of range: Range<Int>) -> Range<Int> {
    if lines.isEmpty { return range }
    func place(of index: Int) -> Int {
      let line = lines.last { $0.start <= index } ?? (0, 0)
      return line.origin + index - line.start
    }
    if range.isEmpty { return place(of: range.lowerBound)..<place(of: range.lowerBound) }
    return place(of: range.lowerBound)..<(place(of: range.upperBound - 1) + 1)
  }
}
