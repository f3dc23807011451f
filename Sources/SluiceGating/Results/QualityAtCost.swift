import SluiceCore

/// The quality of a configuration and the cost of a call, for a comparison of the two together.
package struct QualityAtCost: Hashable, Sendable {
  /// The share of answers that pass, from 0 to 1.
  var quality: Double
  /// The cost, in any unit that all compared configurations share.
  var cost: Double

  package init(quality: Double, cost: Double) {
    self.quality = quality
    self.cost = cost
  }

  /// True when none of the others is as good and cheaper, or better and not dearer (Pareto).
  package func isOnFront(of others: some Sequence<QualityAtCost>) -> Bool {
    !others.contains { other in
      other.quality >= quality && other.cost <= cost
        && (other.quality > quality || other.cost < cost)
    }
  }
}
