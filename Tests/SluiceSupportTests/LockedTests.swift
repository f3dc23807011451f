import SluiceSupport
import Testing

@Suite("Locked")
struct LockedTests {
  @Test("Increments from many tasks are all counted")
  func count() async {
    let counter = Locked(0)
    _ = await Concurrency.map(count: 64, inFlight: 8) { _ in
      for _ in 0..<500 { counter.withLock { $0 += 1 } }
    }
    #expect(counter.withLock { $0 } == 32_000)
  }

  @Test("An error thrown inside is rethrown, and the lock is released")
  func thrown() {
    struct Failure: Error {}
    let value = Locked([1])
    #expect(throws: Failure.self) {
      try value.withLock { value in
        value.append(2)
        throw Failure()
      }
    }
    #expect(value.withLock { $0 } == [1, 2])
  }
}
