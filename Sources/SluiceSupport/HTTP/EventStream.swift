/// Takes server-sent events out of bytes as they come, however the stream is cut (WHATWG HTML Living
/// Standard, 9.2 Server-sent events).
///
/// Unlike a browser it gives an event that the end of the stream cuts the blank line off of: many
/// servers end so.
@usableFromInline
package struct EventStream: Sendable {
  /// What stands between two blank lines.
  @usableFromInline
  package struct Event: Hashable, Sendable {
    /// The last `event` field; nil where there is none, or an empty one.
    package var name: String?
    /// The `data` fields, joined by line feeds.
    package var data: [UInt8]

    package init(name: String? = nil, data: [UInt8]) {
      self.name = name
      self.data = data
    }

    /// True for `[DONE]`, with which most servers of models end a stream.
    package var isDone: Bool {
      let end = data.lastIndex { $0 > 0x20 }.map { $0 + 1 } ?? 0
      return data[..<end].elementsEqual("[DONE]".utf8)
    }
  }

  /// The bytes since the last end of a line.
  private var line: [UInt8] = []
  private var name: [UInt8] = []
  private var data: [UInt8] = []
  private var hasData = false
  private var isFirstLine = true
  /// Whether the last byte was a carriage return, of which a line feed that follows is a part.
  private var endsWithReturn = false

  package init() {}

  private static let lineFeed = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")

  /// Takes the next bytes.
  ///
  /// - Parameter bytes: Any number of bytes, cut anywhere.
  /// - Returns: The events that end within them.
  @inlinable
  package mutating func take(_ bytes: some Sequence<UInt8>) -> [Event] {
    bytes.withUnits { take($0) }
  }

  /// Takes the next bytes.
  ///
  /// - Parameter bytes: Any number of bytes, cut anywhere.
  /// - Returns: The events that end within them.
  @usableFromInline
  package mutating func take(_ bytes: UnsafeBufferPointer<UInt8>) -> [Event] {
    var events: [Event] = []
    let bytes = UnsafeRawBufferPointer(bytes)
    var start = 0
    // The next line feed. Returns are looked for up to it, so that no byte is searched twice.
    var feed = -1
    while start < bytes.count {
      if endsWithReturn {
        endsWithReturn = false
        if bytes[start] == Self.lineFeed {
          start += 1
          continue
        }
      }
      if feed < start { feed = bytes.firstOffset(of: Self.lineFeed, in: start..<bytes.count) }
      let end = bytes.firstOffset(of: Self.carriageReturn, in: start..<feed)
      let piece = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
      if end == bytes.count {
        line += piece
        break
      }
      if let event = line.isEmpty ? endLine(piece) : endLine(after: piece) { events.append(event) }
      endsWithReturn = bytes[end] == Self.carriageReturn
      start = end + 1
    }
    return events
  }

  /// Takes the end of the stream.
  ///
  /// - Returns: The event that was not yet ended by a blank line, if there is one.
  package mutating func finish() -> Event? {
    // What is left of a line is a field without its end.
    _ = line.isEmpty ? nil : endLine(after: UnsafeRawBufferPointer(start: nil, count: 0))
    return dispatch()
  }

  /// Takes a line whose beginning came before.
  private mutating func endLine(after piece: UnsafeRawBufferPointer) -> Event? {
    var whole: [UInt8] = []
    swap(&whole, &line)
    whole += piece
    return whole.withUnsafeBytes { endLine($0) }
  }

  private mutating func endLine(_ line: UnsafeRawBufferPointer) -> Event? {
    // The byte order mark is no part of the first line.
    let start = isFirstLine && line.starts(with: "\u{FEFF}") ? 3 : 0
    isFirstLine = false
    if line.count == start { return dispatch() }
    let colon = line.firstOffset(of: UInt8(ascii: ":"), in: start..<line.count)
    let label = UnsafeRawBufferPointer(rebasing: line[start..<colon])
    var value = line[min(colon + 1, line.count)...]
    if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
    // Without a label it is a comment; `id` and `retry` are for those who connect again.
    if label.equals("data") {
      if hasData { data.append(Self.lineFeed) }
      hasData = true
      data += value
    } else if label.equals("event") {
      name = Array(value)
    }
    return nil
  }

  private mutating func dispatch() -> Event? {
    defer {
      name.removeAll()
      data.removeAll()
      hasData = false
    }
    guard hasData else { return nil }
    return Event(name: name.isEmpty ? nil : String(decoding: name, as: UTF8.self), data: data)
  }

  /// Whether a body looks like events, whatever its content type says.
  package static func isLikely(_ body: [UInt8]) -> Bool {
    let start = body.prefix(1_024).drop { $0 <= 0x20 || [0xEF, 0xBB, 0xBF].contains($0) }
    return ["data:", "event:", "id:", "retry:", ":"].contains { start.starts(with: $0.utf8) }
  }
}

extension UnsafeRawBufferPointer {
  /// The offset of the first place in a range where a byte stands; the range's end where there is none.
  fileprivate func firstOffset(of byte: UInt8, in range: Range<Int>) -> Int {
    let part = UnsafeRawBufferPointer(rebasing: self[range])
    return part.firstOffset(of: byte).map { range.lowerBound + $0 } ?? range.upperBound
  }
}
