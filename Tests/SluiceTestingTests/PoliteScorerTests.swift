import Sluice
import SluiceTesting
import Testing

@Suite("PoliteScorer")
struct PoliteScorerTests {
  @Test("It keeps the rules of scorers")
  func rules() {
    let testCase = TestCase(id: "late", input: [:], expected: ["polite": true])
    let conformance = ScorerConformance(
      PoliteScorer(),
      testCase,
      answers: ["Thanks, I have it.", "Where is it?"]
    )
    let report = conformance.report()
    #expect(report.isConforming, "\(report)")
  }
}
