package import SluiceSupport

extension Redaction {
  /// Creates a redaction for the keys of some backends, including the short-lived tokens that their
  /// key commands print.
  ///
  /// - Parameters:
  ///   - backends: The backends.
  ///   - surroundings: The environment in which the backends are connected.
  package init(of backends: [BackendDefinition], in surroundings: Surroundings) {
    self.init(
      known: backends.flatMap { $0.secrets(surroundings) },
      issued: surroundings.issued
    )
  }
}
