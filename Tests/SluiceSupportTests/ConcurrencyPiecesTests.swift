import Foundation
@testable import SluiceSupport
import Testing

@Suite("Concurrent work in pieces")
struct ConcurrencyPiecesTests {
  @Test(
    "Results are delivered in order, and each index is processed once",
    arguments: [0, 1, 63, 64, 65, 1_000, 5_000],
    [1, 2, 3, 100]
  )
  func order(count: Int, threads: Int) {
    for patience in [Duration.zero, .nanoseconds(1), .seconds(3_600)] {
      var taken: [Int] = []
      Concurrency.inPieces(of: count, threads: threads, patience: patience) { range in
        Array(range)
      } take: {
        taken += $0
      }
      #expect(taken == Array(0..<count))
    }
  }

  @Test("Work that is finished before the patience ends uses one thread")
  func patience() {
    let seen = Locked<Set<ObjectIdentifier>>([])
    Concurrency.inPieces(of: 6_400, threads: 8, patience: .seconds(3_600)) { range in
      seen.withLock { _ = $0.insert(ObjectIdentifier(Thread.current)) }
    } take: { _ in
    }
    #expect(seen.withLock(\.count) == 1)
  }

  @Test("Results are delivered while the rest is still being processed")
  func rounds() {
    let made = Locked(0)
    var first: Int?
    Concurrency.inPieces(of: 100_000, threads: 2, patience: .zero) { range in
      made.withLock { $0 += range.count }
    } take: { _ in
      first = first ?? made.withLock { $0 }
    }
    #expect(first.map { $0 < 10_000 } == true)
  }
}
