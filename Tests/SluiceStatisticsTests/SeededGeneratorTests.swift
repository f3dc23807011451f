import SluiceStatistics
import Testing

@Suite("Seeded generator")
struct SeededGeneratorTests {
  @Test("The generator gives the numbers of SplitMix64 on every platform")
  func numbers() {
    var generator = SeededGenerator(seed: 1_234_567)
    let found = (0..<5).map { _ in generator.next() }
    #expect(
      found == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
        4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
      ]
    )
  }

  @Test("Integers below a bound are equally frequent", arguments: [1, 2, 3, 7, 10])
  func uniform(_ bound: Int) {
    var generator = SeededGenerator(seed: 42)
    var counts = Array(repeating: 0, count: bound)
    let draws = 20_000
    for _ in 0..<draws { counts[generator.uniform(below: bound)] += 1 }
    let mean = Double(draws) / Double(bound)
    let squares = counts.reduce(0) { $0 + (Double($1) - mean) * (Double($1) - mean) / mean }
    #expect(squares < 4 * Double(bound) + 4)
  }

  @Test("Bounds that do not divide 2^64 do not favor small numbers")
  func largeBound() {
    var generator = SeededGenerator(seed: 1)
    let bound = Int.max / 3 * 2
    let low = (0..<10_000).count { _ in generator.uniform(below: bound) < bound / 2 }
    #expect(abs(low - 5_000) < 250)
  }

  @Test("Real numbers are from 0 to below 1, with a mean of one half")
  func real() {
    var generator = SeededGenerator(seed: 3)
    let numbers = (0..<10_000).map { _ in generator.uniform() }
    #expect(numbers.allSatisfy { $0 >= 0 && $0 < 1 })
    #expect(abs(numbers.reduce(0, +) / 10_000 - 0.5) < 0.015)
  }

  @Test("Shuffling keeps all elements, gives every order, and repeats with the same seed")
  func shuffle() {
    var orders: [[Int]: Int] = [:]
    var generator = SeededGenerator(seed: 8)
    for _ in 0..<6_000 {
      var list = [1, 2, 3]
      generator.shuffle(&list)
      orders[list, default: 0] += 1
    }
    #expect(orders.count == 6)
    #expect(orders.values.allSatisfy { abs($0 - 1_000) < 150 })
    var (one, other) = (Array(0..<50), Array(0..<50))
    var (first, second) = (SeededGenerator(seed: 9), SeededGenerator(seed: 9))
    first.shuffle(&one)
    second.shuffle(&other)
    #expect(one == other)
    #expect(one != Array(0..<50))
    #expect(one.sorted() == Array(0..<50))
  }
}
