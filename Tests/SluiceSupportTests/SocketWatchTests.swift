import Testing

@testable import SluiceSupport
import TestSupport

@Suite("Socket watch", .timeLimit(.minutes(5)))
struct SocketWatchTests {
  private let watch: SocketWatch
  private let wire: Pipe

  init() throws {
    watch = try #require(SocketWatch())
    wire = try #require(Pipe())
  }

  /// Returns the ready sockets as text: the end of the pipe, its events and its owner.
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

  @Test("A socket is reported when it is ready for its watched events, with its owner")
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

  @Test("A socket that is watched for nothing is removed, and the others are still watched")
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

  @Test("The end of the input counts as readable")
  func closed() {
    watch.watch(wire.reading, for: .reading, as: 0)
    FileDescriptor.close(wire.writing)
    // There is no time limit, because a program that another test starts at this moment has a copy
    // of every descriptor until it runs. The end is visible only when the last copy is closed.
    #expect(ready(atMost: nil) == ["reading end 1 of 0"])
    FileDescriptor.close(wire.reading)
  }

  @Test("A bell ends the wait once, however often it is rung")
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

  @Test("A bell rung by another thread ends a wait without a limit")
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
