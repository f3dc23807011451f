package import SluiceSupport

extension Redaction {
  /// Creates a redaction that knows the keys of some backends, and the tokens that their programs print.
  ///
  /// - Parameters:
  ///   - backends: The backends.
  ///   - surroundings: The surroundings that they are connected in.
  package init(of backends: [BackendDefinition], in surroundings: Surroundings) {
    self.init(
      known: backends.flatMap { $0.secrets(surroundings) },
      issued: surroundings.issued
    )
  }
}
