import SluiceStatistics
import Testing
import TestSupport

@Suite("Sequential test of a simulated rate")
struct RareEventTests {
  @Test(
    "The test is wrong no more often than promised, and needs few draws for a rare event",
    arguments: [(0.05, 0.12, 0.05), (0.1, 0.2, 0.02)]
  )
  func errors(rate: Double, bad: Double, error: Double) {
    var random = SeededGenerator(seed: 12)
    var draws = 0
    func passes(_ actual: Double) -> Bool {
      RareEvent.isRare(upTo: rate, notFrom: bad, error: error) {
        draws += 1
        return random.uniform() < actual
      }
    }
    let tests = 400
    // Two standard errors of 400 tests.
    let most = Double(tests) * error + 2 * (Double(tests) * error).squareRoot()
    #expect(Double((0..<tests).count { _ in !passes(rate) }) <= most)
    #expect(Double((0..<tests).count { _ in passes(bad) }) <= most)
    draws = 0
    #expect((0..<tests).allSatisfy { _ in passes(rate / 4) })
    #expect(draws / tests < 80)
  }

  @Test("With no events it passes after few draws, and with only events it fails")
  func certain() {
    #expect(RareEvent.isRare(upTo: 0.05, notFrom: 0.1, error: 0.05) { false })
    #expect(!RareEvent.isRare(upTo: 0.05, notFrom: 0.1, error: 0.05) { true })
    #expect(RareEvent(upTo: 0.05, notFrom: 0.1, error: 0.05).verdict == nil)
  }
}
