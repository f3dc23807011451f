@testable import SluiceGating
import Testing

@Suite("Quality at a cost")
struct QualityAtCostTests {
  @Test(
    "A point is on the front if no other is cheaper and not worse, or better and not more expensive",
    arguments: [
      (0.9, 4.0, true), (0.8, 1.0, true), (0.8, 2.0, false), (0.7, 1.0, false), (0.95, 9.0, true),
      (0.9, 4.5, false),
    ]
  )
  func front(quality: Double, cost: Double, isOnFront: Bool) {
    let others = [QualityAtCost(quality: 0.9, cost: 4), QualityAtCost(quality: 0.8, cost: 1)]
    let one = QualityAtCost(quality: quality, cost: cost)
    #expect(one.isOnFront(of: others + [one]) == isOnFront)
  }
}
