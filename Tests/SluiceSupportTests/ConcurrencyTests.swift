import SluiceSupport
import Testing
import TestSupport

@Suite("Concurrency")
struct ConcurrencyTests {
  @Test("Results are in the order of the operations, whichever finishes first")
  func order() async {
    // Each operation waits for the next one, so they finish in reverse order.
    let gates = (0..<9).map { _ in Gate() }
    let results = await Concurrency.map(count: 8, inFlight: 8) { index in
      if index < 7 { await gates[index + 1].wait() }
      await gates[index].open()
      return index * 10
    }
    #expect(results == [0, 10, 20, 30, 40, 50, 60, 70])
  }

  @Test(
    "Exactly as many operations run at the same time as the limit allows",
    arguments: [1, 3, 8]
  )
  func bound(_ limit: Int) async {
    let counts = Locked((now: 0, most: 0))
    let full = Gate()
    _ = await Concurrency.map(count: 40, inFlight: limit) { index in
      let now = counts.withLock { counts in
        counts.now += 1
        counts.most = max(counts.most, counts.now)
        return counts.now
      }
      // The first operations wait for each other. If fewer were allowed, they would wait forever.
      if now == limit { await full.open() }
      await full.wait()
      counts.withLock { $0.now -= 1 }
      return index
    }
    #expect(counts.withLock { $0.most } == limit)
  }

  @Test("A limit below one counts as one", arguments: [0, -3])
  func noLimit(_ limit: Int) async {
    #expect(await Concurrency.map(count: 3, inFlight: limit) { $0 } == [0, 1, 2])
  }

  @Test("Without operations, the map ends at once")
  func empty() async {
    #expect(await Concurrency.map(count: 0, inFlight: 4) { $0 } == [])
  }

  @Test("Cancellation reaches running and future operations, and all of them end")
  func cancellation() async {
    let started = Gate()
    let task = Task {
      await Concurrency.map(count: 6, inFlight: 2) { index in
        await started.open()
        if index < 2 { await Cancellation.wait() }
        return Task.isCancelled
      }
    }
    await started.wait()
    task.cancel()
    #expect(await task.value == [true, true, true, true, true, true])
  }
}

/// A condition to wait for until it has occurred once.
private actor Gate {
  private var isOpen = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func open() {
    isOpen = true
    for continuation in waiting { continuation.resume() }
    waiting = []
  }

  func wait() async {
    if isOpen { return }
    await withCheckedContinuation { waiting.append($0) }
  }
}

private enum Cancellation {
  /// Waits until the task is cancelled.
  static func wait() async {
    let (stream, continuation) = AsyncStream<Never>.makeStream()
    await withTaskCancellationHandler {
      for await _ in stream {}
    } onCancel: {
      continuation.finish()
    }
  }
}
