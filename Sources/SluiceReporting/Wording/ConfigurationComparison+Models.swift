import SluiceGating

extension ConfigurationComparison {
  /// Returns the names of the models that answered for a configuration.
  ///
  /// Returns `nil` if all configurations have the same backend, or if the models are unknown. It
  /// also returns `nil` if the only model has the name of the backend.
  func models(of configuration: Configuration) -> String? {
    if Set(configurations.map(\.column.backend)).count < 2 { return nil }
    let column = configuration.column
    var names: [String] = []
    for model in column.provenances.compactMap(\.model) where !names.contains(model) {
      names.append(model)
    }
    return names.isEmpty || names == [column.backend] ? nil : names.joined(separator: ", ")
  }
}
