import Foundation
import Testing
import TestSupport

/// Reference vectors, from the file that `SLUICE_VECTORS_FILE` names, or else from the committed
/// file.
@Suite("Reference vectors")
struct VectorTests {
  @Test("Statistics match the reference vectors")
  func vectors() throws {
    let path =
      ProcessInfo.processInfo.environment["SLUICE_VECTORS_FILE"] ?? ReferenceVectors.committed
    let outcome = try ReferenceVectors(path: path)
      .check(VectorFunctions.all, zeroForUndefined: VectorFunctions.havingZeroForUndefined)
    print("VectorTests: \(outcome.checked) vectors checked")
    #expect(outcome.failures == [])
    #expect(outcome.unknown == [], "unknown functions")
    #expect(outcome.checked > 0, "none of the vectors in \(path) was checked")
  }
}
