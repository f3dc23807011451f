internal import Dispatch

extension Concurrency {
  /// Processes a range in pieces on several threads, and delivers the results in order.
  ///
  /// Each round processes a few pieces per thread, and then delivers their results. So only a few
  /// results are in memory at a time.
  ///
  /// - Parameters:
  ///   - count: The end of the range, which begins at 0.
  ///   - threads: The maximum number of threads, including the caller's own.
  ///   - patience: If one thread can do all the work in this time, no other thread is started,
  ///     because starting threads takes time, too.
  ///   - make: Processes a part of the range; called from several threads.
  ///   - take: Receives each result in the order of the range; called from the caller's thread.
  package static func inPieces<Piece: Sendable>(
    of count: Int,
    threads: Int,
    patience: Duration = .seconds(1),
    _ make: @Sendable (Range<Int>) -> Piece,
    take: (Piece) -> Void
  ) {
    let pieces = (count + pieceLength - 1) / pieceLength
    @Sendable func range(_ piece: Int) -> Range<Int> {
      piece * pieceLength..<min((piece + 1) * pieceLength, count)
    }
    var start = 0
    var spent = Duration.zero
    while start < pieces {
      let rest = start == 0 ? Duration.zero : spent / start * (pieces - start)
      // The first pieces are slower than the others, so their time is not representative.
      let isKnown = spent > patience / 20
      if threads > 1, isKnown && rest > patience || patience == .zero { break }
      let clock = ContinuousClock.now
      let piece = make(range(start))
      spent += clock.duration(to: .now)
      take(piece)
      start += 1
    }
    // With several pieces per thread, the other threads need not wait for a slow piece.
    let round = threads * 8
    while start < pieces {
      let first = start
      let end = min(start + round, pieces)
      let made = Locked<[Piece?]>(Array(repeating: nil, count: end - first))
      let next = Locked(first)
      DispatchQueue.concurrentPerform(iterations: min(threads, end - first)) { _ in
        while true {
          let piece = next.withLock { next in
            defer { next += 1 }
            return next
          }
          if piece >= end { return }
          let result = make(range(piece))
          made.withLock { $0[piece - first] = result }
        }
      }
      for case let piece? in made.withLock({ $0 }) { take(piece) }
      start = end
    }
  }

  private static let pieceLength = 64
}
