@testable import SluiceCore
@testable import SluiceStatistics
import Testing

@Suite("Optimal assignment")
struct OptimalAssignmentTests {
  /// Returns the first of the best matchings, found by trying all of them.
  private func bruteForce(_ weights: [[Double?]]) -> [Int?] {
    let columns = weights.map(\.count).max() ?? 0
    var best: (columns: [Int?], total: Double)?
    func extend(_ chosen: [Int?], _ total: Double) {
      if chosen.count == weights.count {
        // Matchings are tried in column order, so a later one must be better.
        if total > best?.total ?? -1 { best = (chosen, total) }
        return
      }
      for column in 0..<columns where !chosen.contains(column) {
        let row = weights[chosen.count]
        guard column < row.count, let weight = row[column] else { continue }
        extend(chosen + [column], total + weight)
      }
      extend(chosen + [nil], total)
    }
    extend([], 0)
    return best?.columns ?? []
  }

  /// Returns all matrices of a size with entries from these values.
  private func matrices(_ rows: Int, _ columns: Int, of values: [Double?]) -> [[[Double?]]] {
    var flat: [[Double?]] = [[]]
    for _ in 0..<(rows * columns) { flat = flat.flatMap { start in values.map { start + [$0] } } }
    return flat.map { flat in
      (0..<rows).map { Array(flat[($0 * columns)..<(($0 + 1) * columns)]) }
    }
  }

  private func total(_ matching: [Int?], _ weights: [[Double?]]) -> Double {
    zip(weights, matching).reduce(0) { sum, pair in sum + (pair.1.flatMap { pair.0[$0] } ?? 0) }
  }

  @Test(
    "For every small matrix, the first of the best matchings is found",
    arguments: [
      (1, 1, [nil, -1, 0, 1, 2]), (1, 3, [nil, -1, 0, 1, 2]), (3, 1, [nil, -1, 0, 1, 2]),
      (2, 2, [nil, -1, 0, 1, 2, 3]), (2, 3, [nil, 0, 1, 2]), (3, 2, [nil, 0, 1, 2]),
      (2, 4, [nil, 0, 1]), (4, 2, [nil, 0, 1]), (3, 3, [nil, 1, 2]),
    ] as [(Int, Int, [Double?])]
  )
  func allSmall(_ rows: Int, _ columns: Int, _ values: [Double?]) {
    for weights in matrices(rows, columns, of: values) {
      let (found, expected) = (OptimalAssignment.maximum(weights), bruteForce(weights))
      if found != expected { Issue.record("\(weights): \(found), expected \(expected)") }
    }
  }

  @Test("Random matrices with ties and forbidden pairs are matched optimally", arguments: 0..<300)
  func random(_ seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let rows = Int.random(in: 0...6, using: &random)
    let columns = Int.random(in: 0...6, using: &random)
    let distinct = Int.random(in: 1...5, using: &random)
    let forbidden = Int.random(in: 0...6, using: &random)
    let weights: [[Double?]] = (0..<rows).map { _ in
      (0..<columns).map { _ in
        Int.random(in: 0..<10, using: &random) < forbidden
          ? nil : Double(Int.random(in: 0...distinct, using: &random)) / 4
      }
    }
    #expect(OptimalAssignment.maximum(weights) == bruteForce(weights))
  }

  @Test("For random weights of any magnitude, the total is maximal", arguments: 0..<100)
  func randomWeights(_ seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let rows = Int.random(in: 1...6, using: &random)
    let columns = Int.random(in: 1...6, using: &random)
    let scale = [1, 1e-300, 1e300, .leastNonzeroMagnitude * 1e6][seed % 4]
    let weights: [[Double?]] = (0..<rows).map { _ in
      (0..<columns).map { _ in Double.random(in: 0...1, using: &random) * scale }
    }
    let best = total(bruteForce(weights), weights)
    #expect(total(OptimalAssignment.maximum(weights), weights) >= best * (1 - 1e-9))
  }

  @Test("The matching is not greedy: the best pair is split if the total is higher")
  func greedyIsWrong() {
    #expect(OptimalAssignment.maximum([[10, 9], [9, 1]]) == [1, 0])
    #expect(
      OptimalAssignment.maximum([[0.9, 0.8, 0], [0.85, 0.1, 0], [0, 0.7, 0.6]]) == [1, 0, 2]
    )
  }

  @Test("Without rows, columns or allowed pairs, nothing is matched")
  func empty() {
    #expect(OptimalAssignment.maximum([]) == [])
    #expect(OptimalAssignment.maximum([[], []]) == [nil, nil])
    #expect(OptimalAssignment.maximum([[nil, nil], [nil, nil]]) == [nil, nil])
  }

  @Test("Forbidden, negative and infinite weights are never used")
  func forbidden() {
    #expect(OptimalAssignment.maximum([[nil, 1], [5, 2]]) == [1, 0])
    #expect(OptimalAssignment.maximum([[-1, -2], [-3, 1]]) == [nil, 1])
    #expect(OptimalAssignment.maximum([[-.infinity, 1], [.nan, .infinity]]) == [1, nil])
    #expect(OptimalAssignment.maximum([[nil, 3], [nil, 4]]) == [nil, 1])
  }

  @Test("The missing columns of a short row are forbidden")
  func ragged() {
    #expect(OptimalAssignment.maximum([[1], [1, 2, 3], []]) == [0, 2, nil])
  }

  @Test("Of equal totals, the one with the lower columns is used, row by row")
  func ties() {
    #expect(OptimalAssignment.maximum([[1, 1, 1], [1, 1, 1], [1, 1, 1]]) == [0, 1, 2])
    #expect(OptimalAssignment.maximum([[1], [1], [1]]) == [0, nil, nil])
    #expect(OptimalAssignment.maximum([[2, 2], [2, 1]]) == [1, 0])
    #expect(OptimalAssignment.maximum([[0, 0]]) == [0])
  }

  @Test("Totals that differ only by rounding are ties")
  func rounding() {
    // 0.1 + 0.2 is more than 0.3 by one unit in the last place.
    #expect(0.1 + 0.2 > 0.3)
    #expect(OptimalAssignment.maximum([[0.3, 0.1], [0.2, 0]]) == [0, 1])
  }

  @Test(
    "Large matrices are matched quickly",
    .timeLimit(.minutes(5))
  )
  func size() {
    var random = SeededGenerator(seed: 1)
    func weights(_ rows: Int, _ columns: Int) -> [[Double?]] {
      (0..<rows).map { _ in (0..<columns).map { _ in .random(in: 0...1, using: &random) } }
    }
    for (rows, columns) in [(1_000, 3), (3, 1_000), (100, 100)] {
      let matched = OptimalAssignment.maximum(weights(rows, columns)).compactMap(\.self)
      #expect(matched.count == min(rows, columns))
      #expect(Set(matched).count == matched.count)
    }
    let same = [[Double?]](repeating: [Double?](repeating: 1, count: 100), count: 100)
    #expect(OptimalAssignment.maximum(same) == Array(0..<100))
  }
}
