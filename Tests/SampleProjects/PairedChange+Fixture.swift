package import Sluice

extension PairedChange {
  /// Returns a change of a number of cases.
  package static func fixture(_ harmful: Int, _ beneficial: Int, _ n: Int, margin: Double = 0.05)
    -> PairedChange
  {
    PairedChange(
      baseline: Double(harmful) / Double(n),
      candidate: Double(beneficial) / Double(n),
      flips: (harmful, beneficial),
      n: n,
      basis: .flips(harmful: harmful, beneficial: beneficial),
      margin: margin,
      prefersSmall: false
    )
  }
}
