import SluiceSupport

/// The way in which a body holds events.
enum StreamFraming {
  /// Server-sent events.
  case events
  /// A JSON object on each line.
  case lines

  /// The framing of a body, whatever its content type says; nil for a body that is no stream.
  init?(of body: [UInt8]) {
    if EventStream.isLikely(body) {
      self = .events
    } else if Self.hasLines(body) {
      self = .lines
    } else {
      return nil
    }
  }

  /// True for a body whose first line is a whole object and not all of it.
  private static func hasLines(_ body: [UInt8]) -> Bool {
    let line = body.withoutByteOrderMark.drop { $0 <= 0x20 }.prefix { $0 != 0x0A }
    guard line.first == UInt8(ascii: "{"), line.last(where: { $0 > 0x20 }) == UInt8(ascii: "}")
    else { return false }
    // White space at the end makes no second line.
    return body[line.endIndex...].contains { $0 > 0x20 }
      && (try? JSONReader.value(line)) != nil
  }
}

/// The events of a server's stream as JSON, until the server is done or an event is a fault.
struct StreamedEvents {
  private var events = EventStream()
  private var line: [UInt8] = []
  private var isFirstLine = true
  private let framing: StreamFraming
  /// True once the server has said that nothing more comes.
  private(set) var isDone = false
  /// Why the stream holds no answer.
  private(set) var fault: BackendError?

  init(_ framing: StreamFraming = .events) { self.framing = framing }

  /// Takes the next bytes of the body, cut anywhere, and returns the events that end in them.
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

  /// Returns the event that the end of the body ends, if there is one.
  mutating func finish() -> EventStream.Event? {
    if framing == .events { return events.finish() }
    return line.isEmpty ? nil : endLine()
  }

  private mutating func endLine() -> EventStream.Event {
    defer {
      line.removeAll(keepingCapacity: true)
      isFirstLine = false
    }
    return EventStream.Event(data: isFirstLine ? Array(line.withoutByteOrderMark) : line)
  }

  /// Returns what an event says; nil where it says nothing, or comes after the end or a fault.
  mutating func json(of event: EventStream.Event) -> JSONValue? {
    if isDone || fault != nil { return nil }
    // An event without anything keeps the line open, as a comment does.
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
  /// Gives the events of a streamed body to a closure, each with when it came.
  ///
  /// - Parameters:
  ///   - framing: The way in which the body holds them.
  ///   - body: Takes the data of an event, its name and the milliseconds since the request was sent;
  ///     returns true when nothing after it counts.
  /// - Returns: True when the server said that nothing more comes.
  /// - Throws: What the closure throws, or ``BackendError`` for an event that is not JSON.
  func forEachEvent(
    _ framing: StreamFraming,
    _ body: (JSONValue, String?, Double?) throws(BackendError) -> Bool
  ) throws(BackendError) -> Bool {
    var events = StreamedEvents(framing)
    var isComplete = false
    func take(_ found: some Sequence<EventStream.Event>, at time: Double?) throws(BackendError) {
      for event in found where !isComplete {
        if let json = events.json(of: event) { isComplete = try body(json, event.name, time) }
        if let fault = events.fault { throw fault }
      }
    }
    var start = 0
    for arrival in arrivals where arrival.end <= self.body.count && !isComplete {
      let end = max(start, arrival.end)
      try take(events.take(self.body[start..<end]), at: arrival.milliseconds)
      start = end
    }
    if isComplete { return events.isDone }
    try take(events.take(self.body[start...]), at: nil)
    if let last = events.finish() { try take(CollectionOfOne(last), at: nil) }
    return events.isDone
  }
}
