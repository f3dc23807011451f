import FlyingSocks

/// The events of a stream, as a response body that is sent one event at a time.
struct EventStream: AsyncBufferedSequence {
  typealias Element = UInt8

  let events: [String]

  struct AsyncIterator: AsyncBufferedIteratorProtocol {
    fileprivate var events: ArraySlice<String>
    private var rest: ArraySlice<UInt8> = []

    fileprivate init(events: [String]) { self.events = events[...] }

    mutating func next() async throws -> UInt8? {
      try await nextBuffer(suggested: 1)?.first
    }

    mutating func nextBuffer(suggested count: Int) async throws -> ArraySlice<UInt8>? {
      if rest.isEmpty {
        guard let event = events.popFirst() else { return nil }
        rest = Array(event.utf8)[...]
      }
      let buffer = rest.prefix(Swift.max(1, count))
      rest = rest.dropFirst(buffer.count)
      return buffer
    }
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(events: events) }
}
