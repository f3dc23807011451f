import Testing
import TestSupport

@Suite("Statistics: references")
struct ReferenceTests {
  @Test("Pure functions agree with the committed vectors")
  func vectors() throws {
    let outcome = try ReferenceVectors(path: ReferenceVectors.committed)
      .check(VectorFunctions.statistics)
    #expect(outcome.failures == [])
    #expect(outcome.checked > 50)
  }
}
