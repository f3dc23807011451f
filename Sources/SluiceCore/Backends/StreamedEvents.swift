import SluiceSupport

/// The format in which a body contains the events of a stream.
enum StreamFraming {
  /// Server-sent events.
  case events
  /// One JSON object on each line.
  case lines

  /// Detects the framing of a body, whatever its content type; nil for a body that is not a stream.
  init?(of body: [UInt8]) {
    if EventStream.isLikely(body) {
      self = .events
    } else if Self.hasLines(body) {
      self = .lines
    } else {
      return nil
    }
  }

  /// Returns true if the first line of a body is a complete object and more follows.
  private static func hasLines(_ body: [UInt8]) -> Bool {
    let line = body.withoutByteOrderMark.drop { $0 <= 0x20 }.prefix { $0 != 0x0A }
    guard line.first == UInt8(ascii: "{"), line.last(where: { $0 > 0x20 }) == UInt8(ascii: "}")
    else { return false }
    // White space at the end does not count as a second line.
    return body[line.endIndex...].contains { $0 > 0x20 }
      && (try? JSONReader.value(line)) != nil
  }
}

/// The events of a server's stream, as JSON, up to the end or the first error.
struct StreamedEvents {
  private var events = EventStream()
  private var line: [UInt8] = []
  private var isFirstLine = true
  private let framing: StreamFraming
  /// True if the server has marked the end of the stream.
  private(set) var isDone = false
  /// The reason why the stream contains no answer.
  private(set) var fault: BackendError?

  init(_ framing: StreamFraming = .events) { self.framing = framing }

  /// Parses the next bytes of the body, which may be split anywhere.
  ///
  /// Returns the events that end within these bytes.
  mutating func take(_ bytes: some Sequence<UInt8>) -> [EventStream.Event] {
    if framing == .events { return events.take(bytes) }
    return bytes.withUnits { units in
      var found: [EventStream.Event] = []
      var rest = UnsafeRawBufferPointer(units)
      while let end = rest.firstOffset(of: 0x0A) {
        line += rest[..<end]
        found.append(endLine())
        rest = UnsafeRawBufferPointer(rebasing: rest[(end + 1)...])
      }
      line += rest
      return found
    }
  }

  /// Returns the events that the end of the body completes.
  mutating func finish() -> [EventStream.Event] {
    if framing == .events { return events.finish() }
    return line.isEmpty ? [] : [endLine()]
  }

  private mutating func endLine() -> EventStream.Event {
    defer {
      line.removeAll(keepingCapacity: true)
      isFirstLine = false
    }
    return EventStream.Event(data: isFirstLine ? Array(line.withoutByteOrderMark) : line)
  }

  /// Returns the JSON of an event; nil if the event is empty, or comes after the end or an error.
  mutating func json(of event: EventStream.Event) -> JSONValue? {
    if isDone || fault != nil { return nil }
    // Servers send empty events to keep the connection open.
    if event.data.allSatisfy({ $0 <= 0x20 }) { return nil }
    if event.isDone {
      isDone = true
      return nil
    }
    do throws(JSONSyntaxError) {
      return try JSONReader.value(event.data)
    } catch {
      let reason = "an event of the server's stream is not JSON: \(error.message)"
      fault = BackendError(.brokenAnswer, reason)
      return nil
    }
  }
}

extension RawResponse {
  /// Passes each event of a streamed body, with the event's arrival time, to a closure.
  ///
  /// - Parameters:
  ///   - framing: The framing of the body.
  ///   - body: Receives the data of an event, its name, and the milliseconds since the request was
  ///     sent. Returns true to ignore later events.
  /// - Returns: True if the server marked the end of the stream.
  /// - Throws: The error that the closure throws, or ``BackendError`` if an event is not JSON.
  func forEachEvent(
    _ framing: StreamFraming,
    _ body: (JSONValue, String?, Double?) throws(BackendError) -> Bool
  ) throws(BackendError) -> Bool {
    var events = StreamedEvents(framing)
    var isComplete = false
    func take(_ found: some Sequence<EventStream.Event>, at time: Double?) throws(BackendError) {
      // On lines, an error may follow the end of the answer.
      for event in found where !isComplete || framing == .lines {
        if let json = events.json(of: event) {
          isComplete = try body(json, event.name, time) || isComplete
        }
        if let fault = events.fault, !isComplete { throw fault }
      }
    }
    var start = 0
    for arrival in arrivals where arrival.end <= self.body.count && !isComplete {
      let end = max(start, arrival.end)
      try take(events.take(self.body[start..<end]), at: arrival.milliseconds)
      start = end
    }
    if isComplete, framing == .events { return events.isDone }
    try take(events.take(self.body[start...]), at: nil)
    try take(events.finish(), at: nil)
    return events.isDone
  }
}
