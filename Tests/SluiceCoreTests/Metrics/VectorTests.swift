import Foundation
import Testing
import TestSupport

/// Reference vectors, from the file that `SLUICE_VECTORS_FILE` names, or else from the committed
/// file.
@Suite("Reference vectors")
struct VectorTests {
  /// The functions that the product no longer has, but that other files of vectors contain.
  private static let retired: Set<String> = [
    "bootstrap_percentile_limit", "clustered_standard_error", "f_beta", "fisher_exact",
    "fisher_one_sided", "mde_paired_z", "n_items_paired_mean_t", "n_items_paired_mean_z",
    "n_per_group_two_proportions_arcsine", "n_per_group_two_proportions_normal", "roc_auc",
    "sign_test",
  ]

  @Test("Statistics match the reference vectors")
  func vectors() throws {
    let path =
      ProcessInfo.processInfo.environment["SLUICE_VECTORS_FILE"] ?? ReferenceVectors.committed
    let outcome = try ReferenceVectors(path: path)
      .check(VectorFunctions.all, zeroForUndefined: VectorFunctions.havingZeroForUndefined)
    print("VectorTests: \(outcome.checked) vectors checked")
    #expect(outcome.failures == [])
    let skipped = outcome.unknown.filter { Self.retired.contains($0.key) }
    if !skipped.isEmpty {
      print(
        "VectorTests: skipped \(skipped.values.reduce(0, +)) vectors of functions that the product"
          + " does not have: \(skipped.keys.sorted().joined(separator: ", "))"
      )
    }
    #expect(outcome.unknown.keys.filter { skipped[$0] == nil } == [], "unknown functions")
    #expect(outcome.checked > 0, "none of the vectors in \(path) was checked")
  }
}
