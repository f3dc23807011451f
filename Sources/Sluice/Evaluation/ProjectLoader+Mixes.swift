import SluiceReporting

extension ProjectLoader {
  /// Returns the mixes of `sluice.yaml`; unknown suites are reported.
  func mixes(_ configuration: ProjectConfiguration) -> [Mix] {
    if configuration.mixes.isEmpty { return [] }
    let names = SuiteReader.allSuites(files.system)
      .map { SuiteReader.name(of: $0, in: files.system) }
    // The name of a suite that cannot be read is unknown.
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
