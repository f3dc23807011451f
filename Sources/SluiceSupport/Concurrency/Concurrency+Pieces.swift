internal import Dispatch

extension Concurrency {
  /// Works on a range piece by piece, on several threads, and hands the results on in their order.
  ///
  /// What is made is handed on after each round of some pieces a thread, so that few are held at once.
  ///
  /// - Parameters:
  ///   - count: The end of the range, which begins at 0.
  ///   - threads: How many threads may work at once; one is the caller's own.
  ///   - patience: What one thread does in that time it does alone: others take time of their own, to
  ///     start and to wait for memory that they share.
  ///   - make: Works on a part of the range; called from several threads.
  ///   - take: Told each result in the order of the range; called from the caller's thread.
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
      // The first pieces take longer than the others, and say little.
      let isKnown = spent > patience / 20
      if threads > 1, isKnown && rest > patience || patience == .zero { break }
      let clock = ContinuousClock.now
      let piece = make(range(start))
      spent += clock.duration(to: .now)
      take(piece)
      start += 1
    }
    // Several pieces a thread even out pieces that take longer.
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
