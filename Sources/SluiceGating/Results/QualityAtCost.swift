import SluiceCore

/// The quality of a configuration with its cost, to find the Pareto-optimal configurations.
package struct QualityAtCost: Hashable, Sendable {
  /// The share of answers that pass, from 0 to 1.
  var quality: Double
  /// The cost of a call, in the same unit for all compared configurations.
  var cost: Double

  package init(quality: Double, cost: Double) {
    self.quality = quality
    self.cost = cost
  }

  /// Returns true if this configuration is Pareto-optimal: any configuration that is better costs
  /// more, and any configuration that is cheaper is worse.
  package func isOnFront(of others: some Sequence<QualityAtCost>) -> Bool {
    !others.contains { other in
      other.quality >= quality && other.cost <= cost
        && (other.quality > quality || other.cost < cost)
    }
  }
}
