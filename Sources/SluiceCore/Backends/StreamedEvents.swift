import SluiceSupport

/// The events of a server's stream as JSON, until the server is done or an event is a fault.
struct StreamedEvents {
  private var events = EventStream()
  /// True once the server has said that nothing more comes.
  private(set) var isDone = false
  /// Why the stream holds no answer.
  private(set) var fault: BackendError?

  /// Takes the next bytes of the body, cut anywhere, and returns the events that end in them.
  mutating func take(_ bytes: some Sequence<UInt8>) -> [EventStream.Event] { events.take(bytes) }

  /// Returns the event that the end of the body ends, if there is one.
  mutating func finish() -> EventStream.Event? { events.finish() }

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

  /// Ends the stream without an answer.
  mutating func fail(_ error: BackendError) { fault = fault ?? error }
}
