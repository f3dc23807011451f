import SluiceGating

/// The next step for suites with missing answers: recording them, or writing their requests to a
/// batch file.
package struct MissingAnswersStep {
  package let advice: String
  package let command: String

  /// Creates the step.
  ///
  /// - Parameters:
  ///   - areAskedThroughFiles: True if Sluice itself requests no answer of these suites.
  ///   - isInCI: True if the step is shown by a job in CI, which must not record answers itself.
  ///   - arguments: The names of the suites and the options, each preceded by a space.
  package init(areAskedThroughFiles: Bool, isInCI: Bool, _ arguments: String) {
    let place = isInCI ? "on your own machine, " : ""
    if areAskedThroughFiles {
      advice =
        "\(place)export the unanswered requests to a batch file, then import the batch's results"
      command = "sluice batch export missing.jsonl\(arguments)"
    } else {
      let ending = isInCI ? " and commit them" : ""
      advice = "\(place)record the missing answers\(ending) (this sends requests)"
      command = "sluice record\(arguments)"
    }
  }

  /// Creates the step for suites, with the options of the command line.
  ///
  /// A batch file always has the requests of all cases, so the filter on cases is left out.
  ///
  /// - Parameters:
  ///   - paths: The files of the suites; empty for all suites.
  ///   - areAskedThroughFiles: True if Sluice itself requests no answer of these suites.
  ///   - overrides: The options.
  package init(
    _ paths: [ProjectPath],
    areAskedThroughFiles: Bool,
    _ overrides: CommandLineOverrides
  ) {
    let names = paths.map { " " + ShellText.quoted(SuiteName.short($0)) }.joined()
    let options = areAskedThroughFiles ? overrides.withoutFilter.options : overrides.options
    self.init(
      areAskedThroughFiles: areAskedThroughFiles,
      isInCI: overrides.isInCI,
      names + options
    )
  }
}

extension SuitePlan {
  /// True if none of the suite's answers is requested by Sluice itself.
  package var isAskedThroughFiles: Bool {
    let backends = allBackends.filter { $0.outputs == nil }
    return !backends.isEmpty && backends.allSatisfy(\.isAskedThroughFiles)
  }
}
