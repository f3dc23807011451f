@testable import SluiceStatistics
import Testing
import TestSupport

@Suite("Item analysis")
struct ItemAnalysisTests {
  /// Four items and five takers, the last of whom did not answer the third item.
  private let small = ItemAnalysis([
    [true, true, true, false, false],
    [true, true, false, false, false],
    [true, false, true, false, nil],
    [true, true, true, true, true],
  ])

  @Test("Difficulty is the share of passes among the takers who answered")
  func difficulty() {
    #expect(isClose(small.difficulty(0), 0.6))
    #expect(isClose(small.difficulty(1), 0.4))
    #expect(isClose(small.difficulty(2), 0.5))
    #expect(isClose(small.difficulty(3), 1))
    #expect(ItemAnalysis([[nil, nil]]).difficulty(0) == nil)
  }

  @Test("Discrimination is the correlation with the rest score, and matches a manual calculation")
  func discrimination() {
    // The rest scores for the first item are 1, 2/3, 2/3, 1/3 and 1/2.
    #expect(isClose(small.discrimination(0), 0.8000946913656627))
    #expect(isClose(small.discrimination(1), 0.408248290463863))
    #expect(isClose(small.discrimination(2), 0.30151134457776363))
  }

  @Test("Without variance, there is no discrimination and no correlation")
  func constant() {
    #expect(small.discrimination(3) == nil)
    #expect(small.correlation(0, 3) == nil)
    // A single item has no others.
    #expect(ItemAnalysis([[true, false]]).discrimination(0) == nil)
    // All takers pass the other items equally often.
    #expect(ItemAnalysis([[true, false], [true, true]]).discrimination(0) == nil)
  }

  @Test("The correlation of two items is phi, over the takers who answered both")
  func phi() {
    #expect(isClose(small.correlation(0, 1), 2.0 / 3))
    // Takers 1 to 4: 2 pass both items, 3 the first and 2 the second.
    #expect(isClose(small.correlation(0, 2), 1 / 3.0.squareRoot()))
  }

  /// Returns the results of 70 takers, so that they need more than one word of bits.
  private func row(_ passes: (Int) -> Bool?) -> [Bool?] { (0..<70).map(passes) }

  @Test("Redundant items are grouped, and items without variance are omitted")
  func redundant() {
    let half = row { $0 % 2 == 0 }
    let items = ItemAnalysis([
      row { _ in true }, half, row { $0 < 20 }, half, row { _ in true },
      // One taker in seventy differs: phi is 0.97.
      row { $0 == 69 ? true : $0 % 2 == 0 },
      row { $0 >= 20 },
    ])
    #expect(items.redundantGroups(takers: 20) == [[1, 3, 5]])
    #expect(items.redundantGroups(above: 0.99, takers: 20) == [[1, 3]])
    // An inverted item has the same information, but is not redundant.
    #expect(isClose(items.correlation(2, 6), -1))
    #expect(items.redundantGroups(takers: 71) == [])
  }

  @Test("Items with too few common takers are not compared")
  func overlap() {
    let items = ItemAnalysis([
      row { $0 < 45 ? $0 % 2 == 0 : nil }, row { $0 >= 25 ? $0 % 2 == 0 : nil },
    ])
    #expect(items.redundantGroups(takers: 21) == [])
    #expect(items.redundantGroups(takers: 20) == [[0, 1]])
  }

  @Test("In a simulation, random items have no discrimination, and others have much")
  func simulation() throws {
    var random = SeededGenerator(seed: 7)
    var (noise, real): ([Double], [Double]) = ([], [])
    for _ in 0..<40 {
      let abilities = (0..<60).map { _ in random.uniform() }
      let results: [[Bool?]] = (0..<20).map { item in
        abilities.map { random.uniform() < (item < 10 ? 0.5 : $0) }
      }
      let items = ItemAnalysis(results)
      noise += (0..<10).compactMap { items.discrimination($0) }
      real += (10..<20).compactMap { items.discrimination($0) }
      for item in 0..<20 {
        // Four standard errors for 60 takers, plus the spread of their abilities.
        #expect(abs(try #require(items.difficulty(item)) - 0.5) < 0.3)
      }
    }
    func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }
    #expect(noise.count == 400)
    // The standard error is 1 / √(59 · 400) = 0.0065. Without the correction it would be 0.2.
    #expect(abs(mean(noise)) < 0.02)
    #expect(mean(real) > 0.3)
  }
}

@Suite("Changes in one direction")
struct OneWayChangeTests {
  private let goal = Power.Goal(sides: .one)

  @Test(
    "The smallest change detected with 80% power matches an independent bisection",
    arguments: [
      (3, 0.9910861243497365), (10, 0.5013786764241006), (32, 0.18097916407056286),
      (162, 0.03767417849188062), (1_000, 0.006169633011523755),
    ]
  )
  func values(_ n: Int, _ change: Double) {
    #expect(isClose(Power.detectableOneWayChange(n: n, goal: goal), change, 1e-9))
  }

  @Test("With fewer than three cases, no change can be detected", arguments: [1, 2])
  func none(_ n: Int) { #expect(Power.detectableOneWayChange(n: n, goal: goal) == nil) }

  @Test(
    "The regression rule detects such a change with at least 80% power",
    arguments: [10, 20, 32, 64, 162, 259, 1_000]
  )
  func power(_ n: Int) throws {
    let change = try #require(Power.detectableOneWayChange(n: n, goal: goal))
    let flips = TrinomialEnumeration(n: n, harmful: change, beneficial: 0)
    let power = flips.probability { harmful, beneficial in
      Tango.interval(harmful: harmful, beneficial: beneficial, of: n).high < 0
    }
    #expect(power >= 0.8)
    // The required number of cases equals the given one.
    #expect(isClose(Power.cases(harmful: change, beneficial: 0, goal: goal), Double(n), 1e-6))
  }
}
