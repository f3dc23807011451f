import SluiceCore

/// The check that there are enough clusters for a confidence bound.
///
/// The variation between clusters can be estimated only from the clusters themselves. With fewer
/// than 8 clusters of equal size, no correction keeps the nominal level (Cameron, Gelbach & Miller
/// 2008, "Bootstrap-based improvements for inference with clustered errors").
package enum FewClusters {
  /// The minimum effective number of clusters for comparisons and claims.
  package static let least = 8.0

  /// Returns the reason why there are too few clusters to decide, or `nil` if there are enough.
  ///
  /// - Parameter effective: The effective number of clusters: (Σn)²/Σn², where n is the number of
  ///   cases in each cluster.
  /// - Returns: The reason, as a clause.
  static func explanation(_ effective: Double) -> String? {
    guard effective < least - 1e-9 else { return nil }
    return "the clusters are worth only \(number(effective)) clusters of equal size; 8 are needed"
  }

  /// Formats a number with one decimal, rounded down so that 7.99 does not become 8.0.
  static func number(_ effective: Double) -> String {
    let tenths = Int((effective * 10 + 1e-9).rounded(.down))
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }
}
