import SluiceGating

extension ConfigurationComparison {
  /// Returns the names of the models that answered for a configuration.
  ///
  /// Returns `nil` if all configurations have the same backend, if the models are unknown, or if the
  /// only model has the same name as the backend.
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
