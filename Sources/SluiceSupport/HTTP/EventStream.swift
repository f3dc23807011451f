/// The parser of server-sent events (WHATWG HTML Living Standard, 9.2), from a stream that arrives
/// in pieces of any size.
///
/// Unlike a browser, it also returns a last event that is not followed by a blank line, because
/// many servers omit that line.
@usableFromInline
package struct EventStream: Sendable {
  /// The fields between two blank lines.
  @usableFromInline
  package struct Event: Hashable, Sendable {
    /// The last `event` field of the event; nil if the field is missing or empty.
    package var name: String?
    /// The `data` fields, joined by line feeds.
    package var data: [UInt8]

    package init(name: String? = nil, data: [UInt8]) {
      self.name = name
      self.data = data
    }

    /// True for `[DONE]`, with which most model servers end a stream.
    package var isDone: Bool {
      let end = data.lastIndex { $0 > 0x20 }.map { $0 + 1 } ?? 0
      return data[..<end].elementsEqual("[DONE]".utf8)
    }
  }

  /// The bytes since the last line ending.
  private var line: [UInt8] = []
  private var name: [UInt8] = []
  private var data: [UInt8] = []
  private var hasData = false
  /// True inside of JSON that the server sent without field names.
  private var isBare = false
  /// True after the first field or comment.
  private var hasFields = false
  private var isFirstLine = true
  /// True if the last byte was a carriage return.
  ///
  /// A line feed that follows it belongs to the same line ending.
  private var endsWithReturn = false

  package init() {}

  private static let lineFeed = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")

  /// Parses the next bytes.
  ///
  /// - Parameter bytes: Any number of bytes, split anywhere.
  /// - Returns: The events that end within these bytes.
  @inlinable
  package mutating func take(_ bytes: some Sequence<UInt8>) -> [Event] {
    bytes.withUnits { take($0) }
  }

  /// Parses the next bytes.
  ///
  /// - Parameter bytes: Any number of bytes, split anywhere.
  /// - Returns: The events that end within these bytes.
  @usableFromInline
  package mutating func take(_ bytes: UnsafeBufferPointer<UInt8>) -> [Event] {
    var events: [Event] = []
    let bytes = UnsafeRawBufferPointer(bytes)
    var start = 0
    // The position of the next line feed. The search for carriage returns ends there, so that no
    // byte is searched twice.
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

  /// Ends the stream.
  ///
  /// - Returns: The last events, if no blank line followed them.
  package mutating func finish() -> [Event] {
    // The rest of a line counts as a field, even without a line ending.
    let rest = line.isEmpty ? nil : endLine(after: UnsafeRawBufferPointer(start: nil, count: 0))
    return [rest, dispatch()].compactMap(\.self)
  }

  /// Ends a line that began in an earlier piece.
  private mutating func endLine(after piece: UnsafeRawBufferPointer) -> Event? {
    var whole: [UInt8] = []
    swap(&whole, &line)
    whole += piece
    return whole.withUnsafeBytes { endLine($0) }
  }

  private mutating func endLine(_ line: UnsafeRawBufferPointer) -> Event? {
    // The byte-order mark does not belong to the first line.
    let start = isFirstLine && line.starts(with: "\u{FEFF}") ? 3 : 0
    isFirstLine = false
    if line.count == start { return dispatch() }
    let colon = line.firstOffset(of: UInt8(ascii: ":"), in: start..<line.count)
    let label = UnsafeRawBufferPointer(rebasing: line[start..<colon])
    var value = line[min(colon + 1, line.count)...]
    if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
    let isData = label.equals("data")
    let isEvent = label.equals("event")
    let isField = isData || isEvent || colon == start
    hasFields = hasFields || isField
    // Some servers send an error as bare JSON in the middle of a stream.
    let text = line[(isField ? line.count : start)...].drop { $0 == 0x20 || $0 == 0x09 }
    let isBareStart =
      hasFields && !isBare && (text.first == UInt8(ascii: "{") || text.starts(with: "[{".utf8))
    let ended = isBareStart || isBare && isField ? dispatch() : nil
    if isBare || isBareStart {
      if isBareStart { name = Array("error".utf8) }
      if hasData { data.append(Self.lineFeed) }
      (isBare, hasData) = (true, true)
      data += line
    } else if isData {
      if hasData { data.append(Self.lineFeed) }
      hasData = true
      data += value
    } else if isEvent {
      name = Array(value)
    }
    // A line without a name is a comment; `id` and `retry` matter only for reconnecting.
    return ended
  }

  private mutating func dispatch() -> Event? {
    defer {
      name.removeAll()
      data.removeAll()
      (hasData, isBare) = (false, false)
    }
    guard hasData else { return nil }
    return Event(name: name.isEmpty ? nil : String(decoding: name, as: UTF8.self), data: data)
  }

  /// Returns true if a body looks like server-sent events, whatever its content type is.
  package static func isLikely(_ body: [UInt8]) -> Bool {
    let start = body.prefix(1_024).drop { $0 <= 0x20 || [0xEF, 0xBB, 0xBF].contains($0) }
    return ["data:", "event:", "id:", "retry:", ":"].contains { start.starts(with: $0.utf8) }
  }
}

extension UnsafeRawBufferPointer {
  /// Returns the offset of a byte's first occurrence in a range, or the range's end.
  fileprivate func firstOffset(of byte: UInt8, in range: Range<Int>) -> Int {
    let part = UnsafeRawBufferPointer(rebasing: self[range])
    return part.firstOffset(of: byte).map { range.lowerBound + $0 } ?? range.upperBound
  }
}
