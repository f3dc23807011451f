extension Duration {
  /// The duration in milliseconds, truncated to whole microseconds.
  package var milliseconds: Double {
    Double(components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000) / 1_000
  }
}
