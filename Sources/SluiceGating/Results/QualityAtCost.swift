import SluiceCore

/// What a configuration achieves and what a call of it takes, to tell who is best for their price.
package struct QualityAtCost: Hashable, Sendable {
  /// The share of answers that pass, from 0 to 1.
  var quality: Double
  /// In whatever unit all of them have.
  var cost: Double

  package init(quality: Double, cost: Double) {
    self.quality = quality
    self.cost = cost
  }

  /// Whether none of some is at least as good and cheaper, or better and as cheap (Pareto).
  package func isOnFront(of others: some Sequence<QualityAtCost>) -> Bool {
    !others.contains { other in
      other.quality >= quality && other.cost <= cost
        && (other.quality > quality || other.cost < cost)
    }
  }
}
