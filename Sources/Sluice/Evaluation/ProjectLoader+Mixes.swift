import SluiceReporting

extension ProjectLoader {
  /// Returns the mixes of `sluice.yaml`, and reports unknown suites in them.
  func mixes(_ configuration: ProjectConfiguration) -> [Mix] {
    if configuration.mixes.isEmpty { return [] }
    let names = SuiteReader.allSuites(files.system)
      .map { SuiteReader.name(of: $0, in: files.system) }
    // If a suite cannot be read, a name that seems unknown may be its name, so report nothing.
    let known = names.compactMap(\.self)
    for call in configuration.mixes.flatMap(\.calls)
    where known.count == names.count && !known.contains(call.suite.text) {
      diagnostics.error(
        "there is no suite '\(call.suite.text)'",
        in: configuration.file,
        at: call.suite.position,
        fix: NearestName.suggestion(for: call.suite.text, among: known)
      )
    }
    return configuration.mixes.map {
      Mix($0, file: configuration.file, diagnostics: diagnostics)
    }
  }
}
