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
  ///   - arguments: The names of the suites and the options, each preceded by a space.
  package init(areAskedThroughFiles: Bool, _ arguments: String) {
    if areAskedThroughFiles {
      advice =
        "export the unanswered requests to a batch file, then import the batch's results"
      command = "sluice batch export missing.jsonl\(arguments)"
    } else {
      advice = "record the missing answers (this sends requests)"
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
  ///   - trying: The options.
  package init(
    _ paths: [ProjectPath],
    areAskedThroughFiles: Bool,
    _ trying: CommandLineOverrides
  ) {
    let names = paths.map { " " + ShellText.quoted(SuiteName.short($0)) }.joined()
    let options = areAskedThroughFiles ? trying.withoutFilter.options : trying.options
    self.init(areAskedThroughFiles: areAskedThroughFiles, names + options)
  }
}

extension SuitePlan {
  /// True if none of the suite's answers is requested by Sluice itself.
  package var isAskedThroughFiles: Bool {
    let backends = allBackends.filter { $0.outputs == nil }
    return !backends.isEmpty && backends.allSatisfy(\.isAskedThroughFiles)
  }
}
