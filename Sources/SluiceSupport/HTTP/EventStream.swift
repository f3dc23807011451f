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
    for byte in bytes {
      if byte == Self.lineFeed, endsWithReturn {
        endsWithReturn = false
        continue
      }
      endsWithReturn = byte == Self.carriageReturn
      if byte == Self.lineFeed || endsWithReturn {
        if let event = endLine() { events.append(event) }
      } else {
        line.append(byte)
      }
    }
    return events
  }

  /// Takes the end of the stream.
  ///
  /// - Returns: The event that was not yet ended by a blank line, if there is one.
  package mutating func finish() -> Event? {
    // What is left of a line is a field without its end.
    _ = line.isEmpty ? nil : endLine()
    return dispatch()
  }

  private mutating func endLine() -> Event? {
    defer { line.removeAll(keepingCapacity: true) }
    var field = line[...]
    if isFirstLine {
      isFirstLine = false
      // The byte order mark.
      if field.starts(with: [0xEF, 0xBB, 0xBF]) { field = field.dropFirst(3) }
    }
    if field.isEmpty { return dispatch() }
    let colon = field.firstIndex(of: UInt8(ascii: ":"))
    let label = field[..<(colon ?? field.endIndex)]
    var value = colon.map { field[($0 + 1)...] } ?? []
    if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
    // Without a label it is a comment; `id` and `retry` are for those who connect again.
    if label.elementsEqual("data".utf8) {
      if hasData { data.append(Self.lineFeed) }
      hasData = true
      data += value
    } else if label.elementsEqual("event".utf8) {
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
