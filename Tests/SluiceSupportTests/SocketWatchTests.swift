import Testing

@testable import SluiceSupport
import TestSupport

@Suite("Sockets that are watched", .timeLimit(.minutes(5)))
struct SocketWatchTests {
  private let watch: SocketWatch
  private let wire: Pipe

  init() throws {
    watch = try #require(SocketWatch())
    wire = try #require(Pipe())
  }

  /// Returns the ready sockets as text: the socket's index in the test, its events, and its owner.
  private func ready(atMost limit: Duration? = .zero) -> [String] {
    var events: [SocketWatch.Event] = []
    watch.wait(atMost: limit, &events)
    return events.map { event in
      let end = event.socket == wire.reading ? "reading end" : "writing end"
      return "\(end) \(event.readiness.rawValue) of \(event.owner)"
    }
  }

  private func write() {
    _ = [65].withUnsafeBytes { FileDescriptor.write($0, to: wire.writing) }
  }

  @Test("A socket is ready for what it was watched for, and says whose it is")
  func readiness() {
    defer { wire.close() }
    watch.watch(wire.reading, for: .reading, as: 3)
    #expect(ready() == [])
    write()
    #expect(ready() == ["reading end 1 of 3"])
    watch.watch(wire.writing, for: .writing, as: 7)
    #expect(ready().sorted() == ["reading end 1 of 3", "writing end 2 of 7"])
    watch.watch(wire.reading, for: .writing, as: 3)
    #expect(ready() == ["writing end 2 of 7"])
  }

  @Test("A socket that is watched for nothing is let go of, and the others are still watched")
  func forgetting() {
    defer { wire.close() }
    write()
    watch.watch(wire.reading, for: .reading, as: 0)
    watch.watch(wire.writing, for: .writing, as: 1)
    watch.watch(wire.reading, for: [], as: 0)
    #expect(ready() == ["writing end 2 of 1"])
    watch.watch(wire.reading, for: [], as: 0)
    watch.watch(wire.reading, for: .reading, as: 4)
    #expect(ready().sorted() == ["reading end 1 of 4", "writing end 2 of 1"])
  }

  @Test("The end of what is read counts as something to read")
  func closed() {
    watch.watch(wire.reading, for: .reading, as: 0)
    FileDescriptor.close(wire.writing)
    // However long it takes: a program that another test starts at this moment holds a copy of every
    // descriptor until it runs, and the end is seen when the last one is closed.
    #expect(ready(atMost: nil) == ["reading end 1 of 0"])
    FileDescriptor.close(wire.reading)
  }

  @Test("A bell ends the wait, however often it was rung, and once")
  func bell() {
    defer { wire.close() }
    let bell = watch.bell
    for _ in 0..<100_000 { bell.ring() }
    var events: [SocketWatch.Event] = []
    watch.wait(atMost: nil, &events)
    #expect(events.isEmpty)
    let start = ContinuousClock.now
    watch.wait(atMost: .milliseconds(30), &events)
    #expect(start.duration(to: .now) >= .milliseconds(30))
  }

  @Test("A bell that another thread rings ends a wait without limit")
  func otherThread() async {
    defer { wire.close() }
    let bell = watch.bell
    let ringing = Task.detached { bell.ring() }
    var events: [SocketWatch.Event] = []
    watch.wait(atMost: nil, &events)
    #expect(events.isEmpty)
    await ringing.value
  }
}
