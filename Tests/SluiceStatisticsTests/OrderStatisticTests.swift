@testable import SluiceStatistics
import Testing

@Suite("Order statistics")
struct OrderStatisticTests {
  @Test(
    "The value at a rank equals that of the sorted sample",
    arguments: [1, 2, 16, 17, 100, 1_001],
    [1, 3, 1_000_000]
  )
  func rank(count: Int, differing: Int) {
    var random = SeededGenerator(seed: 7)
    let values = (0..<count).map { _ in Double(random.uniform(below: differing)) }
    let sorted = values.sorted()
    for rank in Set([0, count / 2, count - 1, count / 3]) {
      #expect(OrderStatistic.value(at: rank, of: values) == sorted[rank])
    }
  }

  @Test("A sorted or reversed sample gives the correct value")
  func sorted() {
    let values = (0..<10_000).map(Double.init)
    #expect(OrderStatistic.value(at: 5_000, of: values) == 5_000)
    #expect(OrderStatistic.value(at: 1, of: values.reversed()) == 1)
  }
}
