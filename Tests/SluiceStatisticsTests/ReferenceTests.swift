import Testing
import TestSupport

@Suite("Statistics: reference vectors")
struct ReferenceTests {
  @Test("Statistical functions match the committed vectors")
  func vectors() throws {
    let outcome = try ReferenceVectors(path: ReferenceVectors.committed)
      .check(VectorFunctions.statistics)
    #expect(outcome.failures == [])
    #expect(outcome.checked > 50)
  }
}
