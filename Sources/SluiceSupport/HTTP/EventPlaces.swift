/// The positions of the data of server-sent events in a body.
///
/// Use the positions to search or rewrite a body. To read the data, use ``EventStream``, which
/// finds the same events.
package struct EventPlaces {
  /// The data lines of each event: the bytes after `data:` and an optional space.
  package private(set) var events: [[Range<Int>]] = []

  private static let label = Array("data".utf8)

  /// Finds the events of a body.
  package init(_ bytes: [UInt8]) {
    guard bytes.count >= Self.label.count, Self.label.isPresent(in: bytes) else { return }
    bytes.withUnsafeBufferPointer { find(in: $0) }
  }

  private mutating func find(in bytes: UnsafeBufferPointer<UInt8>) {
    var lines: [Range<Int>] = []
    var start = UTF8Text.startsWithByteOrderMark(bytes) ? 3 : 0
    while start < bytes.count {
      var end = start
      while end < bytes.count, bytes[end] != 0x0A, bytes[end] != 0x0D { end += 1 }
      if end == start {
        if !lines.isEmpty { events.append(lines) }
        lines.removeAll(keepingCapacity: true)
      } else if let data = Self.data(in: bytes, start..<end) {
        lines.append(data)
      }
      // A line feed after a carriage return belongs to the same line ending.
      let isPair = end + 1 < bytes.count && bytes[end] == 0x0D && bytes[end + 1] == 0x0A
      start = end + (isPair ? 2 : 1)
    }
    if !lines.isEmpty { events.append(lines) }
  }

  /// Returns the value of a line that is a `data` field; `nil` for any other line.
  private static func data(in bytes: UnsafeBufferPointer<UInt8>, _ line: Range<Int>) -> Range<Int>?
  {
    guard line.count >= label.count,
      label.indices.allSatisfy({ bytes[line.lowerBound + $0] == label[$0] })
    else { return nil }
    let colon = line.lowerBound + label.count
    if colon == line.upperBound { return colon..<colon }
    guard bytes[colon] == UInt8(ascii: ":") else { return nil }
    let value = colon + 1
    let hasSpace = value < line.upperBound && bytes[value] == 0x20
    return (hasSpace ? value + 1 : value)..<line.upperBound
  }
}
